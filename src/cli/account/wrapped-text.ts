/** Lines of text for a terminal, in columns. */
import { widthOf, wrap } from '../../core/text/wrap.ts';
import { greatest } from '../../core/transition/long-lists.ts';

/** Names to the left, what they mean to the right, wrapped beside them or below a name that is too long. */
export function definitions(rows: readonly (readonly [name: string, meaning: string])[], width: number): string[] {
  const names = rows.map(([name]) => widthOf(name)).filter((length) => length <= width / 2);
  const indent = greatest([0, ...names]) + 4;
  return rows.flatMap(([name, meaning]) => {
    const [first = '', ...rest] = wrap(meaning, Math.max(20, width - indent));
    const more = rest.map((line) => ' '.repeat(indent) + line);
    const head = `  ${name}`;
    return widthOf(head) + 2 > indent
      ? [head, ' '.repeat(indent) + first, ...more]
      : [`${head}${' '.repeat(indent - widthOf(head))}${first}`.trimEnd(), ...more];
  });
}
