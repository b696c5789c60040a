/**
 * What an alert remembers of its messages: the receivers, the latest change, and what people have yet to read. Promises are
 * made elsewhere; they are written into an alert here alone.
 */
import type { Alert, Change, ToldReceiver } from './alert.ts';

/** A receiver is told of the alert now. `subject`: of the thread, where this opens one. */
export function rememberTold(
  alert: Alert,
  { receiver, subject }: Pick<ToldReceiver, 'receiver' | 'subject'>,
  now: number,
): void {
  const known = alert.told.find((one) => one.receiver === receiver);
  const opened = subject ?? alert.title;
  if (known === undefined) {
    alert.told = [...alert.told, { receiver, at: now, reminders: 0, subject: opened }];
    return;
  }
  const { missed: _, ...rest } = known;
  replaceTold(alert, { ...rest, at: now, subject: known.subject ?? opened });
}

/** Receivers that were told of the alert and are not configured now are told how it stands once they are back. */
export function rememberMissed(alert: Alert, isConfigured: (receiver: string) => boolean): void {
  if (alert.told.every(({ receiver }) => isConfigured(receiver))) return;
  alert.told = alert.told.map((one) => (isConfigured(one.receiver) ? one : { ...one, missed: true }));
}

/** Returns the receivers that missed something and are back: from now on they have missed nothing. */
export function takeMissed(alert: Alert, isConfigured: (receiver: string) => boolean): string[] {
  const back = alert.told.filter(({ receiver, missed }) => missed === true && isConfigured(receiver));
  for (const { missed: _, ...rest } of back) replaceTold(alert, rest);
  return back.map(({ receiver }) => receiver);
}

/** Returns the number of the reminder, or null where it is not due: `isDue` is asked when the receiver was last told. */
export function takeReminder(
  alert: Alert,
  { receiver, now }: { receiver: string; now: number },
  isDue: (at: number) => boolean,
): number | null {
  const known = alert.told.find((one) => one.receiver === receiver);
  if (known === undefined) return null;
  // Where the clock was set back while nobody ran, the interval counts from when that was noticed.
  const at = Math.min(known.at, now);
  const due = isDue(at);
  const reminders = known.reminders + (due ? 1 : 0);
  if (due || at !== known.at) replaceTold(alert, { ...known, at: due ? now : at, reminders });
  return due ? reminders : null;
}

/** What a reminder repeats from now on. */
export function rememberChange(alert: Alert, change: Change): void {
  alert.lastChange = change;
}

/** Steps of an escalation up to this one are done. */
export function rememberEscalation(alert: Alert, afterMs: number): void {
  alert.escalatedMs = afterMs;
}

/** It was open when the watch began: people are told of it in the summary. */
export function markAwaitingSummary(alert: Alert): void {
  alert.awaitsSummary = true;
}

/** The summary is sent. */
export function endSummary(alerts: readonly Alert[]): void {
  for (const alert of alerts) alert.awaitsSummary = false;
}

/** After a jump of the wall clock: what has passed of each interval is the same by the new time as by the old one. */
export function backdateTold<A extends Pick<Alert, 'told'>>(alerts: readonly A[], jumpedMs: number): A[] {
  return alerts.map((alert) => ({ ...alert, told: alert.told.map((told) => ({ ...told, at: told.at + jumpedMs })) }));
}

function replaceTold(alert: Alert, told: ToldReceiver): void {
  alert.told = alert.told.map((one) => (one.receiver === told.receiver ? told : one));
}
