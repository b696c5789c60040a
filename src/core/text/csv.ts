/**
 * Tables for a spreadsheet (RFC 4180). Text from outside may begin like a formula, which a spreadsheet would carry out:
 * an apostrophe before it shows it as the text it is. A spreadsheet that parts lines at semicolons or tabs ignores the
 * quotes in the middle of a line, so the same goes for what follows one of these inside a cell.
 */
import { toPlainText } from './plain.ts';

export type Cell = string | number | null;

/** The wide signs are taken for the others where people write with them. */
const SIGN = '[=+\\-@＝＋－＠]';
const BEGINS = new RegExp(`^\\s*${SIGN}`, 'u');
const FOLLOWS = new RegExp(`([;\\t\\r\\n])(?=(?:[^\\S\\r\\n]|")*${SIGN})`, 'gu');
/** `plain` takes these away at the beginning; the cell shows that it began with one all the same. */
const CONTROLS = /^[\t\r]/;

/** Without it a spreadsheet takes the text for one of the machine's own characters. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The beginning of a file: the mark, and these lines. */
export function formatCsv(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + formatCsvLines(rows);
}

/** Lines that go on with a file. */
export function formatCsvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

/** Every text is quoted; a number is a number, with its sign. */
function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  // Nothing that a terminal would obey, either.
  const seen = toPlainText(cell).replaceAll(FOLLOWS, "$1'");
  const isFormula = BEGINS.test(seen) || CONTROLS.test(cell);
  return `"${isFormula ? "'" : ''}${seen.replaceAll('"', '""')}"`;
}
