/** The Retry-After header: whole seconds or a date, never longer than the cap. */

/** A provider that asks for a day is asked again after five minutes. */
export const RETRY_AFTER_CAP_MS = 300_000;

/** A date as HTTP writes it (RFC 9110, 5.6.7), with its zone; the platform alone takes nearly anything for a date. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .*\d\d:\d\d:\d\d (GMT|UTC|[+-]\d{4})$/;

/**
 * Milliseconds to wait, or null where the header is absent or unreadable. A date is compared with the
 * answer's own Date header where there is one, because the two clocks need not agree.
 */
export function readRetryAfter(
  header: string | undefined,
  dateHeader: string | undefined,
  wallClock: number,
): number | null {
  const value = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) {
    return Math.min(Number(value) * 1000, RETRY_AFTER_CAP_MS);
  }
  const until = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) {
    return null;
  }
  const sent = Date.parse(dateHeader ?? '');
  const wait = until - (Number.isNaN(sent) ? wallClock : sent);
  return Math.min(Math.max(wait, 0), RETRY_AFTER_CAP_MS);
}
