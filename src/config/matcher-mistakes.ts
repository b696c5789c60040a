/**
 * What may be written as a matcher. Configuration, commands, the control socket and the page ask here, so that none of
 * them keeps what another refuses.
 */
import { ITSELF } from '../core/engine/itself.ts';
import { compileGlobs } from '../core/text/glob.ts';
import { KINDS, SEVERITIES } from '../core/transition/kind.ts';
import { suggestName } from './nearest.ts';
import { shorten } from './problem.ts';

/** Keys of matchers that are no labels; `customer` is the label everybody may use. */
export const MATCHER_KEYS = ['severity', 'source', 'kind', 'component', 'extension', 'site', 'customer'] as const;

/** What there is to match here. */
export interface Matchable {
  /** Names of sources, without Linewatch itself. */
  sources: readonly string[];
  /** Keys of labels. */
  labels: readonly string[];
}

export interface MatcherMistake {
  key: string;
  /** Which of its values; null for the key itself. */
  index: number | null;
  /**
   * A key or a severity that there is none of is a mistake anywhere. A source or a kind may come: a configuration may
   * name it, but whoever mutes would believe it is quiet.
   */
  what: 'key' | 'severity' | 'source' | 'kind' | 'size';
  /** The key or the value as it was written. */
  written: string;
  /** What there is instead. */
  known: readonly string[];
}

/** Each is matched against every alert. */
const MOST_VALUES = 1_000;
const LONGEST_VALUE = 500;

/** Empty where they are right. One for each key or value that is wrong, in their order. */
export function findMatcherMistakes(
  matchers: Iterable<readonly [string, readonly string[]]>,
  { sources, labels }: Matchable,
): MatcherMistake[] {
  const keys = [...new Set<string>([...MATCHER_KEYS, ...labels])];
  const judged = { severity: SEVERITIES, source: [...sources, ITSELF], kind: KINDS } as const;
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

/** As whoever mutes something is told. */
export function describeMistake({ what, written, known }: MatcherMistake): string {
  if (what === 'size') return `${written} needs 1 to ${MOST_VALUES} values of 1 to ${LONGEST_VALUE} characters`;
  return `there is no ${what} '${shorten(written)}'${suggestName(written, known) || '.'} There are: ${known.join(', ')}`;
}
