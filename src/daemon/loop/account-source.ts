/** A customer's account as a kind of source, with its page and the other accounts of that page as context. */
import { shareTexts } from '../../core/account/shared-texts.ts';
import { findByName } from '../../core/transition/collections.ts';
import { pickVendor } from '../../core/transition/transition.ts';
import {
  ACCOUNT,
  createAccountState,
  type AccountContext,
  type AccountState,
  type AccountStepResult,
} from '../../core/engine/account-kind.ts';
import type { SourceState } from '../../core/engine/page-kind.ts';
import { performStep } from '../../core/engine/step.ts';
import type { AccountObservation } from '../../core/account/account-model.ts';
import { toSiteAddress } from '../../core/account/domain.ts';
import {
  createPhoneFilter,
  createSitePhoneFilter,
  createProviderView,
  mergeProviderViews,
  withSites,
  type ProviderView,
} from '../../core/correlation/cause.ts';
import { createAccountSweeper } from './account-sweep.ts';
import { keepUnrecorded } from '../recording/history-feed.ts';
import type { Document } from '../common/documents.ts';
import type { WatchedAccount } from './options.ts';
import { selectLoopDeps, collectSurroundings, createTickContext, type SharedDeps } from './shared.ts';
import { createSourceLoop } from './source-loop.ts';
import type { AccountSource } from './sources.ts';

/** Loads the document; one of another address starts afresh. Sends no request before `turn` or `run`. */
export function createAccountSource(
  account: WatchedAccount,
  document: Document<AccountState>,
  shared: SharedDeps,
): AccountSource {
  const { name, reader, registrationsEveryMs, togglesEveryMs, settings } = account;
  const { clock, accounts = [] } = shared.options;
  /** 0 ≤ place < 1: spreads the sweeps of all accounts over the interval. */
  const place = accounts.indexOf(account) / accounts.length;
  const intervalMs = Math.min(registrationsEveryMs, togglesEveryMs);
  let first = true;
  const kept = resetMovedAccount(document.value, account.baseUrl);

  /** All first sweeps start at once, as their summaries are shared; later ones are spread. */
  function rest(): number {
    const share = first && place > 0 ? place : 1;
    first = false;
    return intervalMs * share;
  }

  return createSourceLoop<AccountState, AccountObservation, AccountStepResult>({
    ...selectLoopDeps(name, shared),
    name,
    document,
    // A document holds a text of its own for each value of each phone.
    state: { ...kept, snapshot: shareTexts(kept.snapshot) },
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
    nextTick: (state) => ACCOUNT.nextTick(state, createTickContext(account, shared)),
    step: (state, observation, moment) =>
      performStep(ACCOUNT, state, observation, { ...contextOf(account, state, shared), ...moment }),
    around: (state) => collectSurroundings(account, state, shared),
  });
}

/** The context of a step without its moment. */
function contextOf(
  account: WatchedAccount,
  state: AccountState,
  shared: SharedDeps,
): Omit<AccountContext, 'now' | 'sweep' | 'elapsedMs'> {
  const { name, baseUrl, settings, unreachableAfterMs } = account;
  return {
    ...collectSurroundings(account, state, shared),
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
  shared: SharedDeps,
): ProviderView | null {
  const without = settings.componentsWithoutPhones;
  const views = (names: readonly string[], named?: SitePart): ProviderView[] =>
    names.flatMap((name) => viewPage(name, { named, without }, shared) ?? []);
  const own = mergeProviderViews(views([...new Set([...(page === null ? [] : [page]), ...pages])]));
  const bySite = Object.entries(sitePages).map(
    ([address, names]) => [toSiteAddress(address), views(names, { components: siteComponents[address] })] as const,
  );
  return withSites(own, new Map(bySite));
}

/** Components of a page that concern a site; undefined for those with lines. */
interface SitePart {
  components: readonly string[] | undefined;
}

/** Absent `named`: for an account as a whole. */
interface PhoneFilter {
  named: SitePart | undefined;
  without: readonly string[];
}

/** By filter. Memoised by the page's state, which does not change: thousands of accounts look at it. */
const viewed = new WeakMap<SourceState, { options: SharedDeps['options']; views: Map<string, ProviderView> }>();

/** Null for a page that is not watched. */
function viewPage(
  name: string,
  { named, without }: PhoneFilter,
  { sources, options }: SharedDeps,
): ProviderView | null {
  const state = sources.pages.get(name)?.state;
  if (state === undefined) return null;
  let known = viewed.get(state);
  if (known?.options !== options) viewed.set(state, (known = { options, views: new Map() }));
  const key = JSON.stringify([named ?? null, without]);
  const before = known.views.get(key);
  if (before !== undefined) return before;
  const page = { name, ...pickVendor(findByName(options.pages, name) ?? {}) };
  const hasPhones = named === undefined ? createPhoneFilter(without) : createSitePhoneFilter(named.components, without);
  const view = createProviderView(page, state.snapshot, state.alerts, hasPhones);
  known.views.set(key, view);
  return view;
}

/**
 * Another address under the same name is another account, as is a former page: its old snapshot does not apply.
 * Enqueued messages remain, and used alert numbers stay used.
 */
export function resetMovedAccount(value: AccountState, baseUrl: string): AccountState {
  if (value.baseUrl === baseUrl && 'clock' in value.snapshot) return value;
  return {
    ...createAccountState(baseUrl),
    outbox: value.outbox,
    lastNumber: value.lastNumber,
    ...keepUnrecorded(value),
  };
}
