/** The connections of a member to the database. Each has a purpose, so that a slow statement of one does not block the others. */
import type { MemberBase } from './member-base.ts';
import type { DatabaseConfig } from '../../config/schema/database-schema.ts';
import { SECOND } from '../../core/text/duration.ts';
import { openDatabase } from '../../store/postgres/connection.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { prepareTables } from '../../store/postgres/tables.ts';
import { openWakeups } from '../../store/postgres/wakeups.ts';
import type { Clock } from '../common/clock.ts';

export interface ConnectionsOptions extends Pick<MemberBase, 'instance' | 'name'> {
  database: Pick<DatabaseConfig, 'url' | 'lease'>;
  clock: Pick<Clock, 'monotonic'>;
}

/** A renewal and its report must fit into a third of a lease. */
const STATEMENTS_A_LEASE = 6;
/** A save of the largest batch, or a reading of a shard, on a busy machine; it has no part in the lease. */
const WORK_MS = 5 * SECOND;

/** Connects on first use, and waits for an unreachable database. */
export async function openConnections(options: ConnectionsOptions) {
  const { url, lease } = options.database;
  const timeoutMs = lease / STATEMENTS_A_LEASE;
  // Two, as one may hang.
  const database = await openDatabase({ url, timeoutMs, connections: 2 });
  const documents = await openDatabase({ url, timeoutMs, statementMs: Math.max(timeoutMs, WORK_MS) });
  const records = await openDatabase({ url, timeoutMs: WORK_MS, connections: 1 });
  const { instance, name: member, clock } = options;
  const { monotonic } = clock;
  const wakeups = await openWakeups({
    url,
    timeoutMs,
    database: documents,
    instance,
    member,
    everyMs: lease,
    monotonic,
  });
  let isPrepared = false;
  return {
    /** For leases and members. */
    database,
    /** For documents and requests of other members. */
    documents,
    /** With longer timeouts, for work such as the history's. */
    records,
    wakeups,
    /** Creates the tables first if they may be missing. Rejects as `prepareTables` and `work` do. */
    async prepared<T>(work: () => Promise<T>): Promise<T> {
      if (!isPrepared) await prepareTables(records);
      isPrepared = true;
      try {
        return await work();
      } catch (error) {
        // The database may have been created again.
        if (error instanceof DatabaseError && error.lacksTable) isPrepared = false;
        throw error;
      }
    },
    async close(): Promise<void> {
      wakeups.close();
      await Promise.all([database, documents, records].map((way) => way.close()));
    },
  };
}
