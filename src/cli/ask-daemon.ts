/** Asking the running daemon, for commands that are nothing without it. */
import { join } from 'node:path';
import { askControl, ControlError } from '../control/client.ts';
import { CONTROL_SOCKET } from '../control/protocol.ts';
import type { ControlContract } from '../daemon/control.ts';
import { CommandFailure } from './errors.ts';

const ANSWERS_WITHIN_MS = 10_000;

/** Throws a `CommandFailure` with the daemon's own sentence, or one that says there is no daemon. */
export async function askDaemon<K extends keyof ControlContract>(
  stateDir: string,
  name: K,
  ask: ControlContract[K]['ask'],
): Promise<ControlContract[K]['answer']> {
  try {
    return await askControl<ControlContract, K>({
      path: join(stateDir, CONTROL_SOCKET),
      request: { name, ask },
      timeoutMs: ANSWERS_WITHIN_MS,
    });
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    throw new CommandFailure(error.message, { cause: error });
  }
}
