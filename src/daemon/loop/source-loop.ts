/**
 * The loop of one source of any kind: starts sweeps at its interval, performs a step for each observation, and performs
 * steps between sweeps when a time is reached or a dependency of the source has changed.
 */
import {
  acknowledge as acknowledgeIn,
  type AcknowledgeRequest,
  type AcknowledgeContext,
} from '../../core/engine/acknowledge.ts';
import type { KeptState } from '../../core/engine/step.ts';
import type { AccountSnapshot } from '../../core/account/account-snapshot.ts';
import type { MissedParts } from '../../core/observation/listing.ts';
import { SECOND } from '../../core/text/duration.ts';
import type { History } from '../../history/history-writer.ts';
import type { Snapshot } from '../../core/page/snapshot.ts';
import type { Clock } from '../common/clock.ts';
import type { SweepRounds } from './rounds.ts';
import {
  createQuietStep,
  createStepping,
  listMessagedReceivers,
  type AppliedStep,
  type SteppingDeps,
} from './stepping.ts';
import { createSweepTimer } from './sweep-timer.ts';
import type { Sweeper } from './sweep.ts';

export interface StepMoment {
  /** Epoch milliseconds. */
  now: number;
  /** Counts the sweeps of this process. */
  sweep: number;
  /** Since the previous step, on a monotonic clock; 0 for the first. */
  elapsedMs: number;
}

/** An observation, or a clock tick. */
type AnyObservation = { kind: string; parts?: MissedParts };
const TICK = { kind: 'tick' } as const;

/** Collaborators of the loop, for every kind of source. */
export interface LoopDeps extends Omit<SteppingDeps<unknown>, 'name' | 'document' | 'state'> {
  clock: Clock;
  /** 0 ≤ random() < 1: the jitter of the interval. */
  random(): number;
  /** Number of sources that this process watches. */
  sourceCount: number;
  rounds: SweepRounds;
  /** Records when each part was read; null without a history. */
  history: Pick<History, 'swept'> | null;
}

/** The parts that differ between kinds of source. */
export interface SourceKind<S extends KeptState & { snapshot: Snapshot | AccountSnapshot }, O, Out>
  extends LoopDeps, Pick<SteppingDeps<S>, 'name' | 'document' | 'state'> {
  /** Creates the sweeper, from the current snapshot and the step that advances it. */
  sweeper(snapshot: () => S['snapshot'], step: (observation: O) => Promise<void>): Sweeper;
  /** From the start of a sweep to the next, in this state. */
  intervalMs(state: S): number;
  /** From the start of a sweep to the next, without an incident. */
  usualMs: number;
  /** Milliseconds until the source allows the next request. */
  restMs(): number;
  /** The next wall time with an effect of its own, or null. */
  nextTick(state: S): number | null;
  /** The step of `core/engine` for this kind, with its context. */
  step(state: S, observation: O | typeof TICK, moment: StepMoment): Out;
  /** Surroundings of the source for an acknowledgement. */
  around(state: S): Omit<AcknowledgeContext, 'source' | 'now'>;
  /** Called with the result of each step of this kind. */
  heard?(out: Out): void;
}

export interface SourceLoop<S, O = never> {
  readonly name: string;
  readonly state: S;
  /** Wall time of the last complete sweep; null if none has completed since the start. */
  readonly lastReadAt: number | null;
  /** Wall time of the end of the last sweep, complete or not. */
  readonly lastSweptAt: number | null;
  /** Performs steps without an observation: for a time reached, or a change of the configuration. */
  tick(): Promise<void>;
  /** Applies an observation from outside its sweeps; resolves when it is committed. */
  observe(observation: O): Promise<void>;
  /** A dependency of this source has changed: it steps without a new observation if it is between sweeps. */
  wake(): void;
  /** Acknowledges an alert; resolves to the receivers notified of it. */
  acknowledge(taking: AcknowledgeRequest): Promise<string[]>;
  /**
   * Stores a change of the state that needs no notification; `isWorthSaving`: at once, instead of with the next step.
   */
  keep(change: (state: S) => S, isWorthSaving: boolean): Promise<void>;
  /** Saves the document, changed or not; resolves when it is durable or the disk has refused it. */
  save(): Promise<void>;
  /** Performs one sweep, due or not; rejects for unexpected errors. */
  turn(signal: AbortSignal): Promise<void>;
  /** Sweeps until the signal is aborted; rejects for unexpected errors, and can then run again. */
  run(signal: AbortSignal): Promise<void>;
}

/** A sweep over a large page takes some time. */
const SLACK_MS = 30 * SECOND;

/** Sends no request before `turn` or `run`. `state` shows a step only after it was saved, or refused by the disk. */
export function createSourceLoop<
  S extends KeptState & { snapshot: Snapshot | AccountSnapshot },
  O extends AnyObservation,
  Out extends AppliedStep<S>,
>(kind: SourceKind<S, O, Out>): SourceLoop<S, O> {
  const { name, clock, rounds } = kind;
  const wake = (): void => timer.wake();
  const stepping = createStepping<S>(kind);
  const sweeper = kind.sweeper(() => stepping.state.snapshot, step);
  const timer = createSweepTimer({
    ...kind,
    turn,
    intervalMs: () => sweeper.intervalMs(kind.intervalMs(stepping.state)),
    nextTick: () => kind.nextTick(stepping.state),
    tick: () => step(TICK),
    tickFailed: (error) => rounds.tickFailed(name, error),
  });
  let sweep = 0;
  let lastReadAt: number | null = null;
  let lastSweptAt: number | null = null;
  let steppedAt: number | null = null;

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
      kind.history?.swept(name, observation.parts, clock.now(), 2 * timer.intervalMs + SLACK_MS);
    }
  }

  /** A step of the loop itself, which goes on while a commit takes long. */
  async function step(observation: O | typeof TICK): Promise<void> {
    const taken = take(observation);
    if (await stepping.ready()) return await taken;
    taken.catch((error: unknown) => rounds.tickFailed(name, error));
  }

  async function acknowledge(taking: AcknowledgeRequest): Promise<string[]> {
    const { entered, state } = await stepping.take((known) =>
      acknowledgeIn(known, taking, { ...kind.around(known), source: name, now: clock.now() }),
    );
    // The time of the next reminder has changed.
    wake();
    return listMessagedReceivers(entered, state);
  }

  async function turn(signal: AbortSignal): Promise<void> {
    sweep += 1;
    rounds.began(name);
    await sweeper.sweep(signal);
    rounds.succeeded(name);
  }

  async function run(stop: AbortSignal): Promise<void> {
    try {
      await timer.run(stop);
    } finally {
      // Its successor reads the state that this one has saved.
      await stepping.idle();
    }
  }

  async function keep(change: (state: S) => S, isWorthSaving: boolean): Promise<void> {
    await stepping.take((known) => createQuietStep(change(known), isWorthSaving));
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
    wake,
    acknowledge,
    keep,
    save: () => keep((known) => known, true),
    turn,
    run,
  };
}

/** True for the end of a sweep without misses. */
function isWhole({ kind, parts = {} }: AnyObservation): boolean {
  return kind === 'end' && Object.values(parts).every((miss) => miss === null);
}
