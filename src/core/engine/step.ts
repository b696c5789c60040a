/**
 * One step of any kind of source: (state, observation) → state.
 * A kind compares the observation with the snapshot, assigns the transitions to alerts, summarises a first sweep, and
 * selects the audience of each change. Everything else is the same for all kinds: messages are enqueued, reminders are
 * sent when a sweep ends or the clock ticks, delivered messages leave the outbox, and the whole is saved as the
 * source's one document.
 */
import { undoWhereWorse } from '../alert/acknowledgement.ts';
import { type NotifyDecision, listNotifyDecisions, listRepeats } from '../correlation/notify-decision.ts';
import { createOtherParts, withOwnParts } from '../correlation/other-parts.ts';
import { type Alert, type AlertView, keepRecentAlerts, type EnteredTransition } from '../alert/alert.ts';
import { toTransitionRecord, type TransitionRecord, mergeUnrecorded } from '../history/record.ts';
import { isWorthTidying } from '../outbox/retention.ts';
import { type Entry, withoutSettled } from '../outbox/message.ts';
import { type Announced, enqueueMissed, enqueue, type EnqueueContext, stopRinging } from '../outbox/enqueue.ts';
import { toWholeAlertChanges } from '../outbox/ongoing-alerts.ts';
import { createViewsWithoutAlert } from '../outbox/without-alert.ts';
import { enqueueEscalations } from '../outbox/escalation.ts';
import { enqueueReminders } from '../outbox/reminder.ts';
import { append } from '../transition/collections.ts';
import { type DraftOf, identify, type Source, type Transition } from '../transition/transition.ts';
import { isSame, type Noise } from './significance.ts';

/** State that all kinds of source have. */
export interface KeptState<A extends Alert = Alert> {
  alerts: A[];
  outbox: Entry[];
  /** Highest alert number assigned in this source. */
  lastNumber: number;
  /** Records that the history has not acknowledged; absent if there are none. */
  unrecorded?: readonly TransitionRecord[];
}

/** State that is specific to the kind of source. */
export type KindState<S> = Omit<S, keyof KeptState>;

/** Inputs of every step. */
export interface StepContext extends EnqueueContext {
  /** Next free alert number over all sources. */
  nextNumber: number;
  /** Ids of the messages in the outbox that need not be sent any more. */
  settled: ReadonlySet<string>;
  /** Ids of the pending transitions that the history has stored; absent without a history. */
  recorded?: ReadonlySet<string>;
}

/** Result of `assign`: the observation's effect on the source's alerts. */
export interface Assigned<N, A extends Alert, E extends EnteredTransition> {
  /** Snapshot after the observation. */
  snapshot: N;
  /** Alerts after the step, and the next free number. */
  book: { readonly alerts: A[]; readonly nextNumber: number };
  entered: E[];
}

/** Audience and delays of each change, and the state to save. */
export interface Announcement<S, A extends Alert, M> {
  kept: KindState<S>;
  announced: readonly Announced[];
  /** Alerts that end without a message to people. */
  endedSilently?: readonly A[];
  /** Alerts to remind of. Null in a step that takes in an observation: reminders are sent by the clock. */
  reminders: { alerts: readonly A[] } | null;
  /** Converts the source's clock to wall time; default: the source has no clock of its own. */
  timeOf?(clock: number): number;
  /** Fields whose change alone is not saved. */
  noise?: Noise<KindState<S>>;
  /** Results for the log. */
  more: M;
}

/** Types of one kind of source. */
export interface KindParts {
  state: KeptState;
  observation: { kind: string };
  context: StepContext;
  compared: object;
  assigned: Assigned<unknown, Alert, EnteredTransition>;
  /** Context of `nextTick`. */
  ticking: Pick<StepContext, 'routing'>;
  /** Results of a step that only this kind has. */
  more: object;
}

type SnapshotOf<K extends KindParts> = K['assigned']['snapshot'];
type AlertOf<K extends KindParts> = K['assigned']['book']['alerts'][number];
type EnteredOf<K extends KindParts> = K['assigned']['entered'][number];

export interface KindOfSource<K extends KindParts> {
  /** Compares the observation with the snapshot. */
  compare(state: K['state'], observation: K['observation'], context: K['context']): K['compared'];
  /** Assigns changes to the source's alerts. */
  assign(
    state: K['state'],
    compared: K['compared'],
    observation: K['observation'],
    context: K['context'],
  ): K['assigned'];
  /** Summary of a first observation, requested at the end of a sweep; null if there is none. */
  baseline?(assigned: K['assigned'], context: K['context']): { entered: EnteredOf<K>; snapshot: SnapshotOf<K> } | null;
  /** Selects the audience of each change, and the state to save. */
  announce(
    state: K['state'],
    assigned: K['assigned'],
    observation: K['observation'],
    context: K['context'],
  ): Announcement<K['state'], AlertOf<K>, K['more']>;
  /** Next wall time at which a step without an observation is needed; null for never. */
  nextTick(state: K['state'], context: K['ticking']): number | null;
}

export interface StepResult<S, E extends EnteredTransition = EnteredTransition> {
  state: S;
  /** Changes that were announced or recorded in this step, in order. */
  entered: E[];
  /** For each alert, the reason for notifying people or not. */
  decisions: NotifyDecision[];
  /** False if only noise differs: the state need not be saved. */
  changed: boolean;
  nextNumber: number;
}

/** Changes none of its arguments. `state` in the result is a new document, to be saved if `changed` is true. */
export function performStep<K extends KindParts>(
  kind: KindOfSource<K>,
  state: K['state'],
  observation: K['observation'],
  context: K['context'],
): StepResult<K['state'], EnteredOf<K>> & K['more'] {
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
  const views = createViewsWithoutAlert(announced);
  const promised = [...enqueue(announced, book.alerts, context), ...stopRinging(endedSilently, context)];
  const decisions = listNotifyDecisions(entered, timeOf);
  if (reminders !== null) {
    const escalated = enqueueEscalations(reminders.alerts, context);
    append(promised, escalated);
    append(decisions, listRepeats(escalated, book.alerts, 'escalated'));
    const reminded = enqueueReminders(reminders.alerts, context);
    append(promised, reminded);
    append(decisions, listRepeats(reminded, book.alerts, 'repeat'));
    append(promised, enqueueMissed(book.alerts, context));
  }
  const unsettled = withoutSettled(state.outbox, ({ id }) => context.settled.has(id));
  const stated = toWholeAlertChanges(entered, withOwnParts(book.alerts, createOtherParts(context.parts)));
  const after = {
    ...kept,
    alerts: keepRecentAlerts(book.alerts, context.now),
    outbox: [...unsettled, ...promised],
    lastNumber: Math.max(state.lastNumber, book.nextNumber - 1),
    ...collectUnrecorded(state, stated, context),
  };
  const changed =
    promised.length > 0 ||
    isWorthTidying(state.outbox, unsettled) ||
    !isSame<object>({ ...state, ...NOT_COMPARED }, { ...after, ...NOT_COMPARED }, noise);
  const viewed = stated.map((one) => withView(one, views));
  return { state: after, entered: viewed, decisions, changed, nextNumber: book.nextNumber, ...more };
}

function withView<E extends EnteredTransition>(one: E, views: ReadonlyMap<string, AlertView>): E {
  const view = one.alert === null ? views.get(one.transition.id) : undefined;
  return view === undefined ? one : { ...one, view };
}

/** Excluded from the comparison: removals need not be saved by themselves, and additions come with another change. */
const NOT_COMPARED = { outbox: null, unrecorded: null };

/** Records of this step, added to those that the history has not acknowledged. */
export function collectUnrecorded(
  state: Pick<KeptState, 'unrecorded'>,
  entered: readonly EnteredTransition[],
  { recorded }: Pick<StepContext, 'recorded'>,
): Pick<KeptState, 'unrecorded'> {
  if (recorded === undefined) return {};
  // A transition that ends an alert together with the one it was merged into is recorded once, with the latter.
  const once = new Map(entered.toReversed().map((one) => [one.transition.id, one]));
  const added = [...once.values()]
    .toReversed()
    .map(({ transition, status, alert }) => toTransitionRecord(transition, status, alert));
  const left = mergeUnrecorded(state.unrecorded, added, ({ transition }) => recorded.has(transition.id));
  return left.length === 0 ? {} : { unrecorded: left };
}

/** A sweep has ended, or time has passed: reminders may be due. */
export function isClockTick({ kind }: { kind: string }): boolean {
  return kind === 'end' || kind === 'tick';
}

/** Fields of a snapshot that its summary needs. */
interface Summarised {
  counters: Readonly<Record<string, number>>;
  baselineTold: boolean;
}

/** Transition of the first summary, and the snapshot marked as summarised. */
export function announceBaseline<S extends Summarised>(
  source: Source,
  snapshot: S,
  draft: DraftOf<'source.baseline'>,
  now: number,
): { transition: Transition; snapshot: S } | null {
  const { transitions, counters } = identify(source, snapshot.counters, [draft], now);
  const [transition] = transitions;
  return transition === undefined ? null : { transition, snapshot: { ...snapshot, counters, baselineTold: true } };
}
