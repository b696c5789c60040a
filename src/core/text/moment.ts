/** Points in time in user input. */

/** A time with an offset, optionally followed by a zone. */
const WITH_OFFSET = /[T ]\d\d(?::?\d\d){0,2}(?:[.,]\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)(?:\[|$)/i;
const DATE_ALONE = /^\d{4}-\d\d-\d\d$/;

/**
 * Parses `2026-10-01`, a local time in the zone, or a time with its own offset or zone. Epoch milliseconds; null if
 * invalid.
 */
export function readMoment(written: string, timezone: string): number | null {
  try {
    if (written.includes('[')) return Temporal.ZonedDateTime.from(written).epochMilliseconds;
    if (WITH_OFFSET.test(written)) return Temporal.Instant.from(written).epochMilliseconds;
    if (/[+-]\d\d:?\d\d$/.test(written) && !DATE_ALONE.test(written)) return null;
    return Temporal.PlainDateTime.from(written).toZonedDateTime(timezone).epochMilliseconds;
  } catch {
    return null;
  }
}

/** Like `readMoment`, but a date means the end of its day. */
export function readEnd(written: string, timezone: string): number | null {
  if (!DATE_ALONE.test(written)) return readMoment(written, timezone);
  try {
    return Temporal.PlainDate.from(written).add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds;
  } catch {
    return null;
  }
}

/** Explains an invalid zone; null for any other mistake. */
export function explainZone(written: string, timezone: string): string | null {
  const [, before, zone] = /^(\d{4}-\d\d-\d\d.*?\d)(?:\s*([A-Za-z][A-Za-z/_]*)|\[.*\])$/.exec(written) ?? [];
  if (before === undefined || readMoment(before, timezone) === null) return null;
  const named = zone === undefined ? written.slice(before.length) : `'${zone}'`;
  return `${named} is no zone that can be told from others; write an offset such as +10:00, or Z, or none for ${timezone}`;
}
