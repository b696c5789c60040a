/** All accounts being watched, each with its page and the other accounts of that page as context. */
import { emptyAccountState, type AccountState } from '../account-cycle.ts';
import { UNREACHABLE, type OriginView } from '../account/compare.ts';
import { providerView } from '../alert/cause.ts';
import { tallyOf } from '../alert/outage.ts';
import { createAccountWatch, type AccountWatch, type AccountWatchDeps, type WatchedAccount } from './account-watch.ts';
import type { Document, SourceWatch } from './source-watch.ts';

type Shared = Pick<AccountWatchDeps, 'clock' | 'random' | 'numbered' | 'stepped' | 'unsaved' | 'sweepEnded'>;

export interface AccountWatchesDeps extends Shared {
  accounts: readonly WatchedAccount[];
  /** Called once for each account, in order. */
  document(name: string, empty: AccountState): Promise<Document<AccountState>>;
  /** The page of this name, where it is watched. */
  page(name: string): SourceWatch | undefined;
  /** What of the context is the daemon's business. */
  context(account: WatchedAccount): Omit<ReturnType<AccountWatchDeps['context']>, 'provider' | 'neighbours' | 'origin'>;
}

/** An account that was found unreachable this recently takes those along that are blind behind the same origin. */
const FALLS_TOGETHER_MS = 60_000;

export async function createAccountWatches(deps: AccountWatchesDeps): Promise<Map<string, AccountWatch>> {
  const { accounts, document: open, page, context, stepped, ...shared } = deps;
  const watches = new Map<string, AccountWatch>();
  const byOrigin = Map.groupBy(accounts, ({ baseUrl }) => new URL(baseUrl).origin);

  /** The other accounts behind the same origin. */
  function besides(account: WatchedAccount): AccountWatch[] {
    return (byOrigin.get(new URL(account.baseUrl).origin) ?? []).flatMap((other) => {
      const watch = other === account ? undefined : watches.get(other.name);
      return watch === undefined ? [] : [watch];
    });
  }

  function origin(account: WatchedAccount): OriginView {
    const down = besides(account).filter(({ state }) => state.snapshot.health.unreachable);
    const since = shared.clock.now() - FALLS_TOGETHER_MS;
    const fell = down.some(({ state }) =>
      state.alerts.some(
        ({ group, status, openedAt }) => group === UNREACHABLE && status === 'open' && openedAt > since,
      ),
    );
    return { down: down.length, fell };
  }

  /** What is said of one is said of all that are blind behind the same origin: each steps at once. */
  function takeAlong(account: WatchedAccount): void {
    for (const watch of besides(account)) {
      const { unreachable, blind } = watch.state.snapshot.health;
      if (!unreachable && Object.keys(blind).length > 0) watch.nudge();
    }
  }

  function surroundings(account: WatchedAccount): ReturnType<AccountWatchDeps['context']> {
    const provider = account.page === null ? undefined : page(account.page);
    const others =
      provider === undefined ? [] : accounts.filter((other) => other.page === account.page && other !== account);
    return {
      ...context(account),
      origin: origin(account),
      provider:
        provider === undefined ? null : providerView(provider.name, provider.state.snapshot, provider.state.alerts),
      neighbours: others.flatMap(({ name }) => {
        const watch = watches.get(name);
        return watch === undefined ? [] : [tallyOf(watch.state.snapshot)];
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
        stepped(name, out, saved) {
          stepped(name, out, saved);
          if (out.entered.some(({ transition }) => transition.kind === 'source.unreachable')) takeAlong(account);
        },
      }),
    );
  }
  return watches;
}
