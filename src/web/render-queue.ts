/**
 * Whoever asks for pages must not hold up the watch. Requests are begun one after the other, and after each the watch has
 * the processor for as long as the request had it: a crowd waits, the sweeps do not.
 */
import { setImmediate, setTimeout } from 'node:timers/promises';

/** What has taken the processor for longer was other work, too. */
const LONGEST_REST_MS = 50;
/** What takes next to nothing goes on without a rest until it has taken so much together. */
const WORTH_A_REST_MS = 5;

export interface RenderQueue {
  /** Resolves when it is one's turn to do something that takes the processor. */
  take(): Promise<void>;
}

export interface RenderQueueOptions {
  /** Milliseconds on a clock that only goes forward. */
  monotonic(): number;
  /** Resolves when what was begun has come to its end, or waits for something else. */
  begun(): Promise<unknown>;
  sleep(ms: number): Promise<unknown>;
}

const REAL: RenderQueueOptions = { monotonic: () => performance.now(), begun: setImmediate, sleep: setTimeout };

/** `take` resolves when it is the caller's turn; nothing has to be given back. */
export function createRenderQueue({ monotonic, begun, sleep }: RenderQueueOptions = REAL): RenderQueue {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  async function giveTurns(): Promise<void> {
    isTaken = true;
    let owed = 0;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const since = monotonic();
      next();
      await begun();
      owed += Math.min(monotonic() - since, LONGEST_REST_MS);
      if (owed < WORTH_A_REST_MS) continue;
      await sleep(owed);
      owed = 0;
    }
    isTaken = false;
  }

  return {
    take() {
      const turn = Promise.withResolvers<void>();
      waiting.push(turn.resolve);
      if (!isTaken) void giveTurns();
      return turn.promise;
    },
  };
}
