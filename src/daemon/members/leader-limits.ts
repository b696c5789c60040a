/** Restricts the messages of a member to the time of its lead, and its requests to its share of every limit. */
import { chainLimiters, createLimiter, type Limiter, type Passage, type SlotLimiter } from '../../provider/limiter.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { Slots } from '../../store/postgres/lease.ts';
import { createLimiters, type Limiters } from '../setup/assemble.ts';
import type { Clock } from '../common/clock.ts';
import type { HeldLease } from './held-lease.ts';

const SHARE_CHANGED = new Error('the share of this member has changed');

/**
 * Limiters for a leader: they pass requests within its share until its lead is over. They start with the slots used by
 * the previous leader; `slots` returns the slots in use.
 */
export function createLeaderLimiters(
  heldLease: HeldLease,
  clock: Pick<Clock, 'monotonic'>,
): Limiters & { slots(): Slots } {
  const begunAt = clock.monotonic();
  const all: { limits: string; full: SlotLimiter }[] = [];

  /** Remaining time of those slots. */
  function leftOf(limits: string): number[] {
    const passedMs = clock.monotonic() - begunAt;
    return (heldLease.slots[limits] ?? []).flatMap((ms) => (ms > passedMs ? [ms - passedMs] : []));
  }

  function limit(requestsPerSecond: number, limits: string): Limiter {
    const full = createLimiter({ requestsPerSecond, held: leftOf(limits) });
    all.push({ limits, full });
    let part = { share: 1, limiter: full as Limiter, over: new AbortController() };

    /** Requests of the last second, of this leader and the previous one, count for the share as well. */
    function at(share: number): typeof part {
      if (part.share === share) return part;
      const before = part;
      part = {
        share,
        limiter: share === 1 ? full : createPart(requestsPerSecond * share),
        over: new AbortController(),
      };
      before.over.abort(SHARE_CHANGED);
      return part;
    }

    function createPart(rate: number): Limiter {
      // As many as it has slots: those that are free last.
      const held = full.held().toSorted((a, b) => b - a);
      const own = createLimiter({ requestsPerSecond: rate, held: held.slice(0, Math.max(1, Math.floor(rate))) });
      return chainLimiters(own, full);
    }

    /** Null if another member leads, or the share is another than at the start of the wait. */
    async function inTurn<T>(attempt: () => Promise<T>, share: number): Promise<{ answer: T } | null> {
      if (heldLease.over.aborted || heldLease.share() !== share) return null;
      return { answer: await attempt() };
    }

    /** A request leaves the queue of a small share as soon as the share has grown. */
    async function askAt<T>(
      share: number,
      attempt: () => Promise<T>,
      passage: Passage = {},
    ): Promise<{ answer: T } | null> {
      const { limiter, over } = at(share);
      const signals = passage.signal === undefined ? [over.signal] : [passage.signal, over.signal];
      const signal = share === 1 ? passage.signal : AbortSignal.any(signals);
      try {
        return await limiter.run(() => inTurn(attempt, share), { ...passage, signal });
      } catch (error) {
        if (error === SHARE_CHANGED) return null;
        throw error;
      }
    }

    return {
      async run(attempt, passage) {
        for (;;) {
          if (heldLease.over.aborted) throw new Error('another member leads');
          passage?.signal?.throwIfAborted();
          const asked = await askAt(heldLease.share(), attempt, passage);
          if (asked !== null) return asked.answer;
        }
      },
      waiting: full.waiting,
    };
  }

  return {
    ...createLimiters(limit),
    slots() {
      const taken = all.flatMap(({ limits, full }) => full.held().map((ms) => ({ limits, ms })));
      const slots = Map.groupBy(taken, ({ limits }) => limits);
      return Object.fromEntries([...slots].map(([limits, held]) => [limits, held.map(({ ms }) => ms)]));
    },
  };
}

/** The same receiver for a leader: it sends and asks nothing while another may lead. */
export function withLeaseCheck(heldLease: HeldLease, receiver: Receiver): Receiver {
  const { receipts } = receiver;
  return {
    ...receiver,
    ...(receipts !== undefined && {
      receipts: {
        ...receipts,
        async read(message, signal) {
          await heldLease.untilItMayAct(signal);
          if (signal.aborted || heldLease.over.aborted) return { kind: 'waiting' };
          return await receipts.read(message, signal);
        },
      },
    }),
    async send(messages, signal, only) {
      await heldLease.untilItMayAct(signal);
      if (signal.aborted || heldLease.over.aborted) {
        return { kind: 'transient', code: 'other', reason: 'another member leads', retryAfterMs: null };
      }
      return await receiver.send(messages, signal, only);
    },
  };
}
