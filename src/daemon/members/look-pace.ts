/** The time between two looks of a member at the leases, and what cuts it short. */
import type { Wakeups } from '../../store/postgres/wakeups.ts';
import type { Clock } from '../common/clock.ts';

/**
 * `waiting`: another one leads what this member should have, which may be given back at any moment. `calm`: every shard is
 * led by the member that should have it, and its lease was renewed in time.
 */
export type Pace = 'waiting' | 'watching' | 'calm';

/** A member reports itself so often within a lease. */
export const REPORTS_A_LEASE = 3;
/** Where the database does not answer, it is asked this often within a lease. */
export const LOOKS_A_LEASE = 12;
/** A member that waits for a lease which may be given back looks this often. */
export const LOOK_MS = 250;
/** A member that the others do not wake looks this often: a lease that is given back is taken within it. */
const WATCHING_LOOK_MS = 500;
/** A member that the others wake looks by itself as seldom as this, or as it reports where that is more often. */
const LONGEST_LOOK_MS = 2_000;
/** However often a member is woken: a lease that fails as soon as it is taken would be taken again at once. */
const LEAST_LOOK_MS = 100;
/** The watchdog is answered at every look. */
const LOOKS_A_WATCHDOG = 4;

export interface Looking {
  leaseMs: number;
  wakeups: Pick<Wakeups, 'comeThrough'>;
  turns: { readonly pace: Pace };
  /** The last look failed. */
  isUnreachable: boolean;
  /** Null where none watches. */
  watchdogMs: number | null;
}

/** Milliseconds until the next look. */
export function paceOf({ leaseMs, wakeups, turns, isUnreachable, watchdogMs }: Looking): number {
  const calmMs = wakeups.comeThrough ? Math.min(LONGEST_LOOK_MS, leaseMs / REPORTS_A_LEASE) : WATCHING_LOOK_MS;
  const paceMs = { waiting: LOOK_MS, watching: WATCHING_LOOK_MS, calm: calmMs }[turns.pace];
  return isUnreachable ? leaseMs / LOOKS_A_LEASE : Math.min(paceMs, (watchdogMs ?? Infinity) / LOOKS_A_WATCHDOG);
}

/** Sleeps for so long, or until it is woken, and until `stop` at most. */
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
