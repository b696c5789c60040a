/** Times of a source's sweeps, and of its steps between two of them. */
import { SECOND } from '../../core/text/duration.ts';
import { computeSleep, type Clock } from '../common/clock.ts';

export interface SweepTimerDeps {
  clock: Clock;
  /** 0 ≤ random() < 1: the jitter of the interval. */
  random(): number;
  /** Performs one sweep. */
  turn(signal: AbortSignal): Promise<void>;
  /** From the start of the last sweep to the next. */
  intervalMs(): number;
  /** From the start of a sweep to the next, without an incident. */
  usualMs: number;
  /** Milliseconds until the source allows the next request. */
  restMs(): number;
  /** Number of sources that this process watches. */
  sourceCount: number;
  /** The next wall time with an effect of its own, or null. */
  nextTick(): number | null;
  /** Performs a step without an observation. */
  tick(): Promise<void>;
  tickFailed(error: unknown): void;
}

/** Spread of an interval around its length, so that many watchers do not send in step. */
const JITTER = 0.05;

/** Sweeps that start at the same moment. */
const GROUP = 16;
/** Part of an interval between two groups, at most. */
const GROUPED_WITHIN = 1 / 20;
/** Fewer sweeps may all be for one origin, whose limit lets five requests a second through: a group would wait for itself. */
const FEWEST_GROUPED = 5 / SECOND;

/**
 * Milliseconds between the moments at which sweeps start; 0: at any moment. Where many sources are watched, several
 * start at once: to wake up for each one alone takes about a third more processor time.
 */
export function computeStartDistance(intervalMs: number, sourceCount: number): number {
  const sweepsPerMs = sourceCount / intervalMs;
  return sweepsPerMs < FEWEST_GROUPED ? 0 : Math.min(intervalMs * GROUPED_WITHIN, GROUP / sweepsPerMs);
}

/** The multiple of `distance` nearest to the wanted time, and not before `earliest`; all in milliseconds. */
function alignStart(wanted: number, earliest: number, distance: number): number {
  if (distance === 0) return Math.max(wanted, earliest);
  return Math.max(Math.round(wanted / distance), Math.ceil(earliest / distance)) * distance;
}

export function createSweepTimer(deps: SweepTimerDeps) {
  const { clock, turn, restMs, nextTick, tick, tickFailed } = deps;
  let intervalMs = deps.usualMs;
  let woken = new AbortController();
  const wake = (): void => woken.abort();

  /** Sweeps until the signal is aborted; rejects as `turn`, and can then run again. */
  async function run(stop: AbortSignal): Promise<void> {
    // Own signal: removing a listener costs O(listeners).
    const signal = AbortSignal.any([stop]);
    signal.addEventListener('abort', wake);
    const wanted = restMs();
    if (wanted > 0) await clock.sleep(wanted, signal);
    while (!signal.aborted) {
      const started = clock.monotonic();
      await turn(signal);
      const spread = (deps.random() * 2 - 1) * JITTER;
      intervalMs = deps.intervalMs();
      const rest = intervalMs * (1 + spread) - (clock.monotonic() - started);
      // Never earlier than the source requested.
      const asked = restMs() * (1 + Math.abs(spread));
      const now = clock.monotonic();
      const distance = computeStartDistance(intervalMs, deps.sourceCount);
      await restUntil(alignStart(now + rest, now + asked, distance), signal);
    }
  }

  /** A step for a clock tick may fail with an unexpected error: the next sweep starts on time all the same. */
  async function restUntil(end: number, signal: AbortSignal): Promise<void> {
    try {
      await tickUntil(end, signal);
    } catch (error) {
      tickFailed(error);
      await clock.sleep(Math.max(0, end - clock.monotonic()), signal);
    }
  }

  /** Waits for the next sweep, with steps for clock ticks on time. */
  async function tickUntil(end: number, signal: AbortSignal): Promise<void> {
    let said: number | null = null;
    // Changes during the sweep were in the context of its own steps.
    woken = new AbortController();
    while (!signal.aborted) {
      const left = end - clock.monotonic();
      const due = nextTick();
      // A tick that does not change its own time would repeat without a pause: the next sweep tries again.
      const next: number | null = due === said ? null : due;
      await clock.sleep(Math.min(left, computeSleep(next, clock.now())), woken.signal);
      if (signal.aborted) return;
      if (woken.signal.aborted) woken = new AbortController();
      else if (clock.monotonic() >= end) return;
      else if (next === null || clock.now() < next) continue;
      else said = next;
      await tick();
    }
  }

  return {
    /** Between the last two sweeps. */
    get intervalMs() {
      return intervalMs;
    },
    /** Performs a step without an observation now, if no sweep is running. */
    wake,
    run,
  };
}
