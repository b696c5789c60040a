/** No answer came: what that means for a delivery, and why, in words that hold nothing of the error's own. */
import { networkFailure } from '../net/failure.ts';
import type { Outcome } from './receiver.ts';

/** To be tried again. `hint` says what may be wrong. */
export function unanswered(who: string, error: unknown, signal: AbortSignal, hint: string | null = null): Outcome {
  const again = { kind: 'transient', retryAfterMs: null } as const;
  if (signal.aborted) return { ...again, code: 'stopped', reason: `${who}: stopped before an answer came` };
  const { trouble, words } = networkFailure(error) ?? { trouble: 'connection', words: 'the connection failed' };
  const reason = `${who}: ${words}${hint === null ? '' : ` (${hint})`}`;
  return { ...again, code: trouble === 'answer' ? 'connection' : trouble, reason };
}
