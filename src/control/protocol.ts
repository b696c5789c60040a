/**
 * Protocol of the control socket: HTTP over a unix socket, one POST per request, JSON both ways.
 *
 * Daemon and commands share these types. A contract lists the requests: `interface DaemonContract { status: { ask: {};
 * answer: StatusReport } }`.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Question and answer of each request, both plain JSON. */
export type ControlContract<C> = { [K in keyof C]: { ask: unknown; answer: unknown } };

export interface ControlRequest<C extends ControlContract<C>, K extends keyof C & string> {
  name: K;
  ask: C[K]['ask'];
}

/** One function per request. `ask` comes from another process: validate it before use. */
export type ControlRoutes<C extends ControlContract<C>> = {
  [K in keyof C]: (ask: unknown) => Promise<C[K]['answer']>;
};

/** File name in the state directory. */
export const CONTROL_SOCKET = 'control.sock';

/** Part of every path: incompatible versions of daemon and command report that instead of misreading each other. */
const PROTOCOL_VERSION = 1;
/** Size limits of question and answer, in bytes. */
export const LARGEST_ASK = 1_000_000;
export const LARGEST_ANSWER = 64_000_000;
/** `sun_path` of unix(7) has 108 bytes including the final 0. */
const LONGEST_SOCKET_PATH = 107;

export function toControlPath(name: string): string {
  return `/control/${PROTOCOL_VERSION}/${encodeURIComponent(name)}`;
}

/** Error body; `message` is a sentence for people. */
export interface ControlFailure {
  code: ControlFailureCode;
  message: string;
}

/**
 * - `refused`: understood but not done; the message says why.
 * - `unknown`: this daemon has no such request.
 * - `invalid`: the question was no JSON, or too large.
 * - `failed`: an internal error; the daemon's log has it.
 */
export const CONTROL_FAILURES = ['refused', 'unknown', 'invalid', 'failed'] as const;
export type ControlFailureCode = (typeof CONTROL_FAILURES)[number];

/** HTTP status by failure. */
export const FAILURE_STATUS: Readonly<Record<ControlFailureCode, number>> = {
  refused: 422,
  unknown: 404,
  invalid: 400,
  failed: 500,
};

/** A route throws it to refuse a request with a sentence for the person who sent it. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
}

export interface ShortPath {
  path: string;
  /** Invalidates the short path. */
  release(): Promise<void>;
}

/** Rejects with the system's error if the directory is missing or may not be opened. */
export async function shortenSocketPath(path: string): Promise<ShortPath> {
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return { path, release: async () => undefined };
  const directory = await open(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  return {
    path: join('/proc/self/fd', String(directory.fd), basename(path)),
    release: () => directory.close(),
  };
}
