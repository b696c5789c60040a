/**
 * Time as the simulator sees it. Two clocks, because tests freeze or jump the one people read while the
 * request log and the rate check must go on measuring real distances.
 */
import { performance } from 'node:perf_hooks';

export interface SimulatorClock {
  /** Milliseconds since the Unix epoch: the time that stands in documents. */
  now: () => number;
  /** Milliseconds from an arbitrary start, never going back: the time of the request log. */
  monotonic: () => number;
}

/** Runs something later. The answer cancels it; cancelling twice or too late does nothing. */
export interface Timers {
  after: (milliseconds: number, run: () => void) => () => void;
}

export const systemClock: SimulatorClock = { now: () => Date.now(), monotonic: () => performance.now() };

export const systemTimers: Timers = {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** `2026-01-01T00:00:00.000Z`, the status interface's only form of a time. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
