/** The simulator's clocks. Tests freeze or move wall time, while the request log needs real intervals. */
import { performance } from 'node:perf_hooks';

export interface SimulatorClock {
  /** Epoch milliseconds, used in documents. */
  now: () => number;
  /** Monotonic milliseconds, used in the request log. */
  monotonic: () => number;
}

/** Schedules a callback and returns its cancellation, which may be called repeatedly or late. */
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

/** `2026-01-01T00:00:00.000Z`: the only time format of the status interface. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
