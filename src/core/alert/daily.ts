/**
 * What people read once a day: each phone and what is new of it, from how it was a day ago to how it is now. It waits on
 * the disk, and is told in the morning in one message.
 */
import { findNextTimeOfDay } from '../text/hours.ts';
import type { Transition } from '../transition/transition.ts';
import { HOUR } from '../text/duration.ts';

export interface Daily {
  /** When people are told, epoch milliseconds. */
  dueAt: number;
  changes: Transition[];
}

/** Before people come to work, and after the night in which firmware is rolled out. */
const TOLD_AT = '08:00';
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
/** From one morning to the next, on the longest day of the year. */
const LONGEST_WAIT_MS = 25 * HOUR;

/** `known` with what is new, to be told at the next 08:00 of the time zone; null where there is nothing to tell. */
export function collect(
  known: Daily | null,
  more: readonly Transition[],
  { now, timezone }: { now: number; timezone: string },
): Daily | null {
  if (more.length === 0) return known;
  const dueAt = known?.dueAt ?? findNextTimeOfDay({ at: TOLD_AT, days: EVERY_DAY, timezone }, now);
  const changes = new Map((known?.changes ?? []).map((change) => [keyOf(change), change]));
  for (const change of more) changes.set(keyOf(change), joined(changes.get(keyOf(change)), change));
  return { dueAt, changes: [...changes.values()] };
}

/** A clock that was put back must not make it wait for the days it lost. */
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
