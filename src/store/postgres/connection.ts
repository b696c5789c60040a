/** Access to PostgreSQL: a few connections, statements with timeouts, errors for people. */
import type { PoolClient, PoolConfig } from 'pg';
import { readErrorCode } from '../../net/failure.ts';
import { DatabaseError, isShutDownCode } from './database-error.ts';
import { waitForAnswer } from '../patience.ts';
import { openPool, type PatientPool } from './patient-pool.ts';
import { createSeats } from './seats.ts';

export type Value = string | number | boolean | null;

/** One statement; `doing` completes "Cannot … the database x at y". */
export type Statement = <Row extends object>(doing: string, text: string, values?: readonly Value[]) => Promise<Row[]>;

export interface Database {
  /** Name in errors, without user and password. */
  readonly place: string;
  /** Runs in its own transaction. Rejects with `DatabaseError`. */
  ask: Statement;
  /** Runs all of it in one transaction. Rejects with `DatabaseError`, or with the error of `work`. */
  together<T>(doing: string, work: (ask: Statement) => Promise<T>): Promise<T>;
  /** Resolves when the database is reachable again after a failure; never without a failure. */
  answersAgain(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://user:password@host:5432/name?sslmode=verify-full&sslrootcert=/path`. */
  url: string;
  /** Milliseconds for a connection and a statement; half of them for a lock. */
  timeoutMs: number;
  /** For connections and statements that may take longer than that, though not for locks; default: `timeoutMs`. */
  statementMs?: number;
  /** Maximum; default: 3. */
  connections?: number;
}

const CONNECTIONS = 3;
const IDLE_MS = 60_000;
/**
 * Fractions of the client's timeout: the server gives up first, so that a statement never outlives its caller and the
 * connection stays usable.
 */
const SERVER_GIVES_UP_AT = {
  statement_timeout: 0.8,
  lock_timeout: 0.5,
  idle_in_transaction_session_timeout: 1,
} as const;
type Limit = keyof typeof SERVER_GIVES_UP_AT;
/** True for a session without one of them: a pooler may drop those that it is given. */
const LACKS_LIMITS = `select '0' in (${Object.keys(SERVER_GIVES_UP_AT)
  .map((name) => `current_setting('${name}')`)
  .join(', ')}) as lacks`;
/** PgBouncer's answer to a parameter missing in its `ignore_startup_parameters`, and to other mistakes. */
const POOLER_REFUSES = '08P01';
/** Seconds: the server ends the connection of a machine that died after half a minute, not after two hours. */
const KEEPALIVE = { tcp_keepalives_idle: 15, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 } as const;

/** Connects on first use. Throws `RangeError` for an invalid address. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, timeoutMs, statementMs = timeoutMs, connections = CONNECTIONS } = options;
  const place = placeOf(url);
  const { default: pg } = await import('pg');
  // Epochs and times, which JavaScript represents exactly.
  const { INT8 } = pg.types.builtins;
  const seats = createSeats(connections);
  const settings: PoolConfig = {
    application_name: 'linewatch',
    max: connections,
    types: { getTypeParser: (type, format) => (type === INT8 ? Number : pg.types.getTypeParser(type, format)) },
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
  };

  /** True from the server's word that it is down until it answers again. */
  let hasSaidDown = false;
  const said = (code: string | null): void => void (hasSaidDown ||= isShutDownCode(code));
  const limits = { limitMs: statementMs, said };
  const serverLimits = listServerLimits(timeoutMs, statementMs);
  const limited = openPool(pg, { ...settings, ...limitedSession(url, serverLimits) }, limits);
  let plain: PatientPool | null = null;
  let pool = limited;

  /** A pooler that refuses limits of a session is used without them: each transaction has its own then. */
  async function connect(): Promise<PoolClient> {
    const tried = pool;
    try {
      return await tried.connect();
    } catch (error) {
      if (tried !== limited || readErrorCode(error) !== POOLER_REFUSES) throw error;
      plain ??= openPool(pg, { ...settings, connectionString: url }, limits);
      const client = await plain.connect();
      pool = plain;
      return client;
    }
  }

  let isAway = false;
  let back = Promise.withResolvers<void>();
  /** Number of successful statements. */
  let answers = 0;

  async function refusedAs<T>(doing: string, work: () => Promise<T>): Promise<T> {
    const before = answers;
    try {
      return await work();
    } catch (error) {
      said(readErrorCode(error));
      const refusal = new DatabaseError(doing, place, error, hasSaidDown);
      isAway ||= refusal.isAway;
      // Waiting statements would fail in the same way later, and delay the sweeps.
      if (refusal.isAway && answers === before) seats.refuse(refusal);
      throw refusal;
    }
  }

  function statementBy(client: PoolClient): Statement {
    return async <Row extends object>(doing: string, text: string, values: readonly Value[] = []) => {
      const { rows } = await refusedAs(doing, () => waitForAnswer(statementMs, client.query<Row>(text, [...values])));
      answers += 1;
      hasSaidDown = false;
      if (isAway) back.resolve();
      if (isAway) back = Promise.withResolvers();
      isAway = false;
      return rows;
    };
  }

  /** How a transaction begins on a connection; null where a statement of its own needs none to be limited. */
  const beginnings = new WeakMap<PoolClient, string | null>();

  async function beginningOf(client: PoolClient, ask: Statement, doing: string): Promise<string | null> {
    const known = beginnings.get(client);
    if (known !== undefined) return known;
    const [row] = await ask<{ lacks: boolean }>(doing, LACKS_LIMITS);
    const beginning = row?.lacks === true ? ['begin', ...serverLimits.map(toLocalSetting)].join('; ') : null;
    beginnings.set(client, beginning);
    return beginning;
  }

  /** Waits for a connection without a limit: only the time of `work` is limited. */
  async function withClient<T>(doing: string, isOne: boolean, work: (ask: Statement) => Promise<T>): Promise<T> {
    return await seats.use(async () => {
      const client = await refusedAs(doing, connect);
      // The statement on this connection gets the error.
      const ignore = (): void => undefined;
      client.on('error', ignore);
      try {
        const ask = statementBy(client);
        const limitedBeginning = await beginningOf(client, ask, doing);
        const beginning = limitedBeginning ?? (isOne ? null : 'begin');
        if (beginning !== null) await ask(doing, beginning);
        const result = await work(ask);
        if (beginning !== null) await ask(doing, 'commit');
        client.off('error', ignore);
        client.release();
        return result;
      } catch (error) {
        // Closing the connection ends its transaction, in whatever state.
        client.release(true);
        throw error;
      }
    });
  }

  return {
    place,
    ask: (doing, text, values) => withClient(doing, true, (ask) => ask(doing, text, values)),
    together: (doing, work) => withClient(doing, false, work),
    answersAgain: () => back.promise,
    close: async () => void (await Promise.all([limited.end(), plain?.end()])),
  };
}

/** Name in errors, without user and password. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  const name = decodeURIComponent(pathname.slice(1));
  return `the database${name === '' ? '' : ` ${name}`}${host === '' ? '' : ` at ${host}`}`;
}

/** Milliseconds after which the server itself gives up. */
type ServerLimits = readonly (readonly [name: string, ms: number])[];

function listServerLimits(timeoutMs: number, statementMs: number): ServerLimits {
  const of: Record<Limit, number> = {
    statement_timeout: statementMs,
    lock_timeout: timeoutMs,
    idle_in_transaction_session_timeout: timeoutMs,
  };
  return Object.entries(SERVER_GIVES_UP_AT).map(
    ([name, part]) => [name, Math.round(part * of[name as Limit])] as const,
  );
}

/** For one transaction. */
function toLocalSetting([name, ms]: ServerLimits[number]): string {
  return `set local ${name} = ${ms}`;
}

/** The address, with the server's own timeouts for every session. */
function limitedSession(url: string, serverLimits: ServerLimits): PoolConfig {
  const address = new URL(url);
  // The address's own options take precedence over ours.
  const own = address.searchParams.get('options');
  if (own !== null) address.searchParams.delete('options');
  const limits = [...serverLimits, ...Object.entries(KEEPALIVE)].map(([name, value]) => `-c ${name}=${value}`);
  return {
    connectionString: own === null ? url : address.href,
    options: [...limits, ...(own === null ? [] : [own])].join(' '),
  };
}
