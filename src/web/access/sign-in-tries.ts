/**
 * Queue of password checks. Each costs memory and time, so they run one at a time. Order: addresses with an earlier
 * success, then addresses, then names with the fewest recent failures, then newest first; in a flood, clients that have
 * waited long have mostly gone. Failures count for a name at one address, so they block no other.
 */
import { MINUTE } from '../../core/text/duration.ts';

/** `too many`: this name at this address has to wait. `busy`: the queue is full. */
export type TryOutcome = 'right' | 'wrong' | 'too many' | 'busy';

/** Within a minute from the first, for one name at one address. */
const MOST_TRIES = 5;
/** Addresses with a success; above this number the oldest is forgotten. */
const MOST_RIGHT = 1_000;
/** Above this number the one with the most failures is refused. */
const MOST_WAITING = 50;

interface Count {
  key: string;
  /** Failures, and checks still waiting. */
  tries: number;
  since: number;
}

interface WaitingTry {
  wasRight: boolean;
  ofAddress: Count;
  ofName: Count;
  /** Called with false if it will not be checked. */
  decide(isTurn: boolean): void;
}

/** `now` in epoch milliseconds. */
export function createSignInTries(now: () => number) {
  /** Oldest first. */
  const counts = new Map<string, Count>();
  const right = new Set<string>();
  const waiting: WaitingTry[] = [];
  let isBusy = false;

  function countOf(key: string): Count {
    const at = now();
    for (const [old, { since }] of counts) {
      if (at - since < MINUTE && at >= since) break;
      counts.delete(old);
    }
    const count = counts.get(key) ?? { key, tries: 0, since: at };
    counts.set(key, count);
    return count;
  }

  /** Reverts the count of a try that succeeded or was not checked. */
  function giveBack(count: Count): void {
    count.tries -= 1;
    if (count.tries === 0 && counts.get(count.key) === count) counts.delete(count.key);
  }

  /** Resolves to false if others precede it and too many wait. */
  function takeTurn(one: Omit<WaitingTry, 'decide'>): Promise<boolean> {
    if (!isBusy) {
      isBusy = true;
      return Promise.resolve(true);
    }
    return new Promise((decide) => {
      waiting.unshift({ ...one, decide });
      // The sort is stable: equal ones keep their order.
      waiting.sort(
        (a, b) =>
          Number(b.wasRight) - Number(a.wasRight) ||
          a.ofAddress.tries - b.ofAddress.tries ||
          a.ofName.tries - b.ofName.tries,
      );
      if (waiting.length > MOST_WAITING) waiting.pop()?.decide(false);
    });
  }

  function rememberRight(address: string): void {
    right.delete(address);
    right.add(address);
    for (const oldest of right) if (right.size > MOST_RIGHT) right.delete(oldest);
  }

  function giveTurn(): void {
    const next = waiting.shift();
    if (next === undefined) isBusy = false;
    else next.decide(true);
  }

  return {
    /** `address` is the client's network. Runs `check` at its turn, or not at all. */
    async attempt(name: string, address: string, check: () => Promise<boolean>): Promise<TryOutcome> {
      const ofAddress = countOf(`address ${address}`);
      const ofName = countOf(`name ${address} ${name}`);
      if (ofName.tries >= MOST_TRIES) return 'too many';
      for (const count of [ofAddress, ofName]) count.tries += 1;
      let outcome: TryOutcome = 'busy';
      try {
        if (!(await takeTurn({ wasRight: right.has(address), ofAddress, ofName }))) return outcome;
        try {
          outcome = (await check()) ? 'right' : 'wrong';
          if (outcome === 'right') rememberRight(address);
        } finally {
          giveTurn();
        }
        return outcome;
      } finally {
        if (outcome !== 'wrong') [ofAddress, ofName].forEach(giveBack);
      }
    },
  };
}
