/**
 * Queue of page requests, so that viewers do not delay sweeps. Requests start one after the other, and after each the
 * processor is free for sweeps for as long as the request took.
 */
import { setImmediate, setTimeout } from 'node:timers/promises';

/** A longer measured time includes other work. */
const LONGEST_REST_MS = 50;
/** Small requests continue without a pause until they have taken this much together. */
const WORTH_A_REST_MS = 5;

export interface RenderQueueOptions {
  /** Milliseconds of a monotonic clock. */
  monotonic(): number;
  /** Resolves when the started request has ended, or waits for something else. */
  begun(): Promise<unknown>;
  sleep(ms: number): Promise<unknown>;
}

const REAL: RenderQueueOptions = { monotonic: () => performance.now(), begun: setImmediate, sleep: setTimeout };

/** `take` resolves at the caller's turn; there is no release. */
export function createRenderQueue({ monotonic, begun, sleep }: RenderQueueOptions = REAL) {
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
    /** Resolves at the caller's turn to use the processor. */
    take() {
      const turn = Promise.withResolvers<void>();
      waiting.push(turn.resolve);
      if (!isTaken) void giveTurns();
      return turn.promise;
    },
  };
}
