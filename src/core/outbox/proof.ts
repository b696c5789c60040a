/**
 * Proofs of delivery by a medium that did not refuse: shown to people, stored by the medium, or accepted and still able
 * to be lost.
 */
export const PROOFS = ['shown', 'taken', 'accepted'] as const;
export type Proof = (typeof PROOFS)[number];

/** The last message that a receiver did not refuse. */
export interface LastDelivery {
  proof: Proof;
  /** Epoch milliseconds. */
  at: number;
}
