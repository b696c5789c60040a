/** Tables and texts that fit a width. Words are broken only as a last resort. */
import { wrapHanging, measureWidth, wrap } from './wrap.ts';

/** Spaces between columns. */
const GAP = 2;
/** Truncates at a word if possible and marks the cut with an ellipsis. */
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
  /** Width of the table; by default as wide as its content. */
  width?: number;
  /** First right-aligned column; by default none. */
  endFrom?: number;
}

/**
 * The first row is the header. If space is short, the widest columns shrink. If even their longest words do not fit,
 * each row becomes a paragraph.
 */
export function drawColumns(rows: readonly (readonly string[])[], layout: ColumnsLayout = {}): string[] {
  const { width = Infinity, endFrom = Infinity } = layout;
  const [head = []] = rows;
  const natural = head.map((_, column) => findLargest(rows.map((row) => measureWidth(row[column] ?? ''))));
  const least = head.map((_, column) =>
    findLargest(rows.flatMap((row) => wrap(row[column] ?? '', 1).map(measureWidth))),
  );
  const body = head.map((_, column) => findLargest(rows.slice(1).map((row) => measureWidth(row[column] ?? ''))));
  const room = width - GAP * (head.length - 1);
  // Shrink a long header before its values.
  const values = body.map((own, column) => Math.max(own, least[column] ?? 0));
  const widths = shrinkColumns(natural, values, room) ?? shrinkColumns(values, least, room);
  return widths === null ? paragraphs(rows, width) : layColumns(rows, widths, endFrom);
}

/** Wraps cells that are wider than their columns. */
export function layColumns(
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  endFrom = Infinity,
): string[] {
  return rows.flatMap((row) => {
    const cells = widths.map((width, column) => wrap(row[column] ?? '', width));
    return Array.from({ length: findLargest(cells.map(({ length }) => length)) }, (_, place) =>
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

/** Shrinks the widest columns first, at most to their longest word. Null if that does not suffice. */
function shrinkColumns(natural: readonly number[], least: readonly number[], room: number): number[] | null {
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

/** 0 for an empty list. */
function findLargest(numbers: readonly number[]): number {
  return numbers.reduce((greatest, each) => Math.max(greatest, each), 0);
}
