/**
 * One source being watched: its document, its sweeps from start to start of the interval, and the step that
 * takes every observation to the disk before anything is sent.
 */
import { emptyState, step, type Context, type SourceState, type Stepped } from '../cycle.ts';
import type { Observation } from '../status-page/compare.ts';
import type { Clock } from './clock.ts';
import type { Looker } from './looker.ts';
import { createSweeper } from './sweep.ts';

export interface Document<T> {
  readonly value: T;
  commit(next: T): Promise<void>;
}

export interface SourceWatchDeps {
  name: string;
  baseUrl: string;
  looker: Looker;
  document: Document<SourceState>;
  clock: Clock;
  /** 0 ≤ random() < 1: the jitter of the interval. */
  random(): number;
  intervalMs(state: SourceState): number;
  /** The next wall time at which the clock alone has something to say, or null. */
  nextTick(state: SourceState): number | null;
  /** Everything of the context but time and sweep. */
  context(): Omit<Context, 'now' | 'sweep'>;
  /** The next alert number free, told before anybody else can step. */
  numbered(next: number): void;
  /** Called after every step, when its state is durable (or the disk has refused it). */
  stepped(name: string, out: Stepped, saved: boolean): void;
  /** The disk refused a commit: said once by the daemon; alerts go out from memory. */
  unsaved(name: string, error: unknown): void;
  sweepEnded(name: string): void;
}

export interface SourceWatch {
  readonly name: string;
  readonly state: SourceState;
  /** When a sweep last lacked nothing, wall time; null if none has since the start. */
  readonly lastReadAt: number | null;
  /** Sweeps until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** Spread of an interval around its length, so that many watchers do not ask in step. */
const JITTER = 0.05;

export function createSourceWatch(deps: SourceWatchDeps): SourceWatch {
  const { name, clock, document } = deps;
  // Another address under the same name is another source: what was known of the old one says nothing of it.
  let state = document.value.baseUrl === deps.baseUrl ? document.value : afresh(document.value, deps.baseUrl);
  let sweep = 0;
  let saved = true;
  let lastReadAt: number | null = null;

  async function take(observation: Observation): Promise<void> {
    const out = step(state, observation, { ...deps.context(), now: clock.now(), sweep });
    state = out.state;
    deps.numbered(out.nextNumber);
    if (observation.kind === 'end' && Object.values(observation.parts).every((miss) => miss === null))
      lastReadAt = clock.now();
    if (out.meaningful || !saved) {
      try {
        await document.commit(state);
        saved = true;
      } catch (error) {
        saved = false;
        deps.unsaved(name, error);
      }
    }
    deps.stepped(name, out, saved);
  }

  const sweeper = createSweeper({
    looker: deps.looker,
    now: clock.now,
    monotonic: clock.monotonic,
    snapshot: () => state.snapshot,
    step: take,
  });

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const started = clock.monotonic();
      sweep += 1;
      await sweeper.sweep(signal);
      deps.sweepEnded(name);
      const spread = 1 + (deps.random() * 2 - 1) * JITTER;
      const rest = deps.intervalMs(state) * spread - (clock.monotonic() - started);
      await restUntil(clock.monotonic() + Math.max(0, rest, deps.looker.restMs()), signal);
    }
  }

  /** Rests until the next sweep is due; what the clock has to say meanwhile is said on time. */
  async function restUntil(end: number, signal: AbortSignal): Promise<void> {
    let said: number | null = null;
    for (;;) {
      const left = end - clock.monotonic();
      const tick = deps.nextTick(state);
      // A tick that left its own time standing would be repeated without a pause: the next sweep tries again.
      const untilTick = tick === null || tick === said ? Infinity : Math.max(0, tick - clock.now());
      said = tick;
      await clock.sleep(Math.min(left, untilTick), signal);
      if (signal.aborted || untilTick >= left) return;
      await take({ kind: 'tick' });
    }
  }

  return {
    name,
    get state() {
      return state;
    },
    get lastReadAt() {
      return lastReadAt;
    },
    run,
  };
}

/** What was promised stays promised, and numbers given stay given. */
function afresh(old: SourceState, baseUrl: string): SourceState {
  return { ...emptyState(baseUrl), outbox: old.outbox, lastNumber: old.lastNumber };
}
