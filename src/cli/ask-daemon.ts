/** Asking the running daemon. */
import { join } from 'node:path';
import { askControl, ControlError } from '../control/client.ts';
import { CONTROL_SOCKET } from '../control/protocol.ts';
import type { DaemonContract } from '../daemon/control.ts';
import { CommandFailure } from './command.ts';

const ANSWERS_WITHIN_MS = 10_000;

/** Throws a `CommandFailure` with the daemon's own sentence, or one that says there is no daemon. */
export async function askDaemon<K extends keyof DaemonContract>(
  stateDir: string,
  name: K,
  ask: DaemonContract[K]['ask'],
): Promise<DaemonContract[K]['answer']> {
  try {
    return await askedOf(stateDir, name, ask);
  } catch (error) {
    throw asFailure(error);
  }
}

/** Null where there is no daemon; throws a `CommandFailure` where there is one that does not answer. */
export async function askIfRunning<K extends keyof DaemonContract>(
  stateDir: string,
  name: K,
  ask: DaemonContract[K]['ask'],
): Promise<DaemonContract[K]['answer'] | null> {
  try {
    return await askedOf(stateDir, name, ask);
  } catch (error) {
    if (error instanceof ControlError && error.code === 'no-daemon') return null;
    throw asFailure(error);
  }
}

function askedOf<K extends keyof DaemonContract>(
  stateDir: string,
  name: K,
  ask: DaemonContract[K]['ask'],
): Promise<DaemonContract[K]['answer']> {
  return askControl<DaemonContract, K>({
    path: join(stateDir, CONTROL_SOCKET),
    request: { name, ask },
    timeoutMs: ANSWERS_WITHIN_MS,
  });
}

function asFailure(error: unknown): unknown {
  return error instanceof ControlError ? new CommandFailure(error.message, { cause: error }) : error;
}
