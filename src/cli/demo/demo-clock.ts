/**
 * Clock of the demonstration. It runs many times faster than the machine's, and stops while work is in progress: events
 * have the same times in every run, and a slow machine only prolongs it.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { createVirtualClock, type Clock } from '../../daemon/common/clock.ts';
import type { Timers } from '../../simulator/simulator-clock.ts';

export interface NightClock extends Clock {
  /** Milliseconds of the demonstration per millisecond of the machine; 0 stops the clock. */
  setPace(pace: number): void;
  /** Advances the time until the signal is aborted. */
  run(stop: AbortSignal): Promise<void>;
}

export interface NightClockDeps {
  /** Wall time of the start, epoch milliseconds. */
  start: number;
  machine: Pick<Clock, 'monotonic' | 'sleep'>;
  /** True while work is in progress that takes the machine's time, and none of the demonstration's. */
  isBusy(): boolean;
}

/** Longer work hangs, or waits for the time to advance. */
const LONGEST_WORK_MS = 15_000;
/** A longer delay is not made up for. */
const LATEST_MS = 1_000;
/** Without anything to wait for, the time advances this often, as the page shows it. */
const STEP_MS = 500;

/** Stopped before `setPace` and `run`. */
export function createNightClock({ start, machine, isBusy }: NightClockDeps): NightClock {
  const night = createVirtualClock(start);
  let pace = 0;
  let changed = new AbortController();

  async function untilIdle(stop: AbortSignal): Promise<void> {
    const until = machine.monotonic() + LONGEST_WORK_MS;
    do {
      // Runs everything that does not wait for the machine.
      await turn();
      await turn();
      if (isBusy()) await machine.sleep(1, stop);
    } while (isBusy() && !stop.aborted && machine.monotonic() < until);
  }

  async function run(stop: AbortSignal): Promise<void> {
    /** Machine time up to which the clock is on schedule. */
    let since = machine.monotonic();
    while (!stop.aborted) {
      await untilIdle(stop);
      const cut = AbortSignal.any([stop, changed.signal]);
      const passing = pace;
      const ahead = Math.min(night.next() ?? Infinity, passing * STEP_MS);
      const due = passing === 0 ? Infinity : since + ahead / passing;
      // Timers have a resolution of a millisecond; time spent working is made up for.
      if (due - machine.monotonic() >= 1) await machine.sleep(due - machine.monotonic(), cut);
      const now = machine.monotonic();
      // A wall clock has no fractions of milliseconds.
      night.advance(Math.ceil(cut.aborted ? Math.min(ahead, (now - since) * passing) : ahead));
      since = cut.aborted ? now : Math.max(due, now - LATEST_MS);
    }
  }

  return {
    now: night.now,
    monotonic: night.monotonic,
    sleep: night.sleep,
    setPace(next) {
      pace = next;
      changed.abort();
      changed = new AbortController();
    },
    run,
  };
}

/** The simulator's timers on the demonstration's clock. */
export function createTimers({ sleep }: Pick<Clock, 'sleep'>): Timers {
  return {
    after(milliseconds, run) {
      const cancelled = new AbortController();
      void sleep(milliseconds, cancelled.signal).then(() => (cancelled.signal.aborted ? undefined : run()));
      return () => cancelled.abort();
    },
  };
}

/** A zone without summer time in which the start is past two in the morning. */
export function chooseNightZone(start: number): string {
  const ahead = (NIGHT_HOUR + 24 - new Date(start).getUTCHours()) % 24;
  const east = ahead > EASTERNMOST ? ahead - 24 : ahead;
  // Names of these zones count westwards.
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}

const NIGHT_HOUR = 2;
/** Hours ahead of UTC. */
const EASTERNMOST = 12;
