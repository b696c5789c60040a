/** Two-column text for terminals. */
import { measureWidth, wrap } from '../../core/text/wrap.ts';
import { findMaximum } from '../../core/transition/collections.ts';

/** Names on the left, meanings on the right, wrapped beside the name or below a long one. */
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
