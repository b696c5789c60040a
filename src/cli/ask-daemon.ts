/**
 * Sends requests to the running daemon. Looks for it in the state directory of the configuration, then among all that
 * run on this machine: systemd or a changed `state_dir` may give the daemon another directory than the command's.
 */
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { sendControlRequest, ControlError } from '../control/client.ts';
import { CONTROL_SOCKET } from '../control/protocol.ts';
import type { DaemonContract } from '../daemon/requests/control.ts';

const ANSWERS_WITHIN_MS = 10_000;
/** Timeout for daemons that may run another configuration. */
const SAYS_WHOSE_WITHIN_MS = 2_000;

/** A daemon of another configuration; `file` is null if only its user may send requests. */
export interface OtherDaemon {
  stateDir: string;
  file: string | null;
  daemon: Whereabouts['daemon'];
}

export interface Whereabouts {
  /** State directory of the daemon that runs this configuration; null without one. */
  stateDir: string | null;
  /** Answer of that daemon about itself; null without one, and for one too old to answer. */
  daemon: Pick<DaemonContract['whose']['answer'], 'timezone' | 'state'> | null;
  /** Other daemons on this machine; searched only if none answers at the expected place. */
  others: readonly OtherDaemon[];
}

type Configured = Pick<Config, 'stateDir' | 'file'>;

/** Rejects with `ControlError` if a daemon exists and does not answer. */
export async function findDaemon({ stateDir, file }: Configured): Promise<Whereabouts> {
  try {
    return { stateDir, daemon: await askedOf(stateDir, 'whose', {}), others: [] };
  } catch (error) {
    const code = error instanceof ControlError ? error.code : null;
    // An older daemon that does not know the request is a daemon as well.
    if (code === 'unknown') return { stateDir, daemon: null, others: [] };
    if (code !== 'no-daemon') throw error;
  }
  const running = (await Promise.all((await otherPlaces(stateDir)).map(whoseAt))).filter((one) => one !== null);
  const own = await realPath(file);
  for (const each of running) {
    if (each.file !== null && (await realPath(each.file)) === own) {
      return { stateDir: each.stateDir, daemon: each.daemon, others: [] };
    }
  }
  return { stateDir: null, daemon: null, others: running };
}

/** Rejects with `ControlError`: with the daemon's own sentence, or one that says there is no daemon. */
export async function askDaemon<K extends keyof DaemonContract>(
  config: Configured,
  name: K,
  ask: DaemonContract[K]['ask'],
): Promise<DaemonContract[K]['answer']> {
  const { stateDir } = await findDaemon(config);
  return await askedOf(stateDir ?? config.stateDir, name, ask);
}

/** Null without a daemon; rejects with `ControlError` if it does not answer. */
export async function askIfRunning<K extends keyof DaemonContract>(
  config: Configured,
  name: K,
  ask: DaemonContract[K]['ask'],
): Promise<DaemonContract[K]['answer'] | null> {
  const { stateDir } = await findDaemon(config);
  return stateDir === null ? null : await askDaemon({ ...config, stateDir }, name, ask);
}

/** State directories of other daemons on this machine: Linux lists every bound socket. */
async function otherPlaces(stateDir: string): Promise<string[]> {
  const sockets = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const paths = sockets.split('\n').map((line) => line.replace(/^(?:\S+\s+){7}/, ''));
  const places = paths.filter((path) => isAbsolute(path) && basename(path) === CONTROL_SOCKET).map(dirname);
  return [...new Set(places)].filter((place) => place !== stateDir);
}

/** Null if it has ended, or is not Linewatch. */
async function whoseAt(stateDir: string): Promise<OtherDaemon | null> {
  try {
    const daemon = await askedOf(stateDir, 'whose', {}, SAYS_WHOSE_WITHIN_MS);
    return { stateDir, file: daemon.file, daemon };
  } catch (error) {
    const isOurs = error instanceof ControlError && error.code === 'not-permitted';
    return isOurs ? { stateDir, file: null, daemon: null } : null;
  }
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function askedOf<K extends keyof DaemonContract>(
  stateDir: string,
  name: K,
  ask: DaemonContract[K]['ask'],
  timeoutMs = ANSWERS_WITHIN_MS,
): Promise<DaemonContract[K]['answer']> {
  return sendControlRequest<DaemonContract, K>({
    path: join(stateDir, CONTROL_SOCKET),
    request: { name, ask },
    timeoutMs,
  });
}
