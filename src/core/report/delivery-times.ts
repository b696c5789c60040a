/** Whether people and programs were told in time. */
import type { DeliveryRecord } from '../history/record.ts';
import { MINUTE } from '../text/duration.ts';
import { compareNames } from '../text/plain.ts';

/** A message is late that is delivered so long after it was to go out: in the report of a month and on the page alike. */
export const LATE_AFTER_MS = MINUTE;

export interface ReceiverDeliveries {
  receiver: string;
  delivered: number;
  late: number;
  /** Messages that were refused for good. */
  refused: number;
  /** How long the latest of them took from when it was to go out; null where nothing was delivered. */
  longestMs: number | null;
}

export interface LateDelivery extends Pick<DeliveryRecord, 'id' | 'at' | 'receiver' | 'number' | 'dueAt' | 'outcome'> {
  /** Null for what was refused. */
  lateMs: number | null;
  /** Why it failed first, where that is known, or why it was refused. */
  why: string | null;
}

/** Late deliveries that one report lists. */
const MOST_LATE = 2_000;
/** Reasons of failures that are remembered until their messages are delivered. */
const MOST_FAILURES = 10_000;

/** Counts deliveries a page at a time. */
export interface DeliveryTally {
  /** In the order of time. */
  add(deliveries: readonly DeliveryRecord[]): void;
  /** One for each receiver that was promised something, by name. */
  receivers(): ReceiverDeliveries[];
  /** What came late or not at all, with the reason. */
  late(): LateDelivery[];
  /** How many came late beside these. */
  leftOut(): number;
}

/** `isMeant`: only what was told of these sources; default: all of it. */
export function tallyDeliveries(isMeant: (source: string) => boolean = () => true): DeliveryTally {
  const receivers = new Map<string, ReceiverDeliveries>();
  const late: LateDelivery[] = [];
  /** By message: why it failed last. */
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
    const ms = lateBy(one);
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

function lateBy({ at, dueAt, promisedAt }: DeliveryRecord): number {
  return Math.max(0, at - Math.max(dueAt, promisedAt));
}
