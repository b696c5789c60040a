/** Matchers as they are written on the command line: `severity=critical,warning`. */
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
