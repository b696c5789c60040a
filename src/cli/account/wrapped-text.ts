/** Lines of text for a terminal: wrapped, in columns, as wide as they look. */
import { greatest } from '../../core/transition/long-lists.ts';
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /\p{Mark}|\u200d/u;

/** Columns a text takes on a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Broken at spaces; a word that is too long stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

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
