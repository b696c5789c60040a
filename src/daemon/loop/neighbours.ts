/**
 * Compares the accounts of a page, as last committed. The losses of an account are counted once for each of its steps,
 * and their sum changes with them: when each step of each of 1,000 accounts counted all others, it took half of the
 * processor time.
 */
import type { AccountSettings } from '../../core/account/settings.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import { isSame } from '../../core/engine/significance.ts';
import {
  addTally,
  createTally,
  findJoinableLosses,
  hasJoinableLoss,
  NO_COUNTS,
  NO_NEIGHBOURS,
  toNeighbours,
  type JoinableLosses,
  type Neighbours,
  type Tally,
  type TallyCounts,
} from '../../core/correlation/account-loss-count.ts';

/** The fields of an account that others on its page need. */
interface Resident {
  name: string;
  /** Null without a page: such an account has no neighbours. */
  page: string | null;
  settings: Pick<AccountSettings, 'sites'>;
}

export type PageNeighbours = ReturnType<typeof createNeighbourhood>;

/** Accounts of one page. */
interface Residents {
  tallies: Map<string, Tally>;
  /** Sum of `tallies`. */
  counts: TallyCounts;
  /** Those of `tallies` with a loss that others may join. */
  joinable: Map<string, Tally>;
  /** Null after a change of one of `joinable`. */
  losses: JoinableLosses | null;
}

function createResidents(): Residents {
  return { tallies: new Map(), counts: NO_COUNTS, joinable: new Map(), losses: null };
}

function replaceTally(residents: Residents, name: string, tally: Tally): void {
  const { tallies, joinable } = residents;
  const before = tallies.get(name);
  if (before !== undefined) {
    if (isSame<Tally>(before, tally)) return;
    residents.counts = addTally(residents.counts, before, -1);
  }
  residents.counts = addTally(residents.counts, tally, 1);
  tallies.set(name, tally);
  if (joinable.delete(name)) residents.losses = null;
  if (!hasJoinableLoss(tally)) return;
  joinable.set(name, tally);
  residents.losses = null;
}

/** `watched`: accounts whose loop exists; others are no one's neighbour yet. */
export function createNeighbourhood(
  accounts: readonly Resident[],
  watched: { get(name: string): { readonly state: AccountState } | undefined },
) {
  const residents = new Map(accounts.map((account) => [account.name, account]));
  const pages = new Map(accounts.map(({ page }): [string | null, Residents] => [page, createResidents()]));
  const stale = new Set(residents.keys());

  function count(name: string): void {
    const [resident, state] = [residents.get(name), watched.get(name)?.state];
    if (resident === undefined || state === undefined) return;
    stale.delete(name);
    const ofPage = pages.get(resident.page);
    if (ofPage === undefined) return;
    replaceTally(ofPage, name, createTally(state.snapshot, state.alerts, resident.settings));
  }

  return {
    /** Losses of the other accounts on this account's page. */
    of(name: string): Neighbours {
      const page = residents.get(name)?.page ?? null;
      if (page === null) return NO_NEIGHBOURS;
      for (const other of stale) count(other);
      const ofPage = pages.get(page);
      if (ofPage === undefined) return NO_NEIGHBOURS;
      ofPage.losses ??= findJoinableLosses(ofPage.joinable.values());
      return toNeighbours(ofPage.counts, ofPage.losses, ofPage.tallies.get(name));
    },
    /** The state of a source has changed. */
    stepped(name: string): void {
      if (residents.has(name)) stale.add(name);
    },
  };
}
