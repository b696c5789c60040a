/** Time as an argument: the system's clock, and a virtual clock that a replay or a test advances. */
import { MINUTE } from '../../core/text/duration.ts';
import { findMinimum } from '../../core/transition/collections.ts';

export interface Clock {
  /** Wall time, epoch milliseconds; may jump. */
  now(): number;
  /** Milliseconds of a clock that never jumps. */
  monotonic(): number;
  /** Resolves after this time, or when the signal is aborted; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** A wait for a time of day checks the wall clock this often, as the clock may be set meanwhile. */
const LONGEST_WAIT_MS = MINUTE;
/** The longest timer of Node.js; a longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds to sleep towards a wall time before the clock is checked again; `Infinity` without one. */
export function computeSleep(at: number | null, now: number): number {
  return at === null ? Infinity : Math.min(Math.max(0, at - now), LONGEST_WAIT_MS);
}

/** Without a reason, an exception with a stack is created for each abort. */
const SETTLED = 'settled';

/** Resolves with true once the promise is settled, and with false after this time. Never rejects. */
export async function waitAtMost(ms: number, promise: Promise<unknown>, clock: Pick<Clock, 'sleep'>): Promise<boolean> {
  const isSettled = new AbortController();
  const end = (): void => isSettled.abort(SETTLED);
  const settled = promise.then(end, end);
  await Promise.race([settled, clock.sleep(ms, isSettled.signal)]);
  return isSettled.signal.aborted;
}

/** Lead of the wall clock over the monotonic clock, in milliseconds: it changes only where the wall clock jumps. */
export function measureApart(clock: Pick<Clock, 'now' | 'monotonic'>): number {
  return clock.now() - clock.monotonic();
}

/** A smaller difference between the progress of wall clock and monotonic clock is not a jump. */
export const JUMP_MS = MINUTE;

/**
 * Milliseconds by which the wall clock jumped since the previous call: positive forwards, negative backwards. A suspend
 * counts as a jump, as the monotonic clock stops during it.
 */
export function createJumpMeter(clock: Pick<Clock, 'now' | 'monotonic'>): () => number {
  let known = measureApart(clock);
  return () => {
    const jumped = measureApart(clock) - known;
    if (Math.abs(jumped) < JUMP_MS) return 0;
    known += jumped;
    return Math.round(jumped);
  };
}

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
      // Rounded up: a timer of Node.js ignores the fraction and fires too early, and its owner would sleep again.
      const timer = setTimeout(done, Math.min(Math.max(Math.ceil(ms), 0), LONGEST_TIMER_MS));
      signal.addEventListener('abort', done);
    });
  },
};

/** Wall time and monotonic time advance together, and only through these functions. */
export interface VirtualClock extends Clock {
  /** Moves both clocks forward and wakes sleepers in the order of their deadlines. */
  advance(ms: number): void;
  /** Milliseconds to the earliest deadline; null without a sleeper. */
  next(): number | null;
}

interface Sleeper {
  deadline: number;
  wake: () => void;
}

/** `start` is its wall time, epoch milliseconds; its monotonic time begins at 0. */
export function createVirtualClock(start: number): VirtualClock {
  let wall = start;
  let mono = 0;
  const sleepers = new Set<Sleeper>();

  function advance(ms: number): void {
    wall += ms;
    mono += ms;
    const due = [...sleepers].filter(({ deadline }) => deadline <= mono).toSorted((a, b) => a.deadline - b.deadline);
    for (const sleeper of due) sleepers.delete(sleeper);
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
          sleepers.delete(sleeper);
          signal.removeEventListener('abort', done);
          resolve();
        }
        sleepers.add(sleeper);
        signal.addEventListener('abort', done);
      });
    },
    advance,
    next: () => {
      const soonest = findMinimum([...sleepers].map(({ deadline }) => deadline));
      return Number.isFinite(soonest) ? soonest - mono : null;
    },
  };
}
