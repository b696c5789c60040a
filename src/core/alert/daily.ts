/**
 * Changes that people receive once a day, in one message in the morning: for each phone the state of a day ago and the
 * current one. They wait in the saved state.
 */
import { findNextTimeOfDay } from '../text/hours.ts';
import type { Transition } from '../transition/transition.ts';
import { HOUR } from '../text/duration.ts';

export interface Daily {
  /** When the message goes out, epoch milliseconds. */
  dueAt: number;
  changes: Transition[];
}

/** Before people come to work, and after the night in which firmware is rolled out. */
const SENT_AT = '08:00';
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
/** From one morning to the next, on the longest day of the year. */
const LONGEST_WAIT_MS = 25 * HOUR;

/** Adds changes to `known`, due at the next 08:00 of the time zone; null if there are none. */
export function collect(
  known: Daily | null,
  more: readonly Transition[],
  { now, timezone }: { now: number; timezone: string },
): Daily | null {
  if (more.length === 0) return known;
  const dueAt = known?.dueAt ?? findNextTimeOfDay({ at: SENT_AT, days: EVERY_DAY, timezone }, now);
  const changes = new Map((known?.changes ?? []).map((change) => [keyOf(change), change]));
  for (const change of more) changes.set(keyOf(change), joined(changes.get(keyOf(change)), change));
  return { dueAt, changes: [...changes.values()] };
}

/** Whether it is due. After a backward clock change it is due at once. */
export function isDue({ dueAt }: Daily, now: number): boolean {
  return now >= dueAt || dueAt - now > LONGEST_WAIT_MS;
}

function keyOf({ kind, subject }: Transition): string {
  return `${kind} ${subject}`;
}

function joined(known: Transition | undefined, change: Transition): Transition {
  if (known?.kind === 'registration.device' && change.kind === 'registration.device') {
    return { ...change, from: known.from };
  }
  if (known?.kind === 'registration.network' && change.kind === 'registration.network') {
    return { ...change, from: known.from };
  }
  return change;
}
