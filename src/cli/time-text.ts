/** Times in commands' input and output, in the zone of the configuration. */
import { instant, span, when } from '../core/wording/time.ts';

export interface Reader {
  /** IANA name of the reader's zone. */
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

export { readMoment } from '../core/text/moment.ts';
