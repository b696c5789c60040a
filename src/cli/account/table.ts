/** Formats rows as a table that fits the terminal, and a record as labelled lines. */
import { isObject } from '../../core/text/plain-object.ts';
import { styleText } from 'node:util';
import { toOneLine } from '../../core/text/plain.ts';
import { showValue, type Showing } from './masked-output.ts';
import { truncateToWidth, layColumns } from '../../core/text/columns.ts';
import { measureWidth, wrap } from '../../core/text/wrap.ts';
import { append, findMaximum } from '../../core/transition/collections.ts';

export interface TablePage extends Showing {
  /** Terminal columns; Infinity for programs and files. */
  readonly width: number;
  readonly colour: boolean;
}

export type TableRow = Readonly<Record<string, unknown>>;

interface Table {
  readonly text: string;
  /** Fields that are not shown. */
  readonly hidden: readonly string[];
}

const GAP = 2;
/** Indentation of a table within a record. */
const INDENT = 2;
/** Longer texts may be truncated to this; shorter ones are shown whole or not at all. */
const LONG_TEXT = 18;
/** Values for copying, and times, are never truncated. */
const NEVER_CUT = /(^|_)(id|uuid)$|number$|^(from|to)$|epoch$|time$/;

/** `wanted` come first, and alone if requested; missing ones are dropped. */
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

/** As many columns as fit, in order. Remaining width goes to truncated texts. */
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

/** `name   value` with wrapped values; a list of records becomes a table below. */
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

/** Records of a list or map; empty for other values. */
function rowsWithin(value: unknown): TableRow[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: unknown[] = Object.values(value);
  return entries.every(isObject) ? entries : [];
}
