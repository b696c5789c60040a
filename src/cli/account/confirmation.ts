/** Describes a change before the user confirms it. */
import { isObject } from '../../core/text/plain-object.ts';
import type { AccountConfig } from '../../config/config.ts';
import type { AccountClient } from '../../provider/account-client.ts';
import type { AccountOperationId } from '../../provider/catalogue/account-catalogue.ts';
import { MASK } from '../../provider/field-kinds.ts';
import type { Operation } from '../../provider/operation.ts';
import { listFields, type Field } from './operation-fields.ts';
import type { OperationInput } from './typed-input.ts';
import { maskAnswer, showValue, type Showing } from './masked-output.ts';
import { OPERATIONS } from './operations.ts';
import { wrap } from '../../core/text/wrap.ts';
import { formatDefinitions } from './wrapped-text.ts';

/** Other known facts about the record. */
export type KnownFacts = readonly (readonly [name: string, meaning: string])[];

/** Fields that identify a record for people. */
const TELLING = ['name', 'user_id', 'number', 'username', 'cid_name', 'cid_number', 'created_epoch'];

/** The current record; null if the interface cannot show it. */
export async function readCurrentRecord(
  client: AccountClient,
  operation: Operation,
  input: OperationInput,
  signal: AbortSignal,
): Promise<OperationInput | null> {
  // A POST creates a record; reading its path would list existing ones.
  if (operation.verbs[0] === 'POST') return null;
  const show = OPERATIONS.find(({ path, effect }) => path === operation.path && effect === 'read');
  if (show === undefined || show.resultKind !== 'json') return null;
  const ids = Object.fromEntries(Object.keys(show.params.shape).map((name) => [name, input[name]]));
  const record: unknown = await client.call(show.id as AccountOperationId, ids as never, { signal });
  const masked = maskAnswer(show, record);
  return isObject(masked) ? masked : null;
}

/** Name and number of the record, or other identifying fields. */
export function toFacts(record: OperationInput | null, showing: Showing): KnownFacts {
  if (record === null) return [];
  const known = TELLING.filter((name) => record[name] !== undefined && record[name] !== null && record[name] !== '');
  return known.map((name) => [name, showValue(name, record[name], showing)]);
}

interface Intention {
  readonly operation: Operation;
  readonly account: AccountConfig;
  readonly input: OperationInput;
  readonly record: OperationInput | null;
  readonly facts: KnownFacts;
  readonly showSecrets: boolean;
}

/** One line per field with its old value if known. Secrets are masked unless requested. */
export function formatConfirmation(intention: Intention, showing: Showing, columns: number): string[] {
  const { operation, account, input, record, facts, showSecrets } = intention;
  const { ids, fields } = listFields(operation);
  const given = (field: Field): boolean => input[field.name] !== undefined;
  const show = (field: Field): string =>
    field.secret && !showSecrets ? MASK : showValue(field.name, input[field.name], showing);
  const rows: (readonly [string, string])[] = [
    ['account', `${account.name}, ${account.baseUrl}`],
    ...ids.filter(given).map((field) => [field.name, show(field)] as const),
    // Fields about to change are listed below with their new values.
    ...facts.filter(([name]) => input[name] === undefined),
    ...fields.filter(given).map((field) => [field.name, change(record, field, show(field), showing)] as const),
  ];
  const width = Math.min(columns, 100);
  return [
    `About to: ${operation.summary.charAt(0).toLowerCase()}${operation.summary.slice(1)}`,
    ...formatDefinitions(rows, width),
    ...(operation.warning === null ? [] : wrap(operation.warning, width)),
  ];
}

/** `Front desk → Reception` if the old value is known and not secret. */
function change(record: OperationInput | null, field: Field, to: string, showing: Showing): string {
  const before = record?.[field.name];
  if (before === undefined || field.secret) return to;
  // Booleans are sent as true and false; some are answered as 1 and 0.
  const from = showValue(field.name, field.kind === 'boolean' ? Boolean(before) : before, showing);
  return from === to ? `${to} (as it is)` : `${from} → ${to}`;
}
