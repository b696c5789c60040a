/**
 * The accounts of a page beside each other, as they were last committed. How each fares is worked out once for each of its
 * steps, and how all do when that has changed: 1,000 accounts that did so for all others at every step of every one took
 * half of all processor time.
 */
import type { AccountSettings } from '../../core/account/settings.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import {
  type Neighbours,
  neighboursOf,
  NO_NEIGHBOURS,
  type Tally,
  tallyOf,
  type Together,
  together,
} from '../../core/alert/tally.ts';

/** An account, as far as the others of its page need it. */
interface Resident {
  name: string;
  /** Null for none: such an account has no neighbours. */
  page: string | null;
  settings: Pick<AccountSettings, 'sites'>;
}

export interface Neighbourhood {
  /** The neighbours of an account, by its name. */
  of(name: string): Neighbours;
  /** Something else is known of a source than before. */
  stepped(name: string): void;
}

/** The accounts of one page. */
interface Residents {
  tallies: Map<string, Tally>;
  /** Null where one of them has changed since. */
  all: Together | null;
}

/** `watched`: those whose loop is there; one that is not yet is nobody's neighbour. */
export function createNeighbourhood(
  accounts: readonly Resident[],
  watched: { get(name: string): { readonly state: AccountState } | undefined },
): Neighbourhood {
  const residents = new Map(accounts.map((account) => [account.name, account]));
  const pages = new Map(
    accounts.map(({ page }): [string | null, Residents] => [page, { tallies: new Map(), all: null }]),
  );
  const stale = new Set(residents.keys());

  function count(name: string): void {
    const [resident, state] = [residents.get(name), watched.get(name)?.state];
    if (resident === undefined || state === undefined) return;
    stale.delete(name);
    const [ofPage, tally] = [pages.get(resident.page), tallyOf(state.snapshot, state.alerts, resident.settings)];
    if (ofPage === undefined || isSame(ofPage.tallies.get(name), tally)) return;
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
      ofPage.all ??= together(ofPage.tallies.values());
      return neighboursOf(ofPage.all, ofPage.tallies.get(name));
    },
    stepped(name) {
      if (residents.has(name)) stale.add(name);
    },
  };
}

function isSame(one: Tally | undefined, other: Tally): boolean {
  return one?.phones === other.phones && one.lost === other.lost && one.trouble === other.trouble;
}
