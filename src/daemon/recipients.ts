/**
 * A mail that some of its recipients have taken: those who may yet take it are tried again alone, and those who
 * refuse it for good are told of once nobody else waits.
 */
import type { Outcome, RefusedFor } from '../receivers/receiver.ts';

/** What an attempt for the rest of the recipients comes to, `only` being those, and `earlier` those who refused it before. */
export function together(
  outcome: Outcome,
  only: readonly string[] | undefined,
  earlier: RefusedFor | undefined,
): Outcome {
  if (earlier === undefined) return outcome;
  switch (outcome.kind) {
    case 'delivered':
      return { kind: 'permanent', reason: `${earlier.reason}; ${outcome.detail}`, remaining: earlier.recipients };
    case 'permanent':
      return {
        kind: 'permanent',
        reason: `${earlier.reason}; ${outcome.reason}`,
        remaining: [...(outcome.remaining ?? only ?? []), ...earlier.recipients],
      };
    case 'transient':
      return { ...outcome, refused: outcome.refused === undefined ? earlier : joined(earlier, outcome.refused) };
    default:
      return outcome satisfies never;
  }
}

function joined(one: RefusedFor, other: RefusedFor): RefusedFor {
  return { recipients: [...one.recipients, ...other.recipients], reason: `${one.reason}; ${other.reason}` };
}
