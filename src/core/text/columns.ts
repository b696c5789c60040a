/** Lines and columns of text, as wide as they look on a terminal. Nothing is broken inside a word. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /\p{Mark}|\u200d/u;
/** Between two columns. */
const GAP = 2;
/** A word with the gap before it; a number is not parted from its unit. */
const WORD = /(\s*)((?:\S*\d (?=(?:s|min|h|days|%)(?![\p{L}\d])))?\S+)/gu;
/** What follows a line that is too long stands so far below its beginning. */
const HANGING = 4;

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
  for (const [, , word = ''] of text.matchAll(WORD)) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** A line with its own indentation and gaps; what does not fit goes on below, further to the right. */
export function hang(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const [lead = ''] = /^ */.exec(line) ?? [];
  const indent = ' '.repeat(lead.length + HANGING);
  const lines: string[] = [];
  let [now, isBegun] = [lead, false];
  for (const [, gap = '', word = ''] of line.slice(lead.length).matchAll(WORD)) {
    if (isBegun && widthOf(now) + gap.length + widthOf(word) > width) {
      lines.push(now);
      now = `${indent}${word}`;
    } else {
      now = isBegun ? `${now}${gap}${word}` : `${now}${word}`;
    }
    isBegun = true;
  }
  return [...lines, now];
}

/** Each of them as `hang` has it. */
export function fitLines(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => hang(line, width));
}

/** At most so wide, cut at a word where there is one, with an ellipsis where something is missing. */
export function cutToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const [first = ''] = wrap(text, width - 1);
  if (widthOf(first) <= width - 1) return `${first}…`;
  let [cut, room] = ['', width - 1];
  for (const character of first) {
    room -= widthOf(character);
    if (room < 0) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Names to the left, what they mean to the right, wrapped beside them or below a name that is too long. */
export function definitions(rows: readonly (readonly [name: string, meaning: string])[], width: number): string[] {
  const names = rows.map(([name]) => widthOf(name)).filter((length) => length <= width / 2);
  const indent = most(names) + 4;
  return rows.flatMap(([name, meaning]) => {
    const [first = '', ...rest] = wrap(meaning, Math.max(20, width - indent));
    const more = rest.map((line) => ' '.repeat(indent) + line);
    const head = `  ${name}`;
    return widthOf(head) + 2 > indent
      ? [head, ' '.repeat(indent) + first, ...more]
      : [`${head}${' '.repeat(indent - widthOf(head))}${first}`.trimEnd(), ...more];
  });
}

export interface ColumnsLayout {
  /** Of the whole table; default: as wide as it needs to be. */
  width?: number;
  /** From this column on cells stand to the right; default: none does. */
  endFrom?: number;
}

/**
 * Rows as a table, the first of which names the columns. Where there is too little room the widest columns give way, and
 * where even their longest words do not fit, each row is a paragraph.
 */
export function drawColumns(rows: readonly (readonly string[])[], layout: ColumnsLayout = {}): string[] {
  const { width = Infinity, endFrom = Infinity } = layout;
  const [head = []] = rows;
  const natural = head.map((_, column) => most(rows.map((row) => widthOf(row[column] ?? ''))));
  const least = head.map((_, column) => most(rows.flatMap((row) => wrap(row[column] ?? '', 1).map(widthOf))));
  const body = head.map((_, column) => most(rows.slice(1).map((row) => widthOf(row[column] ?? ''))));
  const room = width - GAP * (head.length - 1);
  // A long name of a column gives way before its values do.
  const values = body.map((own, column) => Math.max(own, least[column] ?? 0));
  const widths = narrowed(natural, values, room) ?? narrowed(values, least, room);
  return widths === null ? paragraphs(rows, width) : layColumns(rows, widths, endFrom);
}

/** Cells that are wider than their columns go on below. */
export function layColumns(
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  endFrom = Infinity,
): string[] {
  return rows.flatMap((row) => {
    const cells = widths.map((width, column) => wrap(row[column] ?? '', width));
    return Array.from({ length: most(cells.map(({ length }) => length)) }, (_, place) =>
      cells
        .map((lines, column) => {
          const line = lines[place] ?? '';
          const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(line)));
          return column >= endFrom ? `${space}${line}` : `${line}${space}`;
        })
        .join(' '.repeat(GAP))
        .trimEnd(),
    );
  });
}

/** The widest gives way first, down to its longest word; null where that is not enough. */
function narrowed(natural: readonly number[], least: readonly number[], room: number): number[] | null {
  const widths = [...natural];
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over -= 1) {
    const widest = widths.reduce(
      (found, width, column) => (width > (least[column] ?? 0) && width > (widths[found] ?? -1) ? column : found),
      -1,
    );
    if (widest === -1) return null;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function paragraphs([head = [], ...rows]: readonly (readonly string[])[], width: number): string[] {
  return rows.flatMap(([name = '', ...cells]) => {
    const values = cells.map((cell, place) => `${head[place + 1] ?? ''} ${cell}`.trim());
    return [...hang(name, width), ...hang(`  ${values.join(', ')}`, width)];
  });
}

/** 0 for none. */
function most(numbers: readonly number[]): number {
  return numbers.reduce((greatest, each) => Math.max(greatest, each), 0);
}
