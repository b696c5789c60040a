/** Validates matchers for configuration, commands, control socket and page alike. */
import { SELF_NAME } from '../core/engine/self-source.ts';
import { compileGlobs } from '../core/text/glob.ts';
import { KINDS, SEVERITIES } from '../core/transition/kind.ts';
import { suggestName } from './nearest.ts';
import { shorten } from './problem.ts';

/** Matcher keys other than labels; the label `customer` is always available. */
export const MATCHER_KEYS = ['severity', 'source', 'kind', 'component', 'extension', 'site', 'customer'] as const;

/** Names that matchers may refer to. */
export interface Matchable {
  /** Names of sources, without Linewatch itself. */
  sources: readonly string[];
  /** Keys of labels. */
  labels: readonly string[];
}

export interface MatcherMistake {
  key: string;
  /** Index of the value; null for the key itself. */
  index: number | null;
  /**
   * An unknown key or severity is always an error. An unknown source or kind may exist later: configurations may name
   * it, but a silence for it would silence nothing.
   */
  what: 'key' | 'severity' | 'source' | 'kind' | 'size';
  /** Key or value as written. */
  written: string;
  /** Valid alternatives. */
  known: readonly string[];
}

/** Limit: every value is matched against every alert. */
const MOST_VALUES = 1_000;
const LONGEST_VALUE = 500;

/** One per invalid key or value, in order; empty if valid. */
export function findMatcherMistakes(
  matchers: Iterable<readonly [string, readonly string[]]>,
  { sources, labels }: Matchable,
): MatcherMistake[] {
  const keys = [...new Set<string>([...MATCHER_KEYS, ...labels])];
  const judged = { severity: SEVERITIES, source: [...sources, SELF_NAME], kind: KINDS } as const;
  return [...matchers].flatMap(([key, values]): MatcherMistake[] => {
    if (!keys.includes(key)) return [{ key, index: null, what: 'key', written: key, known: keys }];
    const tooLong = values.findIndex((value) => value === '' || value.length > LONGEST_VALUE);
    if (values.length === 0 || values.length > MOST_VALUES || tooLong >= 0) {
      return [{ key, index: tooLong < 0 ? null : tooLong, what: 'size', written: key, known: [] }];
    }
    if (key !== 'severity' && key !== 'source' && key !== 'kind') return [];
    const known = judged[key];
    return values.flatMap((written, index): MatcherMistake[] =>
      known.some(compileGlobs([written])) ? [] : [{ key, index, what: key, written, known }],
    );
  });
}

/** Wording for a person who creates a silence. */
export function describeMistake({ what, written, known }: MatcherMistake): string {
  if (what === 'size') return `${written} needs 1 to ${MOST_VALUES} values of 1 to ${LONGEST_VALUE} characters`;
  return `there is no ${what} '${shorten(written)}'${suggestName(written, known) || '.'} There are: ${known.join(', ')}`;
}
