/** Moments as people write them. */

/** A time of day with an offset, and perhaps the zone it is of. */
const WITH_OFFSET = /[T ]\d\d(?::?\d\d){0,2}(?:[.,]\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)(?:\[|$)/i;
const DATE_ALONE = /^\d{4}-\d\d-\d\d$/;

/**
 * `2026-10-01`, `2026-10-01T08:00` in the zone, or a time with an offset or a zone of its own; epoch milliseconds, null for
 * none of them.
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

/** As the end of a span: a date is the whole of its day. */
export function readEnd(written: string, timezone: string): number | null {
  if (!DATE_ALONE.test(written)) return readMoment(written, timezone);
  try {
    return Temporal.PlainDate.from(written).add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds;
  } catch {
    return null;
  }
}

/** Why a text is no moment, where its zone is to blame; null for anything else. */
export function explainZone(written: string, timezone: string): string | null {
  const [, before, zone] = /^(\d{4}-\d\d-\d\d.*?\d)(?:\s*([A-Za-z][A-Za-z/_]*)|\[.*\])$/.exec(written) ?? [];
  if (before === undefined || readMoment(before, timezone) === null) return null;
  const named = zone === undefined ? written.slice(before.length) : `'${zone}'`;
  return `${named} is no zone that can be told from others; write an offset such as +10:00, or Z, or none for ${timezone}`;
}
