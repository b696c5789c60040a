/** Long work in pieces: timers and answers run in between, such as the renewal of a lease. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Longest piece. */
const PIECE_MS = 25;

/** Call between two steps of the work; it waits for a turn of the event loop only after a long piece. */
export function createYielding({ monotonic }: Pick<Clock, 'monotonic'>): () => Promise<void> {
  let since = monotonic();
  return async () => {
    if (monotonic() - since < PIECE_MS) return;
    await setImmediate();
    since = monotonic();
  };
}
