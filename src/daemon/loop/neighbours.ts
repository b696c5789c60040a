/**
 * Compares the accounts of a page, as last committed. The losses of an account are counted once for each of its steps,
 * and the sum once for each change: when each step of each of 1,000 accounts counted all others, it took half of the
 * processor time.
 */
import type { AccountSettings } from '../../core/account/settings.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import { isSame } from '../../core/engine/significance.ts';
import {
  type Neighbours,
  subtractOwnTally,
  NO_NEIGHBOURS,
  type Tally,
  createTally,
  type TallySum,
  sumTallies,
} from '../../core/correlation/account-loss-count.ts';

/** The fields of an account that others on its page need. */
interface Resident {
  name: string;
  /** Null without a page: such an account has no neighbours. */
  page: string | null;
  settings: Pick<AccountSettings, 'sites'>;
}

export interface PageNeighbours {
  /** Losses of the other accounts on this account's page. */
  of(name: string): Neighbours;
  /** The state of a source has changed. */
  stepped(name: string): void;
}

/** Accounts of one page. */
interface Residents {
  tallies: Map<string, Tally>;
  /** Null after a change of one of them. */
  all: TallySum | null;
}

/** `watched`: accounts whose loop exists; others are no one's neighbour yet. */
export function createNeighbourhood(
  accounts: readonly Resident[],
  watched: { get(name: string): { readonly state: AccountState } | undefined },
): PageNeighbours {
  const residents = new Map(accounts.map((account) => [account.name, account]));
  const pages = new Map(
    accounts.map(({ page }): [string | null, Residents] => [page, { tallies: new Map(), all: null }]),
  );
  const stale = new Set(residents.keys());

  function count(name: string): void {
    const [resident, state] = [residents.get(name), watched.get(name)?.state];
    if (resident === undefined || state === undefined) return;
    stale.delete(name);
    const [ofPage, tally] = [pages.get(resident.page), createTally(state.snapshot, state.alerts, resident.settings)];
    const before = ofPage?.tallies.get(name);
    if (ofPage === undefined || (before !== undefined && isSame<Tally>(before, tally))) return;
    ofPage.tallies.set(name, tally);
    ofPage.all = null;
  }

  return {
    of(name) {
      const page = residents.get(name)?.page ?? null;
      if (page === null) return NO_NEIGHBOURS;
      for (const other of stale) count(other);
      const ofPage = pages.get(page);
      if (ofPage === undefined) return NO_NEIGHBOURS;
      ofPage.all ??= sumTallies(ofPage.tallies.values());
      return subtractOwnTally(ofPage.all, ofPage.tallies.get(name));
    },
    stepped(name) {
      if (residents.has(name)) stale.add(name);
    },
  };
}
