/** Outcomes of a delivery that a medium did not refuse: people can see it, the medium has it, or it may still be lost unseen. */
export const PROOFS = ['shown', 'taken', 'accepted'] as const;
export type Proof = (typeof PROOFS)[number];

/** The last message that a receiver did not refuse. */
export interface LastDelivery {
  proof: Proof;
  /** Epoch milliseconds. */
  at: number;
}
