/** Whether people and programs were told in time. */
import type { DeliveryRecord } from '../history/record.ts';
import { MINUTE } from '../text/duration.ts';
import { byName } from '../text/plain.ts';
import { greatest } from '../transition/long-lists.ts';

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

/** One for each receiver that was promised something, by name. */
export function receiverDeliveries(deliveries: readonly DeliveryRecord[]): ReceiverDeliveries[] {
  return [...Map.groupBy(deliveries, ({ receiver }) => receiver)]
    .map(([receiver, all]) => {
      const took = all.flatMap((one) => (one.outcome === 'delivered' ? [lateBy(one)] : []));
      const longest = greatest(took);
      return {
        receiver,
        delivered: took.length,
        late: took.filter((ms) => ms > LATE_AFTER_MS).length,
        refused: all.filter(({ outcome }) => outcome === 'permanent').length,
        longestMs: took.length === 0 ? null : longest,
      };
    })
    .toSorted((a, b) => byName(a.receiver, b.receiver));
}

/** What came late or not at all, with the reason. */
export function lateDeliveries(deliveries: readonly DeliveryRecord[]): LateDelivery[] {
  const failures = new Map(
    deliveries.flatMap(({ message, outcome, detail }) => (outcome === 'transient' ? [[message, detail] as const] : [])),
  );
  return deliveries.flatMap((one): LateDelivery[] => {
    const { id, at, receiver, number, dueAt, outcome, message, detail } = one;
    if (outcome === 'permanent') return [{ id, at, receiver, number, dueAt, outcome, lateMs: null, why: detail }];
    if (outcome !== 'delivered' || lateBy(one) <= LATE_AFTER_MS) return [];
    return [{ id, at, receiver, number, dueAt, outcome, lateMs: lateBy(one), why: failures.get(message) ?? null }];
  });
}

function lateBy({ at, dueAt, promisedAt }: DeliveryRecord): number {
  return Math.max(0, at - Math.max(dueAt, promisedAt));
}
