/** Deliveries of the last 24 hours for the page: number, delays, and the last ones. Times are epoch milliseconds. */
import { measureDelay } from '../report/delivery-times.ts';
import { findMedian } from '../transition/collections.ts';
import type { DeliveryRecord } from '../history/record.ts';
import type { Span } from '../history/rows.ts';

/** Length of the list on the page. */
const MOST_LISTED = 12;

export interface RecentDeliveries {
  delivered: number;
  /** Messages that were tried and have not arrived. */
  missed: number;
  /** Milliseconds after a message was due; null without a delivery. */
  medianMs: number | null;
  slowestMs: number | null;
  /** Median for each. */
  receivers: ReadonlyMap<string, number>;
  /** Latest first. */
  last: readonly SentMessage[];
}

/** A message with all receivers that got it after about the same time. */
export interface SentMessage {
  at: number;
  /** Null for a message without an alert, such as the digest. */
  alert: number | null;
  receivers: readonly string[];
  afterMs: number;
}

/** `records`: of the span, oldest first. */
export function computeRecentDeliveries(records: readonly DeliveryRecord[], { since }: Span): RecentDeliveries {
  const within = records.filter(({ at }) => at >= since);
  const taken = within.filter(({ outcome }) => outcome === 'delivered');
  const arrived = new Set(taken.map(({ receiver, message }) => `${receiver}\n${message}`));
  const missed = new Set(
    within.map(({ receiver, message }) => `${receiver}\n${message}`).filter((key) => !arrived.has(key)),
  );
  const delays = taken.map(measureDelay);
  return {
    delivered: arrived.size,
    missed: missed.size,
    medianMs: findMedian(delays),
    slowestMs: delays.length === 0 ? null : delays.reduce((most, ms) => Math.max(most, ms), 0),
    receivers: new Map(
      [...Map.groupBy(taken, ({ receiver }) => receiver)].map(([name, own]) => [
        name,
        findMedian(own.map(measureDelay)) ?? 0,
      ]),
    ),
    last: listSent(taken),
  };
}

/** Receivers that got the same message within a second share a line. */
function listSent(taken: readonly DeliveryRecord[]): SentMessage[] {
  const lines: { at: number; alert: number | null; receivers: string[]; afterMs: number; key: string }[] = [];
  for (const record of taken.toReversed()) {
    const { at, receiver, number, transitions, reminder } = record;
    const key = `${number ?? record.message} ${transitions.join(' ')} ${reminder}`;
    const afterMs = measureDelay(record);
    const same = lines.find((line) => line.key === key && Math.abs(line.afterMs - afterMs) < 1_000);
    if (same === undefined && lines.length >= MOST_LISTED) break;
    if (same === undefined) lines.push({ at, alert: number, receivers: [receiver], afterMs, key });
    else if (!same.receivers.includes(receiver)) same.receivers.push(receiver);
  }
  return lines.map(({ at, alert, receivers, afterMs }) => ({ at, alert, receivers, afterMs }));
}
