/** Time formats of the account interface, and named periods of queries. */
import type { TIME_PERIODS } from '../../provider/catalogue/window.ts';

/** Offsets change at quarter hours at most, so one lookup serves all times within. */
const QUARTER_HOUR = 900;

/** Default zone of the interface (specification, agent availability). */
export const DEFAULT_ZONE = 'Australia/Melbourne';

export type TimePeriod = (typeof TIME_PERIODS)[number];

/** `start` inclusive, `end` exclusive, epoch seconds. */
export interface SpanOfTime {
  start: number;
  end: number;
}

export function toZoned(epochSeconds: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochSeconds * 1000).toZonedDateTimeISO(zone);
}

const offsets = new Map<string, number>();

function offsetSeconds(epochSeconds: number, zone: string): number {
  const quarter = Math.floor(epochSeconds / QUARTER_HOUR);
  const key = `${zone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size > 100_000) offsets.clear();
  const offset = toZoned(quarter * QUARTER_HOUR, zone).offsetNanoseconds / 1e9;
  offsets.set(key, offset);
  return offset;
}

/** Local time, readable with the UTC methods. Cheap, because ten thousand phones need it. */
function wallClock(epochSeconds: number, zone: string): Date {
  return new Date((epochSeconds + offsetSeconds(epochSeconds, zone)) * 1000);
}

/** `YYYY-MM-DD HH:MM:SS` in a zone. */
export function formatDatetime(epochSeconds: number, zone: string = DEFAULT_ZONE): string {
  return wallClock(epochSeconds, zone).toISOString().slice(0, 19).replace('T', ' ');
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `Mon, 02 Mar 2026 20:00:00 +1100`: day name, date, time and offset. */
export function formatStamp(epochSeconds: number, zone: string = DEFAULT_ZONE): string {
  const wall = wallClock(epochSeconds, zone);
  const minutes = Math.round(offsetSeconds(epochSeconds, zone) / 60);
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${two(size % 60)}`;
  const date = `${two(wall.getUTCDate())} ${MONTHS[wall.getUTCMonth()] ?? ''} ${wall.getUTCFullYear()}`;
  return `${DAYS[wall.getUTCDay()] ?? ''}, ${date} ${wall.toISOString().slice(11, 19)} ${offset}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** Epoch seconds of `YYYY-MM-DD HH:MM:SS`, or of midnight for a date; null if invalid. */
export function readDatetimeText(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/.test(text)) return null;
  try {
    const plain = Temporal.PlainDateTime.from(text.replace(' ', 'T'), { overflow: 'reject' });
    return Math.floor(plain.toZonedDateTime(DEFAULT_ZONE).epochMilliseconds / 1000);
  } catch {
    return null;
  }
}

/** `now` in epoch seconds. */
export function resolvePeriod(name: TimePeriod, now: number, zone: string): SpanOfTime {
  const midnight = toZoned(now, zone).startOfDay();
  const month = midnight.with({ day: 1 });
  const spans: Record<TimePeriod, [Temporal.ZonedDateTime, Temporal.ZonedDateTime]> = {
    today: [midnight, midnight.add({ days: 1 })],
    yesterday: [midnight.subtract({ days: 1 }), midnight],
    this_month: [month, month.add({ months: 1 })],
    last_month: [month.subtract({ months: 1 }), month],
  };
  const span = spans[name];
  return { start: span[0].epochMilliseconds / 1000, end: span[1].epochMilliseconds / 1000 };
}

/** Limit of a query without an end (specification, section 8). */
export function addMonth(start: number): number {
  return toZoned(start, 'UTC').add({ months: 1 }).epochMilliseconds / 1000;
}
