/**
 * How members wake one another: by PostgreSQL's LISTEN and NOTIFY. A notification says that there is something to look at;
 * what it is, the tables say. Not every way to the database lets notifications through: a pooler that lends its connections
 * for a transaction does not, and a way that is cut says nothing of it. Whoever sleeps longer because of them has to have
 * heard itself a moment ago.
 */
import type { Client } from 'pg';
import { hashIdentity } from '../../core/transition/transition.ts';
import type { Database, DatabaseOptions } from './connection.ts';
import { DatabaseError } from './database-error.ts';

export interface Wakeups {
  /** Aborted by the next notification or `ring`, and where one may have been missed. To be taken before the look that it would follow. */
  next(): AbortSignal;
  /** Whether this member has heard itself a moment ago. */
  readonly comeThrough: boolean;
  /** Listens, and notifies itself where that is due. To be called often, while the database answers. */
  prove(): void;
  /** Wakes this member alone. */
  ring(): void;
  /** Wakes every member that listens. Never rejects: whoever cannot be woken looks by itself. */
  wake(): Promise<void>;
  close(): void;
}

export interface WakeupsDeps extends Pick<DatabaseOptions, 'url' | 'timeoutMs'> {
  /** By which others are woken. */
  database: Pick<Database, 'ask'>;
  instance: string;
  member: string;
  /** How often this member notifies itself, in milliseconds. */
  everyMs: number;
  monotonic(): number;
}

/** A proof may be late by so many of the times between two. */
const BELIEVED_FOR = 1.5;
/** After so many that were not heard the next comes so many times later: a pooler may complain of each. */
const IN_VAIN = { most: 3, seldom: 100 } as const;

/** Connects when `prove` is first called, and again at a later one where the connection was lost. */
export async function openWakeups(deps: WakeupsDeps): Promise<Wakeups> {
  const { url, timeoutMs, database, instance, member, everyMs, monotonic } = deps;
  const { default: pg } = await import('pg');
  const [all, own] = [channelOf(instance), channelOf(instance, member)];
  let client: Client | null = null;
  let next = new AbortController();
  let [provedAt, heardAt] = [-Infinity, -Infinity];
  /** Proofs since the last that was heard. */
  let unheard = 0;
  let isClosed = false;

  function ring(): void {
    const rung = next;
    next = new AbortController();
    rung.abort();
  }

  function leave(left: Client): void {
    // It has ended already where that is why it is left.
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
      // How the database is, whoever asks something of it hears.
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
    next: () => next.signal,
    get comeThrough() {
      return monotonic() - heardAt < BELIEVED_FOR * everyMs;
    },
    prove() {
      const dueMs = unheard < IN_VAIN.most ? everyMs : everyMs * IN_VAIN.seldom;
      if (isClosed || monotonic() - provedAt < dueMs) return;
      provedAt = monotonic();
      unheard += 1;
      void (client === null ? listen() : Promise.resolve()).then(() => notify(own));
    },
    ring,
    wake: () => notify(all),
    close() {
      isClosed = true;
      if (client !== null) leave(client);
    },
  };
}

/** A name that needs no quotes, and of no more than the 63 bytes that PostgreSQL takes. */
function channelOf(...of: readonly string[]): string {
  return `linewatch_${hashIdentity('wakeups', of)}`;
}
