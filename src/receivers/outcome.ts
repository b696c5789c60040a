/**
 * Sends HTTP requests, by POST unless another method is given, and maps the response's status to an outcome. All HTTP
 * receivers use this table.
 */
import { readRetryAfter } from '../net/retry-after.ts';
import { sendRequest, type Answer, type Exchange } from '../net/exchange.ts';
import type { DeliveryFailure, Outcome } from './receiver.ts';
import { classifyNetworkFailure } from '../net/failure.ts';

/** Transient client errors: timeout, too early, too many requests (RFC 9110, 8470, 6585). */
const PASSING = [408, 425, 429];

const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'it does not accept what we send'],
  [401, 'it asks for credentials we do not have'],
  [403, 'it forbids us to send'],
  [404, 'there is nothing at this address'],
  [405, 'this address takes no POST'],
  [410, 'this address has been given up'],
  [413, 'it says that the message is too large'],
  [415, 'it does not take this kind of content'],
  [429, 'it asks us to slow down'],
]);

function explainStatus(status: number): string {
  if (status >= 300 && status < 400) {
    return 'it sends us on to another address, which we do not follow; configure the final address';
  }
  if (status >= 500) return 'it has trouble of its own';
  return REASONS.get(status) ?? 'it refuses what we send';
}

function toFailureCode(status: number): DeliveryFailure {
  if (status === 429) return 'throttled';
  if (status === 408) return 'timeout';
  if (status === 401 || status === 403) return 'credentials';
  if (status === 404 || status === 410) return 'gone';
  return status >= 500 ? 'server' : 'refused';
}

/** `why` replaces the table's text if the response says more than its status. */
export function toOutcome(who: string, answer: Answer, now: number, why: string | null = null): Outcome {
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'delivered', detail: `${who} answered ${status}` };
  const failure = { code: toFailureCode(status), reason: `${who} answered ${status}: ${why ?? explainStatus(status)}` };
  if (status >= 500 || status < 200 || PASSING.includes(status)) {
    const retryAfterMs = readRetryAfter({ value: answer.retryAfter, sent: answer.date, now, direction: 'sending' });
    return { kind: 'transient', ...failure, retryAfterMs };
  }
  return { kind: 'permanent', ...failure };
}

/** Never rejects. `clock` gives epoch milliseconds; `why` as for `outcomeOf`. */
export async function post(
  who: string,
  request: Omit<Exchange, 'method'> & Partial<Pick<Exchange, 'method'>>,
  clock: () => number,
  why: (answer: Answer) => string | null = () => null,
): Promise<Outcome> {
  try {
    const answer = await sendRequest({ method: 'POST', ...request });
    return toOutcome(who, answer, clock(), why(answer));
  } catch (error) {
    return toUnansweredOutcome(who, error, request.signal);
  }
}

/** Transient failure without a response. `hint` names a possible cause. */
export function toUnansweredOutcome(
  who: string,
  error: unknown,
  signal: AbortSignal,
  hint: string | null = null,
): Outcome {
  const again = { kind: 'transient', retryAfterMs: null } as const;
  if (signal.aborted) return { ...again, code: 'stopped', reason: `${who}: stopped before an answer came` };
  const { trouble, words } = classifyNetworkFailure(error) ?? { trouble: 'connection', words: 'the connection failed' };
  const reason = `${who}: ${words}${hint === null ? '' : ` (${hint})`}`;
  return { ...again, code: trouble === 'answer' ? 'connection' : trouble, reason };
}
