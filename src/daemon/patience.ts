/** Refused access is tried again after a minute, then every five: it takes a person to mend it. */
const FIRST_MS = 60_000;
const LATER_MS = 5 * 60_000;

export interface Patience {
  /** To be told of every round: whether it was refused. */
  judge(refused: boolean): void;
  /** Rounds in a row that were refused. */
  refusals(): number;
  /** How long until the next round; null for its usual interval. */
  retryMs(): number | null;
}

export function createPatience(): Patience {
  let refusals = 0;
  return {
    judge(refused) {
      refusals = refused ? refusals + 1 : 0;
    },
    refusals: () => refusals,
    retryMs: () => (refusals === 0 ? null : refusals === 1 ? FIRST_MS : LATER_MS),
  };
}
