/** Tables within a width, and texts cut to one. Nothing is broken inside a word where there is another way. */
import { wrapHanging, measureWidth, wrap } from './wrap.ts';

/** Between two columns. */
const GAP = 2;
/** At most so wide, cut at a word where there is one, with an ellipsis where something is missing. */
export function truncateToWidth(text: string, width: number): string {
  if (measureWidth(text) <= width) return text;
  const [first = ''] = wrap(text, width - 1);
  if (measureWidth(first) <= width - 1) return `${first}…`;
  let [cut, room] = ['', width - 1];
  for (const character of first) {
    room -= measureWidth(character);
    if (room < 0) break;
    cut += character;
  }
  return `${cut}…`;
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
  const natural = head.map((_, column) => most(rows.map((row) => measureWidth(row[column] ?? ''))));
  const least = head.map((_, column) => most(rows.flatMap((row) => wrap(row[column] ?? '', 1).map(measureWidth))));
  const body = head.map((_, column) => most(rows.slice(1).map((row) => measureWidth(row[column] ?? ''))));
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
          const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - measureWidth(line)));
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
    return [...wrapHanging(name, width), ...wrapHanging(`  ${values.join(', ')}`, width)];
  });
}

/** 0 for none. */
function most(numbers: readonly number[]): number {
  return numbers.reduce((greatest, each) => Math.max(greatest, each), 0);
}
