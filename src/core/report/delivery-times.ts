/** Delivery times of messages. */
import type { DeliveryRecord } from '../history/record.ts';
import { MINUTE } from '../text/duration.ts';
import { compareNames } from '../text/plain.ts';

/** Delay after which a delivery counts as late, in the report and on the page. */
export const LATE_AFTER_MS = MINUTE;

export interface ReceiverDeliveries {
  receiver: string;
  delivered: number;
  late: number;
  /** Permanently refused messages. */
  refused: number;
  /** Longest delay; null if nothing was delivered. */
  longestMs: number | null;
}

export interface LateDelivery extends Pick<DeliveryRecord, 'id' | 'at' | 'receiver' | 'number' | 'dueAt' | 'outcome'> {
  /** Null if refused. */
  lateMs: number | null;
  /** Reason of the first failure if known, or of the refusal. */
  why: string | null;
}

/** Late deliveries listed in a report. */
const MOST_LATE = 2_000;
/** Failure reasons remembered until delivery. */
const MOST_FAILURES = 10_000;

/** Counts deliveries page by page. */
export interface DeliveryTally {
  /** In order of time. */
  add(deliveries: readonly DeliveryRecord[]): void;
  /** One per receiver with messages, by name. */
  receivers(): ReceiverDeliveries[];
  /** Late and undelivered messages with reasons. */
  late(): LateDelivery[];
  /** Number of late ones beyond the list. */
  leftOut(): number;
}

/** `isMeant` selects sources; default: all. */
export function tallyDeliveries(isMeant: (source: string) => boolean = () => true): DeliveryTally {
  const receivers = new Map<string, ReceiverDeliveries>();
  const late: LateDelivery[] = [];
  /** Last failure by message. */
  const failures = new Map<string, string>();
  let leftOut = 0;

  function list(one: DeliveryRecord, lateMs: number | null, why: string | null): void {
    const { id, at, receiver, number, dueAt, outcome } = one;
    if (late.length < MOST_LATE) late.push({ id, at, receiver, number, dueAt, outcome, lateMs, why });
    else leftOut += 1;
  }

  function remember(message: string, detail: string): void {
    failures.delete(message);
    failures.set(message, detail);
    const [eldest] = failures.keys();
    if (failures.size > MOST_FAILURES && eldest !== undefined) failures.delete(eldest);
  }

  function addOne(one: DeliveryRecord): void {
    const { receiver, outcome, message, detail } = one;
    const sum = receivers.get(receiver) ?? { receiver, delivered: 0, late: 0, refused: 0, longestMs: null };
    receivers.set(receiver, sum);
    if (outcome === 'transient') return remember(message, detail);
    const why = failures.get(message) ?? null;
    failures.delete(message);
    if (outcome === 'permanent') {
      sum.refused += 1;
      return list(one, null, detail);
    }
    const ms = measureDelay(one);
    sum.delivered += 1;
    sum.longestMs = Math.max(sum.longestMs ?? 0, ms);
    if (ms <= LATE_AFTER_MS) return;
    sum.late += 1;
    list(one, ms, why);
  }

  return {
    add(deliveries) {
      for (const one of deliveries) if (isMeant(one.source)) addOne(one);
    },
    receivers: () => [...receivers.values()].toSorted((a, b) => compareNames(a.receiver, b.receiver)),
    late: () => late,
    leftOut: () => leftOut,
  };
}

/** Milliseconds from the due time to the end of the attempt. */
export function measureDelay({ at, dueAt, promisedAt }: DeliveryRecord): number {
  return Math.max(0, at - Math.max(dueAt, promisedAt));
}
