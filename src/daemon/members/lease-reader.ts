/** The leases as this member last read them, and who holds them as far as it has observed that. */
import type { Log } from '../../log/log.ts';
import type { Database } from '../../store/postgres/connection.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { readLeases, type SeenLease, type SeenLeases } from '../../store/postgres/shard-leases.ts';
import type { Clock } from '../common/clock.ts';
import { createLeaseWatch, type LeaseWatch } from './lease-watch.ts';
import type { MemberRegistry } from './member-registry.ts';

export interface LeaseSeen extends Pick<SeenLease, 'epoch' | 'isAsked'> {
  /** Null where it is free. */
  holder: string | null;
  /** Since it was renewed, as far as this member has seen. */
  unchangedMs: number;
}

export interface LeaseReader {
  /** As they were last read; empty before. */
  readonly known: SeenLeases;
  readonly watch: LeaseWatch;
  /** Rejects with `DatabaseError`. */
  read(): Promise<void>;
  /** Null where it was never taken. */
  lease(name: string): LeaseSeen | null;
}

export interface LeaseReaderDeps {
  database: Database;
  instance: string;
  leaseMs: number;
  memberRegistry: Pick<MemberRegistry, 'timed'>;
  clock: Pick<Clock, 'monotonic'>;
  log: Pick<Log, 'warn'>;
  /** Reads what other members ask, too. */
  withAsks: boolean;
}

const NOTHING_READ: SeenLeases = { layout: null, format: 0, savedForAllAt: null, leases: [] };

/** Reads nothing by itself. */
export function createLeaseReader(deps: LeaseReaderDeps): LeaseReader {
  const { database, instance, leaseMs, memberRegistry, clock, log } = deps;
  const watch = createLeaseWatch({ leaseMs, monotonic: clock.monotonic });
  let known = NOTHING_READ;
  let readAt = -Infinity;
  let { withAsks } = deps;

  async function read(): Promise<void> {
    try {
      known = await memberRegistry.timed(readLeases(database, instance, withAsks));
      readAt = clock.monotonic();
      watch.saw(known.leases);
    } catch (error) {
      if (!withAsks || !(error instanceof DatabaseError) || !error.lacksTable) {
        watch.missed();
        // All tables may lack, and be made again by then.
        ({ withAsks } = deps);
        throw error;
      }
      withAsks = false;
      await read();
      log.warn('What other members ask cannot be seen', { error });
    }
  }

  return {
    get known() {
      return known;
    },
    watch,
    read,
    lease(name) {
      const lease = known.leases.find((one) => one.name === name);
      if (lease === undefined) return null;
      const isFree = watch.isFree(name) || clock.monotonic() - readAt > leaseMs;
      return { ...lease, holder: isFree ? null : lease.holder, unchangedMs: watch.unchangedMs(name) };
    },
  };
}
