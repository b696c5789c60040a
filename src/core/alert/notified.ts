/**
 * Records messages in their alert: receivers, the latest change, and whether the summary is due. Messages are enqueued
 * elsewhere; no other file writes them into an alert.
 */
import type { Alert, Change, ToldReceiver } from './alert.ts';

/** Receivers that were notified of the alert, in the order of their first message. */
export function listNotified({ told }: { told: readonly { receiver: string }[] }): string[] {
  return told.map(({ receiver }) => receiver);
}

/** Whether a receiver was notified of the alert. */
export function isNotified({ told }: { told: readonly { receiver: string }[] }, receiver: string): boolean {
  return told.some((one) => one.receiver === receiver);
}

/** Records that a receiver is notified now. `subject`: of the thread that this opens, if it does. */
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
  replaceReceiver(alert, { ...rest, at: now, subject: known.subject ?? opened });
}

/** Marks notified receivers that are not configured now: they get the current state once they are back. */
export function rememberMissed(alert: Alert, isConfigured: (receiver: string) => boolean): void {
  if (alert.told.every(({ receiver }) => isConfigured(receiver))) return;
  alert.told = alert.told.map((one) => (isConfigured(one.receiver) ? one : { ...one, missed: true }));
}

/** Returns the receivers that are configured again after missing changes, and clears their marks. */
export function takeMissed(alert: Alert, isConfigured: (receiver: string) => boolean): string[] {
  const back = alert.told.filter(({ receiver, missed }) => missed === true && isConfigured(receiver));
  for (const { missed: _, ...rest } of back) replaceReceiver(alert, rest);
  return back.map(({ receiver }) => receiver);
}

/** Returns the number of the reminder, or null if it is not due. `isDue` gets the time of the last message. */
export function takeReminder(
  alert: Alert,
  { receiver, now }: { receiver: string; now: number },
  isDue: (at: number) => boolean,
): number | null {
  const known = alert.told.find((one) => one.receiver === receiver);
  if (known === undefined) return null;
  // If the clock was set back while no daemon ran, the interval starts now.
  const at = Math.min(known.at, now);
  const due = isDue(at);
  const reminders = known.reminders + (due ? 1 : 0);
  if (due || at !== known.at) replaceReceiver(alert, { ...known, at: due ? now : at, reminders });
  return due ? reminders : null;
}

/** Records the change that reminders repeat from now on. */
export function rememberChange(alert: Alert, change: Change): void {
  alert.lastChange = change;
}

/** Records that the steps of an escalation up to this one are done. */
export function rememberEscalation(alert: Alert, afterMs: number): void {
  alert.escalatedMs = afterMs;
}

/** Marks an alert that was open when the watch began: the summary reports it. */
export function markAwaitingSummary(alert: Alert): void {
  alert.awaitsSummary = true;
}

/** Records that the summary is sent. */
export function endSummary(alerts: readonly Alert[]): void {
  for (const alert of alerts) alert.awaitsSummary = false;
}

/** Shifts the times of messages after a jump of the wall clock, so that elapsed intervals stay the same. */
export function backdateTold<A extends Pick<Alert, 'told'>>(alerts: readonly A[], jumpedMs: number): A[] {
  return alerts.map((alert) => ({ ...alert, told: alert.told.map((one) => ({ ...one, at: one.at + jumpedMs })) }));
}

function replaceReceiver(alert: Alert, changed: ToldReceiver): void {
  alert.told = alert.told.map((one) => (one.receiver === changed.receiver ? changed : one));
}
