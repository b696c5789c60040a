/** Alerts that stay open are said again: who is reminded, and when the next reminder falls due. */
import { type Alert, viewOf } from '../alert/alert.ts';
import { otherParts, type OtherPartsOf } from '../alert/other-parts.ts';
import { findEarliest } from '../transition/collections.ts';
import type { Entry } from './message.ts';
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
      const told = alert.told.find((one) => one.receiver === receiver);
      if (told === undefined || repeatMs === null) return [];
      // Where the clock was set back while nobody ran, the interval counts from when that was noticed.
      told.at = Math.min(told.at, context.now);
      if (context.now - lastTold(receiver, told.at) < repeatMs) return [];
      told.at = context.now;
      told.reminders += 1;
      return [{ receiver, reminder: told.reminders }];
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

/** The next time a reminder falls due; null when none will. */
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
  return findEarliest(times);
}

/** When a receiver was last told, of whichever source where several cannot be read. */
function lastToldOf(alert: Alert, others: OtherPartsOf): (receiver: string, here: number) => number {
  const heardAt = alert.family === 'source' ? others(alert).heardAt : undefined;
  return (receiver, here) => Math.max(here, heardAt?.get(receiver) ?? -Infinity);
}

/** After a jump of the wall clock: what has passed of each interval is the same by the new time as by the old one. */
export function movedAlong<A extends Pick<Alert, 'told'>>(alerts: readonly A[], jumpedMs: number): A[] {
  return alerts.map((alert) => ({ ...alert, told: alert.told.map((told) => ({ ...told, at: told.at + jumpedMs })) }));
}

/** What somebody has in hand needs none, unless it goes on elsewhere and nobody has that. */
function needsReminders(alert: Alert, others: OtherPartsOf): boolean {
  if (alert.status !== 'open' || alert.muted || alert.severity === 'info') return false;
  // Of sources that cannot be read the first reminds of all.
  if (alert.family === 'source' && others(alert).openedAt < alert.openedAt) return false;
  return alert.acknowledged === undefined || others(alert).isUntaken;
}
