/**
 * The accounts of a page beside each other, as they were last committed. How each fares is worked out once for each of its
 * states: 1,000 accounts that did so at every step of every other took half of all processor time.
 */
import type { AccountSettings } from '../core/account/settings.ts';
import type { AccountState } from '../core/engine/account.ts';
import { neighboursOf, tallyOf, type Neighbours, type Tally } from '../core/alert/tally.ts';

/** An account, as far as the others of its page need it. */
export interface Resident {
  name: string;
  /** Null for none: such an account has no neighbours. */
  page: string | null;
  settings: Pick<AccountSettings, 'sites'>;
}

/** Of an account by its name. */
export type Neighbourhood = (name: string) => Neighbours;

/** `watched`: those whose loop is there; one that is not yet is nobody's neighbour. */
export function createNeighbourhood(
  accounts: readonly Resident[],
  watched: { get(name: string): { readonly state: AccountState } | undefined },
): Neighbourhood {
  const pageOf = new Map(accounts.map(({ name, page }) => [name, page]));
  const byPage = Map.groupBy(
    accounts.map((account) => ({ account, known: null as { state: AccountState; tally: Tally } | null })),
    ({ account }) => account.page,
  );

  function* others(name: string): Generator<Tally> {
    const page = pageOf.get(name) ?? null;
    if (page === null) return;
    for (const house of byPage.get(page) ?? []) {
      const { account } = house;
      const state = account.name === name ? undefined : watched.get(account.name)?.state;
      if (state === undefined) continue;
      if (house.known?.state !== state) {
        house.known = { state, tally: tallyOf(state.snapshot, state.alerts, account.settings) };
      }
      yield house.known.tally;
    }
  }

  return (name) => neighboursOf(others(name));
}
