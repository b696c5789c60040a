/** Alerts that stay open are said again: who is reminded, and when the next reminder falls due. */
import { type Alert, viewOf } from '../alert/alert.ts';
import { earliest } from '../transition/long-lists.ts';
import type { Entry } from './message.ts';
import { type EnqueueContext, subjectFor } from './enqueue.ts';

/** Reminders that are due: alerts of weight that stay open, by receiver and its own interval. */
export function remind(
  alerts: readonly Alert[],
  context: EnqueueContext,
  /** How long the reminder of an alert waits for company, in milliseconds. */
  waitMs: (alert: Alert) => number = () => 0,
): Entry[] {
  return alerts.flatMap((alert) => {
    const { lastChange } = alert;
    if (lastChange === null || !needsReminders(alert, context.elsewhere)) return [];
    const changes = [lastChange];
    const receivers = alert.told.map(({ receiver }) => receiver);
    const due = context.route(viewOf(alert), changes, receivers).flatMap(({ receiver, repeatMs, audience }) => {
      const told = alert.told.find((one) => one.receiver === receiver);
      if (told === undefined || repeatMs === null) return [];
      // Where the clock was set back while nobody ran, the interval counts from when that was noticed.
      told.at = Math.min(told.at, context.now);
      if (context.now - told.at < repeatMs) return [];
      told.at = context.now;
      told.reminders += 1;
      const waits = audience === 'people' && context.receivers?.rings(receiver) !== true;
      const dueAt = context.now + (waits ? waitMs(alert) : 0);
      return [{ receiver, reminder: told.reminders, dueAt }];
    });
    return due.map(({ receiver, reminder, dueAt }): Entry => ({
      alert: viewOf(alert),
      changes,
      reminder,
      promisedAt: context.now,
      to: [{ receiver, first: false, dueAt, subject: subjectFor(alert, receiver) }],
    }));
  });
}

/** The next time a reminder falls due; null when none will. */
export function nextReminder(
  alerts: readonly Alert[],
  { route, elsewhere }: Pick<EnqueueContext, 'route' | 'elsewhere'>,
): number | null {
  const times = alerts.flatMap((alert) => {
    const { lastChange } = alert;
    if (lastChange === null || !needsReminders(alert, elsewhere)) return [];
    const told = new Map(alert.told.map((one) => [one.receiver, one.at]));
    return route(viewOf(alert), [lastChange], [...told.keys()]).flatMap(({ receiver, repeatMs }) => {
      const at = told.get(receiver);
      return at === undefined || repeatMs === null ? [] : [at + repeatMs];
    });
  });
  return earliest(times);
}

/** After a jump of the wall clock: what has passed of each interval is the same by the new time as by the old one. */
export function movedAlong<A extends Pick<Alert, 'told'>>(alerts: readonly A[], jumpedMs: number): A[] {
  return alerts.map((alert) => ({ ...alert, told: alert.told.map((told) => ({ ...told, at: told.at + jumpedMs })) }));
}

/** What somebody has in hand needs none, unless it goes on elsewhere and nobody has that. */
function needsReminders(alert: Alert, elsewhere: EnqueueContext['elsewhere']): boolean {
  if (alert.status !== 'open' || alert.muted || alert.severity === 'info') return false;
  return alert.acknowledged === undefined || elsewhere?.(alert.id).isUntaken === true;
}
