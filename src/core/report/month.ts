/** Calendar months in a time zone; days may have 23 or 25 hours. */
import type { Span } from '../history/rows.ts';

/** `2026-10` */
export type Month = string;

/** From its first midnight to that of the next month; null if the text is no month. */
export function toSpan(month: Month, timezone: string): Span | null {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return null;
  const first = Temporal.PlainDate.from(`${month}-01`);
  return { since: midnight(first, timezone), until: midnight(first.add({ months: 1 }), timezone) };
}

/** `2026-03`; `at` in epoch milliseconds. */
export function toMonth(at: number, timezone: string): Month {
  return Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .toPlainYearMonth()
    .toString();
}

export function subtractMonth(month: Month): Month {
  return Temporal.PlainYearMonth.from(month).subtract({ months: 1 }).toString();
}

export function addMonth(month: Month): Month {
  return Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString();
}

/** Each day of a span with its date, start and end. */
export function listDays({ since, until }: Span, timezone: string): (Span & { date: string })[] {
  const days: (Span & { date: string })[] = [];
  let date = Temporal.Instant.fromEpochMilliseconds(since).toZonedDateTimeISO(timezone).toPlainDate();
  for (let begin = midnight(date, timezone); begin < until;) {
    const next = date.add({ days: 1 });
    const end = midnight(next, timezone);
    days.push({ date: date.toString(), since: begin, until: end });
    [date, begin] = [next, end];
  }
  return days;
}

/** Start of a day; if midnight is skipped, the first moment after it. */
function midnight(date: Temporal.PlainDate, timezone: string): number {
  return date.toZonedDateTime(timezone).epochMilliseconds;
}

const NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `October 2026` */
export function formatMonth(month: Month): string {
  return `${NAMES[Number(month.slice(5)) - 1] ?? month} ${month.slice(0, 4)}`;
}

/** `2026-10-04 02:59:07 +11:00`, with the UTC offset at that time. */
export function formatExactly(at: number, timezone: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  const clock = time.toPlainTime().toString({ smallestUnit: 'second' });
  return `${time.toPlainDate().toString()} ${clock} ${time.offset}`;
}
