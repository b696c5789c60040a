/**
 * Enqueues messages for the changes of one step: programs get every change, people one message for each alert whose
 * change is worth one.
 */
import { type Alert, type AlertView, type Change, toAlertView, type EnteredTransition } from '../alert/alert.ts';
import {
  NO_OTHER_PARTS,
  createOtherParts,
  type OtherPartsOf,
  type Part,
  type PartsById,
  withOwnParts,
} from '../correlation/other-parts.ts';
import { isNews } from '../correlation/notify-decision.ts';
import {
  isNotified,
  listNotified,
  rememberChange,
  rememberMissed,
  rememberTold,
  takeMissed,
} from '../alert/notified.ts';
import { hashIdentity } from '../transition/transition.ts';
import { MINUTE } from '../text/duration.ts';
import type { Entry } from './message.ts';
import { findFollowers, toOngoing, toReopened } from './ongoing-alerts.ts';
import { computeThreadDelay } from './thread-delay.ts';
import { type RoutedReceiver, findAddressees, isConfigured, isPager, type Routing } from './routing.ts';
import { toCompanyKey, createViewsWithoutAlert, type WithoutAlert } from './without-alert.ts';
import { findMinimum } from '../transition/collections.ts';

export interface EnqueueContext {
  now: number;
  /** Routes of the source and all receivers. */
  routing: Routing;
  /** Alerts of all sources; default: each alert has one source. */
  parts?: PartsById;
}

/** A change with its audience and delays, as far as they differ from the defaults. */
export interface Announced extends EnteredTransition, WithoutAlert {
  audience?: RoutedReceiver['audience'];
  /** Limits the receivers that the route selects; default: all of them. */
  receivers?: readonly string[];
  /** Delay that collects further changes before people are notified, in milliseconds; default: none. */
  waitMs?: number;
  /** Delay that collects the changes of other sources in the same thread; default: none. */
  joinMs?: number;
  /** Delay of the resolve for receivers whose alert stays open in another source; default: none. */
  endWaitMs?: number;
}

/** Enqueues the messages of one step, and records in the alerts which receivers were notified. */
export function enqueue(entered: readonly Announced[], alerts: readonly Part[], given: EnqueueContext): Entry[] {
  const context: EntryContext = { ...given, others: withOwnParts(alerts, createOtherParts(given.parts)) };
  const views = createViewsWithoutAlert(entered);
  const programs = entered.flatMap(({ transition, status, alert, audience, receivers }) =>
    alert?.muted === true || audience === 'people'
      ? []
      : limitToReceivers(
          receivers,
          createEntries('programs', alert ?? views.get(transition.id), [{ transition, status }], context),
        ),
  );
  const people = [...groupByAlert(entered.filter(({ audience }) => audience !== 'programs'))].flatMap((group) => {
    const changes = group.map(({ transition, status }) => ({ transition, status }));
    const [first] = group;
    const news = group.some(({ transition, status }) => isNews(transition.kind, status));
    const waits = {
      waitMs: findMinimum(group.map(({ waitMs = 0 }) => waitMs)),
      joinMs: findMinimum(group.map(({ joinMs = 0 }) => joinMs)),
      endWaitMs: findMinimum(group.map(({ endWaitMs = 0 }) => endWaitMs)),
    };
    if (first === undefined || !news) return [];
    const view = views.get(first.transition.id);
    const titled = view !== undefined && first.together !== undefined ? { ...view, title: TOGETHER } : view;
    return limitToReceivers(first.receivers, createEntries('people', first.alert ?? titled, changes, context, waits));
  });
  const entries = [...programs, ...people, ...enqueueForPagers(entered, alerts, context)];
  const [own, parts] = [new Set<Alert>(alerts), Map.groupBy(alerts, ({ id }) => id)];
  for (const { alert, transition, status, quiet } of entered) {
    // A change that the alert explains is left out: reminders repeat the last message.
    if (alert === null || alert.muted || quiet === true || !isNews(transition.kind, status)) continue;
    // An acknowledgement is left out as well.
    if (transition.kind !== 'alert.acknowledged') rememberChange(alert, { transition, status });
    const kept = own.has(alert) ? [alert] : (parts.get(alert.id) ?? []);
    for (const one of kept) rememberMissed(one, (receiver) => isConfigured(context.routing, receiver));
  }
  rememberPromised(entries, alerts, context.now);
  return entries;
}

/**
 * A summary opens no incident, so a pager gets each listed alert by itself. An alert without a change of its own is
 * described by the summary's transition.
 */
function enqueueForPagers(entered: readonly Announced[], alerts: readonly Alert[], context: EntryContext): Entry[] {
  return entered.flatMap(({ transition }) => {
    if (transition.kind !== 'source.baseline') return [];
    return transition.details.open.flatMap((open): Entry[] => {
      const alert = alerts.find(({ id }) => id === open.alert);
      if (alert === undefined) return [];
      const { details, ...summary } = transition;
      const id = hashIdentity('open at baseline', alert.id);
      const word = alert.lastChange?.transition ?? { ...summary, id, details: { ...details, open: [open] } };
      return keepAddressees(
        createEntries('people', alert, [{ transition: word, status: 'open' }], context),
        (receiver) => isPager(context.routing, receiver),
      );
    });
  });
}

/** Resolves the incidents of pagers whose alerts end without a message to people. */
export function stopRinging(ended: readonly Alert[], given: EnqueueContext): Entry[] {
  const context = { ...given, others: createOtherParts(given.parts) };
  return ended.flatMap((alert) => {
    if (alert.lastChange === null) return [];
    const { transition } = alert.lastChange;
    const end = { ...transition, id: hashIdentity('ended silently', transition.id) };
    const rung = listNotified(alert).filter((receiver) => isPager(context.routing, receiver));
    return keepAddressees(
      createEntries('people', alert, [{ transition: end, status: 'resolved' }], context),
      (receiver) => rung.includes(receiver),
    );
  });
}

/** Sends the present state to receivers that were unconfigured while the alert changed. */
export function enqueueMissed(alerts: readonly Alert[], given: EnqueueContext): Entry[] {
  const context = { ...given, others: createOtherParts(given.parts) };
  const entries = alerts.flatMap((alert) => {
    const { lastChange } = alert;
    if (lastChange === null) return [];
    const back = takeMissed(alert, (receiver) => isConfigured(context.routing, receiver));
    if (back.length === 0) return [];
    return (['programs', 'people'] as const).flatMap((audience) =>
      keepAddressees(createEntries(audience, alert, [lastChange], context), (receiver) => back.includes(receiver)),
    );
  });
  rememberPromised(entries, alerts, context.now);
  return entries;
}

/** Keeps the addressees that match; drops entries without any. */
function keepAddressees(entries: readonly Entry[], isMeant: (receiver: string) => boolean): Entry[] {
  return entries.flatMap((entry) => {
    const to = entry.to.filter(({ receiver }) => isMeant(receiver));
    return to.length === 0 ? [] : [{ ...entry, to }];
  });
}

/** Limits entries to the named receivers; undefined keeps all. */
function limitToReceivers(receivers: readonly string[] | undefined, entries: Entry[]): Entry[] {
  return receivers === undefined ? entries : keepAddressees(entries, (receiver) => receivers.includes(receiver));
}

/**
 * Groups changes by alert, in order. A change without an alert is a group of its own, except that phones or toggles
 * that change alike share one.
 */
function groupByAlert(entered: readonly Announced[]): Iterable<Announced[]> {
  const groups = new Map<string, Announced[]>();
  for (const one of entered) {
    if (one.alert?.muted === true) continue;
    const key = one.alert?.id ?? toCompanyKey(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups.values();
}

/** With the parts of the alert in other sources, and in other alerts of this source. */
interface EntryContext extends EnqueueContext {
  others?: OtherPartsOf;
}

interface WaitTimes {
  waitMs: number;
  joinMs: number;
  endWaitMs: number;
}

const NO_WAIT: WaitTimes = { waitMs: 0, joinMs: 0, endWaitMs: 0 };

/** Longer than the longest pause between messages of the alert that takes the losses over. */
const MERGE_WAITS_MS = 6 * MINUTE;

/** Id of the alert that reports all these losses from now on; null for any other changes. */
function findMergedInto(changes: readonly Change[]): string | null {
  const into = changes.map(({ transition }) =>
    transition.kind === 'outage.suspected' ? (transition.details.goes_on_in?.alert ?? null) : null,
  );
  const [first = null, ...others] = new Set(into);
  return others.length === 0 ? first : null;
}

function createEntries(
  audience: RoutedReceiver['audience'],
  about: Alert | AlertView | undefined,
  changes: Change[],
  context: EntryContext,
  { waitMs, joinMs, endWaitMs }: WaitTimes = NO_WAIT,
): Entry[] {
  const [first] = changes;
  if (first === undefined || about === undefined) return [];
  const alert = 'told' in about ? about : null;
  const view = alert === null ? about : toAlertView(alert);
  const notified = alert === null ? [] : listNotified(alert);
  const others = (alert === null ? undefined : context.others?.(alert)) ?? NO_OTHER_PARTS;
  const rings = (receiver: string): boolean => isPager(context.routing, receiver);
  const isSummary = first.transition.kind === 'source.baseline' && alert === null;
  // One part may end in a message about another part that is open.
  const hasEnd = view.resolvedAt !== null || changes.some(({ status }) => status === 'resolved');
  const followers = findFollowers(hasEnd ? others.openParts : [], context.routing);
  const goesOn = (receiver: string): boolean => hasEnd && (others.open.includes(receiver) || followers.has(receiver));
  const isOver = (receiver: string): boolean => view.resolvedAt !== null && !goesOn(receiver);
  // All that it was notified of in this thread is over: to its readers the alert opens again.
  const opensAgain = ({ receiver }: { receiver: string }): boolean =>
    audience === 'people' &&
    view.resolvedAt === null &&
    !notified.includes(receiver) &&
    others.threads.has(receiver) &&
    !others.openParts.some((part) => part !== alert && isNotified(part, receiver));
  const joining = { now: context.now, joinMs, changes, told: alert?.told ?? [], others };
  const joinWait = (receiver: string): number =>
    rings(receiver) || isOver(receiver) ? joinMs : computeThreadDelay(joining, receiver);
  const into = audience === 'people' ? findMergedInto(changes) : null;
  const to = findAddressees(context.routing, view, changes, notified)
    .filter(({ receiver, audience: own }) => own === audience && !(isSummary && rings(receiver)))
    .map(({ receiver, groupWaitMs }) => {
      const joins = others.threads.has(receiver);
      const first = !notified.includes(receiver) && !joins;
      const waitsForMerge = into !== null && !rings(receiver);
      const wait = Math.max(
        waitsForMerge ? MERGE_WAITS_MS : 0,
        // A pager gets each alert by itself and waits for no others.
        rings(receiver) ? 0 : waitMs,
        first ? groupWaitMs : joins ? joinWait(receiver) : 0,
        // A pager's resolve is not delayed.
        goesOn(receiver) && !rings(receiver) ? endWaitMs : 0,
      );
      const dueAt = context.now + (audience === 'people' ? wait : 0);
      const subject = others.threads.get(receiver) ?? view.title;
      return {
        receiver,
        first,
        dueAt,
        subject: alert === null ? subject : findThreadSubject(alert, receiver, subject),
        ...(waitsForMerge && { into }),
      };
    });
  const entry = { alert: view, changes, reminder: 0, promisedAt: context.now };
  const {
    usual = [],
    goOn = [],
    again = [],
  } = Object.groupBy(to, (one) => (goesOn(one.receiver) ? 'goOn' : opensAgain(one) ? 'again' : 'usual'));
  return [
    ...(usual.length === 0 ? [] : [{ ...entry, to: usual }]),
    ...(goOn.length === 0 ? [] : [{ ...entry, ...toOngoing(view, changes), to: goOn }]),
    ...(again.length === 0 ? [] : [{ ...entry, changes: toReopened(changes), to: again }]),
  ];
}

/** Subject of the thread about an alert at a receiver: the one it opened with, or the present title. */
export function findThreadSubject({ told, title }: Alert, receiver: string, now = title): string {
  return told.find((one) => one.receiver === receiver)?.subject ?? now;
}

/** Records the receivers of each entry in its alert, and in the alerts that a summary lists. */
function rememberPromised(entries: readonly Entry[], alerts: readonly Alert[], now: number): void {
  const byId = Map.groupBy(alerts, ({ id }) => id);
  for (const entry of entries) {
    const listed = entry.changes.flatMap(({ transition }) =>
      transition.kind === 'source.baseline' ? transition.details.open.map(({ alert }) => alert) : [],
    );
    for (const alert of [...new Set([entry.alert.id, ...listed])].flatMap((id) => byId.get(id) ?? [])) {
      for (const { receiver, subject } of entry.to) {
        rememberTold(
          alert,
          { receiver, ...(alert.id === entry.alert.id && subject !== undefined && { subject }) },
          now,
        );
      }
    }
  }
}

/** Title of a message about several phones, or several accounts. */
const TOGETHER = 'New firmware and networks';
