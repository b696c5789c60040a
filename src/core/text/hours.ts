/**
 * Hours of the week, wherever they are declared: when should a toggle be on, when does a missing phone matter, when is
 * it quiet? Read from `Mon-Thu 17:30-08:30` and evaluated. Days name the start of a range; an end that is
 * not later than its start is on the next day; 24:00 is the end of a day. A local time that is skipped moves forward,
 * one that repeats counts the first time.
 */
import { MINUTE } from './duration.ts';

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
/** Minutes of a day. */
export const A_DAY = 1440;
/** No range reaches further than this many days from the day it starts on. */
const LONGEST_RANGE_DAYS = 7;
const QUARTER_MS = 15 * MINUTE;

/** As the configuration reads it: `Mon-Thu 17:30-08:30` is {days: [1, 2, 3, 4], start: 1050, endDay: 1, end: 510}. */
export interface HoursRange {
  /** The days it starts on, 1 Monday to 7 Sunday. */
  days: readonly number[];
  /** Minutes after midnight. */
  start: number;
  /** Days from the day of the start to the day of the end. */
  endDay: number;
  /** Minutes after midnight of that day, 1440 for its end. */
  end: number;
}

export interface Hours {
  ranges: readonly HoursRange[];
  /**
   * Dates as `2026-12-25` with other hours: on those only what starts on such a date counts. On every other date the
   * usual hours hold, those that would have begun on such a date included, and what reaches in from it.
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

/** As it is written in the configuration; `advice` says what is wrong and what would be right, without a full stop. */
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

/** 1 Monday to 7 Sunday, 0 for no day. */
function readDay(text: string): number {
  return WEEKDAYS.findIndex((day) => day === text) + 1;
}

function minutes(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}

/** What hours say of one date: whoever asks asks again and again, and nearly always of the same one. */
interface DayOfHours {
  date: Temporal.PlainDate;
  /** Its first moment and that of the next, epoch milliseconds. */
  from: number;
  until: number;
  /** From the start of a range up to its end, which is outside; those that reach in from days before, too. */
  spans: readonly { start: number; end: number }[];
  /** What `findNextChange` said last, and of when. */
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

/** Of the ranges that start on this day. */
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

/** Whether an instant (epoch milliseconds) falls within the hours: from the start of a range up to its end, which is outside. */
export function isWithin(hours: Hours, at: number): boolean {
  return dayOf(hours, at).spans.some(({ start, end }) => start <= at && at < end);
}

function exceptionOn({ except }: Hours, day: Temporal.PlainDate): Hours['except'][number] | null {
  if (except.length === 0) return null;
  const date = day.toString();
  return except.find(({ dates }) => dates.includes(date)) ?? null;
}

/** `compatible` is the rule of this file: of a repeated time the first, a skipped one as much later as was skipped. */
function instantOf(day: Temporal.PlainDate, minutes: number, timezone: string): number {
  const date = day.add({ days: Math.floor(minutes / A_DAY) });
  const time = { hour: Math.floor((minutes % A_DAY) / 60), minute: minutes % 60 };
  return date.toPlainDateTime(time).toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** When the hours next begin or end after this; null where they do neither within nine days. */
export function findNextChange(hours: Hours, at: number): number | null {
  const day = dayOf(hours, at);
  const { change } = day;
  // Until it comes it is the same; that none comes holds as far as the same days are looked at.
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

/** When anything may begin or end that starts on a day; hours of its own hold from its first moment. */
function edgesFrom(hours: Hours, day: Temporal.PlainDate): number[] {
  const { timezone } = hours;
  const ranges = [...hours.ranges, ...(exceptionOn(hours, day)?.ranges ?? [])];
  return [instantOf(day, 0, timezone), ...spansFrom(ranges, day, timezone).flatMap(({ start, end }) => [start, end])];
}

/**
 * When it is quiet no longer: `at` itself, where it is not quiet then, or the first whole minute after it; at most nine
 * days on, for hours that never end. A pause of less than a quarter of an hour between two ranges is quiet too: whoever
 * writes 22:00-23:59 and 00:00-07:00 means one night.
 */
export function findQuietEnd(hours: Hours, at: number): number {
  if (!isQuiet(hours, at)) return at;
  const horizon = at + 9 * A_DAY * MINUTE;
  let end = at;
  while (end < horizon && isQuiet(hours, end)) end += QUARTER_MS;
  // Ranges begin and end on whole minutes: the last quarter of an hour is walked back in those.
  let minute = Math.ceil(Math.max(at, end - QUARTER_MS) / MINUTE) * MINUTE;
  while (minute < end && isQuiet(hours, minute)) minute += MINUTE;
  return minute;
}

/** Within the hours, or in a short pause between two ranges of them. */
function isQuiet(hours: Hours, at: number): boolean {
  if (isWithin(hours, at)) return true;
  const minute = Math.floor(at / MINUTE) * MINUTE;
  const after = minutesTo(hours, minute, MINUTE);
  return after !== null && (minutesTo(hours, minute, -MINUTE) ?? Infinity) + after - 1 < QUARTER_MS / MINUTE;
}

/** How many steps of a minute away the hours are, at most a quarter of an hour; null where they are further. */
function minutesTo(hours: Hours, minute: number, step: number): number | null {
  for (let count = 1; count <= QUARTER_MS / MINUTE; count += 1) {
    if (isWithin(hours, minute + count * step)) return count;
  }
  return null;
}

/** A time of the day on some days of the week: when a digest is due. */
export interface TimeOfDay {
  /** Local time of the day, `08:00`. */
  at: string;
  /** 1 Monday to 7 Sunday. */
  days: readonly number[];
  /** IANA name. */
  timezone: string;
}

/** The next such time after this one, epoch milliseconds. A local time that is skipped moves forward. */
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
