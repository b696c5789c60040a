/**
 * Weekly hours for toggles, missing phones and quiet hours, parsed from `Mon-Thu 17:30-08:30`. Days name the start of a
 * range. An end at or before its start is on the next day; 24:00 is the end of the day. A skipped local time moves
 * forward; a repeated one counts the first time.
 */
import { MINUTE } from './duration.ts';

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
/** Minutes in a day. */
export const A_DAY = 1440;
/** Longest range, in days from its first. */
const LONGEST_RANGE_DAYS = 7;
const QUARTER_MS = 15 * MINUTE;

/** `Mon-Thu 17:30-08:30` is {days: [1, 2, 3, 4], start: 1050, endDay: 1, end: 510}. */
export interface HoursRange {
  /** Days on which the range starts: 1 Monday to 7 Sunday. */
  days: readonly number[];
  /** Minutes after midnight. */
  start: number;
  /** Days from start to end. */
  endDay: number;
  /** Minutes after midnight of the end day; 1440 for its end. */
  end: number;
}

export interface Hours {
  ranges: readonly HoursRange[];
  /**
   * Exceptions by date (`2026-12-25`): only these ranges start on that date. Ranges of other days that reach into it
   * still count.
   */
  except: readonly { dates: readonly string[]; ranges: readonly HoursRange[] }[];
  /** IANA name. */
  timezone: string;
}

type CalendarReading = { range: HoursRange } | { advice: string };

const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const TIME = '[0-2][0-9]:[0-5][0-9]';
export const RANGE_PATTERN = `^(${WEEKDAY}(-${WEEKDAY})?(, ?${WEEKDAY}(-${WEEKDAY})?)* )?${TIME}-(${WEEKDAY} )?${TIME}$`;
const SHAPE = new RegExp(`^(?:([A-Za-z, -]+) )?(${TIME})-(?:(${WEEKDAY}) )?(${TIME})$`);
const FORMS = 'write "Mon-Thu 17:30-08:30", "Fri 17:30-Mon 08:30" or "00:00-24:00"';

/** The range, or `advice` that names the mistake and a correction, without a full stop. */
export function readCalendarRange(text: string): CalendarReading {
  const found = SHAPE.exec(text);
  if (found === null) return { advice: `${JSON.stringify(text.slice(0, 60))} is not a calendar range; ${FORMS}` };
  const [, dayText, startText = '', endDayText, endText = ''] = found;
  const days = dayText === undefined ? [1, 2, 3, 4, 5, 6, 7] : readDays(dayText);
  if (days === null) return { advice: `${JSON.stringify(dayText)} names no days; days are ${WEEKDAYS.join(', ')}` };
  const start = minutes(startText);
  const end = minutes(endText);
  if (start >= A_DAY) return { advice: `${startText} is no time a range can start at; times go from 00:00 to 23:59` };
  if (end > A_DAY) return { advice: `${endText} is no time; times go from 00:00 to 24:00` };
  if (endDayText === undefined) {
    if (end === start) return { advice: `it starts and ends at ${startText}; a whole day is "00:00-24:00"` };
    return { range: { days, start, endDay: end < start ? 1 : 0, end } };
  }
  const [first] = days;
  if (dayText === undefined || days.length !== 1 || first === undefined) {
    return { advice: `the end names a day, so the start has to name exactly one; ${FORMS}` };
  }
  const endDay = (readDay(endDayText) - first + 7) % 7;
  if (endDay === 0 && end <= start) return { advice: `it would end before it starts; ${FORMS}` };
  return { range: { days, start, endDay, end } };
}

function readDays(text: string): number[] | null {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const [from = 0, to = from, ...rest] = part.trim().split('-').map(readDay);
    if (from === 0 || to === 0 || rest.length > 0) return null;
    for (let day = from; ; day = (day % 7) + 1) {
      days.add(day);
      if (day === to) break;
    }
  }
  return [...days].toSorted((a, b) => a - b);
}

/** 1 Monday to 7 Sunday; 0 if the text is no day. */
function readDay(text: string): number {
  return WEEKDAYS.findIndex((day) => day === text) + 1;
}

function minutes(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}

/** Cache of one date: nearly all queries are for the same day. */
interface DayOfHours {
  date: Temporal.PlainDate;
  /** Start of the day and of the next, in epoch milliseconds. */
  from: number;
  until: number;
  /** Ranges that touch the day, including those from earlier days. Ends are exclusive. */
  spans: readonly { start: number; end: number }[];
  /** Last result of `findNextChange`, with its start. */
  change?: { after: number; at: number | null };
}

const daysAskedOf = new WeakMap<Hours, DayOfHours>();

function dayOf(hours: Hours, at: number): DayOfHours {
  const known = daysAskedOf.get(hours);
  if (known !== undefined && known.from <= at && at < known.until) return known;
  const { timezone } = hours;
  const date = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDate();
  const isException = exceptionOn(hours, date) !== null;
  const spans = Array.from({ length: LONGEST_RANGE_DAYS + 1 }, (_, back) => {
    const day = date.subtract({ days: back });
    return spansFrom([...(isException ? [] : hours.ranges), ...(exceptionOn(hours, day)?.ranges ?? [])], day, timezone);
  }).flat();
  const day = { date, from: instantOf(date, 0, timezone), until: instantOf(date, A_DAY, timezone), spans };
  daysAskedOf.set(hours, day);
  return day;
}

/** Spans of the ranges that start on this day. */
function spansFrom(
  ranges: readonly HoursRange[],
  day: Temporal.PlainDate,
  timezone: string,
): { start: number; end: number }[] {
  return ranges
    .filter(({ days }) => days.includes(day.dayOfWeek))
    .map(({ start, endDay, end }) => ({
      start: instantOf(day, start, timezone),
      end: instantOf(day.add({ days: endDay }), end, timezone),
    }));
}

/** True if the instant (epoch milliseconds) is inside a range; ends are exclusive. */
export function isWithin(hours: Hours, at: number): boolean {
  return dayOf(hours, at).spans.some(({ start, end }) => start <= at && at < end);
}

function exceptionOn({ except }: Hours, day: Temporal.PlainDate): Hours['except'][number] | null {
  if (except.length === 0) return null;
  const date = day.toString();
  return except.find(({ dates }) => dates.includes(date)) ?? null;
}

/** `compatible`: the first of a repeated time; a skipped time moves forward by the gap. */
function instantOf(day: Temporal.PlainDate, minutes: number, timezone: string): number {
  const date = day.add({ days: Math.floor(minutes / A_DAY) });
  const time = { hour: Math.floor((minutes % A_DAY) / 60), minute: minutes % 60 };
  return date.toPlainDateTime(time).toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** Next start or end of a range after `at`; null if there is none within nine days. */
export function findNextChange(hours: Hours, at: number): number | null {
  const day = dayOf(hours, at);
  const { change } = day;
  // The cached result holds until the change; a cached null holds as long as the same days are examined.
  if (change !== undefined && change.after <= at && (change.at === null || at < change.at)) return change.at;
  const isOn = isWithin(hours, at);
  const edges = Array.from({ length: LONGEST_RANGE_DAYS + 10 }, (_, index) =>
    edgesFrom(hours, day.date.add({ days: index - LONGEST_RANGE_DAYS })),
  )
    .flat()
    .filter((edge) => edge > at)
    .toSorted((a, b) => a - b);
  const next = edges.find((edge) => isWithin(hours, edge) !== isOn) ?? null;
  day.change = { after: at, at: next };
  daysAskedOf.set(hours, day);
  return next;
}

/** Start times of ranges and exceptions on a day. Exceptions apply from midnight. */
function edgesFrom(hours: Hours, day: Temporal.PlainDate): number[] {
  const { timezone } = hours;
  const ranges = [...hours.ranges, ...(exceptionOn(hours, day)?.ranges ?? [])];
  return [instantOf(day, 0, timezone), ...spansFrom(ranges, day, timezone).flatMap(({ start, end }) => [start, end])];
}

/**
 * End of quiet hours: `at` itself if it is not quiet then, else the next whole minute outside, at most nine days later.
 * Gaps under 15 minutes count as quiet: 22:00-23:59 and 00:00-07:00 mean one night.
 */
export function findQuietEnd(hours: Hours, at: number): number {
  if (!isQuiet(hours, at)) return at;
  const horizon = at + 9 * A_DAY * MINUTE;
  let end = at;
  while (end < horizon && isQuiet(hours, end)) end += QUARTER_MS;
  // Ranges are aligned to minutes, so walk back the last quarter of an hour in minutes.
  let minute = Math.ceil(Math.max(at, end - QUARTER_MS) / MINUTE) * MINUTE;
  while (minute < end && isQuiet(hours, minute)) minute += MINUTE;
  return minute;
}

/** True inside the hours or in a short gap between two ranges. */
function isQuiet(hours: Hours, at: number): boolean {
  if (isWithin(hours, at)) return true;
  const minute = Math.floor(at / MINUTE) * MINUTE;
  const after = minutesTo(hours, minute, MINUTE);
  return after !== null && (minutesTo(hours, minute, -MINUTE) ?? Infinity) + after - 1 < QUARTER_MS / MINUTE;
}

/** Minutes to the nearest range in one direction, at most 15; null if it is further away. */
function minutesTo(hours: Hours, minute: number, step: number): number | null {
  for (let count = 1; count <= QUARTER_MS / MINUTE; count += 1) {
    if (isWithin(hours, minute + count * step)) return count;
  }
  return null;
}

/** Time of day on certain days of the week, such as for a digest. */
export interface TimeOfDay {
  /** Local time of the day, `08:00`. */
  at: string;
  /** 1 Monday to 7 Sunday. */
  days: readonly number[];
  /** IANA name. */
  timezone: string;
}

/** Next occurrence after `after`, in epoch milliseconds. A skipped local time moves forward. */
export function findNextTimeOfDay({ at, days, timezone }: TimeOfDay, after: number): number {
  const time = Temporal.PlainTime.from(at);
  const today = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(timezone).toPlainDate();
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const day = today.add({ days: ahead });
    const due = day.toZonedDateTime({ timeZone: timezone, plainTime: time }).epochMilliseconds;
    if (due > after && days.includes(day.dayOfWeek)) return due;
  }
  throw new RangeError('a time of day needs at least one day of the week');
}
