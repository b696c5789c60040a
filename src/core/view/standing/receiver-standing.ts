/** How a receiver stands: what waits for it, what it refused, and since when it does not take everything. */

import type { LastDelivery } from '../../outbox/proof.ts';

/** Since when something is not taken, and why. */
export interface DeliveryTrouble {
  since: number;
  reason: string;
}

/** What is kept of a receiver, as far as it is shown. */
export interface KeptOfReceiver {
  readonly refused: readonly { reason: string }[];
  readonly failing: DeliveryTrouble | null;
  readonly stuck: DeliveryTrouble | null;
  readonly last?: LastDelivery;
}

export interface ReceiverStanding {
  waiting: number;
  /** Epoch milliseconds, as `failing.since`. */
  oldestWaitingAt: number | null;
  refused: number;
  /** Why the last of them was refused. */
  refusal: string | null;
  failing: DeliveryTrouble | null;
  /** The last message it did not refuse; null before the first. */
  last: LastDelivery | null;
}

/** What a person is told of it: since when it does not take everything, and why. */
export function troubleOf({ failing, stuck }: Pick<KeptOfReceiver, 'failing' | 'stuck'>): DeliveryTrouble | null {
  if (failing === null || stuck === null) return stuck ?? failing;
  return stuck.since <= failing.since ? stuck : failing;
}

/** `waiting`: what it is yet to get, the oldest first. */
export function receiverStanding(kept: KeptOfReceiver, waiting: readonly { promisedAt: number }[]): ReceiverStanding {
  const trouble = troubleOf(kept);
  return {
    waiting: waiting.length,
    oldestWaitingAt: waiting[0]?.promisedAt ?? null,
    refused: kept.refused.length,
    refusal: kept.refused.at(-1)?.reason ?? null,
    failing: trouble === null ? null : { since: trouble.since, reason: trouble.reason },
    last: kept.last ?? null,
  };
}
