/** Status of a receiver: waiting and refused messages, and the start of its failure. */

import type { LastDelivery } from '../../outbox/proof.ts';

/** Start and reason of a failure. */
export interface DeliveryTrouble {
  since: number;
  reason: string;
}

/** State of a receiver, as far as it is displayed. */
export interface KeptOfReceiver {
  readonly refused: readonly { reason: string }[];
  /** `failures`: failed tries in a row. */
  readonly failing: (DeliveryTrouble & { failures: number }) | null;
  readonly stuck: DeliveryTrouble | null;
  readonly last?: LastDelivery;
}

/** Tries in a row that failed, and when the next one is; `nextAt` is null where that is not known here. */
export interface FailedTries {
  failures: number;
  nextAt: number | null;
}

export interface ReceiverStanding {
  waiting: number;
  /** Epoch milliseconds, as `failing.since`. */
  oldestWaitingAt: number | null;
  refused: number;
  /** Reason of the last refusal. */
  refusal: string | null;
  failing: DeliveryTrouble | null;
  /** Null while it accepts messages. */
  tries: FailedTries | null;
  /** The last message that was not refused; null before the first. */
  last: LastDelivery | null;
}

/** The failure to show people: of the whole receiver, or a partial one. */
export function findDeliveryTrouble({
  failing,
  stuck,
}: Pick<KeptOfReceiver, 'failing' | 'stuck'>): DeliveryTrouble | null {
  if (failing === null || stuck === null) return stuck ?? failing;
  return stuck.since <= failing.since ? stuck : failing;
}

/** `waiting`: messages not yet delivered, oldest first. */
export function describeReceiverStanding(
  kept: KeptOfReceiver,
  waiting: readonly { promisedAt: number }[],
  nextTryAt: number | null,
): ReceiverStanding {
  const trouble = findDeliveryTrouble(kept);
  return {
    waiting: waiting.length,
    oldestWaitingAt: waiting[0]?.promisedAt ?? null,
    refused: kept.refused.length,
    refusal: kept.refused.at(-1)?.reason ?? null,
    failing: trouble === null ? null : { since: trouble.since, reason: trouble.reason },
    tries: kept.failing === null ? null : { failures: kept.failing.failures, nextAt: nextTryAt },
    last: kept.last ?? null,
  };
}
