/** Times as people write them to commands and read them there: in the zone of the configuration. */
import { instant, span, when } from '../core/wording/time.ts';

export interface Reader {
  /** IANA name of the zone the reader lives in. */
  timezone: string;
  /** Epoch milliseconds. */
  now: number;
}

/** `Tue 24 Mar 14:43 AEDT (12 min ago)`, of an ISO 8601 time. */
export function timeText(at: string | null, { timezone, now }: Reader): string {
  const time = instant(at);
  return time === null ? 'never' : `${when(time, timezone, now)} (${span(now - time)} ago)`;
}

/** `since Tue 24 Mar 14:43 AEDT (12 min)`. */
export function sinceText(at: string | null, { timezone, now }: Reader): string {
  const time = instant(at);
  return time === null ? 'since an unknown time' : `since ${when(time, timezone, now)} (${span(now - time)})`;
}

/** `2026-10-01`, `2026-10-01T08:00` in the zone, or a time with a zone of its own; epoch milliseconds, null for none of them. */
export function readMoment(written: string, timezone: string): number | null {
  try {
    const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(written) && written.includes('T');
    if (hasZone) return Temporal.Instant.from(written).epochMilliseconds;
    return Temporal.PlainDateTime.from(written).toZonedDateTime(timezone).epochMilliseconds;
  } catch {
    return null;
  }
}
