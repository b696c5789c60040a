/**
 * Declared hours, evaluated: when should a toggle be on, when does a missing phone matter? Days name the start of
 * a range. A local time that is skipped moves forward, one that repeats counts the first time.
 */

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

/** No range reaches further than this many days from the day it starts on. */
const LONGEST_RANGE_DAYS = 7;
const DAY_MINUTES = 1440;

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
  const date = day.add({ days: Math.floor(minutes / DAY_MINUTES) });
  const time = { hour: Math.floor((minutes % DAY_MINUTES) / 60), minute: minutes % 60 };
  return date.toPlainDateTime(time).toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
}

const QUARTER_MS = 15 * 60_000;
const MINUTE_MS = 60_000;

/**
 * When it is quiet no longer: `at` itself, where it is not quiet then, or the first whole minute after it; at most nine
 * days on, for hours that never end. A pause of less than a quarter of an hour between two ranges is quiet too: whoever
 * writes 22:00-23:59 and 00:00-07:00 means one night.
 */
export function endOfQuiet(hours: Hours, at: number): number {
  if (!isQuiet(hours, at)) return at;
  const horizon = at + 9 * DAY_MINUTES * MINUTE_MS;
  let end = at;
  while (end < horizon && isQuiet(hours, end)) end += QUARTER_MS;
  // Ranges begin and end on whole minutes: the last quarter of an hour is walked back in those.
  let minute = Math.ceil(Math.max(at, end - QUARTER_MS) / MINUTE_MS) * MINUTE_MS;
  while (minute < end && isQuiet(hours, minute)) minute += MINUTE_MS;
  return minute;
}

/** Within the hours, or in a short pause between two ranges of them. */
function isQuiet(hours: Hours, at: number): boolean {
  if (isWithin(hours, at)) return true;
  const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const after = minutesTo(hours, minute, MINUTE_MS);
  return after !== null && (minutesTo(hours, minute, -MINUTE_MS) ?? Infinity) + after - 1 < QUARTER_MS / MINUTE_MS;
}

/** How many steps of a minute away the hours are, at most a quarter of an hour; null where they are further. */
function minutesTo(hours: Hours, minute: number, step: number): number | null {
  for (let count = 1; count <= QUARTER_MS / MINUTE_MS; count += 1) {
    if (isWithin(hours, minute + count * step)) return count;
  }
  return null;
}
