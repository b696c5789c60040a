/**
 * Wake-ups between members by PostgreSQL's LISTEN and NOTIFY. A notification only announces a change, which is in the
 * tables. Some connections do not forward notifications: a transaction pooler does not, and a broken connection does
 * not report it. So a member relies on them only while it receives its own.
 */
import type { Client } from 'pg';
import { hashIdentity } from '../../core/transition/transition.ts';
import type { Database, DatabaseOptions } from './connection.ts';
import { DatabaseError } from './database-error.ts';

export type Wakeups = Awaited<ReturnType<typeof openWakeups>>;

export interface WakeupsDeps extends Pick<DatabaseOptions, 'url' | 'timeoutMs'> {
  /** Used to wake other members. */
  database: Pick<Database, 'ask'>;
  instance: string;
  member: string;
  /** Interval of notifications to itself, in milliseconds. */
  everyMs: number;
  monotonic(): number;
}

/** A proof may be late by this fraction of the interval. */
const BELIEVED_FOR = 1.5;
/** After this many lost proofs the interval grows by this factor, as a pooler may log each one. */
const IN_VAIN = { most: 3, seldom: 100 } as const;

/** Connects at the first call of `prove`, and reconnects at a later one. */
export async function openWakeups(deps: WakeupsDeps) {
  const { url, timeoutMs, database, instance, member, everyMs, monotonic } = deps;
  const { default: pg } = await import('pg');
  const [all, own] = [channelOf(instance), channelOf(instance, member)];
  let client: Client | null = null;
  let next = new AbortController();
  let [provedAt, heardAt] = [-Infinity, -Infinity];
  /** Number of proofs since the last received one. */
  let unheard = 0;
  let isClosed = false;

  /** Wakes this member alone. */
  function ring(): void {
    const rung = next;
    next = new AbortController();
    rung.abort();
  }

  function leave(left: Client): void {
    // It may have ended already, which is why it is closed.
    left.end().catch(() => undefined);
    if (client !== left) return;
    [client, heardAt] = [null, -Infinity];
    ring();
  }

  async function listen(): Promise<void> {
    const settings = { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs, keepAlive: true };
    const made = new pg.Client({ connectionString: url, application_name: 'linewatch', ...settings });
    client = made;
    made.on('error', () => leave(made));
    made.on('end', () => leave(made));
    made.on('notification', ({ channel }) => {
      if (channel === own) [heardAt, unheard] = [monotonic(), 0];
      else ring();
    });
    try {
      await made.connect();
      await made.query(`listen ${all}; listen ${own}`);
    } catch {
      // The next statement finds out the state of the database.
      leave(made);
    }
  }

  async function notify(channel: string): Promise<void> {
    try {
      await database.ask('wake other members through', `select pg_notify($1, '')`, [channel]);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
    }
  }

  return {
    /**
     * Aborted by the next notification or `ring`, and when one may have been missed. Call it before the read that the
     * notification would follow.
     */
    next: () => next.signal,
    /** True if this member has recently received its own notification. */
    get comeThrough() {
      return monotonic() - heardAt < BELIEVED_FOR * everyMs;
    },
    /** Listens, and notifies itself when due. Call it often, while the database is reachable. */
    prove() {
      const dueMs = unheard < IN_VAIN.most ? everyMs : everyMs * IN_VAIN.seldom;
      if (isClosed || monotonic() - provedAt < dueMs) return;
      provedAt = monotonic();
      unheard += 1;
      void (client === null ? listen() : Promise.resolve()).then(() => notify(own));
    },
    ring,
    /** Wakes every listening member. Never rejects: all members also poll. */
    wake: () => notify(all),
    close() {
      isClosed = true;
      if (client !== null) leave(client);
    },
  };
}

/** A name that needs no quotes, within PostgreSQL's limit of 63 bytes. */
function channelOf(...of: readonly string[]): string {
  return `linewatch_${hashIdentity('wakeups', of)}`;
}
