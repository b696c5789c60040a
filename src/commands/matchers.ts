/** Matchers as they are written on the command line: `severity=critical,warning`. */
import type { Config } from '../config/config.ts';
import { globs } from '../config/glob.ts';
import { didYouMean } from '../config/nearest.ts';
import { MATCHER_KEYS } from '../config/route-schema.ts';
import { ITSELF } from '../itself.ts';
import { SEVERITIES } from '../transition/kind.ts';
import { UsageError } from './errors.ts';

/** Keys are and-ed, the values of a key or-ed; the same key twice adds values. */
export function readMatchers(written: readonly string[]): Record<string, string[]> {
  const matchers: Record<string, string[]> = {};
  for (const text of written) {
    const [, key, values] = /^([A-Za-z][\w-]*)=(.+)$/s.exec(text) ?? [];
    if (key === undefined || values === undefined) {
      throw new UsageError(
        `a matcher is written KEY=VALUE[,VALUE…], such as source=provider or component=SMS*, not '${text}'`,
      );
    }
    matchers[key] = [
      ...(matchers[key] ?? []),
      ...values
        .split(',')
        .map((value) => value.trim())
        .filter((value) => value !== ''),
    ];
  }
  return matchers;
}

/** Throws a `UsageError` at matchers that can match nothing of this configuration: whoever mutes must not believe it is quiet. */
export function checkMatchers(
  matchers: Readonly<Record<string, readonly string[]>>,
  { accounts, statusPages }: Pick<Config, 'accounts' | 'statusPages'>,
): void {
  const keys = [...new Set([...MATCHER_KEYS, ...accounts.flatMap(({ labels }) => Object.keys(labels))])];
  const values: Record<string, readonly string[]> = {
    severity: SEVERITIES,
    source: [...statusPages, ...accounts].map(({ name }) => name).concat(ITSELF),
  };
  for (const [key, wanted] of Object.entries(matchers)) {
    if (!keys.includes(key)) throw new UsageError(`there is no key '${key}'${hint(key, keys)}`);
    const known = values[key];
    for (const value of known === undefined ? [] : wanted) {
      if (!known?.some(globs([value])))
        throw new UsageError(`there is no ${key} '${value}'${hint(value, known ?? [])}`);
    }
  }
}

function hint(written: string, known: readonly string[]): string {
  return `${didYouMean(written, known) || '.'} There are: ${known.join(', ')}`;
}
