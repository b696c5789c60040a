/**
 * Learned hours: a phone that goes offline at about its usual time was turned off by its users. It is away and not
 * lost, until it is overdue. Nothing is learned if hours are configured.
 */
import { takeCensus } from '../census.ts';
import type { AccountSettings } from '../settings.ts';
import type { Absence, Evening, Habit, PhoneMemory } from '../account-snapshot.ts';
import { computeLossWindow, findMissingStart } from './evidence.ts';
import {
  EVENING_LEAST_MS,
  EVENINGS_KEPT,
  EVENINGS_KEPT_DAYS,
  HABIT_DAYS,
  HABIT_LATE_MS,
  HABIT_OF_DAYS,
  HABIT_WITHIN_MS,
} from './loss-rules.ts';
import { DAY, MINUTE } from '../../text/duration.ts';

const WEEK_DAYS = 7;
/** Friday, by ISO 8601. */
const LAST_WORKDAY = 5;
/** Hours of a habit are rounded to this, as they are not exact to the minute. */
const SHOWN_TO_MS = 5 * MINUTE;

/** Evenings of a phone that has returned, including this absence if it was long enough. */
export function addEvening(known: readonly Evening[], off: number, back: number): Evening[] {
  const young = known.filter((evening) => back - evening.back <= EVENINGS_KEPT_DAYS * DAY);
  return (back - off < EVENING_LEAST_MS ? young : [...young, { off, back }]).slice(-EVENINGS_KEPT);
}

/** The habit that an absence follows; null for none. */
export function findHabit(
  evenings: readonly Evening[],
  { since, seen = since }: Absence,
  timezone: string,
): Habit | null {
  if (evenings.length < HABIT_DAYS) return null;
  for (const went of momentsBetween(evenings, seen, since, timezone)) {
    const habit = habitAt(evenings, went, timezone);
    if (habit !== null && habit.until > since) return habit;
  }
  return null;
}

/** Possible times of its leave: after a gap between sweeps, its usual hour may lie in between. */
function momentsBetween(evenings: readonly Evening[], seen: number, since: number, timezone: string): number[] {
  const last = evenings.at(-1);
  if (last === undefined || since - seen <= HABIT_WITHIN_MS || since - seen > WEEK_DAYS * DAY) return [since];
  const time = local(last.off, timezone).toPlainTime();
  const first = local(seen, timezone).toPlainDate();
  const days = Array.from({ length: WEEK_DAYS + 1 }, (_, ahead) => instant(first.add({ days: ahead }), time, timezone));
  return [...days.filter((at) => at > seen && at < since), since];
}

/** If it left on most of the last days on which it was registered at this hour, this is its hour. */
function habitAt(evenings: readonly Evening[], went: number, timezone: string): Habit | null {
  const [today, time] = [local(went, timezone).toPlainDate(), local(went, timezone).toPlainTime()];
  const kept: { evening: Evening; after: number }[] = [];
  let days = 0;
  for (let ago = 1; ago <= EVENINGS_KEPT_DAYS && days < HABIT_OF_DAYS; ago += 1) {
    const hour = instant(today.subtract({ days: ago }), time, timezone);
    const evening = evenings.find(({ off }) => Math.abs(off - hour) <= HABIT_WITHIN_MS);
    if (evening !== undefined) kept.push({ evening, after: evening.off - hour });
    else if (evenings.some(({ off, back }) => off < hour && hour < back)) continue;
    days += 1;
  }
  if (kept.length < HABIT_DAYS) return null;
  const usualOff = local(went + middle(kept.map(({ after }) => after)), timezone).toPlainTime();
  const usualBack = usualReturn(
    kept.map(({ evening }) => evening.back),
    time,
    timezone,
  );
  const due = dueAfter(went, usualBack, evenings, timezone);
  return { off: shown(usualOff), back: shown(usualBack), went, until: due + HABIT_LATE_MS };
}

/** Median of its returns: neither a holiday nor an early morning moves it. */
function usualReturn(backs: readonly number[], off: Temporal.PlainTime, timezone: string): Temporal.PlainTime {
  const after = backs.map((back) => {
    const ms = off.until(local(back, timezone).toPlainTime()).total('milliseconds');
    return (ms + DAY) % DAY;
  });
  return off.add({ milliseconds: middle(after) });
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Its usual hour on the next day on which it usually comes. */
function dueAfter(went: number, back: Temporal.PlainTime, evenings: readonly Evening[], timezone: string): number {
  const today = local(went, timezone).toPlainDate();
  const days = Array.from({ length: WEEK_DAYS + 1 }, (_, ahead) => today.add({ days: ahead }));
  const day = days.find((each) => instant(each, back, timezone) > went && comesOn(each, back, evenings, timezone));
  return instant(day ?? today.add({ days: 1 }), back, timezone);
}

/** True for days of the week on which it was seen; without any history, for Monday to Friday. */
function comesOn(
  day: Temporal.PlainDate,
  back: Temporal.PlainTime,
  evenings: readonly Evening[],
  timezone: string,
): boolean {
  if (evenings.some((evening) => local(evening.back, timezone).dayOfWeek === day.dayOfWeek)) return true;
  for (let ago = WEEK_DAYS; ago <= EVENINGS_KEPT_DAYS; ago += WEEK_DAYS) {
    const then = instant(day.subtract({ days: ago }), back, timezone);
    if (evenings.some((evening) => evening.off < then && then < evening.back)) return false;
  }
  return day.dayOfWeek <= LAST_WORKDAY;
}

function local(at: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
}

function instant(day: Temporal.PlainDate, plainTime: Temporal.PlainTime, timeZone: string): number {
  return day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
}

/** `18:05` */
function shown(time: Temporal.PlainTime): string {
  return time
    .round({ smallestUnit: 'minute', roundingIncrement: SHOWN_TO_MS / MINUTE })
    .toString()
    .slice(0, 5);
}

/** Median of their leaves and returns; null if one of them has no habit. */
export function computeUsualHours(habits: readonly (Habit | undefined)[]): Pick<Habit, 'off' | 'back'> | null {
  const known = habits.flatMap((habit) => habit ?? []);
  if (known.length === 0 || known.length < habits.length) return null;
  const of = (times: string[]): string => times.toSorted()[Math.floor(times.length / 2)] ?? '';
  return { off: of(known.map(({ off }) => off)), back: of(known.map(({ back }) => back)) };
}

/**
 * Phones offline by habit that went with others outside their hours: if many more are missing than habits explain, all
 * of them are part of an outage. `lost` are those that count as lost in this sweep.
 */
export function findTakenAlong(
  away: readonly PhoneMemory[],
  lost: readonly { extension: string; absence: Absence }[],
  phones: ReadonlyMap<string, PhoneMemory>,
  { registrations: { mass }, sites }: AccountSettings,
): PhoneMemory[] {
  if (away.length === 0) return [];
  const unexpected = unexpectedLosses(phones, lost);
  if (unexpected.length < mass.count) return [];
  const everyone = [...phones.values()];
  const windowMs = computeLossWindow(everyone);
  const census = takeCensus(everyone, sites);
  return [...Map.groupBy(away, ({ missing }) => missing?.from ?? 0)].flatMap(([from, some]) => {
    const near = unexpected.filter((each) => Math.abs(each.from - from) <= windowMs).map(({ phone }) => phone);
    return near.length < mass.count ? [] : some.filter(census.massive(near, mass));
  });
}

/** Lost phones without a habit, with the start of their absence on the clock. */
function unexpectedLosses(
  phones: ReadonlyMap<string, PhoneMemory>,
  fresh: readonly { extension: string; absence: Absence }[],
): { phone: PhoneMemory; from: number }[] {
  const known = [...phones.values()].filter(
    ({ lost, flapping }) => lost !== null && lost.habit === undefined && flapping === null,
  );
  return [
    ...known.map((phone) => ({ phone, from: findMissingStart(phone) })),
    ...fresh.flatMap(({ extension, absence: { from, habit } }) => {
      const phone = phones.get(extension);
      return phone === undefined || habit !== undefined ? [] : [{ phone, from }];
    }),
  ];
}
