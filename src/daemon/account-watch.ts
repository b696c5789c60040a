/** A customer's account being watched. */
import {
  emptyAccountState,
  nextAccountWord,
  stepAccount,
  type AccountContext,
  type AccountState,
  type AccountStepped,
} from '../account-cycle.ts';
import type { AccountObservation } from '../account/observation.ts';
import type { AccountSettings } from '../account/settings.ts';
import type { AccountLooker } from './account-looker.ts';
import { createAccountSweeper } from './account-sweep.ts';
import { createWatch, type Watch, type WatchDeps } from './watch.ts';

export interface WatchedAccount {
  name: string;
  baseUrl: string;
  looker: AccountLooker;
  registrationsEveryMs: number;
  togglesEveryMs: number;
  unreachableAfterMs: number;
  settings: AccountSettings;
  /** Name of the page whose trouble explains this account's; null for none. */
  page: string | null;
  labels: Readonly<Record<string, string>>;
}

type Deps = WatchDeps<AccountState, AccountObservation, AccountStepped>;

export interface AccountWatchDeps extends Omit<
  Deps,
  'name' | 'state' | 'sweeper' | 'intervalMs' | 'restMs' | 'nextTick' | 'tick' | 'step' | 'readInFull'
> {
  account: WatchedAccount;
  /** Its place among all accounts, from 0 to below 1: their sweeps are spread over the interval. */
  place: number;
  /** Everything of the context but what the account itself and the moment bring. */
  context(): Omit<AccountContext, 'now' | 'sweep' | 'elapsedMs' | 'source' | 'settings' | 'unreachableAfterMs'>;
}

export type AccountWatch = Watch<AccountState>;

export function createAccountWatch({ account, place, context, ...deps }: AccountWatchDeps): AccountWatch {
  const { looker, registrationsEveryMs, togglesEveryMs } = account;
  const intervalMs = Math.min(registrationsEveryMs, togglesEveryMs);
  let first = true;
  let paceOf = (usualMs: number): number => usualMs;

  /** All begin at once, for their summaries are shared; from the second sweep on each has its own time. */
  function rest(): number {
    const share = first && place > 0 ? place : 1;
    first = false;
    return paceOf(intervalMs * share);
  }

  return createWatch<AccountState, AccountObservation, AccountStepped>({
    ...deps,
    name: account.name,
    state: accountStateAt(deps.document.value, account.baseUrl),
    sweeper: (state, take) => {
      const sweeper = createAccountSweeper({
        looker,
        registrationsEveryMs,
        togglesEveryMs,
        settings: account.settings,
        monotonic: deps.clock.monotonic,
        snapshot: () => state().snapshot,
        step: take,
      });
      paceOf = sweeper.intervalMs;
      return sweeper;
    },
    intervalMs: rest,
    restMs: () => looker.restMs(),
    nextTick: (state) => nextAccountWord(state, context()),
    tick: { kind: 'tick' },
    step: (state, observation, moment) =>
      stepAccount(state, observation, {
        ...context(),
        ...moment,
        source: { name: account.name, baseUrl: account.baseUrl },
        settings: account.settings,
        unreachableAfterMs: account.unreachableAfterMs,
      }),
    readInFull: (observation) =>
      observation.kind === 'end' && Object.values(observation.parts).every((miss) => miss === null),
  });
}

/**
 * Another address under the same name is another account, and so is what was a page before: what was known of it says
 * nothing of this one. What was promised stays promised, and numbers given stay given.
 */
export function accountStateAt(value: AccountState, baseUrl: string): AccountState {
  if (value.baseUrl === baseUrl && 'clock' in value.snapshot) return value;
  return { ...emptyAccountState(baseUrl), outbox: value.outbox, lastNumber: value.lastNumber };
}
