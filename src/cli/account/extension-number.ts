/** Accepts extension numbers in place of ids and looks the id up. */
import { toOneLine } from '../../core/text/plain.ts';
import type { AccountClient } from '../../provider/account-client.ts';
import { ProviderError } from '../../provider/errors.ts';
import type { Operation } from '../../provider/operation.ts';
import type { OperationInput } from './typed-input.ts';
import { formatDeviceName, readDevice } from '../../core/account/device.ts';
import { CommandFailure, UsageError } from '../command.ts';
import type { KnownFacts } from './confirmation.ts';
import type { ParsedOptions } from './parsed-options.ts';

interface Numbered {
  input: OperationInput;
  /** Remark for the user: another id was used than entered. */
  remark: string;
}

/**
 * Null for other failures, or if no extension has the number. A deletion without confirmation accepts only ids: a
 * deleted id may be another extension's number.
 */
export async function retryByNumber(
  client: AccountClient,
  operation: Operation,
  input: OperationInput,
  failure: unknown,
  signal: AbortSignal,
): Promise<Numbered | null> {
  if (!('extension' in operation.params.shape)) return null;
  if (!(failure instanceof ProviderError) || failure.code !== 'not_found') return null;
  const typed = String(input['extension']);
  const extensions = await client.call('extensions.list', {}, { signal });
  const [found, ...more] = extensions.filter(({ user_id: number }) => number === typed);
  if (found === undefined || more.length > 0) return null;
  const remark = `There is no extension with the id ${typed}; this is extension number ${typed}, ${toOneLine(found.name ?? 'without a name')}, with the id ${found.id}.`;
  return { input: { ...input, extension: found.id }, remark };
}

/**
 * Deleting a registration reboots telephones and takes an extension's id, which looks like a number. So numbers are
 * looked up, and the telephones are listed before confirmation.
 */
export type RegistrationTarget =
  | { readonly kind: 'number'; readonly number: string }
  | { readonly kind: 'id'; readonly id: number };

/** An id, or `--extension` with a number. */
export function readTarget(written: ParsedOptions, ids: readonly string[]): RegistrationTarget {
  const numbers = written.values.get('extension') ?? [];
  const [only, ...more] = [...ids, ...numbers];
  if (only === undefined) throw new UsageError('account registrations delete wants an ID or --extension NUMBER');
  if (more.length > 0) {
    throw new UsageError('account registrations delete takes one extension: ID or --extension NUMBER');
  }
  if (numbers.length > 0) {
    if (only.trim() === '') throw new UsageError('--extension wants an extension number');
    return { kind: 'number', number: only };
  }
  if (!/^\d{1,15}$/.test(only)) throw new UsageError(`ID wants a whole number, not '${only}'`);
  return { kind: 'id', id: Number(only) };
}

/** `number` and `name` are null for an id that was not looked up. */
export interface FoundExtension {
  readonly id: number;
  readonly number: string | null;
  readonly name: string | null;
}

/** Looks a number up; ids are used unchanged. Throws `CommandFailure` for an unknown number. */
export async function findExtension(
  client: AccountClient,
  target: RegistrationTarget,
  signal: AbortSignal,
): Promise<FoundExtension> {
  if (target.kind === 'id') return { id: target.id, number: null, name: null };
  const { answer, oddities } = await client.inspect('extensions.list', {}, { signal });
  const found = answer.filter(({ user_id: number }) => number === target.number);
  const [first, ...more] = found;
  if (more.length > 0) {
    throw new CommandFailure(
      `there are ${found.length} extensions with the number ${target.number}: give the one you mean by its id`,
    );
  }
  if (typeof first?.id === 'number') return { id: first.id, number: target.number, name: first.name ?? '' };
  const doubt = oddities.length > 0 ? ', as far as its list of extensions could be read' : '';
  throw new CommandFailure(`the account has no extension ${target.number}${doubt}; nothing was changed`);
}

/** Number and name of the extension, and all its registered telephones. */
export async function readTelephoneFacts(
  client: AccountClient,
  found: FoundExtension,
  signal: AbortSignal,
): Promise<KnownFacts> {
  const { number, name } = found.number === null ? await withNumber(client, found, signal) : found;
  if (number === null) return [['extension', name ?? 'none with this id is listed']];
  const registered = await client.call('registrations.list', {}, { signal });
  const contacts = Object.hasOwn(registered, number) ? (registered[number] ?? []) : [];
  return [
    ['extension', toOneLine(`${number} ${name ?? ''}`)],
    ...contacts.map((contact) => ['telephone', telephone(contact)] as const),
    ...(contacts.length === 0 ? [['telephone', 'none is registered now'] as const] : []),
  ];
}

async function withNumber(client: AccountClient, { id }: FoundExtension, signal: AbortSignal): Promise<FoundExtension> {
  const extensions = await client.call('extensions.list', {}, { signal });
  const extension = extensions.find((one) => one.id === id);
  if (extension !== undefined) return { id, number: extension.user_id ?? null, name: extension.name ?? null };
  // Most likely a number was entered in place of an id.
  const meant = extensions.some(({ user_id: number }) => number === String(id));
  const hint = `none with this id is listed; ${id} is an extension number: --extension ${id}`;
  return { id, number: null, name: meant ? hint : null };
}

function telephone(contact: { user_agent?: string | null; external_ipaddress?: string | null }): string {
  const device = readDevice(contact.user_agent ?? '');
  const model = device === null ? 'of unknown model' : formatDeviceName(device);
  return toOneLine(`${model}${contact.external_ipaddress ? ` at ${contact.external_ipaddress}` : ''}`);
}
