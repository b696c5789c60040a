/** What the running daemon can be asked over its control socket, and where that is.
 *
 * HTTP over a unix socket, one POST a request, JSON both ways. The daemon and the commands share these types; what is
 * asked and answered is said by a contract: `interface DaemonContract { status: { ask: {}; answer: StatusReport } }`.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The shape of every contract: for each request what goes there and what comes back, both plain JSON. */
export type ControlContract<C> = { [K in keyof C]: { ask: unknown; answer: unknown } };

/** One question of a contract. */
export interface ControlRequest<C extends ControlContract<C>, K extends keyof C & string> {
  name: K;
  ask: C[K]['ask'];
}

/** How the daemon answers each request of a contract. `ask` comes from another process: check it before use. */
export type ControlRoutes<C extends ControlContract<C>> = {
  [K in keyof C]: (ask: unknown) => Promise<C[K]['answer']>;
};

/** The name of the socket in the state directory. */
export const CONTROL_SOCKET = 'control.sock';

/** Part of every path, so that a daemon and a command that are too far apart say so instead of misreading each other. */
export const PROTOCOL_VERSION = 1;
/** The largest question and the largest answer, in bytes. */
export const LARGEST_ASK = 1_000_000;
export const LARGEST_ANSWER = 64_000_000;
/** `sun_path` of unix(7) has 108 bytes, the last of which is 0. */
const LONGEST_SOCKET_PATH = 107;

/** Where a request goes. */
export function toControlPath(name: string): string {
  return `/control/${PROTOCOL_VERSION}/${encodeURIComponent(name)}`;
}

/** What comes back in place of an answer; `message` is a sentence for people. */
export interface ControlFailure {
  code: ControlFailureCode;
  message: string;
}

/**
 * - `refused`: understood and not done; the message says why.
 * - `unknown`: this daemon knows no such request.
 * - `invalid`: the question was not JSON or too large.
 * - `failed`: something went wrong inside the daemon; its log says what.
 */
export const CONTROL_FAILURES = ['refused', 'unknown', 'invalid', 'failed'] as const;
export type ControlFailureCode = (typeof CONTROL_FAILURES)[number];

/** The HTTP status of each failure. */
export const FAILURE_STATUS: Readonly<Record<ControlFailureCode, number>> = {
  refused: 422,
  unknown: 404,
  invalid: 400,
  failed: 500,
};

/** Thrown by a route to refuse a request with a sentence for the person who asked. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
}

export interface ShortPath {
  path: string;
  /** The short path means nothing once this was called. */
  release(): Promise<void>;
}

/** Rejects with the system's error when the directory is missing or may not be opened. */
export async function shortenSocketPath(path: string): Promise<ShortPath> {
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return { path, release: async () => undefined };
  const directory = await open(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  return {
    path: join('/proc/self/fd', String(directory.fd), basename(path)),
    release: () => directory.close(),
  };
}
