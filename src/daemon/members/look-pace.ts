/** Time between two looks of a member at the leases, and events that shorten it. */
import type { Wakeups } from '../../store/postgres/wakeups.ts';
import type { Clock } from '../common/clock.ts';

/**
 * `waiting`: another member leads a shard of this one, and may return it at any moment. `calm`: every shard is led by
 * the right member, and its lease was renewed in time.
 */
export type LookPace = 'waiting' | 'watching' | 'calm';

/** Reports of a member within a lease. */
export const REPORTS_A_LEASE = 3;
/** Looks within a lease while the database does not answer. */
export const LOOKS_A_LEASE = 12;
/** Interval of a member that waits for a lease. */
export const LOOK_MS = 250;
/** Interval of a member without wake-ups: it takes a returned lease within this time. */
const WATCHING_LOOK_MS = 500;
/** Longest interval of a member with wake-ups; its reports may require a shorter one. */
const LONGEST_LOOK_MS = 2_000;
/**
 * Shortest interval, however often it is woken: a lease that fails right after it was taken would be taken again at
 * once.
 */
const LEAST_LOOK_MS = 100;
/** Every look answers the watchdog. */
const LOOKS_A_WATCHDOG = 4;

export interface LookTiming {
  leaseMs: number;
  wakeups: Pick<Wakeups, 'comeThrough'>;
  turns: {
    readonly pace: LookPace;
    /** Until the lease of a vanished leader can be taken; Infinity without one. */
    readonly freeInMs: number;
  };
  /** The last look failed. */
  isUnreachable: boolean;
  /** Null without a watchdog. */
  watchdogMs: number | null;
}

/** Milliseconds until the next look. */
export function computeLookInterval({ leaseMs, wakeups, turns, isUnreachable, watchdogMs }: LookTiming): number {
  const calmMs = wakeups.comeThrough ? Math.min(LONGEST_LOOK_MS, leaseMs / REPORTS_A_LEASE) : WATCHING_LOOK_MS;
  const paceMs = { waiting: LOOK_MS, watching: WATCHING_LOOK_MS, calm: calmMs }[turns.pace];
  if (isUnreachable) return leaseMs / LOOKS_A_LEASE;
  return Math.min(paceMs, turns.freeInMs, (watchdogMs ?? Infinity) / LOOKS_A_WATCHDOG);
}

/** Sleeps for this time, or until it is woken or stopped. */
export async function sleepUntilWoken(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  ms: number,
  { stop, woken }: { stop: AbortSignal; woken: AbortSignal },
): Promise<void> {
  const at = clock.monotonic();
  await clock.sleep(ms, AbortSignal.any([stop, woken]));
  const early = Math.min(ms, LEAST_LOOK_MS) - (clock.monotonic() - at);
  if (early > 0) await clock.sleep(early, stop);
}
