/**
 * Why people are told of a change at once, or not. "Why was I not told?" is answered here and nowhere else: of each change
 * in a step, of what waits in an outbox, and of an alert that is open. The log, `status` and the page say it.
 */
import type { ObservationPace } from '../account/drafts.ts';
import type { Kind, Status } from '../transition/kind.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import type { Transition } from '../transition/transition.ts';
import type { AccountAlert } from './account-alert.ts';
import type { Alert } from './alert.ts';
import type { EnteredTransition } from './book.ts';

/** Why people are told now; what weighs most comes first. */
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

/** Why people are not told now. */
export const HOLD_REASONS = [
  /** All its components are left out of the watch. */
  'unwatched',
  /** It was open when the watch began, and is in the summary of that. */
  'summary',
  /** Its losses are told with the alert that they have become part of. */
  'elsewhere',
  /** What people were told of already explains it. */
  'explained',
  /** Little has changed: it comes with the next that cannot wait, or a little later. */
  'held',
  /** It is told once a day. */
  'daily',
  /** People are told of no such change by itself. */
  'minor',
  /** No route leads it to people. */
  'no route',
  'silenced',
  'quiet hours',
  /** It waits for company. */
  'group wait',
  /** Somebody has it: people are not reminded. */
  'acknowledged',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

type Reason = TellReason | HoldReason;

/** Why people are not told now, and when they will be. */
export interface HeldReason {
  reason: HoldReason;
  /** Epoch milliseconds; null where no time is set for it. */
  dueAt: number | null;
}

export function isTold(reason: Reason): reason is TellReason {
  return (TELL_REASONS as readonly Reason[]).includes(reason);
}

/** What was entered in the book of any kind of source, with what an account says of it besides. */
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
/** What the provider's alert does not say: that more is lost now, and what is still lost afterwards. */
const SAID_WHILE_EXPLAINED: readonly Kind[] = [
  'registration.mass',
  'registration.lost',
  'outage.suspected',
  'outage.residual',
];
const GROWTH: readonly Kind[] = ['registration.mass', 'registration.lost'];

/**
 * Whether this change alone is reason enough for a message to people. A flip of an alert already told is
 * not, nor are components that come, go or are renamed.
 */
export function isNews(kind: Kind, status: Status): boolean {
  if (status === 'open' || status === 'resolved') return true;
  if (status === 'update') return !isFlip(kind);
  return NEWS_WITHOUT_AN_ALERT.includes(kind) || NEWS_OF_AN_ALERT.includes(kind);
}

function isFlip(kind: Kind): boolean {
  return kind.startsWith('component.') || kind.startsWith('page.');
}

/** What is decided of one change, as far as its step knows: a message that is promised may still wait. */
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
  if (pace === 'soon') return 'held';
  return GROWTH.includes(kind) ? 'grown' : 'changed';
}

/** What was decided of an alert in a step, with the change that speaks for it. */
export interface Decision {
  reason: Reason;
  /** Of a message that waits: when it goes out, epoch milliseconds. */
  dueAt?: number | null;
  /** Null for what opens none. */
  alert: Pick<Alert, 'id' | 'number' | 'because'> | null;
  transition: Transition;
}

/**
 * One for each alert that people are told of, of the weightiest change; else one for each reason, of the latest change.
 * `toTime` makes a wall time of one on the clock of the source.
 */
export function listDecisions(
  entered: readonly Considered[],
  timeOf: (clock: number) => number | null = () => null,
): Decision[] {
  const all = entered.map((one): Decision => {
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

/** Of those that are sent again, or to more receivers: one for each alert. */
export function listRepeats(
  reminded: readonly { alert: { id: string }; changes: readonly { transition: Transition }[] }[],
  alerts: readonly Alert[],
  reason: 'repeat' | 'escalated',
): Decision[] {
  const transitions = new Map(reminded.map(({ alert, changes }) => [alert.id, changes[0]?.transition]));
  return alerts.flatMap((alert) => {
    const transition = transitions.get(alert.id);
    return transition === undefined ? [] : [{ reason, alert, transition }];
  });
}

/** A message that is promised to people. */
interface HeldMessage {
  alert: { id: string };
  receiver: string;
  /** It opens the conversation with its receiver. */
  first: boolean;
  /** Not to be sent before, by today's route; epoch milliseconds. */
  dueAt: number;
  promisedAt: number;
  /** It is due only then since quiet hours put it off. */
  quiet?: boolean;
}

/** Of each alert that something waits of: why nothing of it goes out now; null where something does. */
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

/** When messages of one alert to one receiver go out, in one: what opens the conversation waits for its time, and they with it. */
export function computeJointDueTime(messages: readonly Pick<HeldMessage, 'first' | 'dueAt'>[]): number {
  const opening = messages.filter(({ first }) => first);
  const times = (opening.length > 0 ? opening : messages).map(({ dueAt }) => dueAt);
  return opening.length > 0 ? findMaximum(times) : findMinimum(times);
}

/** What is known of messages to people. */
export interface ToPeople {
  /** Epoch milliseconds. */
  now: number;
  /** By alert: why nothing of what is promised goes out now; null where something does. */
  waiting: ReadonlyMap<string, HeldReason | null>;
  /** Receivers that people read. */
  receivers: ReadonlySet<string>;
}

/** The same decision once it is known who was promised something. */
export function toDecisionAfterEnqueue(decision: Decision, { waiting }: Pick<ToPeople, 'waiting'>): Decision {
  const { reason, alert } = decision;
  if (alert === null || !isTold(reason)) return decision;
  const held = waiting.get(alert.id);
  return held === null ? decision : { ...decision, ...(held ?? NO_ROUTE) };
}

const NO_ROUTE: HeldReason = { reason: 'no route', dueAt: null };

/**
 * Of an alert that is open: why people have not been told of it, or not of its latest, by now; null where they have.
 * `toPeople` is null where nobody knows what waits; `toTime` makes a wall time of one on the source's clock.
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
  if (toPeople !== null && !alert.told.some(({ receiver }) => toPeople.receivers.has(receiver))) return NO_ROUTE;
  if (held.length > 0) return { reason: 'held', dueAt: heldUntil === undefined ? null : timeOf(heldUntil) };
  return alert.acknowledged === undefined ? null : { reason: 'acknowledged', dueAt: null };
}
