/**
 * The loop of one source, whatever its kind: sweeps from start to start of its interval, every observation a step, and
 * between the sweeps a step whenever the clock alone, or something the source depends on, has something to say.
 */
import { acknowledge as acknowledgeIn, type Taking, type TakingContext } from '../../core/engine/acknowledge.ts';
import type { KeptState } from '../../core/engine/step.ts';
import type { AccountSnapshot } from '../../core/account/account-snapshot.ts';
import type { Parts } from '../../core/observation/listing.ts';
import { SECOND } from '../../core/text/duration.ts';
import type { History } from '../../history/history-writer.ts';
import type { Snapshot } from '../../core/page/snapshot.ts';
import { waitFor, type Clock } from '../common/clock.ts';
import type { SweepRounds } from './rounds.ts';
import { createStepping, hearing, type SteppedTo, type SteppingDeps } from './stepping.ts';
import type { Sweeper } from './sweep.ts';

/** The moment of a step. */
export interface Moment {
  /** Epoch milliseconds. */
  now: number;
  /** Counts the sweeps of this process. */
  sweep: number;
  /** Since the step before, by a monotonic clock; 0 for the first. */
  elapsedMs: number;
}

/** What was observed, or nothing: time has passed. */
type Observed = { kind: string; parts?: Parts };
const TICK = { kind: 'tick' } as const;

/** What every kind of source shares with the others. */
export interface LoopDeps extends Omit<SteppingDeps<unknown>, 'name' | 'document' | 'state' | 'saveAgain'> {
  clock: Clock;
  /** 0 ≤ random() < 1: the jitter of the interval. */
  random(): number;
  rounds: SweepRounds;
  /** Hears when which part was read; null for nobody. */
  history: Pick<History, 'swept'> | null;
}

/** What one kind of source brings. */
export interface SourceKind<S extends KeptState & { snapshot: Snapshot | AccountSnapshot }, O, Out>
  extends LoopDeps, Pick<SteppingDeps<S>, 'name' | 'document' | 'state'> {
  /** One round over the source, on what is known of it and the step that takes it further. */
  sweeper(snapshot: () => S['snapshot'], step: (observation: O) => Promise<void>): Sweeper;
  /** From the start of a sweep to the next, as things stand now. */
  intervalMs(state: S): number;
  /** From the start of a sweep to the next, while nothing is the matter. */
  usualMs: number;
  /** Milliseconds the source wants to be left alone. */
  restMs(): number;
  /** The next wall time at which the clock alone has something to say, or null. */
  nextTick(state: S): number | null;
  /** The step of `core/engine` for this kind, with its context. */
  step(state: S, observation: O | typeof TICK, moment: Moment): Out;
  /** What is around the source when somebody takes an alert of it in hand. */
  around(state: S): Omit<TakingContext, 'source' | 'now'>;
  /** Whoever listens to the steps of this kind. */
  heard?(out: Out): void;
}

export interface SourceLoop<S, O = never> {
  readonly name: string;
  readonly state: S;
  /** When a sweep last lacked nothing, wall time; null if none has since the start. */
  readonly lastReadAt: number | null;
  /** When a sweep last came to its end, whatever it lacked. */
  readonly lastSweptAt: number | null;
  /** Steps without a reading: for what the clock, or a change of the configuration, has to say. */
  tick(): Promise<void>;
  /** Takes in what was observed beside its sweeps; resolves when it is committed. */
  observe(observation: O): Promise<void>;
  /** Something this source depends on has changed: it steps without a new reading, if it rests. */
  nudge(): void;
  /** Somebody takes an alert in hand; resolves to the receivers that hear of it. */
  acknowledge(taking: Taking): Promise<string[]>;
  /** Keeps something with the state that nobody is told of; `isWorthSaving`: at once, and not with the next step. */
  keep(change: (state: S) => S, isWorthSaving: boolean): Promise<void>;
  /** One sweep, whether one is due or not; rejects where it fails as nobody foresaw. */
  turn(signal: AbortSignal): Promise<void>;
  /** Sweeps until the signal is aborted; rejects where a sweep fails as nobody foresaw, and can then be run again. */
  run(signal: AbortSignal): Promise<void>;
}

/** A sweep over a large page takes some time. */
const SLACK_MS = 30 * SECOND;

/** Spread of an interval around its length, so that many watchers do not ask in step. */
const JITTER = 0.05;

/**
 * Nothing is asked before `turn` or `run`. `state` does not show a step before it was saved, or refused by the disk.
 */
export function createSourceLoop<
  S extends KeptState & { snapshot: Snapshot | AccountSnapshot },
  O extends Observed,
  Out extends SteppedTo<S>,
>(kind: SourceKind<S, O, Out>): SourceLoop<S, O> {
  const { name, clock, rounds } = kind;
  const nudge = (): void => nudged.abort();
  // A source steps often enough by itself: what the disk refused comes with its next step.
  const stepping = createStepping<S>({ ...kind, saveAgain: nudge });
  const sweeper = kind.sweeper(() => stepping.state.snapshot, take);
  let sweep = 0;
  let intervalMs = kind.usualMs;
  let lastReadAt: number | null = null;
  let lastSweptAt: number | null = null;
  let steppedAt: number | null = null;
  let nudged = new AbortController();

  async function take(observation: O | typeof TICK): Promise<void> {
    const at = clock.monotonic();
    const elapsedMs = steppedAt === null ? 0 : at - steppedAt;
    const out = await stepping.take((state) => {
      const next = kind.step(state, observation, { now: clock.now(), sweep, elapsedMs });
      steppedAt = at;
      if (observation.kind === 'end') lastSweptAt = clock.now();
      if (isWhole(observation)) lastReadAt = clock.now();
      return next;
    });
    kind.heard?.(out);
    // Two intervals: one sweep may be late, or take long.
    if ('parts' in observation && observation.parts !== undefined) {
      kind.history?.swept(name, observation.parts, clock.now(), 2 * intervalMs + SLACK_MS);
    }
  }

  async function acknowledge(taking: Taking): Promise<string[]> {
    const { entered, state } = await stepping.take((known) =>
      acknowledgeIn(known, taking, { ...kind.around(known), source: name, now: clock.now() }),
    );
    // When the next reminder falls due is another time now.
    nudge();
    return hearing(entered, state);
  }

  async function turn(signal: AbortSignal): Promise<void> {
    sweep += 1;
    rounds.began(name);
    await sweeper.sweep(signal);
    rounds.cameThrough(name);
  }

  async function run(stop: AbortSignal): Promise<void> {
    // Its own: what listens to a signal at every request and every rest is searched for among all who do.
    const signal = AbortSignal.any([stop]);
    signal.addEventListener('abort', nudge);
    const wanted = kind.restMs();
    if (wanted > 0) await clock.sleep(wanted, signal);
    while (!signal.aborted) {
      const started = clock.monotonic();
      await turn(signal);
      const spread = (kind.random() * 2 - 1) * JITTER;
      intervalMs = sweeper.intervalMs(kind.intervalMs(stepping.state));
      const rest = intervalMs * (1 + spread) - (clock.monotonic() - started);
      // Never earlier than the source asked for.
      const asked = kind.restMs() * (1 + Math.abs(spread));
      await restUntil(clock.monotonic() + Math.max(0, rest, asked), signal);
    }
  }

  /** What the clock alone has to say may fail as nobody foresaw: the next sweep comes at its time. */
  async function restUntil(end: number, signal: AbortSignal): Promise<void> {
    try {
      await tickUntil(end, signal);
    } catch (error) {
      rounds.tickFailed(name, error);
      await clock.sleep(Math.max(0, end - clock.monotonic()), signal);
    }
  }

  /** Rests until the next sweep is due; what the clock has to say meanwhile is said on time. */
  async function tickUntil(end: number, signal: AbortSignal): Promise<void> {
    let said: number | null = null;
    // What changed while it was sweeping was context of the sweep's own steps already.
    nudged = new AbortController();
    while (!signal.aborted) {
      const left = end - clock.monotonic();
      const tick = kind.nextTick(stepping.state);
      // A tick that left its own time standing would be repeated without a pause: the next sweep tries again.
      const next: number | null = tick === said ? null : tick;
      await clock.sleep(Math.min(left, waitFor(next, clock.now())), nudged.signal);
      if (signal.aborted) return;
      if (nudged.signal.aborted) nudged = new AbortController();
      else if (clock.monotonic() >= end) return;
      else if (next === null || clock.now() < next) continue;
      else said = next;
      await take(TICK);
    }
  }

  return {
    name,
    get state() {
      return stepping.shown;
    },
    get lastReadAt() {
      return lastReadAt;
    },
    get lastSweptAt() {
      return lastSweptAt;
    },
    tick: () => take(TICK),
    observe: take,
    nudge,
    acknowledge,
    keep: async (change, isWorthSaving) => void (await stepping.take((known) => kept(change(known), isWorthSaving))),
    turn,
    run,
  };
}

/** A step in which nothing happened. */
function kept<S extends KeptState>(state: S, changed: boolean): SteppedTo<S> {
  return { state, entered: [], decisions: [], changed, nextNumber: state.lastNumber + 1 };
}

/** The end of a sweep that lacked nothing. */
function isWhole({ kind, parts = {} }: Observed): boolean {
  return kind === 'end' && Object.values(parts).every((miss) => miss === null);
}
