/** Times in commands' input and output, in the zone of the configuration. */
import { parseInstant, formatElapsed, formatTime } from '../core/wording/time.ts';

export interface ReaderTime {
  /** IANA name of the reader's zone. */
  timezone: string;
  /** Epoch milliseconds. */
  now: number;
}

/** `Tue 24 Mar 14:43 AEDT (12 min ago)`, of an ISO 8601 time. */
export function formatReaderTime(at: string | null, { timezone, now }: ReaderTime): string {
  const time = parseInstant(at);
  return time === null ? 'never' : `${formatTime(time, timezone, now)} (${formatElapsed(now - time)} ago)`;
}

/** `since Tue 24 Mar 14:43 AEDT (12 min)`. */
export function formatReaderSince(at: string | null, { timezone, now }: ReaderTime): string {
  const time = parseInstant(at);
  return time === null
    ? 'since an unknown time'
    : `since ${formatTime(time, timezone, now)} (${formatElapsed(now - time)})`;
}

export { readMoment } from '../core/text/moment.ts';
