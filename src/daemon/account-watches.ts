/** All accounts being watched, each with its page and the other accounts of that page as context. */
import { emptyAccountState, type AccountState } from '../account-cycle.ts';
import { providerView } from '../alert/cause.ts';
import { tallyOf } from '../alert/tally.ts';
import type { OriginView } from '../observation/origin.ts';
import { createAccountWatch, type AccountWatch, type AccountWatchDeps, type WatchedAccount } from './account-watch.ts';
import type { Document, SourceWatch } from './source-watch.ts';

type Shared = Pick<
  AccountWatchDeps,
  'clock' | 'random' | 'numbered' | 'stepped' | 'unsaved' | 'sweepBegan' | 'sweepEnded' | 'tickFailed'
>;

export interface AccountWatchesDeps extends Shared {
  accounts: readonly WatchedAccount[];
  /** Called once for each account, in order. */
  document(name: string, empty: AccountState): Promise<Document<AccountState>>;
  /** The page of this name, where it is watched. */
  page(name: string): SourceWatch | undefined;
  /** How the others behind the same origin as this source fare. */
  origin(name: string): OriginView;
  /** What of the context is the daemon's business. */
  context(account: WatchedAccount): Omit<ReturnType<AccountWatchDeps['context']>, 'provider' | 'neighbours' | 'origin'>;
}

export async function createAccountWatches(deps: AccountWatchesDeps): Promise<Map<string, AccountWatch>> {
  const { accounts, document: open, page, origin, context, ...shared } = deps;
  const watches = new Map<string, AccountWatch>();

  function surroundings(account: WatchedAccount): ReturnType<AccountWatchDeps['context']> {
    const provider = account.page === null ? undefined : page(account.page);
    const others =
      provider === undefined ? [] : accounts.filter((other) => other.page === account.page && other !== account);
    return {
      ...context(account),
      origin: origin(account.name),
      provider:
        provider === undefined
          ? null
          : providerView(
              provider.name,
              provider.state.snapshot,
              provider.state.alerts,
              account.settings.componentsWithoutPhones,
            ),
      neighbours: others.flatMap(({ name, settings }) => {
        const watch = watches.get(name);
        return watch === undefined ? [] : [tallyOf(watch.state.snapshot, watch.state.alerts, settings)];
      }),
    };
  }

  for (const [index, account] of accounts.entries()) {
    const document = await open(account.name, emptyAccountState(account.baseUrl));
    const place = index / accounts.length;
    watches.set(
      account.name,
      createAccountWatch({
        ...shared,
        account,
        place,
        document,
        context: () => surroundings(account),
      }),
    );
  }
  return watches;
}
