/**
 * Leases as this member observes them, by its own monotonic clock and no other: a holder lives while the sign of its lease
 * changes. A reading that failed, or that comes late, begins the observation anew, since the holder may not have reached
 * the database either.
 */
import type { SeenLease } from '../../store/postgres/shard-leases.ts';
import { isLayout } from '../../store/postgres/lease.ts';

export interface LeaseWatch {
  /** To be called with every reading, as soon as it has arrived. */
  saw(leases: readonly SeenLease[]): void;
  /** This member has taken it, and may read nothing for as long as it leads. */
  took(name: string, holder: string): void;
  /** A reading has failed. */
  missed(): void;
  /** Milliseconds since its sign was first seen; 0 where it is not known. */
  unchangedMs(name: string): number;
  /** No member holds it: it was given back, was never taken, or was not renewed for a whole lease. */
  isFree(name: string): boolean;
  /** Facts that `takeLease` needs of a free lease. */
  claimOf(name: string): { lapsed: string | null; freeMs: number };
  /** Milliseconds since the last reading that failed; Infinity where none has. */
  reachedMs(): number;
  /** No member leads, and what was left taken of the limits of requests is free again. */
  isEveryoneGone(): boolean;
}

export interface LeaseWatchDeps {
  leaseMs: number;
  monotonic(): number;
}

interface ObservedLease extends SeenLease {
  since: number;
}

export function createLeaseWatch({ leaseMs, monotonic }: LeaseWatchDeps): LeaseWatch {
  let known = new Map<string, ObservedLease>();
  let sawAt = -Infinity;
  let missedAt = -Infinity;
  /** When a lease was missing that had been there: the database was made anew, and its last holders may still act. */
  let anewAt = -Infinity;

  const unchangedMs = (name: string): number => {
    const lease = known.get(name);
    return lease === undefined ? 0 : monotonic() - lease.since;
  };

  const areHoldersKnown = (): boolean => monotonic() - anewAt >= leaseMs;

  function isFree(name: string): boolean {
    if (!known.has(name)) return areHoldersKnown();
    const holder = known.get(name)?.holder ?? null;
    return holder === null || (!isLayout(holder) && unchangedMs(name) >= leaseMs);
  }

  return {
    saw(leases) {
      const now = monotonic();
      const before = now - sawAt > leaseMs ? null : known;
      sawAt = now;
      const names = new Set(leases.map(({ name }) => name));
      if (![...known.keys()].every((name) => names.has(name))) anewAt = now;
      known = new Map(
        leases.map((lease) => {
          const former = before?.get(lease.name);
          return [lease.name, { ...lease, since: former?.sign === lease.sign ? former.since : now }];
        }),
      );
    },
    took(name, holder) {
      known.set(name, { name, holder, epoch: 0, sign: '', slotsMs: 0, isAsked: false, since: monotonic() });
    },
    missed() {
      [sawAt, missedAt] = [-Infinity, monotonic()];
    },
    unchangedMs,
    isFree,
    claimOf(name) {
      const { holder, sign } = known.get(name) ?? { holder: null, sign: null };
      return { lapsed: holder === null ? null : sign, freeMs: holder === null ? unchangedMs(name) : 0 };
    },
    reachedMs: () => monotonic() - missedAt,
    isEveryoneGone: () =>
      areHoldersKnown() &&
      [...known.values()].every(({ name, holder, slotsMs }) => {
        if (holder !== null && isLayout(holder)) return true;
        return isFree(name) && unchangedMs(name) >= slotsMs;
      }),
  };
}
