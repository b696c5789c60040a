/** A customer's account as a kind of source, with its page and the other accounts of that page as context. */
import { pickVendor } from '../../core/transition/transition.ts';
import {
  ACCOUNT,
  emptyAccountState,
  type AccountContext,
  type AccountState,
  type AccountStepped,
} from '../../core/engine/account-kind.ts';
import { step } from '../../core/engine/step.ts';
import type { AccountObservation } from '../../core/account/account-model.ts';
import { siteAddress } from '../../core/account/domain.ts';
import { allBut, carriersOf, providerView, viewOfPages, withSites, type ProviderView } from '../../core/alert/cause.ts';
import { createAccountSweeper } from './account-sweep.ts';
import { unrecordedOf } from '../recording/chronicle.ts';
import type { Document } from '../common/documents.ts';
import type { WatchedAccount } from './options.ts';
import { loopDeps, surroundings, tickingOf, type Shared } from './shared.ts';
import { createSourceLoop } from './source-loop.ts';
import type { AccountSource } from './sources.ts';

/** Loads the document; one of another address starts afresh. Sends no request before `turn` or `run`. */
export function createAccountSource(
  account: WatchedAccount,
  document: Document<AccountState>,
  shared: Shared,
): AccountSource {
  const { name, reader, registrationsEveryMs, togglesEveryMs, settings } = account;
  const { clock, accounts = [] } = shared.options;
  /** 0 ≤ place < 1: spreads the sweeps of all accounts over the interval. */
  const place = accounts.indexOf(account) / accounts.length;
  const intervalMs = Math.min(registrationsEveryMs, togglesEveryMs);
  let first = true;

  /** All first sweeps start at once, as their summaries are shared; later ones are spread. */
  function rest(): number {
    const share = first && place > 0 ? place : 1;
    first = false;
    return intervalMs * share;
  }

  return createSourceLoop<AccountState, AccountObservation, AccountStepped>({
    ...loopDeps(name, shared),
    name,
    document,
    state: accountStateAt(document.value, account.baseUrl),
    sweeper: (snapshot, take) =>
      createAccountSweeper({
        reader,
        registrationsEveryMs,
        togglesEveryMs,
        settings,
        monotonic: clock.monotonic,
        sleep: (ms, signal) => clock.sleep(ms, signal),
        snapshot,
        step: take,
      }),
    usualMs: intervalMs,
    intervalMs: rest,
    restMs: () => reader.restMs(),
    nextTick: (state) => ACCOUNT.nextTick(state, tickingOf(account, shared)),
    step: (state, observation, moment) =>
      step(ACCOUNT, state, observation, { ...contextOf(account, state, shared), ...moment }),
    around: (state) => surroundings(account, state, shared),
  });
}

/** The context of a step without its moment. */
function contextOf(
  account: WatchedAccount,
  state: AccountState,
  shared: Shared,
): Omit<AccountContext, 'now' | 'sweep' | 'elapsedMs'> {
  const { name, baseUrl, settings, unreachableAfterMs } = account;
  return {
    ...surroundings(account, state, shared),
    source: { name, baseUrl },
    settings,
    unreachableAfterMs,
    provider: viewOf(account, shared),
    neighbours: shared.neighbours.of(name),
  };
}

/** Committed views of the pages that belong to the account and its sites. */
function viewOf(
  { page, pages = [], sitePages = {}, siteComponents = {}, settings }: WatchedAccount,
  { sources, options }: Shared,
): ProviderView | null {
  const without = settings.componentsWithoutPhones;
  const views = (names: readonly string[], hasPhones = allBut(without)): ProviderView[] =>
    names.flatMap((name) => {
      const source = sources.pages.get(name);
      if (source === undefined) return [];
      const { snapshot, alerts } = source.state;
      const page = { name, ...pickVendor(options.pages.find((each) => each.name === name) ?? {}) };
      return [providerView(page, snapshot, alerts, hasPhones)];
    });
  const own = viewOfPages(views([...new Set([...(page === null ? [] : [page]), ...pages])]));
  const bySite = Object.entries(sitePages).map(
    ([address, names]) => [siteAddress(address), views(names, carriersOf(siteComponents[address], without))] as const,
  );
  return withSites(own, new Map(bySite));
}

/**
 * Another address under the same name is another account, as is a former page: its old snapshot does not apply.
 * Enqueued messages remain, and used alert numbers stay used.
 */
export function accountStateAt(value: AccountState, baseUrl: string): AccountState {
  if (value.baseUrl === baseUrl && 'clock' in value.snapshot) return value;
  return { ...emptyAccountState(baseUrl), outbox: value.outbox, lastNumber: value.lastNumber, ...unrecordedOf(value) };
}
