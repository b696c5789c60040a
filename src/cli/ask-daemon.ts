/**
 * Asking the running daemon. It is looked for in the state directory of the configuration, and where none answers there,
 * among all that run on this machine: systemd and a moved `state_dir` give a daemon another one than a command would use.
 */
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { sendControlRequest, ControlError } from '../control/client.ts';
import { CONTROL_SOCKET } from '../control/protocol.ts';
import type { DaemonContract } from '../daemon/requests/control.ts';

const ANSWERS_WITHIN_MS = 10_000;
/** For those that are perhaps not ours. */
const SAYS_WHOSE_WITHIN_MS = 2_000;

/** A daemon of another configuration; `file` is null where only its user may ask it. */
export interface OtherDaemon {
  stateDir: string;
  file: string | null;
  daemon: Whereabouts['daemon'];
}

export interface Whereabouts {
  /** That of the daemon that runs this configuration; null where none does. */
  stateDir: string | null;
  /** What that daemon says of itself; null without one, and of one that is too old to say it. */
  daemon: Pick<DaemonContract['whose']['answer'], 'timezone' | 'state'> | null;
  /** What else runs on this machine; looked for only where nothing answers where it should. */
  others: readonly OtherDaemon[];
}

type Configured = Pick<Config, 'stateDir' | 'file'>;

/** Rejects with `ControlError` where a daemon is there and does not answer. */
export async function findDaemon({ stateDir, file }: Configured): Promise<Whereabouts> {
  try {
    return { stateDir, daemon: await askedOf(stateDir, 'whose', {}), others: [] };
  } catch (error) {
    const code = error instanceof ControlError ? error.code : null;
    // One of before this could be asked is one, too.
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

/** Null where there is no daemon; rejects with `ControlError` where there is one that does not answer. */
export async function askIfRunning<K extends keyof DaemonContract>(
  config: Configured,
  name: K,
  ask: DaemonContract[K]['ask'],
): Promise<DaemonContract[K]['answer'] | null> {
  const { stateDir } = await findDaemon(config);
  return stateDir === null ? null : await askDaemon({ ...config, stateDir }, name, ask);
}

/** State directories of the daemons of this machine but for that one: Linux lists every socket that is bound. */
async function otherPlaces(stateDir: string): Promise<string[]> {
  const sockets = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const paths = sockets.split('\n').map((line) => line.replace(/^(?:\S+\s+){7}/, ''));
  const places = paths.filter((path) => isAbsolute(path) && basename(path) === CONTROL_SOCKET).map(dirname);
  return [...new Set(places)].filter((place) => place !== stateDir);
}

/** Null for what is gone, or no Linewatch. */
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
