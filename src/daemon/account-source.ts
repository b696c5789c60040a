/** A customer's account as a kind of source, with its page and the other accounts of that page as context. */
import {
  ACCOUNT,
  emptyAccountState,
  type AccountContext,
  type AccountState,
  type AccountStepped,
} from '../core/engine/account.ts';
import { step } from '../core/engine/step.ts';
import type { AccountObservation } from '../core/account/model.ts';
import { providerView } from '../core/alert/cause.ts';
import { createAccountSweeper } from './account-sweep.ts';
import { unrecordedOf } from './chronicle.ts';
import type { Document } from './documents.ts';
import type { WatchedAccount } from './options.ts';
import { loopDeps, surroundings, tickingOf, type Shared } from './shared.ts';
import { createSourceLoop } from './source-loop.ts';
import type { AccountSource } from './sources.ts';

export function createAccountSource(
  account: WatchedAccount,
  document: Document<AccountState>,
  shared: Shared,
): AccountSource {
  const { name, reader, registrationsEveryMs, togglesEveryMs, settings } = account;
  const { clock, accounts = [] } = shared.options;
  /** From 0 to below 1: the sweeps of all accounts are spread over the interval. */
  const place = accounts.indexOf(account) / accounts.length;
  const intervalMs = Math.min(registrationsEveryMs, togglesEveryMs);
  let first = true;

  /** All begin at once, for their summaries are shared; from the second sweep on each has its own time. */
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
        snapshot,
        step: take,
      }),
    usualMs: intervalMs,
    intervalMs: rest,
    restMs: () => reader.restMs(),
    nextTick: (state) => ACCOUNT.nextTick(state, tickingOf(account, shared)),
    step: (state, observation, moment) =>
      step(ACCOUNT, state, observation, { ...contextOf(account, shared), ...moment }),
    around: () => surroundings(account, shared),
  });
}

/** Everything of the context but the moment. */
function contextOf(account: WatchedAccount, shared: Shared): Omit<AccountContext, 'now' | 'sweep' | 'elapsedMs'> {
  const { name, baseUrl, page, settings, unreachableAfterMs } = account;
  const provider = page === null ? undefined : shared.sources.pages.get(page);
  return {
    ...surroundings(account, shared),
    source: { name, baseUrl },
    settings,
    unreachableAfterMs,
    provider:
      provider === undefined
        ? null
        : providerView(provider.name, provider.state.snapshot, provider.state.alerts, settings.componentsWithoutPhones),
    neighbours: shared.neighbours.of(name),
  };
}

/**
 * Another address under the same name is another account, and so is what was a page before: what was known of it says
 * nothing of this one. What was promised stays promised, and numbers given stay given.
 */
export function accountStateAt(value: AccountState, baseUrl: string): AccountState {
  if (value.baseUrl === baseUrl && 'clock' in value.snapshot) return value;
  return { ...emptyAccountState(baseUrl), outbox: value.outbox, lastNumber: value.lastNumber, ...unrecordedOf(value) };
}
