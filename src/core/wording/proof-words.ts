/** Texts of proofs of delivery, the same in commands, on the page and in documents. */
import type { Proof } from '../outbox/proof.ts';

const MEANINGS: Readonly<Record<Proof, string>> = {
  shown: 'people can see it',
  taken: 'the medium has it and shows it by itself',
  accepted: 'the medium may still lose it without saying so',
};

/** `accepted: the medium may still lose it without saying so`. */
export function describeProof(proof: Proof): string {
  return `${proof}: ${MEANINGS[proof]}`;
}
