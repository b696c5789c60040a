/** The `Retry-After` header (RFC 9110, 10.2.3). */
import { MINUTE } from '../core/text/duration.ts';

/** Upper limits for a server's request to wait, by direction. */
export const RETRY_AFTER_CAP_MS = {
  /** Five minutes even if the provider asks for a day: a paused watch detects nothing. */
  reading: 5 * MINUTE,
  /** Longer than our own backoff, but bounded. */
  sending: 15 * MINUTE,
} as const;

export interface RetryAfter {
  /** The header as it came. */
  value: string | null | undefined;
  /**
   * The `Date` header of the response. A date in `Retry-After` is compared with it because the two clocks may differ.
   */
  sent?: string | null | undefined;
  /** Epoch milliseconds. */
  now: number;
  direction: keyof typeof RETRY_AFTER_CAP_MS;
}

/** An HTTP date (RFC 9110, 5.6.7) with its zone. `Date.parse` alone accepts nearly any text. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .*\d\d:\d\d:\d\d (GMT|UTC|[+-]\d{4})$/;

/** Milliseconds to wait, between 0 and the limit; null if the header is absent or unreadable. */
export function readRetryAfter({ value, sent, now, direction }: RetryAfter): number | null {
  const text = value?.trim() ?? '';
  const asked = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : dateOf(text) - sentAt(sent, now);
  return Number.isNaN(asked) ? null : Math.min(Math.max(asked, 0), RETRY_AFTER_CAP_MS[direction]);
}

function sentAt(header: string | null | undefined, now: number): number {
  const at = dateOf(header?.trim() ?? '');
  return Number.isNaN(at) ? now : at;
}

/** Epoch milliseconds; NaN if the text is no HTTP date. */
function dateOf(text: string): number {
  return HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
}
