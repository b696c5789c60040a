/** What a change is about to do, in words, before anybody is asked to say yes. */
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

/** What else is known of the thing that is about to be changed. */
export type KnownFacts = readonly (readonly [name: string, meaning: string])[];

/** Fields of a record by which a person recognises it. */
const TELLING = ['name', 'user_id', 'number', 'username', 'cid_name', 'cid_number', 'created_epoch'];

/** The record an operation is about, as it is now; null where the interface has no way to show it. */
export async function readCurrentRecord(
  client: AccountClient,
  operation: Operation,
  input: OperationInput,
  signal: AbortSignal,
): Promise<OperationInput | null> {
  // What a POST makes is not there yet; reading its path would list what else there is.
  if (operation.verbs[0] === 'POST') return null;
  const show = OPERATIONS.find(({ path, effect }) => path === operation.path && effect === 'read');
  if (show === undefined || show.resultKind !== 'json') return null;
  const ids = Object.fromEntries(Object.keys(show.params.shape).map((name) => [name, input[name]]));
  const record: unknown = await client.call(show.id as AccountOperationId, ids as never, { signal });
  const masked = maskAnswer(show, record);
  return isObject(masked) ? masked : null;
}

/** Name and number of the record, or whatever it is known by. */
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

/** One line a field, with what it is now where that is known. Secrets are masked unless they are asked for. */
export function formatConfirmation(intention: Intention, showing: Showing, columns: number): string[] {
  const { operation, account, input, record, facts, showSecrets } = intention;
  const { ids, fields } = listFields(operation);
  const given = (field: Field): boolean => input[field.name] !== undefined;
  const show = (field: Field): string =>
    field.secret && !showSecrets ? MASK : showValue(field.name, input[field.name], showing);
  const rows: (readonly [string, string])[] = [
    ['account', `${account.name}, ${account.baseUrl}`],
    ...ids.filter(given).map((field) => [field.name, show(field)] as const),
    // What is about to be changed is told below, with what it becomes.
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

/** `Front desk → Reception`, where what it is now is known and shown. */
function change(record: OperationInput | null, field: Field, to: string, showing: Showing): string {
  const before = record?.[field.name];
  if (before === undefined || field.secret) return to;
  // Switches are asked for as true and false, and some are answered as 1 and 0.
  const from = showValue(field.name, field.kind === 'boolean' ? Boolean(before) : before, showing);
  return from === to ? `${to} (as it is)` : `${from} → ${to}`;
}
