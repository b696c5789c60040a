/** Recorded answers, and their replay in place of the network. */
import { PROVIDER_ERROR_CODES, ProviderError } from './errors.ts';
import type { Http, HttpCall, RecordedAnswer, RecordedFailure } from './http.ts';
import { toRefusal } from './reply.ts';
import { readBaseAddress } from './request.ts';

/** An HTTP status from 400 to 599, or the code of a `ProviderError`. */
export function isRecordedFailure(error: unknown): error is RecordedFailure {
  if (typeof error === 'number') return Number.isInteger(error) && error >= 400 && error <= 599;
  return PROVIDER_ERROR_CODES.some((code) => code === error);
}

/** Replays answers from `answerOf`; recorded failures are classified as if they had just arrived. */
export function createRecordedHttp(baseUrl: string, answerOf: (call: HttpCall) => RecordedAnswer): Http {
  const base = readBaseAddress(baseUrl);
  return {
    json: (call, read) =>
      Promise.try(() => {
        const answer = answerOf(call);
        if ('error' in answer) throw failureOf(call, answer.error);
        const { url } = call;
        return { value: read(answer.value, { url, base, secrets: [] }), url, bytes: 0 };
      }),
    file: ({ operation }) => Promise.reject(new TypeError(`${operation}: no recording holds a file`)),
    waitMs: () => 0,
    close: () => undefined,
  };
}

function failureOf({ operation, url }: HttpCall, error: RecordedFailure): ProviderError {
  if (typeof error === 'string') {
    return new ProviderError(error, { operation }, () => `not read when this was recorded (${error})`);
  }
  // With credentials, so that a 401 is blamed on the key, as when it was recorded.
  const ask = { operation, method: 'GET', url, headers: { authorization: '' } } as const;
  const reply = { status: error, body: new Uint8Array(), header: () => undefined };
  return toRefusal(reply, ask, { retryAfterMs: null, secrets: [] });
}
