/** Alerts that stay open are said again: who is reminded, and when the next reminder falls due. */
import { type Alert, viewOf } from '../alert/alert.ts';
import { otherParts, type OtherPartsOf } from '../alert/other-parts.ts';
import { findEarliest } from '../transition/collections.ts';
import { takeReminder } from '../alert/told.ts';
import type { Entry } from './message.ts';
import { nextEscalation } from './escalation.ts';
import { type EnqueueContext, subjectFor } from './enqueue.ts';
import { findAddressees } from './routing.ts';

/** Reminders that are due: alerts of weight that stay open, by receiver and its own interval. */
export function remind(alerts: readonly Alert[], context: EnqueueContext): Entry[] {
  const others = otherParts(context.parts);
  return alerts.flatMap((alert) => {
    const { lastChange } = alert;
    if (lastChange === null || !needsReminders(alert, others)) return [];
    const changes = [lastChange];
    const receivers = alert.told.map(({ receiver }) => receiver);
    const lastTold = lastToldOf(alert, others);
    const due = findAddressees(context.routing, viewOf(alert), changes, receivers).flatMap(({ receiver, repeatMs }) => {
      if (repeatMs === null) return [];
      const isDue = (at: number): boolean => context.now - lastTold(receiver, at) >= repeatMs;
      const reminder = takeReminder(alert, { receiver, now: context.now }, isDue);
      return reminder === null ? [] : [{ receiver, reminder }];
    });
    return due.map(({ receiver, reminder }): Entry => ({
      alert: viewOf(alert),
      changes,
      reminder,
      promisedAt: context.now,
      to: [{ receiver, first: false, dueAt: context.now, subject: subjectFor(alert, receiver) }],
    }));
  });
}

/** The next time a reminder or an escalation falls due; null when none will. */
export function nextReminder(
  alerts: readonly Alert[],
  { routing, parts }: Pick<EnqueueContext, 'routing' | 'parts'>,
): number | null {
  const others = otherParts(parts);
  const times = alerts.flatMap((alert) => {
    const { lastChange } = alert;
    if (lastChange === null || !needsReminders(alert, others)) return [];
    const lastTold = lastToldOf(alert, others);
    const told = new Map(alert.told.map(({ receiver, at }) => [receiver, lastTold(receiver, at)]));
    return findAddressees(routing, viewOf(alert), [lastChange], [...told.keys()]).flatMap(({ receiver, repeatMs }) => {
      const at = told.get(receiver);
      return at === undefined || repeatMs === null ? [] : [at + repeatMs];
    });
  });
  return findEarliest([...times, nextEscalation(alerts, { routing, ...(parts !== undefined && { parts }) })]);
}

/** When a receiver was last told, of whichever source where several cannot be read. */
function lastToldOf(alert: Alert, others: OtherPartsOf): (receiver: string, here: number) => number {
  const heardAt = alert.family === 'source' ? others(alert).heardAt : undefined;
  return (receiver, here) => Math.max(here, heardAt?.get(receiver) ?? -Infinity);
}

/** What somebody has in hand needs none, unless it goes on elsewhere and nobody has that. */
function needsReminders(alert: Alert, others: OtherPartsOf): boolean {
  if (alert.status !== 'open' || alert.muted || alert.severity === 'info') return false;
  // Of sources that cannot be read the first reminds of all.
  if (alert.family === 'source' && others(alert).openedAt < alert.openedAt) return false;
  return alert.acknowledged === undefined || others(alert).isUntaken;
}
