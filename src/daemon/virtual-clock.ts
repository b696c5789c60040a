/** A clock that stands still until somebody moves it: a replay, or a test. Wall and monotonic time move together. */
import type { Clock } from './clock.ts';
import { least } from '../core/transition/long-lists.ts';

export interface VirtualClock extends Clock {
  /** Moves both clocks forward and wakes whoever slept until then, earliest first. */
  advance(ms: number): void;
  /** Moves both clocks to this wall time. */
  advanceTo(at: number): void;
  /** Moves the wall clock alone, as an administrator or NTP does. */
  jump(ms: number): void;
  /** The earliest deadline, in milliseconds from now; null when nobody sleeps. */
  next(): number | null;
}

interface Sleeper {
  deadline: number;
  wake: () => void;
}

export function virtualClock(start: number): VirtualClock {
  let wall = start;
  let mono = 0;
  let sleepers: Sleeper[] = [];

  function advance(ms: number): void {
    wall += ms;
    mono += ms;
    const due = sleepers.filter(({ deadline }) => deadline <= mono).toSorted((a, b) => a.deadline - b.deadline);
    sleepers = sleepers.filter(({ deadline }) => deadline > mono);
    for (const { wake } of due) wake();
  }

  return {
    now: () => wall,
    monotonic: () => mono,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const sleeper: Sleeper = { deadline: mono + ms, wake: done };
        function done(): void {
          sleepers = sleepers.filter((other) => other !== sleeper);
          signal.removeEventListener('abort', done);
          resolve();
        }
        sleepers.push(sleeper);
        signal.addEventListener('abort', done);
      });
    },
    advance,
    advanceTo: (at) => advance(at - wall),
    jump: (ms) => {
      wall += ms;
    },
    next: () => {
      const soonest = least(sleepers.map(({ deadline }) => deadline));
      return Number.isFinite(soonest) ? soonest - mono : null;
    },
  };
}
