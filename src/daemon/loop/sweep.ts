/**
 * What the sweeps of every kind of source have in common: the pace of their rounds, and that refused access is left
 * alone. It is tried again after a minute, then every five: it takes a person to mend it. Each collection has its own
 * backoff: what one of them refuses says nothing of the others, and slows nothing but itself.
 */
import { isRefusal, type Miss } from '../../core/observation/listing.ts';
import { findMinimum } from '../../core/transition/collections.ts';
import { MINUTE } from '../../core/text/duration.ts';

const FIRST_MS = MINUTE;
const LATER_MS = 5 * MINUTE;
/** A round may come a little early, by the jitter of its interval, and still be the one that was due. */
export const EARLY = 0.9;

export interface Sweeper {
  /** Resolves when the round is over; an aborted one changes nothing more. */
  sweep(signal: AbortSignal): Promise<void>;
  /** How long from the start of a round to the next, whose usual interval is given. */
  intervalMs(usualMs: number): number;
}

interface AccessBackoff<Part extends string> {
  /** Asks for a collection, or answers with its refusal while that is left alone. */
  ask<T extends SweptPart>(part: Part, ask: () => Promise<T>): Promise<T | Miss>;
  /** It was refused when it was last asked for. */
  isRefused(part: Part): boolean;
  /** How long from the start of a round to the next: its usual interval, unless what is refused is due at another time. */
  intervalMs(usualMs: number): number;
}

/** A listing or a single thing, either of which may lack something. */
type SweptPart = Miss | { kind: 'observed'; missing?: Miss | null };

interface RefusedPart {
  miss: Miss;
  /** In a row. */
  times: number;
  askedAt: number;
}

/** `parts`: what every round asks for, or may; the pace of others says nothing of the rounds. */
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
      const miss = lacking(answer);
      if (miss !== null && isRefusal(miss)) refused.set(part, { miss, times: (before?.times ?? 0) + 1, askedAt });
      // Somebody has mended it, perhaps for all of them.
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
  return times === 1 ? FIRST_MS : LATER_MS;
}

/** What an answer does not hold; null where it is whole. */
export function lacking(answer: SweptPart): Miss | null {
  return answer.kind === 'missed' ? answer : (answer.missing ?? null);
}
