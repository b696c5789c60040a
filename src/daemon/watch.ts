/**
 * One source being watched, whatever it is: its document, its sweeps from start to start of the interval, and the
 * step that takes every observation to the disk before anything is sent.
 */
import { waitFor, type Clock } from './clock.ts';

export interface Document<T> {
  readonly value: T;
  commit(next: T): Promise<void>;
}

/** The moment of a step. */
export interface Moment {
  /** Epoch milliseconds. */
  now: number;
  /** Counts the sweeps of this process. */
  sweep: number;
  /** Since the step before, by a monotonic clock; 0 for the first. */
  elapsedMs: number;
}

/** What a step comes back with, as far as watching goes. */
export interface SteppedTo<S> {
  state: S;
  meaningful: boolean;
  nextNumber: number;
}

export interface WatchDeps<S, O, Out extends SteppedTo<S>> {
  name: string;
  document: Document<S>;
  /** What is known at the start. */
  state: S;
  clock: Clock;
  /** 0 ≤ random() < 1: the jitter of the interval. */
  random(): number;
  /** One round over the source, on this watch's state and step. */
  sweeper(state: () => S, step: (observation: O) => Promise<void>): { sweep(signal: AbortSignal): Promise<void> };
  intervalMs(state: S): number;
  /** Milliseconds the source wants to be left alone. */
  restMs(): number;
  /** The next wall time at which the clock alone has something to say, or null. */
  nextTick(state: S): number | null;
  /** Nothing was read; time has passed. */
  tick: O;
  step(state: S, observation: O, moment: Moment): Out;
  /** True for the end of a sweep that lacked nothing. */
  readInFull(observation: O): boolean;
  /** The next alert number free, told before anybody else can step. */
  numbered(next: number): void;
  /** Called after every step, when its state is durable (or the disk has refused it). */
  stepped(name: string, out: Out, saved: boolean): void;
  /** The disk refused a commit: said once by the daemon; alerts go out from memory. */
  unsaved(name: string, error: unknown): void;
  sweepBegan(name: string): void;
  /** A sweep came through to its end. */
  sweepEnded(name: string): void;
  /** What the clock alone had to say failed, as nobody foresaw: the next sweep comes at its time. */
  tickFailed(name: string, error: unknown): void;
}

export interface Watch<S> {
  readonly name: string;
  readonly state: S;
  /** When a sweep last lacked nothing, wall time; null if none has since the start. */
  readonly lastReadAt: number | null;
  /** Steps without a reading: for what the clock, or a change of the configuration, has to say. */
  tick(): Promise<void>;
  /** Something this source depends on has changed: it steps without a new reading, if it rests. */
  nudge(): void;
  /** Sweeps until the signal is aborted; rejects where a sweep fails as nobody foresaw, and can then be run again. */
  run(signal: AbortSignal): Promise<void>;
}

/** Spread of an interval around its length, so that many watchers do not ask in step. */
const JITTER = 0.05;

export function createWatch<S, O, Out extends SteppedTo<S>>(deps: WatchDeps<S, O, Out>): Watch<S> {
  const { name, clock, document } = deps;
  let { state } = deps;
  /** As others see it: not before it is saved, and what it means is passed on. */
  let shown = state;
  let sweep = 0;
  /** False until everything that the last step means has been saved and passed on. */
  let settled = true;
  let lastReadAt: number | null = null;
  let steppedAt: number | null = null;
  let nudged = new AbortController();

  async function take(observation: O): Promise<void> {
    const at = clock.monotonic();
    const elapsedMs = steppedAt === null ? 0 : at - steppedAt;
    const out = deps.step(state, observation, { now: clock.now(), sweep, elapsedMs });
    const meaningful = out.meaningful || !settled;
    settled = !meaningful;
    [state, steppedAt] = [out.state, at];
    deps.numbered(out.nextNumber);
    if (deps.readInFull(observation)) lastReadAt = clock.now();
    const saved = !meaningful || (await save());
    shown = state;
    deps.stepped(name, { ...out, meaningful }, saved);
    settled = saved;
  }

  async function save(): Promise<boolean> {
    try {
      await document.commit(state);
      return true;
    } catch (error) {
      deps.unsaved(name, error);
      return false;
    }
  }

  const sweeper = deps.sweeper(() => state, take);

  async function run(signal: AbortSignal): Promise<void> {
    const wanted = deps.restMs();
    if (wanted > 0) await clock.sleep(wanted, signal);
    while (!signal.aborted) {
      const started = clock.monotonic();
      sweep += 1;
      deps.sweepBegan(name);
      await sweeper.sweep(signal);
      deps.sweepEnded(name);
      const spread = (deps.random() * 2 - 1) * JITTER;
      const rest = deps.intervalMs(state) * (1 + spread) - (clock.monotonic() - started);
      // Never earlier than the source asked for.
      const asked = deps.restMs() * (1 + Math.abs(spread));
      await restUntil(clock.monotonic() + Math.max(0, rest, asked), signal);
    }
  }

  async function restUntil(end: number, signal: AbortSignal): Promise<void> {
    try {
      await tickUntil(end, signal);
    } catch (error) {
      deps.tickFailed(name, error);
      await clock.sleep(Math.max(0, end - clock.monotonic()), signal);
    }
  }

  /** Rests until the next sweep is due; what the clock has to say meanwhile is said on time. */
  async function tickUntil(end: number, signal: AbortSignal): Promise<void> {
    let said: number | null = null;
    // What changed while it was sweeping was context of the sweep's own steps already.
    nudged = new AbortController();
    for (;;) {
      const left = end - clock.monotonic();
      const tick = deps.nextTick(state);
      // A tick that left its own time standing would be repeated without a pause: the next sweep tries again.
      const next: number | null = tick === said ? null : tick;
      await clock.sleep(Math.min(left, waitFor(next, clock.now())), AbortSignal.any([signal, nudged.signal]));
      if (signal.aborted) return;
      if (nudged.signal.aborted) nudged = new AbortController();
      else if (clock.monotonic() >= end) return;
      else if (next === null || clock.now() < next) continue;
      else said = next;
      await take(deps.tick);
    }
  }

  return {
    name,
    get state() {
      return shown;
    },
    get lastReadAt() {
      return lastReadAt;
    },
    tick: () => take(deps.tick),
    nudge: () => nudged.abort(),
    run,
  };
}
