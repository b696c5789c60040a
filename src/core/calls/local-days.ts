/** Local days and hours of the week, memoised for the speed of a hundred thousand calls. */
import { DAY, HOUR, SECOND } from '../text/duration.ts';

export interface LocalHour {
  /** `2026-11-26` */
  day: string;
  hourOfWeek: number;
}

/** Memoised by zone and quarter hour: Temporal's zone conversion dominates the cost of a call. */
const hoursByZone = new Map<string, Map<number, LocalHour>>();
/** Two years of quarter hours. */
const MOST_HOURS = 70_000;

export function createLocalHours(timezone: string): (seconds: number) => LocalHour {
  const known = hoursByZone.get(timezone) ?? new Map<number, LocalHour>();
  if (known.size > MOST_HOURS) known.clear();
  hoursByZone.set(timezone, known);
  // Offsets change at quarter hours.
  const quarter = HOUR / SECOND / 4;
  return (seconds) => {
    const key = Math.floor(seconds / quarter);
    const found = known.get(key);
    if (found !== undefined) return found;
    const local = Temporal.Instant.fromEpochMilliseconds(key * quarter * SECOND).toZonedDateTimeISO(timezone);
    const made = { day: local.toPlainDate().toString(), hourOfWeek: (local.dayOfWeek - 1) * 24 + local.hour };
    known.set(key, made);
    return made;
  };
}

/** 1 is Monday. */
export function findWeekday(day: string): number {
  return Temporal.PlainDate.from(day).dayOfWeek;
}

/** Same local time of day, across daylight saving changes. */
export function subtractWeeks(seconds: number, weeks: number, timezone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(seconds * SECOND).toZonedDateTimeISO(timezone);
  return Math.floor(local.subtract({ weeks }).epochMilliseconds / SECOND);
}

/** Days of the month after this one. */
export function listRestOfMonth(day: string): string[] {
  const date = Temporal.PlainDate.from(day);
  return Array.from({ length: date.daysInMonth - date.day }, (_, index) => date.add({ days: index + 1 }).toString());
}

export const DAY_SECONDS = DAY / SECOND;
export const HOUR_SECONDS = HOUR / SECOND;
