/** The `Retry-After` header (RFC 9110, 10.2.3): how long the other side asks to be left alone. */
import { MINUTE } from '../core/text/duration.ts';

/** Nobody waits longer than this on the word of a server. One cap a direction. */
export const RETRY_AFTER_CAP_MS = {
  /** A provider that asks for a day is asked again after five minutes: a watch that rests sees nothing. */
  reading: 5 * MINUTE,
  /** A receiver may ask for a longer rest than our own backoff has, but not for ever. */
  sending: 15 * MINUTE,
} as const;

export interface RetryAfter {
  /** The header as it came. */
  value: string | null | undefined;
  /** The answer's own `Date`, with which a date is compared where there is one: the two clocks need not agree. */
  sent?: string | null | undefined;
  /** Epoch milliseconds. */
  now: number;
  direction: keyof typeof RETRY_AFTER_CAP_MS;
}

/** A date as HTTP writes it (RFC 9110, 5.6.7), with its zone; the platform alone takes nearly anything for a date. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .*\d\d:\d\d:\d\d (GMT|UTC|[+-]\d{4})$/;

/** Milliseconds to wait, never negative and never longer than the cap; null where the header is absent or unreadable. */
export function readRetryAfter({ value, sent, now, direction }: RetryAfter): number | null {
  const text = value?.trim() ?? '';
  const asked = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : dateOf(text) - sentAt(sent, now);
  return Number.isNaN(asked) ? null : Math.min(Math.max(asked, 0), RETRY_AFTER_CAP_MS[direction]);
}

function sentAt(header: string | null | undefined, now: number): number {
  const at = dateOf(header?.trim() ?? '');
  return Number.isNaN(at) ? now : at;
}

/** Epoch milliseconds; NaN for what is no date of HTTP. */
function dateOf(text: string): number {
  return HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
}
