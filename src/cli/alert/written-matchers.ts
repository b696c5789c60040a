/** Matchers on the command line: `severity=critical,warning`. */
import { listSourceNames, type Config } from '../../config/config.ts';
import { findMatcherMistakes, describeMistake } from '../../config/matcher-mistakes.ts';
import { UsageError } from '../command.ts';

export type WrittenMatchers = ReadonlyMap<string, string[]>;

/** Keys are combined with AND, values of a key with OR; a repeated key adds values. */
export function readMatchers(written: readonly string[]): WrittenMatchers {
  const matchers = new Map<string, string[]>();
  for (const text of written) {
    const [, key, values] = /^([A-Za-z_][\w-]*)=(.+)$/s.exec(text) ?? [];
    if (key === undefined || values === undefined) {
      throw new UsageError(
        `a matcher is written KEY=VALUE[,VALUE…], such as source=provider or component=SMS*, not '${text}'`,
      );
    }
    const parts = values.split(',').map((value) => value.trim());
    matchers.set(key, [...(matchers.get(key) ?? []), ...parts.filter((value) => value !== '')]);
  }
  return matchers;
}

/**
 * Throws a `UsageError` for matchers that match nothing in this configuration: a user must not wrongly believe that an
 * alert is muted.
 */
export function checkMatchers(matchers: WrittenMatchers, config: Pick<Config, 'accounts' | 'statusPages'>): void {
  const sources = listSourceNames(config);
  const labels = config.accounts.flatMap((account) => Object.keys(account.labels));
  const [mistake] = findMatcherMistakes(matchers, { sources, labels });
  if (mistake !== undefined) throw new UsageError(describeMistake(mistake));
}
