/**
 * One step, whatever the kind of source: what is kept of it and one observation in, what is kept of it afterwards out.
 *
 * A kind compares what was seen with what is known, assigns what it means to its alerts, sums up a first reading and says
 * who hears of what. The rest is the same for all: what is told is promised, what stays open is said again when the clock
 * says so, what was delivered leaves the outbox, and all of it is kept in the one document of the source.
 */
import { undoWhereWorse } from '../alert/acknowledgement.ts';
import type { Entered } from '../alert/book.ts';
import { type Decision, decisionsOf, repeatsOf } from '../alert/decision.ts';
import { otherParts, withOwnParts } from '../alert/other-parts.ts';
import { type Alert, type AlertView, remembered } from '../alert/alert.ts';
import { recordOf, type TransitionRecord, unrecordedAfter } from '../history/record.ts';
import { isWorthTidying } from '../outbox/bound.ts';
import { type Entry, withoutSettled } from '../outbox/message.ts';
import { type Announced, catchUp, enqueue, type EnqueueContext, stopRinging } from '../outbox/enqueue.ts';
import { statedOfWhole } from '../outbox/going-on.ts';
import { viewsWithout } from '../outbox/without-alert.ts';
import { escalate } from '../outbox/escalation.ts';
import { remind } from '../outbox/reminder.ts';
import { append } from '../transition/collections.ts';
import { type DraftOf, identify, type Source, type Transition } from '../transition/transition.ts';
import { isSame, type Noise } from './noise.ts';

/** What is kept of every source besides what it is. */
export interface KeptState<A extends Alert = Alert> {
  alerts: A[];
  outbox: Entry[];
  /** The highest alert number given here. */
  lastNumber: number;
  /** What the history has yet to take; absent where that is nothing. */
  unrecorded?: readonly TransitionRecord[];
}

/** What is kept of the source itself. */
export type Own<S> = Omit<S, keyof KeptState>;

/** What every step is taken with. */
export interface StepContext extends EnqueueContext {
  /** The next alert number free over all sources. */
  nextNumber: number;
  /** Ids of the messages in the outbox that need not be sent any more. */
  settled: ReadonlySet<string>;
  /** Ids of the transitions that waited for the history, and are in it; absent without a history. */
  recorded?: ReadonlySet<string>;
}

/** What was seen, in the alerts of the source. */
export interface Assigned<N, A extends Alert, E extends Entered> {
  /** What is known of the source now. */
  snapshot: N;
  /** Its alerts after the step, and the next number free. */
  book: { readonly alerts: A[]; readonly nextNumber: number };
  entered: E[];
}

/** Who hears of what was entered, and when; and what is kept. */
export interface Announcement<S, A extends Alert, M> {
  kept: Own<S>;
  announced: readonly Announced[];
  /** Alerts that end without a word to people. */
  endedSilently?: readonly A[];
  /**
   * What is said again. Null in a step that takes in a reading: reminders come with the clock.
   */
  reminders: { alerts: readonly A[] } | null;
  /** The wall time of what waits by the clock of the source; default: nothing does. */
  timeOf?(clock: number): number;
  /** What of it need not be on disk by itself. */
  noise?: Noise<Own<S>>;
  /** What else the log is told of this step. */
  more: M;
}

/** What a kind of source is made of. */
export interface KindParts {
  state: KeptState;
  observation: { kind: string };
  context: StepContext;
  compared: object;
  assigned: Assigned<unknown, Alert, Entered>;
  /** The context of `nextTick`. */
  ticking: Pick<StepContext, 'routing'>;
  /** What a step comes back with besides what every step does. */
  more: object;
}

type SnapshotOf<K extends KindParts> = K['assigned']['snapshot'];
type AlertOf<K extends KindParts> = K['assigned']['book']['alerts'][number];
type EnteredOf<K extends KindParts> = K['assigned']['entered'][number];

export interface KindOfSource<K extends KindParts> {
  /** What was seen against what is known. */
  compare(state: K['state'], observation: K['observation'], context: K['context']): K['compared'];
  /** What it means to the alerts of the source, with what enters them. */
  assign(
    state: K['state'],
    compared: K['compared'],
    observation: K['observation'],
    context: K['context'],
  ): K['assigned'];
  /** The summary of a first reading, asked for at the end of a sweep; null where there is none to tell. */
  baseline?(assigned: K['assigned'], context: K['context']): { entered: EnteredOf<K>; snapshot: SnapshotOf<K> } | null;
  /** Who hears of what entered, and what of all this is kept. */
  announce(
    state: K['state'],
    assigned: K['assigned'],
    observation: K['observation'],
    context: K['context'],
  ): Announcement<K['state'], AlertOf<K>, K['more']>;
  /** The next wall time at which the clock alone has something to say of the source; null for never. */
  nextTick(state: K['state'], context: K['ticking']): number | null;
}

/** What a step comes back with. */
export interface Stepped<S, E extends Entered = Entered> {
  state: S;
  /** What was told or recorded in this step, in order. */
  entered: E[];
  /** Of each alert: why people are told of it now, or are not. */
  decisions: Decision[];
  /** False when nothing but noise differs: then nothing needs to be written. */
  changed: boolean;
  nextNumber: number;
}

/** Changes nothing it is given: `state` in the answer is a new document, to be committed where `changed` says so. */
export function step<K extends KindParts>(
  kind: KindOfSource<K>,
  state: K['state'],
  observation: K['observation'],
  context: K['context'],
): Stepped<K['state'], EnteredOf<K>> & K['more'] {
  const compared = kind.compare(state, observation, context);
  const assigned = kind.assign(state, compared, observation, context);
  const baseline = observation.kind === 'end' ? (kind.baseline?.(assigned, context) ?? null) : null;
  if (baseline !== null) {
    assigned.entered.push(baseline.entered);
    assigned.snapshot = baseline.snapshot;
  }
  const { book, entered } = assigned;
  const {
    kept,
    announced,
    endedSilently = [],
    reminders,
    timeOf,
    noise,
    more,
  } = kind.announce(state, assigned, observation, context);
  undoWhereWorse(state.alerts, book.alerts, entered);
  const views = viewsWithout(announced);
  const promised = [...enqueue(announced, book.alerts, context), ...stopRinging(endedSilently, context)];
  const decisions = decisionsOf(entered, timeOf);
  if (reminders !== null) {
    const escalated = escalate(reminders.alerts, context);
    append(promised, escalated);
    append(decisions, repeatsOf(escalated, book.alerts, 'escalated'));
    const reminded = remind(reminders.alerts, context);
    append(promised, reminded);
    append(decisions, repeatsOf(reminded, book.alerts, 'repeat'));
    append(promised, catchUp(book.alerts, context));
  }
  const unsettled = withoutSettled(state.outbox, ({ id }) => context.settled.has(id));
  const stated = statedOfWhole(entered, withOwnParts(book.alerts, otherParts(context.parts)));
  const after = {
    ...kept,
    alerts: remembered(book.alerts, context.now),
    outbox: [...unsettled, ...promised],
    lastNumber: Math.max(state.lastNumber, book.nextNumber - 1),
    ...unrecorded(state, stated, context),
  };
  const changed =
    promised.length > 0 ||
    isWorthTidying(state.outbox, unsettled) ||
    !isSame<object>({ ...state, ...NOT_COMPARED }, { ...after, ...NOT_COMPARED }, noise);
  const viewed = stated.map((one) => withView(one, views));
  return { state: after, entered: viewed, decisions, changed, nextNumber: book.nextNumber, ...more };
}

function withView<E extends Entered>(one: E, views: ReadonlyMap<string, AlertView>): E {
  const view = one.alert === null ? views.get(one.transition.id) : undefined;
  return view === undefined ? one : { ...one, view };
}

/**
 * Left out of the comparison: what leaves these need not be written by itself, and what enters them comes with another
 * change.
 */
const NOT_COMPARED = { outbox: null, unrecorded: null };

/** What happened in this step waits for the history with what it has not taken yet. */
export function unrecorded(
  state: Pick<KeptState, 'unrecorded'>,
  entered: readonly Entered[],
  { recorded }: Pick<StepContext, 'recorded'>,
): Pick<KeptState, 'unrecorded'> {
  if (recorded === undefined) return {};
  // What ends with another alert that it was merged into is recorded of that one alone.
  const once = new Map(entered.toReversed().map((one) => [one.transition.id, one]));
  const added = [...once.values()]
    .toReversed()
    .map(({ transition, status, alert }) => recordOf(transition, status, alert));
  const left = unrecordedAfter(state.unrecorded, added, ({ transition }) => recorded.has(transition.id));
  return left.length === 0 ? {} : { unrecorded: left };
}

/** A sweep has ended, or time has passed: what is to be said again is said now. */
export function isClock({ kind }: { kind: string }): boolean {
  return kind === 'end' || kind === 'tick';
}

/** As much of a snapshot as knows whether its summary was told. */
interface Summarised {
  counters: Readonly<Record<string, number>>;
  baselineTold: boolean;
}

/** The summary of a first reading, told once, and the snapshot that knows so. */
export function tellBaseline<S extends Summarised>(
  source: Source,
  snapshot: S,
  draft: DraftOf<'source.baseline'>,
  now: number,
): { transition: Transition; snapshot: S } | null {
  const { transitions, counters } = identify(source, snapshot.counters, [draft], now);
  const [transition] = transitions;
  return transition === undefined ? null : { transition, snapshot: { ...snapshot, counters, baselineTold: true } };
}
