/** The daemon's own document: its condition, told like any other source's, and the silences. */
import { nextEnd, takenUp, type Silence } from '../../core/alert/silence.ts';
import { findNextTimeOfDay } from '../../core/text/hours.ts';
import { composeDigest, type Readers } from '../../core/view/daily-digest.ts';
import { type DigestPart, ITSELF, SELF, type SelfEvent, type OwnState } from '../../core/engine/itself.ts';
import { step, type StepContext } from '../../core/engine/step.ts';
import type { Routing } from '../../core/outbox/routing.ts';
import type { SourceView } from '../../core/view/picture.ts';
import { findEarliest } from '../../core/transition/collections.ts';
import { acknowledge as acknowledgeIn, type Taking } from '../../core/engine/acknowledge.ts';
import type { History } from '../../history/history-writer.ts';
import { waitFor, type Clock } from '../common/clock.ts';
import { recordedOf } from '../recording/chronicle.ts';
import { type Deliveries, settledOf } from '../delivery/deliveries.ts';
import { type Monthly, monthlyEvent } from '../recording/monthly.ts';
import type { Digest } from './options.ts';
import { createStepping, hearing, type SteppingDeps } from './stepping.ts';
import { OWN_LOOP, type Surprises } from '../common/trouble.ts';

export interface OwnLoopDeps extends Omit<SteppingDeps<OwnState>, 'name' | 'state' | 'saveAgain'> {
  clock: Clock;
  routing: Routing;
  deliveries: Deliveries;
  surprises: Surprises;
  digest: Digest | null;
  /** Who reads the digest, and of which of these. */
  readers(sources: readonly SourceView[]): readonly Readers[];
  monthly: Monthly;
  history: Pick<History, 'isRecorded'> | undefined;
}

export interface OwnLoop {
  readonly name: typeof ITSELF;
  readonly state: OwnState;
  /**
   * Resolves when what happened is durable, or the disk has refused it; rejects where it could not be taken in.
   * Events keep their order.
   */
  happened(event: SelfEvent): Promise<void>;
  /** Somebody takes an alert in hand; resolves to the receivers that hear of it. */
  acknowledge(taking: Taking): Promise<string[]>;
  /** Minds the reminders and the ends of silences until the signal is aborted; may be run again after it rejected. */
  run(signal: AbortSignal): Promise<void>;
}

/** Takes up what the document holds. Digests that fell due while nobody ran are left out. */
export function createOwnLoop(deps: OwnLoopDeps): OwnLoop {
  const { clock, document, numbers, deliveries, digest } = deps;
  const known = { ...document.value, silences: document.value.silences.flatMap((silence) => takenUp(silence) ?? []) };
  const stepping = createStepping<OwnState>({
    ...deps,
    name: ITSELF,
    state: known,
    saveAgain: () => happened({ kind: 'tick' }),
  });
  let turn: Promise<void> = Promise.resolve();
  let changed = new AbortController();
  // What fell due while nobody ran is not made up for: a digest is about now.
  let digestDue =
    digest === null ? null : findNextTimeOfDay(digest.due, Math.max(clock.now(), document.value.digestedAt ?? 0));

  function context(state: OwnState): Omit<StepContext, 'now'> {
    const { routing, history } = deps;
    const settled = settledOf(state, deliveries);
    return { nextNumber: numbers.next, routing, settled, ...recordedOf(state, history) };
  }

  async function take(event: SelfEvent): Promise<void> {
    await stepping.take((state) => step(SELF, state, event, { ...context(state), now: clock.now() }));
    deps.surprises.cameThrough(OWN_LOOP);
    // A silence may have begun or ended.
    deliveries.wake();
    changed.abort();
    changed = new AbortController();
  }

  function happened(event: SelfEvent): Promise<void> {
    const taken = turn.then(() => take(event));
    // One that fails is told to whoever brought it, and keeps no other from its turn.
    turn = taken.catch(() => undefined);
    return taken;
  }

  async function acknowledge(taking: Taking): Promise<string[]> {
    const { entered, state } = await stepping.take((known) =>
      acknowledgeIn(known, taking, { ...context(known), source: ITSELF, now: clock.now() }),
    );
    deliveries.wake();
    return hearing(entered, state);
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = nextTime(stepping.state.silences);
      await clock.sleep(waitFor(next, clock.now()), AbortSignal.any([signal, changed.signal]));
      if (signal.aborted || next === null || clock.now() < next) continue;
      await happened({ kind: 'tick' });
      await tellDigest();
      await tellMonth();
    }
    await turn;
  }

  async function tellDigest(): Promise<void> {
    const now = clock.now();
    if (digest === null || digestDue === null || now < digestDue) return;
    const dueAt = digestDue;
    digestDue = findNextTimeOfDay(digest.due, now);
    const whole = digest.picture(null);
    const parts = deps.readers(whole.sources).map(({ receivers, sources }): DigestPart => ({
      receivers,
      ...composeDigest(sources === null ? whole : digest.picture(sources), digest.due.timezone),
    }));
    await happened({ kind: 'digest', dueAt, parts });
  }

  /** A month that went by while nobody ran is reported later, and once. */
  function monthDue(): ReturnType<typeof monthlyEvent> {
    return monthlyEvent(deps.monthly, stepping.state.reportedMonth ?? null, clock.now());
  }

  async function tellMonth(): Promise<void> {
    const next = monthDue();
    if (next !== null && next.dueAt <= clock.now()) await happened(next.event);
  }

  function nextTime(silences: readonly Silence[]): number | null {
    return findEarliest([
      SELF.nextTick(stepping.state, deps),
      nextEnd(silences, clock.now()),
      digestDue,
      monthDue()?.dueAt,
    ]);
  }

  return {
    name: ITSELF,
    get state() {
      return stepping.state;
    },
    happened,
    acknowledge,
    run,
  };
}
