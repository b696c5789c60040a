/**
 * The time of the demonstration's night. It passes many times as fast as that of the machine, and stands still while
 * somebody is at work: everything happens at the same hour, and only on a slow machine does the night take longer.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { virtualClock, type Clock } from '../../daemon/common/clock.ts';
import type { Timers } from '../../simulator/simulator-clock.ts';

export interface NightClock extends Clock {
  /** So many milliseconds of the night for each of the machine; 0: it stands still. */
  setPace(pace: number): void;
  /** Lets time pass until the signal is aborted. */
  run(stop: AbortSignal): Promise<void>;
}

export interface NightClockDeps {
  /** Wall time at which the night begins, epoch milliseconds. */
  start: number;
  /** That of the machine. */
  machine: Pick<Clock, 'monotonic' | 'sleep'>;
  /** Whether something is under way that takes time of the machine, and none of the night. */
  isBusy(): boolean;
}

/** Work that takes longer hangs, or waits for time to pass. */
const LONGEST_WORK_MS = 15_000;
/** What is later than that is not made up for. */
const LATEST_MS = 1_000;
/** Without anything to wait for, time is moved this often: the page shows it. */
const STEP_MS = 500;

/** Stands still before `setPace` and `run`. */
export function createNightClock({ start, machine, isBusy }: NightClockDeps): NightClock {
  const night = virtualClock(start);
  let pace = 0;
  let changed = new AbortController();

  async function untilIdle(stop: AbortSignal): Promise<void> {
    const until = machine.monotonic() + LONGEST_WORK_MS;
    do {
      // Everything that goes on without waiting for the machine does so.
      await turn();
      await turn();
      if (isBusy()) await machine.sleep(1, stop);
    } while (isBusy() && !stop.aborted && machine.monotonic() < until);
  }

  async function run(stop: AbortSignal): Promise<void> {
    /** Time of the machine until which the night has passed as it should. */
    let since = machine.monotonic();
    while (!stop.aborted) {
      await untilIdle(stop);
      const cut = AbortSignal.any([stop, changed.signal]);
      const passing = pace;
      const ahead = Math.min(night.next() ?? Infinity, passing * STEP_MS);
      const due = passing === 0 ? Infinity : since + ahead / passing;
      // Timers know no shorter time than a millisecond; what work has taken is made up for.
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

/** The simulator's timers, in the time of the night. */
export function timersOf({ sleep }: Pick<Clock, 'sleep'>): Timers {
  return {
    after(milliseconds, run) {
      const cancelled = new AbortController();
      void sleep(milliseconds, cancelled.signal).then(() => (cancelled.signal.aborted ? undefined : run()));
      return () => cancelled.abort();
    },
  };
}

/** The zone without summer time in which it is past two in the morning then. */
export function zoneOfNight(start: number): string {
  const ahead = (NIGHT_HOUR + 24 - new Date(start).getUTCHours()) % 24;
  const east = ahead > EASTERNMOST ? ahead - 24 : ahead;
  // The names of these zones count westwards.
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}

const NIGHT_HOUR = 2;
/** Hours ahead of UTC. */
const EASTERNMOST = 12;
