/** Long work in pieces: timers and answers run in between, such as the renewal of a lease. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Longest piece. */
const PIECE_MS = 25;

/**
 * Call between two steps of the work. After a long piece it returns a promise that resolves in another turn of the event
 * loop, else null: quick work keeps the order of what it starts.
 */
export function createYielding({ monotonic }: Pick<Clock, 'monotonic'>): () => Promise<void> | null {
  let since = monotonic();
  async function turn(): Promise<void> {
    await setImmediate();
    since = monotonic();
  }
  return () => (monotonic() - since < PIECE_MS ? null : turn());
}
