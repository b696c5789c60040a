/**
 * Decides whether people are notified of a change at once, and why. Gives the reason for each change in a step, for
 * messages in an outbox and for open alerts; the log, `status` and the page show it. No other file decides it.
 */
import type { ObservationPace } from '../account/drafts.ts';
import type { Kind, Status } from '../transition/kind.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import type { Transition } from '../transition/transition.ts';
import type { AccountAlert } from './account-alert.ts';
import type { Alert, EnteredTransition } from '../alert/alert.ts';
import { listNotified } from '../alert/notified.ts';

/** Reasons to notify people now, the weightiest first. */
export const TELL_REASONS = [
  /** The alert opens, or opens again. */
  'first',
  'ended',
  /** Its severity has risen. */
  'worse',
  /** More phones are lost. */
  'grown',
  'changed',
  /** It stays open: a reminder. */
  'repeat',
  /** It was not acknowledged in time: more receivers are notified. */
  'escalated',
] as const;
export type TellReason = (typeof TELL_REASONS)[number];

/** Reasons not to notify people now. */
export const HOLD_REASONS = [
  /** All its components are left out of the watch. */
  'unwatched',
  /** It was open when the watch began, and is in the summary of that. */
  'summary',
  /** Another alert reports its losses. */
  'elsewhere',
  /** An alert that people know already explains it. */
  'explained',
  /** A small change: it goes out with the next urgent one, or a little later. */
  'held',
  /** It goes out once a day. */
  'daily',
  /** Such a change alone is no reason for a message. */
  'minor',
  /** No route leads it to people. */
  'no route',
  'silenced',
  'quiet hours',
  /** It waits for further changes. */
  'group wait',
  /** A person has taken charge: there are no reminders. */
  'acknowledged',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

type Reason = TellReason | HoldReason;

/** Reason for holding a message, and when it goes out. */
export interface HeldReason {
  reason: HoldReason;
  /** Epoch milliseconds; null where no time is set for it. */
  dueAt: number | null;
}

export function isTold(reason: Reason): reason is TellReason {
  return (TELL_REASONS as readonly Reason[]).includes(reason);
}

/** Entry of any kind of source, with the fields that only accounts have. */
interface Considered extends EnteredTransition<
  Alert & Partial<Pick<AccountAlert, 'group' | 'absorbedBy' | 'explainedBy' | 'heldUntil'>>
> {
  pace?: ObservationPace;
  /** Its alert was explained by the provider's before this step. */
  wasExplained?: boolean;
}

const NEWS_WITHOUT_AN_ALERT: readonly Kind[] = [
  'source.baseline',
  'source.schema',
  'registration.removed',
  'registration.device',
  'registration.network',
  'registration.moved',
  'toggle.state',
  'toggle.renamed',
  'toggle.added',
  'toggle.removed',
  'calls.missed',
  'spend.forecast',
  'calls.stale',
  'linewatch.state',
  'linewatch.config',
  'linewatch.leader',
];
const NEWS_OF_AN_ALERT: readonly Kind[] = [
  'notice.closed',
  'notice.edited',
  'maintenance.reminder',
  'maintenance.late',
];
/** Kinds that the provider's alert does not cover: further losses, and losses that remain after its end. */
const SAID_WHILE_EXPLAINED: readonly Kind[] = [
  'registration.mass',
  'registration.lost',
  'outage.suspected',
  'outage.residual',
];
const GROWTH: readonly Kind[] = ['registration.mass', 'registration.lost'];

/**
 * Whether this change alone is reason enough for a message to people. A flip in an alert that was sent already is not,
 * nor are components that come, go or are renamed.
 */
export function isNews(kind: Kind, status: Status): boolean {
  if (status === 'open' || status === 'resolved') return true;
  if (status === 'update') return !isFlip(kind);
  return NEWS_WITHOUT_AN_ALERT.includes(kind) || NEWS_OF_AN_ALERT.includes(kind);
}

function isFlip(kind: Kind): boolean {
  return kind.startsWith('component.') || kind.startsWith('page.');
}

/** Decides about one change by the facts of its step; an enqueued message may still be held later. */
export function decideReason(considered: Considered): Reason {
  const { transition, status, alert, pace = 'now', worse = false, wasExplained = false } = considered;
  const { kind } = transition;
  if (alert === null) return pace === 'later' ? 'daily' : isNews(kind, status) ? 'changed' : 'minor';
  if (alert.muted) return 'unwatched';
  if (alert.awaitsSummary) return 'summary';
  if (considered.quiet === true) return 'minor';
  if (!isNews(kind, status)) return isFlip(kind) && status === 'update' ? 'explained' : 'minor';
  const isTurn = status === 'open' || status === 'resolved';
  const isPart = alert.absorbedBy !== undefined;
  const waits =
    pace === 'later' ||
    pace === 'slowly' ||
    (isPart && status === 'resolved') ||
    (wasExplained && !isTurn && !SAID_WHILE_EXPLAINED.includes(kind));
  // The provider's alert does not say that one more phone is lost.
  const isSaid = (alert.explainedBy ?? null) !== null && kind !== 'registration.lost';
  if (waits) return isPart ? 'elsewhere' : isSaid ? 'explained' : 'held';
  if (isTurn) return status === 'open' ? 'first' : 'ended';
  if (worse) return 'worse';
  if (pace === 'soon' || pace === 'shortly') return 'held';
  return GROWTH.includes(kind) ? 'grown' : 'changed';
}

/** Decision about an alert in a step, with the weightiest change. */
export interface NotifyDecision {
  reason: Reason;
  /** When a held message goes out, epoch milliseconds. */
  dueAt?: number | null;
  /** Null where no alert opens. */
  alert: Pick<Alert, 'id' | 'number' | 'because'> | null;
  transition: Transition;
}

/**
 * One for each alert that people are notified of, with its weightiest change; otherwise one for each reason, with its last
 * change. `timeOf` converts the source's clock to wall time.
 */
export function listNotifyDecisions(
  entered: readonly Considered[],
  timeOf: (clock: number) => number | null = () => null,
): NotifyDecision[] {
  const all = entered.map((one): NotifyDecision => {
    const reason = decideReason(one);
    const until = reason === 'held' ? one.alert?.heldUntil : undefined;
    return { ...one, reason, ...(until !== undefined && { dueAt: timeOf(until) }) };
  });
  return [...Map.groupBy(all, ({ alert }) => alert)].flatMap(([alert, some]) => {
    const said = alert === null ? [] : some.filter(({ reason }) => isTold(reason));
    const [first] = TELL_REASONS.flatMap((reason) => said.find((one) => one.reason === reason) ?? []);
    if (first !== undefined) return [first];
    const latest = new Map(some.map((one) => [one.reason, one]));
    return [...latest.values()].filter(({ reason }) => alert !== null || reason === 'daily');
  });
}

/** One for each alert that is sent again, or to more receivers. */
export function listRepeats(
  reminded: readonly { alert: { id: string }; changes: readonly { transition: Transition }[] }[],
  alerts: readonly Alert[],
  reason: 'repeat' | 'escalated',
): NotifyDecision[] {
  const transitions = new Map(reminded.map(({ alert, changes }) => [alert.id, changes[0]?.transition]));
  return alerts.flatMap((alert) => {
    const transition = transitions.get(alert.id);
    return transition === undefined ? [] : [{ reason, alert, transition }];
  });
}

/** An enqueued message to people. */
interface HeldMessage {
  alert: { id: string };
  receiver: string;
  /** It opens the conversation with its receiver. */
  first: boolean;
  /** Not to be sent before, by today's route; epoch milliseconds. */
  dueAt: number;
  promisedAt: number;
  /** Quiet hours delay it. */
  quiet?: boolean;
}

/** By alert with waiting messages: why none of them goes out now; null where one does. */
export function explainWaiting<M extends HeldMessage>(
  messages: Iterable<M>,
  isSilenced: (message: M) => boolean,
  now: number,
): Map<string, HeldReason | null> {
  const byAlert = Map.groupBy(messages, ({ alert }) => alert.id);
  return new Map([...byAlert].map(([id, waiting]) => [id, whyHeld(waiting, isSilenced, now)]));
}

function whyHeld<M extends HeldMessage>(
  waiting: readonly M[],
  isSilenced: (message: M) => boolean,
  now: number,
): HeldReason | null {
  const loud = waiting.filter((message) => !isSilenced(message));
  if (loud.some(({ dueAt, promisedAt }) => dueAt <= now || promisedAt > now)) return null;
  const [first] = loud;
  if (first === undefined) return { reason: 'silenced', dueAt: null };
  const toEach = Map.groupBy(loud, ({ receiver }) => receiver);
  const dueAt = findMinimum([...toEach.values()].map(computeJointDueTime));
  return { reason: first.quiet === true ? 'quiet hours' : 'group wait', dueAt };
}

/** When the messages of one alert to one receiver go out together: all wait for the one that opens the thread. */
export function computeJointDueTime(messages: readonly Pick<HeldMessage, 'first' | 'dueAt'>[]): number {
  const opening = messages.filter(({ first }) => first);
  const times = (opening.length > 0 ? opening : messages).map(({ dueAt }) => dueAt);
  return opening.length > 0 ? findMaximum(times) : findMinimum(times);
}

/** Messages to people and their receivers. */
export interface ToPeople {
  /** Epoch milliseconds. */
  now: number;
  /** By alert: why none of its messages goes out now; null where one does. */
  waiting: ReadonlyMap<string, HeldReason | null>;
  /** Receivers that people read. */
  receivers: ReadonlySet<string>;
}

/** The decision, corrected by the messages that were enqueued. */
export function toDecisionAfterEnqueue(
  decision: NotifyDecision,
  { waiting }: Pick<ToPeople, 'waiting'>,
): NotifyDecision {
  const { reason, alert } = decision;
  if (alert === null || !isTold(reason)) return decision;
  const held = waiting.get(alert.id);
  return held === null ? decision : { ...decision, ...(held ?? NO_ROUTE) };
}

const NO_ROUTE: HeldReason = { reason: 'no route', dueAt: null };

/**
 * Why people have not been notified of an open alert, or of its latest change; null where they have. `toPeople`: null if
 * the waiting messages are unknown. `timeOf` converts the source's clock to wall time.
 */
export function explainNotTold(
  alert: Alert & Partial<Pick<AccountAlert, 'group' | 'absorbedBy' | 'held' | 'heldUntil'>>,
  toPeople: ToPeople | null,
  timeOf: (clock: number) => number | null = () => null,
): HeldReason | null {
  const { held = [], heldUntil } = alert;
  if (alert.muted) return { reason: 'unwatched', dueAt: null };
  if (alert.awaitsSummary) return { reason: 'summary', dueAt: null };
  if (alert.absorbedBy !== undefined) return { reason: 'elsewhere', dueAt: null };
  const waiting = toPeople?.waiting.get(alert.id) ?? null;
  if (waiting !== null) return waiting;
  if (toPeople !== null && !listNotified(alert).some((receiver) => toPeople.receivers.has(receiver))) return NO_ROUTE;
  if (held.length > 0) return { reason: 'held', dueAt: heldUntil === undefined ? null : timeOf(heldUntil) };
  return alert.acknowledged === undefined ? null : { reason: 'acknowledged', dueAt: null };
}
