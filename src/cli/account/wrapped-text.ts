/** Lines of text for a terminal, in columns. */
import { measureWidth, wrap } from '../../core/text/wrap.ts';
import { findMaximum } from '../../core/transition/collections.ts';

/** Names to the left, what they mean to the right, wrapped beside them or below a name that is too long. */
export function formatDefinitions(
  rows: readonly (readonly [name: string, meaning: string])[],
  width: number,
): string[] {
  const names = rows.map(([name]) => measureWidth(name)).filter((length) => length <= width / 2);
  const indent = findMaximum([0, ...names]) + 4;
  return rows.flatMap(([name, meaning]) => {
    const [first = '', ...rest] = wrap(meaning, Math.max(20, width - indent));
    const more = rest.map((line) => ' '.repeat(indent) + line);
    const head = `  ${name}`;
    return measureWidth(head) + 2 > indent
      ? [head, ' '.repeat(indent) + first, ...more]
      : [`${head}${' '.repeat(indent - measureWidth(head))}${first}`.trimEnd(), ...more];
  });
}
