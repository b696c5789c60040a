/**
 * CSV (RFC 4180) for spreadsheets. External text may start like a formula, which a spreadsheet would execute: a leading
 * apostrophe makes it text. Spreadsheets that split at semicolons or tabs ignore quotes inside a line, so text after
 * those characters is treated the same way.
 */
import { toPlainText } from './plain.ts';

export type Cell = string | number | null;

/** Includes full-width variants, which some locales treat alike. */
const SIGN = '[=+\\-@＝＋－＠]';
const BEGINS = new RegExp(`^\\s*${SIGN}`, 'u');
const FOLLOWS = new RegExp(`([;\\t\\r\\n])(?=(?:[^\\S\\r\\n]|")*${SIGN})`, 'gu');
/** `toPlainText` removes these, but the cell still needs the apostrophe. */
const CONTROLS = /^[\t\r]/;

/** Without it a spreadsheet assumes the local character set. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A complete file: byte-order mark and rows. */
export function formatCsv(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + formatCsvLines(rows);
}

/** Rows to append to a file. */
export function formatCsvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

/** Quotes text; writes numbers as they are. */
function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  // Also removes terminal escapes.
  const seen = toPlainText(cell).replaceAll(FOLLOWS, "$1'");
  const isFormula = BEGINS.test(seen) || CONTROLS.test(cell);
  return `"${isFormula ? "'" : ''}${seen.replaceAll('"', '""')}"`;
}
