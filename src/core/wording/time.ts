/** Times and durations as text, with the time zone. */
import { DAY, HOUR, MINUTE } from '../text/duration.ts';

const FALLBACK_LOCALES = ['en-AU', 'en-GB', 'en-US', 'en-NZ', 'en-IN', 'en-ZA', 'en-CA'];

const formats = new Map<string, Intl.DateTimeFormat>();

function format(timezone: string, locale: string): Intl.DateTimeFormat {
  const key = `${timezone} ${locale}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(locale, {
    timeZone: timezone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  formats.set(key, made);
  return made;
}

/** Without the name of the zone, which takes up to seven formats more. */
function splitTime(at: number, timezone: string) {
  const found = Object.fromEntries(
    format(timezone, 'en-GB')
      .formatToParts(at)
      .map((part) => [part.type, part.value]),
  );
  // British English alone abbreviates September to four letters.
  const month = (found['month'] ?? '').slice(0, 3);
  return {
    date: `${found['weekday']} ${found['day']} ${month}`,
    year: found['year'] ?? '',
    time: `${found['hour']}:${found['minute']}`,
  };
}

/** `AEDT` rather than `GMT+11`: each English locale has the zone names of its own region only. */
export function findZoneName(at: number, timezone: string): string {
  let fallback = 'UTC';
  for (const locale of FALLBACK_LOCALES) {
    const name = format(timezone, locale)
      .formatToParts(at)
      .find((part) => part.type === 'timeZoneName')?.value;
    if (name === undefined) continue;
    if (!/\d/.test(name)) return name;
    fallback = name.replace('GMT', 'UTC');
  }
  return fallback;
}

/** `Tue 24 Mar 14:43 AEDT`; with the year when it is not the year of `now`. */
export function formatTime(at: number, timezone: string, now: number): string {
  const { date, year, time } = splitTime(at, timezone);
  return `${date}${formatOtherYear(year, timezone, now)} ${time} ${findZoneName(at, timezone)}`;
}

/** ` 2027`, or nothing in the year of `now`. */
function formatOtherYear(year: string, timezone: string, now: number): string {
  return year === splitTime(now, timezone).year ? '' : ` ${year}`;
}

/** `03:12` */
export function formatClockTime(at: number, timezone: string): string {
  return splitTime(at, timezone).time;
}

/** `03:12` within the last twelve hours, else as `shortWhen`. */
export function formatHour(at: number, timezone: string, now: number): string {
  return at <= now && now - at < 12 * HOUR ? splitTime(at, timezone).time : formatShortTime(at, timezone, now);
}

/** `Fri 17:31` within the last six days, else with its date. The zone is omitted, because it is shown nearby. */
export function formatShortTime(at: number, timezone: string, now: number): string {
  const { date, year, time } = splitTime(at, timezone);
  if (at <= now && now - at < 6 * DAY) return `${date.slice(0, 3)} ${time}`;
  return `${date}${formatOtherYear(year, timezone, now)} ${time}`;
}

/** `Sat 28 Mar 01:00–03:00 AEDT`, or both days if it spans midnight, or `from …` and `until …` for an open end. */
export function formatTimeWindow(from: number | null, to: number | null, timezone: string, now: number): string {
  if (from === null) return to === null ? 'no time given' : `until ${formatTime(to, timezone, now)}`;
  if (to === null) return `from ${formatTime(from, timezone, now)}`;
  const start = splitTime(from, timezone);
  const end = splitTime(to, timezone);
  const zone = findZoneName(to, timezone);
  if (start.date === end.date && start.year === end.year && findZoneName(from, timezone) === zone) {
    return `${start.date}${formatOtherYear(start.year, timezone, now)} ${start.time}–${end.time} ${zone}`;
  }
  return `${formatTime(from, timezone, now)} – ${formatTime(to, timezone, now)}`;
}

/** `40 s`, `47 min`, `1 h 12 min`, `2 days 3 h`; never negative, rounded to two units. */
export function formatElapsed(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return joinUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(ms / HOUR);
  return joinUnits(Math.floor(hours / 24), 'days', hours % 24, 'h');
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** Epoch milliseconds of an ISO 8601 text; null for null and for an invalid text. */
export function parseInstant(text: string | null): number | null {
  if (text === null) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
