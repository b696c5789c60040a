/** Time as an argument: the system's clock, and what a test puts in its place. */
import { MINUTE } from '../core/text/duration.ts';
export interface Clock {
  /** Wall time, epoch milliseconds; may jump. */
  now(): number;
  /** Milliseconds of a clock that never jumps. */
  monotonic(): number;
  /** Resolves after this long, or as soon as the signal is aborted; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The wall clock may be set while somebody sleeps: whoever waits for a time of day looks at it this often. */
const LONGEST_WAIT_MS = MINUTE;

/** How long to sleep towards a wall time before looking at the clock again; for ever where there is none. */
export function waitFor(at: number | null, now: number): number {
  return at === null ? Infinity : Math.min(Math.max(0, at - now), LONGEST_WAIT_MS);
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
      signal.addEventListener('abort', done);
    });
  },
};
