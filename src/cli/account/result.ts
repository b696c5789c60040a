/** Shows the result of an operation to a person or a program. */
import { isObject } from '../../core/text/plain-object.ts';
import { toOneLine } from '../../core/text/plain.ts';
import { suggestName } from '../../config/nearest.ts';
import type { Operation } from '../../provider/operation.ts';
import { UsageError } from '../command.ts';
import { toTerminalJson } from '../terminal-text.ts';
import { drawRecord, drawTable, type TablePage, type TableRow } from './table.ts';
import { toSnakeCase } from './parsed-options.ts';
import type { AccountOperationId } from '../../provider/catalogue/account-catalogue.ts';

interface ShownResult {
  readonly text: string;
  /** Additional information, such as fields that are not shown. */
  readonly hint: string | null;
}

export function showJson(answer: unknown): string {
  return `${toTerminalJson(answer)}\n`;
}

/** `chosen`: value of `--columns`. Throws `UsageError` for an unknown column. */
export function showResult(
  operation: Operation,
  answer: unknown,
  chosen: string | undefined,
  page: TablePage,
): ShownResult {
  const rows = rowsOf(operation, answer);
  if (rows !== null) {
    if (rows.length === 0) return { text: 'None.\n', hint: null };
    const table = drawTable(rows, readColumns(chosen, rows) ?? columnsOf(operation.id), page);
    return { text: table.text, hint: chosen === undefined ? hintAt(table.hidden) : null };
  }
  if (isObject(answer)) {
    return { text: drawRecord(pick(answer, readColumns(chosen, [answer])), page), hint: null };
  }
  return { text: `${typeof answer === 'string' ? toOneLine(answer) : toTerminalJson(answer, 0)}\n`, hint: null };
}

function readColumns(chosen: string | undefined, rows: readonly TableRow[]): string[] | undefined {
  if (chosen === undefined) return undefined;
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const wanted = chosen.split(',').map((name) => toSnakeCase(name.trim()));
  for (const name of wanted.filter((one) => !known.includes(one))) {
    throw new UsageError(
      `there is no column '${name}'${suggestName(name, known) || `, only ${known.map(toOneLine).join(', ')}`}`,
    );
  }
  return wanted;
}

function pick(record: TableRow, names: readonly string[] | undefined): TableRow {
  return names === undefined ? record : Object.fromEntries(names.map((name) => [name, record[name]]));
}

function hintAt(hidden: readonly string[]): string | null {
  if (hidden.length === 0) return null;
  const names = hidden.slice(0, 6).map(toOneLine).join(', ');
  return `Not shown: ${names}${hidden.length > 6 ? ` and ${hidden.length - 6} more` : ''} (--columns A,B or --json).`;
}

/** Rows of a listing: a list of records, or a map whose entries may have several. Null if it is no listing. */
function rowsOf(operation: Operation, answer: unknown): TableRow[] | null {
  if (Array.isArray(answer)) return answer.map((entry: unknown) => (isObject(entry) ? entry : { value: entry }));
  if (operation.result.def.type !== 'record' || !isObject(answer)) return null;
  return Object.entries(answer).flatMap(([key, entry]) => {
    const entries: unknown[] = Array.isArray(entry) ? entry : [entry];
    return entries.map((one) => {
      const row = isObject(one) ? one : { value: one };
      // Registrations contain their extension's number.
      return Object.values(row).includes(key) ? row : { key, ...row };
    });
  });
}

const CHARGES = ['start_time', 'from', 'to', 'seconds', 'charge', 'call_rate_name', 'hangup_cause'];

/**
 * First columns of listings wider than a terminal. Others show all fields in schema order. `--columns` selects,
 * `--json` has all.
 */
const COLUMNS: { readonly [Id in AccountOperationId]?: readonly string[] } = {
  'billing.calls.outgoing.list': CHARGES,
  'billing.calls.collection.list': CHARGES,
  // Assigning a number needs two ids that the listing documents without naming them.
  'order-numbers.numbers.list': ['number', 'locality', 'pool', 'number_id', 'supply_uuid'],
  'call-recordings.list': ['time', 'caller_id', 'destination', 'duration', 'call_outcome', 'notes', 'uuid'],
  'call-transcripts.list': ['transcript_id', 'caller_id', 'destination', 'duration', 'sentiment', 'summary'],
  'extensions.list': ['id', 'user_id', 'name', 'agent_status', 'caller_id', 'group_name', 'timezone'],
  'registrations.list': ['user_id', 'user_agent', 'external_ipaddress', 'protocol', 'status'],
  'reports.incoming-calls-external-numbers.list': [
    'answer_epoch',
    'from',
    'to',
    'talk_duration',
    'external_caller_name',
    'dialplan_name',
    'hangup_case',
  ],
  'reports.outgoing-calls.list': ['answer_epoch', 'from', 'to', 'talk_duration', 'rate_name', 'hangup_case'],
  'reports.answered-extensions.list': [
    'answer_epoch',
    'from',
    'to',
    'to_extension_name',
    'talk_duration',
    'skillset_name',
    'dialplan_name',
  ],
  'reports.missed-calls.list': ['end_epoch', 'from', 'external_did', 'wait_sec', 'hangup_case', 'dialplan_name'],
  'reports.agent-availability.list': ['date_time', 'user_id', 'name', 'status', 'duration'],
  'skillsets.agent-status.list': ['id', 'name', 'status_counts', 'agents'],
  'voicemail.list': ['uuid', 'created_epoch', 'cid_number', 'username', 'message_len', 'cid_name'],
};

function columnsOf(operationId: string): readonly string[] | undefined {
  return COLUMNS[operationId as AccountOperationId];
}
