/** A clock and timers that move only when told, shared by the simulator's tests. */
import type { SimulatorClock, Timers } from '../../../src/simulator/simulator-clock.ts';

export interface ManualTime {
  clock: SimulatorClock;
  timers: Timers;
  /** Moves both clocks on, running what becomes due on the way, each at its own time. */
  pass: (milliseconds: number) => void;
}

export function manualTime(start = Date.parse('2026-03-02T09:00:00.000Z')): ManualTime {
  let now = start;
  let waiting: { at: number; run: () => void }[] = [];
  return {
    clock: { now: () => now, monotonic: () => now - start },
    timers: {
      after(milliseconds, run) {
        const entry = { at: now + milliseconds, run };
        waiting.push(entry);
        return () => {
          waiting = waiting.filter((other) => other !== entry);
        };
      },
    },
    pass(milliseconds) {
      const until = now + milliseconds;
      for (;;) {
        const [next] = waiting.filter((entry) => entry.at <= until).toSorted((left, right) => left.at - right.at);
        if (next === undefined) break;
        waiting = waiting.filter((entry) => entry !== next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = until;
    },
  };
}
