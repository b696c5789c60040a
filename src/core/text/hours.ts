/**
 * Hours of the week, wherever they are declared: when should a toggle be on, when does a missing phone matter, when is
 * it quiet? Read from `Mon-Thu 17:30-08:30`, evaluated, written again. Days name the start of a range; an end that is
 * not later than its start is on the next day; 24:00 is the end of a day. A local time that is skipped moves forward,
 * one that repeats counts the first time.
 */
import { MINUTE } from './duration.ts';

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
/** Minutes of a day and of a week. */
const A_DAY = 1440;
const A_WEEK = 7 * A_DAY;

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

/** No range reaches further than this many days from the day it starts on. */
const LONGEST_RANGE_DAYS = 7;

/** Whether an instant (epoch milliseconds) falls within the hours: from the start of a range up to its end, which is outside. */
export function isWithin(hours: Hours, at: number): boolean {
  const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(hours.timezone).toPlainDate();
  const isException = exceptionOn(hours, today) !== null;
  for (let back = 0; back <= LONGEST_RANGE_DAYS; back += 1) {
    const day = today.subtract({ days: back });
    const ranges = [...(isException ? [] : hours.ranges), ...(exceptionOn(hours, day)?.ranges ?? [])];
    if (ranges.some((range) => reaches(range, day, hours.timezone, at))) return true;
  }
  return false;
}

function exceptionOn({ except }: Hours, day: Temporal.PlainDate): Hours['except'][number] | null {
  if (except.length === 0) return null;
  const date = day.toString();
  return except.find(({ dates }) => dates.includes(date)) ?? null;
}

function reaches(range: HoursRange, day: Temporal.PlainDate, timezone: string, at: number): boolean {
  if (!range.days.includes(day.dayOfWeek)) return false;
  return (
    instantOf(day, range.start, timezone) <= at && at < instantOf(day.add({ days: range.endDay }), range.end, timezone)
  );
}

/** `compatible` is the rule of this file: of a repeated time the first, a skipped one as much later as was skipped. */
function instantOf(day: Temporal.PlainDate, minutes: number, timezone: string): number {
  const date = day.add({ days: Math.floor(minutes / A_DAY) });
  const time = { hour: Math.floor((minutes % A_DAY) / 60), minute: minutes % 60 };
  return date.toPlainDateTime(time).toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** When the hours next begin or end after this; null where they do neither within nine days. */
export function nextChange(hours: Hours, at: number): number | null {
  const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(hours.timezone).toPlainDate();
  const days = Array.from({ length: LONGEST_RANGE_DAYS + 10 }, (_, index) =>
    today.add({ days: index - LONGEST_RANGE_DAYS }),
  );
  const edges = days.flatMap((day) => edgesFrom(hours, day)).filter((edge) => edge > at);
  const isOn = isWithin(hours, at);
  return edges.toSorted((a, b) => a - b).find((edge) => isWithin(hours, edge) !== isOn) ?? null;
}

/** When anything may begin or end that starts on a day; hours of its own hold from its first moment. */
function edgesFrom(hours: Hours, day: Temporal.PlainDate): number[] {
  const { timezone } = hours;
  const ranges = [...hours.ranges, ...(exceptionOn(hours, day)?.ranges ?? [])];
  return [
    instantOf(day, 0, timezone),
    ...ranges
      .filter(({ days }) => days.includes(day.dayOfWeek))
      .flatMap(({ start, endDay, end }) => [
        instantOf(day, start, timezone),
        instantOf(day.add({ days: endDay }), end, timezone),
      ]),
  ];
}

const QUARTER_MS = 15 * MINUTE;

/**
 * When it is quiet no longer: `at` itself, where it is not quiet then, or the first whole minute after it; at most nine
 * days on, for hours that never end. A pause of less than a quarter of an hour between two ranges is quiet too: whoever
 * writes 22:00-23:59 and 00:00-07:00 means one night.
 */
export function endOfQuiet(hours: Hours, at: number): number {
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

interface HourStretch {
  /** Minutes after the beginning of Monday. */
  from: number;
  until: number;
}

/** `Mon-Fri 08:30-17:30`; nothing where it is so all week, never, or on a date with hours of its own. */
export function rangesOfWeek(hours: Hours, status: boolean, at: number): string[] {
  const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(hours.timezone).toPlainDate().toString();
  if (hours.except.some(({ dates }) => dates.includes(today))) return [];
  const on = merged(hours.ranges.flatMap(stretches));
  const stretchesOf = status ? joinedOverSunday(on) : joinedOverSunday(between(on));
  if (stretchesOf.some(({ from, until }) => until - from >= A_WEEK)) return [];
  return inRuns(stretchesOf);
}

function stretches({ days, start, endDay, end }: HoursRange): HourStretch[] {
  return days.flatMap((day) => {
    const from = (day - 1) * A_DAY + start;
    const until = (day - 1 + endDay) * A_DAY + end;
    return until <= A_WEEK
      ? [{ from, until }]
      : [
          { from, until: A_WEEK },
          { from: 0, until: Math.min(A_WEEK, until - A_WEEK) },
        ];
  });
}

function merged(all: readonly HourStretch[]): HourStretch[] {
  const out: HourStretch[] = [];
  for (const { from, until } of all.toSorted((a, b) => a.from - b.from)) {
    const last = out.at(-1);
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until);
    else if (until > from) out.push({ from, until });
  }
  return out;
}

function between(on: readonly HourStretch[]): HourStretch[] {
  const edges = [0, ...on.flatMap(({ from, until }) => [from, until]), A_WEEK];
  return edges.flatMap((from, index) => {
    const until = edges[index + 1];
    return index % 2 === 1 || until === undefined || until === from ? [] : [{ from, until }];
  });
}

/** What goes on from Sunday to Monday is one stretch. */
function joinedOverSunday(all: readonly HourStretch[]): HourStretch[] {
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined || first === last) return [...all];
  if (first.from !== 0 || last.until !== A_WEEK) return [...all];
  return [...all.slice(1, -1), { from: last.from, until: A_WEEK + first.until }];
}

/** Days one after the other with the same hours are one range. */
function inRuns(all: readonly HourStretch[]): string[] {
  const runs: { first: number; last: number; times: string }[] = [];
  for (const { from, until } of all.toSorted((a, b) => a.from - b.from)) {
    const day = Math.floor(from / A_DAY);
    const isWithinADay = until - from <= A_DAY;
    const end = Math.floor((until - 1) / A_DAY);
    const times = isWithinADay
      ? `${beginning(from)}-${ending(until)}`
      : `${beginning(from)}-${WEEKDAYS[end % 7] ?? ''} ${ending(until)}`;
    const run = runs.at(-1);
    if (isWithinADay && run !== undefined && run.times === times && run.last === day - 1) run.last = day;
    else runs.push({ first: day, last: day, times });
  }
  return runs.map(
    ({ first, last, times }) => `${WEEKDAYS[first] ?? ''}${last > first ? `-${WEEKDAYS[last] ?? ''}` : ''} ${times}`,
  );
}

function beginning(minutes: number): string {
  return clock(minutes % A_DAY);
}

/** Midnight is the end of the day before. */
function ending(minutes: number): string {
  return clock(minutes % A_DAY === 0 ? A_DAY : minutes % A_DAY);
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
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
export function nextTimeOfDay({ at, days, timezone }: TimeOfDay, after: number): number {
  const time = Temporal.PlainTime.from(at);
  const today = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(timezone).toPlainDate();
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const day = today.add({ days: ahead });
    const due = day.toZonedDateTime({ timeZone: timezone, plainTime: time }).epochMilliseconds;
    if (due > after && days.includes(day.dayOfWeek)) return due;
  }
  throw new RangeError('a time of day needs at least one day of the week');
}
