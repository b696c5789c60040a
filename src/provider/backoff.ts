/** How long a provider that answers 429 is left alone. */
import { readRetryAfter } from '../net/retry-after.ts';
import { ProviderError } from './errors.ts';
import type { Ask, Reply } from './transport.ts';

/** How long nothing is sent after a 429 that names no time. */
const UNNAMED_WAIT_MS = 1000;

export interface BackoffClocks {
  /** Milliseconds since the Unix epoch, to read a Retry-After date with; default: the system's. */
  wallClock?: () => number;
  /** Milliseconds of a clock that never jumps; default: the system's. */
  monotonic?: () => number;
}

export interface Backoff {
  /** Milliseconds until the provider wants to be asked again; 0 if at once. */
  waitMs(): number;
  /** While the provider wants to be left alone, nothing is sent: throws, so that the rest of a sweep fails at once. */
  refuse(ask: Ask): void;
  /** Takes note of an answer that is no success; how long it asks to wait, in milliseconds, null where it names no time. */
  note(reply: Reply): number | null;
}

export function createBackoff({ wallClock = Date.now, monotonic = () => performance.now() }: BackoffClocks): Backoff {
  let quietUntil = 0;

  function waitMs(): number {
    return Math.max(0, Math.ceil(quietUntil - monotonic()));
  }

  return {
    waitMs,
    refuse(ask) {
      const retryAfterMs = waitMs();
      if (retryAfterMs === 0) return;
      const words = `which wants to be asked again in ${retryAfterMs} ms`;
      throw new ProviderError('rate_limited', ask, ({ it }) => `not sent to ${it}, ${words}`, {
        retryAfterMs,
        maybeSeen: false,
      });
    },
    note(reply) {
      const retryAfterMs = readRetryAfter({
        value: reply.header('retry-after'),
        sent: reply.header('date'),
        now: wallClock(),
        direction: 'reading',
      });
      if (reply.status === 429) quietUntil = monotonic() + (retryAfterMs ?? UNNAMED_WAIT_MS);
      return retryAfterMs;
    },
  };
}
