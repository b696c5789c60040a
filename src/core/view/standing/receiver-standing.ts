/** Status of a receiver: waiting and refused messages, and the start of its failure. */

import { findUnprovedAlert, isUnanswered, type WeeklyProofs } from '../../engine/weekly-proof.ts';
import type { Alert } from '../../alert/alert.ts';
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

/** The weekly proof of a receiver. Times are epoch milliseconds. */
export interface ProofStanding {
  /** Time of the last line; null before the first. */
  askedAt: number | null;
  /** People last opened the link or acknowledged an alert; null for never. */
  seenAt: number | null;
  /** `unproved` was reported to the others. */
  state: 'proved' | 'asked' | 'unproved';
}

/** Null for a receiver that is not asked. */
export function describeProofStanding(
  { alerts, proofs }: { readonly alerts: readonly Alert[]; readonly proofs?: WeeklyProofs },
  receiver: string,
): ProofStanding | null {
  const proof = proofs?.[receiver];
  if (proof === undefined) return null;
  const isReported = findUnprovedAlert(alerts, receiver) !== undefined;
  const state = isReported ? 'unproved' : isUnanswered(proof) || proof.seenAt === null ? 'asked' : 'proved';
  return { askedAt: proof.asked?.at ?? null, seenAt: proof.seenAt, state };
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
