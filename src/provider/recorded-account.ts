/** An account whose answers were recorded: they are read as they would be had they just come over HTTP. */
import { readAccountAnswer, type AccountAnswer } from './account-answer.ts';
import type { AccountReader } from './account-client.ts';
import type { CallOptions } from './call.ts';
import { accountCatalogue, type AccountReadId } from './catalogue/account.ts';
import { ProviderError } from './errors.ts';
import type { Operation } from './operation.ts';
import type { RecordedAnswer, RecordedFailure } from './recorded-answer.ts';
import { refusal } from './refusal.ts';
import type { Ask } from './transport.ts';

/** The part of a client that watching needs. */
export type Inspector = Pick<AccountReader, 'inspect'>;

/** Answers with what `answers` has for an operation at the moment. */
export function recordedInspector(name: string, answers: (operation: AccountReadId) => RecordedAnswer): Inspector {
  /** What stands in a recording for an hour is asked for sixty times. */
  const last = new Map<AccountReadId, { value: unknown; read: AccountAnswer }>();
  const inspect = (id: AccountReadId, _input: unknown, call: CallOptions = {}): Promise<unknown> =>
    Promise.try(() => {
      const operation: Operation = accountCatalogue[id];
      const url = new URL(operation.path, `https://${name}.invalid`);
      const answer = answers(id);
      if ('error' in answer) throw failureOf(operation, url, answer.error);
      const { value } = answer;
      const known = last.get(id);
      if (known !== undefined && known.value === value) return known.read;
      const read = readAccountAnswer({ operation, value, url, secrets: [], mostEntries: call.mostEntries });
      last.set(id, { value, read });
      return read;
    });
  return { inspect: inspect as AccountReader['inspect'] };
}

function failureOf({ id }: Operation, url: URL, error: RecordedFailure): ProviderError {
  if (typeof error === 'string') {
    return new ProviderError(error, { operation: id }, () => `not read when this was recorded (${error})`);
  }
  // With credentials: a 401 is the key's, as it was when this was recorded.
  const ask: Ask = { operation: id, method: 'GET', url, headers: { authorization: '' } };
  const reply = { status: error, body: new Uint8Array(), header: () => undefined };
  return refusal(reply, ask, { retryAfterMs: null, secrets: [] });
}
