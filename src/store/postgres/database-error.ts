/**
 * Errors of PostgreSQL and of its connection, worded for people. Never uses the driver's own texts, which may quote a
 * secret.
 */
import { readErrorCode, ForeseenError, classifyNetworkFailure, explainDiskError } from '../../net/failure.ts';

const NO_TABLE = '42P01';

/** SQLSTATE, by the appendix "PostgreSQL Error Codes" of its documentation. */
const STATES: Readonly<Record<string, string>> = {
  '08P01': 'a pooler in front of it refused',
  '28P01': 'the password is not accepted',
  '28000': 'this user may not connect from here',
  '3D000': 'there is no such database',
  '42501': 'this user lacks a right it needs',
  [NO_TABLE]: 'a table is missing',
  '53100': 'its disk is full',
  '53300': 'all its connections are taken',
  '55P03': 'another transaction holds a lock for too long',
  '57014': 'it took too long',
  '25P03': 'its transaction stood still for too long',
  '57P01': 'it is being shut down',
  '57P02': 'it is restarting after a crash',
  '57P03': 'it does not accept connections yet',
  '25006': 'it can only be read: it may be the copy of another',
};

/**
 * The server or a pooler refuses service for now, at least to this member: broken connections, cancelled statements, a
 * shutdown, no connection or lock left, or a standby that was just promoted.
 */
const AWAY = /^(?:08|57|53300|55P03|25P03|25006)/;

const SAYS_DOWN = new Set(['57P01', '57P02', '57P03']);
/** No listener at the server, a proxy or a pooler, or a firewall on the way there. */
const REFUSES = 'ECONNREFUSED';

/** The server itself reports it: it is down for all clients, not only for this machine. */
export function isShutDownCode(code: string | null | undefined): boolean {
  return code !== null && code !== undefined && SAYS_DOWN.has(code);
}

/** The database refused a statement, or is unreachable. `code` is a SQLSTATE or the operating system's code. */
export class DatabaseError extends ForeseenError {
  override readonly name = 'DatabaseError';
  readonly code: string;
  /** Down for all clients, as the server has said. Otherwise this member alone may be cut off. */
  readonly isDown: boolean;
  /** The statement was not executed. Otherwise it may have been. */
  readonly isUndone: boolean;
  /** It is unreachable, or refuses service to all clients for now. */
  readonly isAway: boolean;
  /** The requested table does not exist. */
  readonly lacksTable: boolean;

  /** `hasSaidDown`: the server has said so since it answered last. */
  constructor(doing: string, place: string, cause: unknown, hasSaidDown = false) {
    const code = readErrorCode(cause) ?? 'UNKNOWN';
    super(`Cannot ${doing} ${place}: ${wordsOf(code, cause)}.`, { cause });
    this.code = code;
    this.isDown = hasSaidDown || isShutDownCode(code);
    this.isAway = !isState(code) || AWAY.test(code);
    this.isUndone = !this.isAway || code === REFUSES || isShutDownCode(code);
    this.lacksTable = code === NO_TABLE;
  }
}

/** The driver has no code for it. */
const NO_TLS = 'The server does not support SSL connections';

function wordsOf(code: string, cause: unknown): string {
  const file = fileIn(cause);
  if (file !== null) return `${file}, which its address names, cannot be read: ${explainDiskError(cause)}`;
  if (cause instanceof Error && cause.message === NO_TLS) return 'it offers no encrypted connections';
  const words = STATES[code] ?? (isState(code) ? 'it refused' : classifyNetworkFailure(cause)?.words);
  // The driver has no codes for its own errors: a timeout, a closed connection.
  return `${words ?? 'the connection failed or no answer came in time'} (${code})`;
}

/** The certificates named in an address are read when a connection is made. */
function fileIn(cause: unknown): string | null {
  if (!(cause instanceof Error) || !('syscall' in cause) || cause.syscall !== 'open' || !('path' in cause)) return null;
  return typeof cause.path === 'string' ? cause.path : null;
}

function isState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E');
}
