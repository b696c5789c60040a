/** What a member may do while it leads, and no longer: ask within its share of every limit, and send. */
import { chainLimiters, createLimiter, type Limiter } from '../provider/limiter.ts';
import type { Receiver } from '../receivers/receiver.ts';
import { createLimiters, type Limiters } from './assemble.ts';
import type { Clock } from './clock.ts';
import type { Tenure } from './leadership.ts';

/** The same limiters for a member that may not always ask, and not always as often; and when it last did. */
export function limitersOf(tenure: Tenure, clock: Pick<Clock, 'monotonic'>): Limiters & { lastAskedAt(): number } {
  let lastAskedAt = -Infinity;

  function limit(requestsPerSecond: number): Limiter {
    const full = createLimiter({ requestsPerSecond });
    const shares = new Map<number, Limiter>([[1, full]]);

    function at(share: number): Limiter {
      const known = shares.get(share);
      if (known !== undefined) return known;
      const part = chainLimiters(createLimiter({ requestsPerSecond: requestsPerSecond * share }), full);
      shares.set(share, part);
      return part;
    }

    /** Null where it may not ask any more, or not as often, since it began to wait for its turn. */
    async function inTurn<T>(attempt: () => Promise<T>, share: number): Promise<{ answer: T } | null> {
      if (!tenure.mayAct() || tenure.share() < share) return null;
      try {
        return { answer: await attempt() };
      } finally {
        lastAskedAt = clock.monotonic();
      }
    }

    return {
      async run(attempt, passage) {
        for (;;) {
          // oxlint-disable no-await-in-loop -- until it was its turn
          await tenure.untilItMayAct(passage?.signal);
          if (tenure.over.aborted) throw new Error('another member leads');
          passage?.signal?.throwIfAborted();
          const share = tenure.share();
          const asked = await at(share).run(() => inTurn(attempt, share), passage);
          // oxlint-enable no-await-in-loop
          if (asked !== null) return asked.answer;
        }
      },
      waiting: full.waiting,
    };
  }

  return { ...createLimiters(limit), lastAskedAt: () => lastAskedAt };
}

/** The same receiver for such a member: nothing is sent while another may lead. */
export function sentBy(tenure: Tenure, receiver: Receiver): Receiver {
  return {
    ...receiver,
    async send(messages, signal, only) {
      await tenure.untilItMayAct(signal);
      if (signal.aborted || tenure.over.aborted) {
        return { kind: 'transient', code: 'other', reason: 'another member leads', retryAfterMs: null };
      }
      return await receiver.send(messages, signal, only);
    },
  };
}
