/**
 * Observes leases on this member's own monotonic clock alone: a holder lives while the sign of its lease changes. Time
 * around a failed look does not count, as the holder may not have reached the database either. A lease without any
 * reading restarts the observation.
 */
import type { LeaseTiming } from './member-base.ts';
import { findMinimum } from '../../core/transition/collections.ts';
import type { SeenLease } from '../../store/postgres/shard-leases.ts';
import { isLayout } from '../../store/postgres/lease.ts';

interface ObservedLease extends SeenLease {
  since: number;
}

export function createLeaseWatch({ leaseMs, clock: { monotonic } }: LeaseTiming) {
  let known = new Map<string, ObservedLease>();
  let observedAt = -Infinity;
  let failedAt = -Infinity;
  /** False from a failed look until the next reading. */
  let isReading = true;
  /** When a known lease disappeared: the database was created again, and its last holders may still act. */
  let recreatedAt = -Infinity;

  const unchangedMs = (name: string): number => {
    const lease = known.get(name);
    return lease === undefined ? 0 : (isReading ? monotonic() : Math.max(observedAt, lease.since)) - lease.since;
  };

  const areHoldersKnown = (): boolean => monotonic() - recreatedAt >= leaseMs;

  function isLapsed(name: string): boolean {
    const holder = known.get(name)?.holder ?? null;
    return holder !== null && !isLayout(holder) && unchangedMs(name) >= leaseMs;
  }

  function isFree(name: string): boolean {
    const lease = known.get(name);
    return lease === undefined ? areHoldersKnown() : lease.holder === null || isLapsed(name);
  }

  return {
    /** Called with every reading, as soon as it has arrived. */
    observe(leases: readonly SeenLease[]): void {
      const now = monotonic();
      const sinceMs = now - observedAt;
      const before = sinceMs > leaseMs ? null : known;
      const uncountedMs = isReading ? 0 : sinceMs;
      [observedAt, isReading] = [now, true];
      const names = new Set(leases.map(({ name }) => name));
      if (![...known.keys()].every((name) => names.has(name))) recreatedAt = now;
      known = new Map(
        leases.map((lease) => {
          const former = before?.get(lease.name);
          return [lease.name, { ...lease, since: former?.sign === lease.sign ? former.since + uncountedMs : now }];
        }),
      );
    },
    /** A reading has failed, or another statement of this member. */
    recordFailure(): void {
      [isReading, failedAt] = [false, monotonic()];
    },
    /** Milliseconds for which its sign has been seen, without those around failed looks; 0 if unknown. */
    unchangedMs,
    /** It has no holder: it was returned, was never taken, or was not renewed for a whole lease. */
    isFree,
    /** True if a lease is free that its holder has not returned. */
    hasLapsed: (): boolean => known.keys().some(isLapsed),
    /** Milliseconds until the first lease is free if no holder renews it; Infinity if none can become free so. */
    freeInMs(): number {
      const held = [...known].filter(([name, { holder }]) => holder !== null && !isLayout(holder) && !isFree(name));
      return findMinimum(held.map(([name]) => leaseMs - unchangedMs(name)));
    },
    /** Data of a free lease for `takeLease`. */
    claimOf(name: string): { lapsed: string | null; freeMs: number } {
      const { holder, sign } = known.get(name) ?? { holder: null, sign: null };
      return { lapsed: holder === null ? null : sign, freeMs: holder === null ? unchangedMs(name) : 0 };
    },
    /** Milliseconds since the last failed look; Infinity without one. */
    reachedMs: (): number => monotonic() - failedAt,
    /** True if no member holds any of these leases. */
    areFree: (names: readonly string[]): boolean =>
      areHoldersKnown() &&
      names.every((name) => {
        const holder = known.get(name)?.holder ?? null;
        return (holder !== null && isLayout(holder)) || isFree(name);
      }),
  };
}
