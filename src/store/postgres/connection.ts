/** The way to PostgreSQL: a few connections, statements with a bound on their time, errors for people. */
import type { Pool, PoolClient } from 'pg';
import { DatabaseError } from './database-error.ts';

export type Value = string | number | boolean | null;

/** One statement; `doing` completes "Cannot … the database x at y". */
export type Statement = <Row extends object>(doing: string, text: string, values?: readonly Value[]) => Promise<Row[]>;

export interface Database {
  /** As errors call it; without user and password. */
  readonly place: string;
  /** A transaction of its own. Rejects with `DatabaseError`. */
  ask: Statement;
  /** All of it or nothing. Rejects with `DatabaseError`, or with what `work` throws. */
  together<T>(doing: string, work: (ask: Statement) => Promise<T>): Promise<T>;
  /** Resolves as soon as it answers again after it was away; never where it is never away. */
  answersAgain(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://user:password@host:5432/name?sslmode=verify-full&sslrootcert=/path`. */
  url: string;
  /** Milliseconds for a connection, and for a statement. */
  timeoutMs: number;
  /** At most; default: 3. */
  connections?: number;
}

const CONNECTIONS = 3;
const IDLE_MS = 60_000;

/** Connects when it is first asked. Throws `RangeError` for an address that is none. */
export async function openDatabase({ url, timeoutMs, connections = CONNECTIONS }: DatabaseOptions): Promise<Database> {
  const place = placeOf(url);
  const { default: pg } = await import('pg');
  // Epochs and times: all of them are numbers that JavaScript holds exactly.
  const { INT8 } = pg.types.builtins;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'linewatch',
    max: connections,
    types: { getTypeParser: (type, format) => (type === INT8 ? Number : pg.types.getTypeParser(type, format)) },
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
  });
  // One that breaks while nobody uses it is replaced; whoever asks next hears how the database is.
  pool.on('error', () => undefined);

  let isAway = false;
  let back = Promise.withResolvers<void>();

  async function refusedAs<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      const answer = await work();
      if (isAway) back.resolve();
      if (isAway) back = Promise.withResolvers();
      isAway = false;
      return answer;
    } catch (error) {
      const refusal = new DatabaseError(doing, place, error);
      isAway ||= refusal.isAway;
      throw refusal;
    }
  }

  function statementBy(by: Pool | PoolClient): Statement {
    return async <Row extends object>(doing: string, text: string, values: readonly Value[] = []) =>
      (await refusedAs(doing, () => by.query<Row>(text, [...values]))).rows;
  }

  async function together<T>(doing: string, work: (ask: Statement) => Promise<T>): Promise<T> {
    const client = await refusedAs(doing, () => pool.connect());
    try {
      const inside = statementBy(client);
      await inside(doing, 'begin');
      const result = await work(inside);
      await inside(doing, 'commit');
      client.release();
      return result;
    } catch (error) {
      // The end of the connection is the end of its transaction, whatever state it was left in.
      client.release(true);
      throw error;
    }
  }

  return {
    place,
    ask: statementBy(pool),
    together,
    answersAgain: () => back.promise,
    close: () => pool.end(),
  };
}

/** As errors call it; without user and password. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  const name = decodeURIComponent(pathname.slice(1));
  return `the database${name === '' ? '' : ` ${name}`}${host === '' ? '' : ` at ${host}`}`;
}
