/** For commands that go on until somebody ends them. */
import type { Platform, SignalName } from './platform.ts';

/** Resolves with the first SIGINT (Ctrl-C) or SIGTERM; a second one ends the process at once, as it always does. */
export function untilStopped(platform: Platform): Promise<SignalName> {
  return new Promise((resolve) => {
    const undo = (['SIGINT', 'SIGTERM'] as const).map((name) =>
      platform.onSignal(name, () => {
        for (const forget of undo) forget();
        resolve(name);
      }),
    );
  });
}
