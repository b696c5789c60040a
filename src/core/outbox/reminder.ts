/** Reminders of open alerts. */
import { type Alert, toAlertView } from '../alert/alert.ts';
import { createOtherParts, type OtherPartsOf, type Part } from '../correlation/other-parts.ts';
import { compareTexts } from '../text/plain.ts';
import { findEarliest } from '../transition/collections.ts';
import { isNotified, takeReminder, listNotified } from '../alert/notified.ts';
import type { Entry } from './message.ts';
import { findNextEscalation } from './escalation.ts';
import { type EnqueueContext, findThreadSubject } from './enqueue.ts';
import { findAddressees } from './routing.ts';

/** Reminders that are due: open alerts above info, by receiver and its repeat interval. */
export function enqueueReminders(alerts: readonly Alert[], context: EnqueueContext): Entry[] {
  const others = createOtherParts(context.parts, alerts);
  return alerts.flatMap((alert) => {
    const { lastChange } = alert;
    if (lastChange === null || !needsReminders(alert, others)) return [];
    const changes = [lastChange];
    const receivers = listNotified(alert);
    const findLastNotified = createLastNotified(alert, others);
    const due = findAddressees(context.routing, toAlertView(alert), changes, receivers).flatMap(
      ({ receiver, repeatMs }) => {
        if (repeatMs === null || !isReminding(alert, receiver, others)) return [];
        const isDue = (at: number): boolean => context.now - findLastNotified(receiver, at) >= repeatMs;
        const reminder = takeReminder(alert, { receiver, now: context.now }, isDue);
        return reminder === null ? [] : [{ receiver, reminder }];
      },
    );
    return due.map(({ receiver, reminder }): Entry => ({
      alert: toAlertView(alert),
      changes,
      reminder,
      promisedAt: context.now,
      to: [{ receiver, first: false, dueAt: context.now, subject: findThreadSubject(alert, receiver) }],
    }));
  });
}

/** Time of the next reminder or escalation; null if there is none. */
export function findNextReminder(
  alerts: readonly Alert[],
  { routing, parts }: Pick<EnqueueContext, 'routing' | 'parts'>,
): number | null {
  const others = createOtherParts(parts, alerts);
  const times = alerts.flatMap((alert) => {
    const { lastChange } = alert;
    if (lastChange === null || !needsReminders(alert, others)) return [];
    const findLastNotified = createLastNotified(alert, others);
    const notified = new Map(alert.told.map(({ receiver, at }) => [receiver, findLastNotified(receiver, at)]));
    return findAddressees(routing, toAlertView(alert), [lastChange], [...notified.keys()]).flatMap(
      ({ receiver, repeatMs }) => {
        const at = notified.get(receiver);
        if (at === undefined || repeatMs === null || !isReminding(alert, receiver, others)) return [];
        return [at + repeatMs];
      },
    );
  });
  return findEarliest([...times, findNextEscalation(alerts, { routing, ...(parts !== undefined && { parts }) })]);
}

/** Last notification of a receiver. For an outage of several sources or accounts, those of all of them count. */
function createLastNotified(alert: Alert, others: OtherPartsOf): (receiver: string, here: number) => number {
  const heardAt = isOutage(alert) ? others(alert).heardAt : undefined;
  return (receiver, here) => Math.max(here, heardAt?.get(receiver) ?? -Infinity);
}

/** An acknowledged alert needs no reminder, unless it is open in another source and not acknowledged there. */
function needsReminders(alert: Alert, others: OtherPartsOf): boolean {
  if (alert.status !== 'open' || alert.muted) return false;
  return alert.acknowledged === undefined || others(alert).isUntaken;
}

function isWorthReminders({ muted, severity }: Pick<Alert, 'muted' | 'severity'>): boolean {
  return !muted && severity !== 'info';
}

/** Sources that cannot be read, or lost phones: a reminder counts those of all sources that share the alert. */
function isOutage({ family }: Pick<Alert, 'family'>): boolean {
  return family === 'source' || family === 'phones';
}

/**
 * The notice that explains a loss reminds those whom it was sent to. Otherwise the first part that a receiver was notified
 * of reminds it of all. A notice for information, as planned work is, reminds of the phones that it costs.
 */
function isReminding(alert: Part, receiver: string, others: OtherPartsOf): boolean {
  const isKnown = (part: Part): boolean => isWorthReminders(part) && isNotified(part, receiver);
  if (!isWorthReminders(alert)) return alert.family === 'notice' && others(alert).openParts.some(isKnown);
  if (!isOutage(alert)) return true;
  const isByCause = ({ explainedBy: id = null }: Part): boolean =>
    id !== null &&
    others({ id, source: alert.source }).openParts.some((cause) => !isOutage(cause) && isNotified(cause, receiver));
  const isEarlier = (part: Part): boolean =>
    (part.openedAt - alert.openedAt ||
      compareTexts(part.source, alert.source) ||
      compareTexts(part.group, alert.group)) < 0;
  // A receiver that knows of one account alone gets the phones of each part; any other gets those of all accounts.
  const isOfAll = others(alert).threads.has(receiver);
  const isFirst = (part: Part): boolean =>
    (part.source !== alert.source || isOfAll) &&
    part.family === alert.family &&
    isEarlier(part) &&
    isKnown(part) &&
    !isByCause(part);
  return !isByCause(alert) && !others(alert).openParts.some(isFirst);
}
