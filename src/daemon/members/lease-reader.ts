/** The leases at the last reading, with their holders as observed by this member. */
import type { MemberBase } from './member-base.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { readLeases, type SeenLease, type SeenLeases } from '../../store/postgres/shard-leases.ts';
import { createLeaseWatch } from './lease-watch.ts';
import type { MemberRegistry } from './member-registry.ts';

export interface LeaseSeen extends Pick<SeenLease, 'epoch' | 'isAsked'> {
  /** Null for a free lease. */
  holder: string | null;
  /** Milliseconds since its renewal, as observed by this member. */
  unchangedMs: number;
}

export type LeaseReader = ReturnType<typeof createLeaseReader>;

export interface LeaseReaderDeps extends Pick<MemberBase, 'database' | 'instance' | 'leaseMs' | 'clock' | 'log'> {
  memberRegistry: Pick<MemberRegistry, 'timed'>;
  /** Also reads requests of other members. */
  withAsks: boolean;
}

const NOTHING_READ: SeenLeases = { layout: null, hashes: null, format: 0, savedForAllAt: null, leases: [] };

/** Reads nothing by itself. */
export function createLeaseReader(deps: LeaseReaderDeps) {
  const { database, instance, leaseMs, memberRegistry, clock, log } = deps;
  const watch = createLeaseWatch(deps);
  let known = NOTHING_READ;
  let readAt = -Infinity;
  let { withAsks } = deps;

  async function read(): Promise<void> {
    try {
      known = await memberRegistry.timed(readLeases(database, instance, withAsks));
      readAt = clock.monotonic();
      watch.observe(known.leases);
    } catch (error) {
      if (!withAsks || !(error instanceof DatabaseError) || !error.lacksTable) {
        // All tables may be missing, and be created again by then.
        ({ withAsks } = deps);
        throw error;
      }
      withAsks = false;
      await read();
      log.warn('Requests of other members cannot be read', { error });
    }
  }

  return {
    /** The last reading; empty before the first. */
    get known(): SeenLeases {
      return known;
    },
    watch,
    /** Use it within `during`. Rejects with `DatabaseError`. */
    read,
    /**
     * If a member cannot read, or not write, as on a full disk, a holder may not have been able to renew its lease
     * either.
     */
    async during(look: () => Promise<void>): Promise<void> {
      try {
        await look();
      } catch (error) {
        watch.recordFailure();
        throw error;
      }
    },
    /** Null if it was never taken. */
    lease(name: string): LeaseSeen | null {
      const lease = known.leases.find((one) => one.name === name);
      if (lease === undefined) return null;
      const isFree = watch.isFree(name) || clock.monotonic() - readAt > leaseMs;
      return { ...lease, holder: isFree ? null : lease.holder, unchangedMs: watch.unchangedMs(name) };
    },
  };
}
