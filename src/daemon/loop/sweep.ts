/**
 * Common parts of all sweeps: their pace, and back-off after refused access. Access is retried after a minute, then
 * every five, as only a person can restore it. Each collection backs off separately: a refusal of one slows none of the
 * others.
 */
import { isRefusal, type Miss } from '../../core/observation/listing.ts';
import { findMinimum } from '../../core/transition/collections.ts';
import { MINUTE } from '../../core/text/duration.ts';
import { computeRetryWait, type RetryPolicy } from '../../core/text/retry.ts';

const RETRIES: RetryPolicy = { firstMs: MINUTE, factor: 5, capMs: 5 * MINUTE, jitter: 0 };
/** A sweep may start a little early, by the jitter of its interval, and still be the one that was due. */
export const EARLY = 0.9;

export interface Sweeper {
  /** Resolves at the end of the sweep; an aborted one changes nothing more. */
  sweep(signal: AbortSignal): Promise<void>;
  /** From the start of a sweep to the next, given the usual interval. */
  intervalMs(usualMs: number): number;
}

export interface AccessBackoff<Part extends string> {
  /** Requests a collection, or returns its refusal during the back-off. */
  ask<T extends SweptPart>(part: Part, ask: () => Promise<T>): Promise<T | Miss>;
  /** True if its last request was refused. */
  isRefused(part: Part): boolean;
  /**
   * From the start of a sweep to the next: the usual interval, unless a retry of a refused part is due at another time.
   */
  intervalMs(usualMs: number): number;
}

/** A listing or a single document, either of which may be incomplete. */
type SweptPart = Miss | { kind: 'observed'; missing?: Miss | null };

interface RefusedPart {
  miss: Miss;
  /** Consecutive refusals. */
  times: number;
  askedAt: number;
}

/** `parts`: parts that a sweep may request; others do not affect the interval. */
export function createAccessBackoff<Part extends string>(
  parts: readonly Part[],
  monotonic: () => number,
): AccessBackoff<Part> {
  const refused = new Map<Part, RefusedPart>();

  return {
    async ask<T extends SweptPart>(part: Part, ask: () => Promise<T>): Promise<T | Miss> {
      const before = refused.get(part);
      const askedAt = monotonic();
      if (before !== undefined && askedAt - before.askedAt < restOf(before) * EARLY) return before.miss;
      const answer = await ask();
      const miss = findMiss(answer);
      if (miss !== null && isRefusal(miss)) refused.set(part, { miss, times: (before?.times ?? 0) + 1, askedAt });
      // A person has restored access, perhaps for all parts.
      else if (refused.delete(part)) refused.clear();
      return answer;
    },
    isRefused: (part) => refused.has(part),
    intervalMs(usualMs) {
      const rests = parts.flatMap((part) => refused.get(part) ?? []).map(restOf);
      return findMinimum([...rests, ...(rests.length === parts.length ? [] : [usualMs])]);
    },
  };
}

function restOf({ times }: RefusedPart): number {
  return computeRetryWait(RETRIES, { failures: times });
}

/** The missing part of a response; null if it is complete. */
export function findMiss(answer: SweptPart): Miss | null {
  return answer.kind === 'missed' ? answer : (answer.missing ?? null);
}
