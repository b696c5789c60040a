/** Rows as a table that fits the terminal, and one record as labelled lines. */
import { isObject } from '../../core/text/plain-object.ts';
import { styleText } from 'node:util';
import { toOneLine } from '../../core/text/plain.ts';
import { showValue, type Showing } from './masked-output.ts';
import { truncateToWidth, layColumns } from '../../core/text/columns.ts';
import { measureWidth, wrap } from '../../core/text/wrap.ts';
import { append, findMaximum } from '../../core/transition/collections.ts';

export interface TablePage extends Showing {
  /** Columns of the terminal; Infinity where the reader is a program or a file. */
  readonly width: number;
  readonly colour: boolean;
}

export type TableRow = Readonly<Record<string, unknown>>;

interface Table {
  readonly text: string;
  /** Fields of the rows that it does not show. */
  readonly hidden: readonly string[];
}

const GAP = 2;
/** Of a table within a record. */
const INDENT = 2;
/** A longer text may be cut to this; a shorter one is shown whole or not at all. */
const LONG_TEXT = 18;
/** What somebody copies into the next command, and times, are never cut. */
const NEVER_CUT = /(^|_)(id|uuid)$|number$|^(from|to)$|epoch$|time$/;

/** `wanted` come first, and alone where they were asked for; absent ones are left out. */
export function drawTable(rows: readonly TableRow[], wanted: readonly string[] | undefined, page: TablePage): Table {
  const present = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = wanted === undefined ? present : wanted.filter((name) => present.includes(name));
  const cells = rows.map((row) => columns.map((name) => showValue(name, row[name], page)));
  const widths = columns.map((name, index) =>
    findMaximum([measureWidth(name), ...cells.map((cell) => measureWidth(cell[index] ?? ''))]),
  );
  const shown = fit(columns, widths, page.width);
  const head = columns.slice(0, shown.length).map(toOneLine);
  const [names = '', ...lines] = layColumns(
    [head, ...cells.map((cell) => shown.map((width, column) => truncateToWidth(cell[column] ?? '', width)))],
    shown,
  );
  const heading = page.colour ? names.replaceAll(/\S+/g, bold) : names;
  return {
    text: `${[heading, ...lines].join('\n')}\n`,
    hidden: present.filter((name) => !columns.slice(0, shown.length).includes(name)),
  };
}

function bold(name: string): string {
  return styleText('bold', name, { validateStream: false });
}

/** As many columns as have room, in order; what is left over goes to the texts that could use it. */
function fit(columns: readonly string[], natural: readonly number[], width: number): number[] {
  const least = columns.map((name, index) => {
    const whole = natural[index] ?? 0;
    return NEVER_CUT.test(name) ? whole : Math.min(whole, Math.max(LONG_TEXT, measureWidth(name)));
  });
  const widths: number[] = [];
  let left = width + GAP;
  for (const each of least) {
    if (widths.length > 0 && left < each + GAP) break;
    widths.push(each);
    left -= each + GAP;
  }
  return widths.map((each, index) => {
    const more = Math.max(0, Math.min(left, (natural[index] ?? 0) - each));
    left -= more;
    return each + more;
  });
}

/** `name   value`, values wrapped beside their names; a list of records is a table of its own below. */
export function drawRecord(record: TableRow, page: TablePage): string {
  const entries = Object.entries(record);
  const tables = entries.filter(([, value]) => rowsWithin(value).length > 0);
  const plain = entries.filter(([, value]) => rowsWithin(value).length === 0);
  const indent = findMaximum([0, ...plain.map(([name]) => measureWidth(toOneLine(name)))]) + GAP;
  const lines = plain.flatMap(([name, value]) => {
    const wrapped = wrap(showValue(name, value, page), Math.max(LONG_TEXT, page.width - indent));
    return wrapped.map((line, index) => (index === 0 ? toOneLine(name) : '').padEnd(indent) + line);
  });
  const below: string[] = [];
  for (const [name, value] of tables) {
    const { text } = drawTable(rowsWithin(value), undefined, { ...page, width: page.width - INDENT });
    const drawn = text.trimEnd().split('\n');
    append(below, ['', `${toOneLine(name)}:`, ...drawn.map((line) => ' '.repeat(INDENT) + line)]);
  }
  return `${[...lines, ...below].join('\n')}\n`;
}

/** The records of a list or of a map, empty for anything else. */
function rowsWithin(value: unknown): TableRow[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: unknown[] = Object.values(value);
  return entries.every(isObject) ? entries : [];
}
