/** The result of an operation, for a person or for a program. */
import { oneLine } from '../../core/text/plain.ts';
import { didYouMean } from '../../config/nearest.ts';
import type { Operation } from '../../provider/operation.ts';
import { UsageError } from '../errors.ts';
import { jsonText } from '../terminal-text.ts';
import { columnsOf } from './columns.ts';
import { isRecord } from './shown.ts';
import { drawRecord, drawTable, type TablePage, type TableRow } from './table.ts';
import { snake } from './written.ts';

export interface ShownResult {
  readonly text: string;
  /** What a person may want to know besides, e.g. that fields are not shown. */
  readonly hint: string | null;
}

export function showJson(answer: unknown): string {
  return `${jsonText(answer)}\n`;
}

/** `chosen` is what `--columns` said. Throws a `UsageError` for a column no row has. */
export async function showResult(
  operation: Operation,
  answer: unknown,
  chosen: string | undefined,
  page: TablePage,
): Promise<ShownResult> {
  const rows = rowsOf(operation, answer);
  if (rows !== null) {
    if (rows.length === 0) return { text: 'None.\n', hint: null };
    const table = await drawTable(rows, readColumns(chosen, rows) ?? columnsOf(operation.id), page);
    return { text: table.text, hint: chosen === undefined ? hintAt(table.hidden) : null };
  }
  if (isRecord(answer)) {
    return { text: await drawRecord(pick(answer, readColumns(chosen, [answer])), page), hint: null };
  }
  return { text: `${typeof answer === 'string' ? oneLine(answer) : jsonText(answer, 0)}\n`, hint: null };
}

function readColumns(chosen: string | undefined, rows: readonly TableRow[]): string[] | undefined {
  if (chosen === undefined) return undefined;
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const wanted = chosen.split(',').map((name) => snake(name.trim()));
  for (const name of wanted.filter((one) => !known.includes(one))) {
    throw new UsageError(
      `there is no column '${name}'${didYouMean(name, known) || `, only ${known.map(oneLine).join(', ')}`}`,
    );
  }
  return wanted;
}

function pick(record: TableRow, names: readonly string[] | undefined): TableRow {
  return names === undefined ? record : Object.fromEntries(names.map((name) => [name, record[name]]));
}

function hintAt(hidden: readonly string[]): string | null {
  if (hidden.length === 0) return null;
  const names = hidden.slice(0, 6).map(oneLine).join(', ');
  return `Not shown: ${names}${hidden.length > 6 ? ` and ${hidden.length - 6} more` : ''} (--columns A,B or --json).`;
}

/** A listing as rows: a list of records, or a map of them by key, each of which may hold several. Null for no listing. */
function rowsOf(operation: Operation, answer: unknown): TableRow[] | null {
  if (Array.isArray(answer)) return answer.map((entry: unknown) => (isRecord(entry) ? entry : { value: entry }));
  if (operation.result.def.type !== 'record' || !isRecord(answer)) return null;
  return Object.entries(answer).flatMap(([key, entry]) => {
    const entries: unknown[] = Array.isArray(entry) ? entry : [entry];
    return entries.map((one) => {
      const row = isRecord(one) ? one : { value: one };
      // Registrations hold their extension's number themselves.
      return Object.values(row).includes(key) ? row : { key, ...row };
    });
  });
}
