/** The embedded provider and the real daemon watching one of its accounts, on a clock the test moves. */
import type { AccountSettings } from '../../src/core/account/settings.ts';
import { createAccountReader } from '../../src/daemon/common/account-reader.ts';
import { createWatchClient, type AccountClientOptions } from '../../src/provider/account-requests.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import type { SimulatedAccount } from '../../src/simulator/account/account-world.ts';
import { startProvider, type Provider } from '../../src/simulator/embedded-provider.ts';
import { manualClock } from '../support/manual-clock.ts';
import { runDaemon, type RunningDaemon, type RunningOptions } from '../support/running-daemon.ts';
import { hearingOf, type Hearing } from './hearing.ts';
import { MINUTE, START } from './watched-provider.ts';

export const SETTINGS: AccountSettings = {
  registrations: {
    extensions: 'all',
    ignore: [],
    watchDuring: null,
    offlineAfter: 5 * MINUTE,
    mass: { count: 3, percent: 30 },
  },
  expectations: [],
  customer: null,
  timezone: 'UTC',
  sites: {},
  componentsWithoutPhones: [],
};

const OWN_PAUSE_MS = 1;

export interface WatchedAccount extends Hearing {
  provider: Provider;
  account: SimulatedAccount;
  daemon: RunningDaemon;
  /** Rounds over the account, each at its time, however far off that is. */
  rounds(count: number): Promise<void>;
  /** What the account was asked for since the last time this was asked. */
  asked(): (string | null)[];
  close(): Promise<void>;
}

export interface WatchedAccountOptions {
  settings?: AccountSettings;
  /** Default: the account interface of a provider of its own. */
  baseUrl?: (provider: Provider) => string;
  client?: Partial<AccountClientOptions>;
  running?: Partial<RunningOptions>;
  unreachableAfterMs?: number;
  /** Watches this one, which stays open at the end, and hears all that is told from the start. */
  on?: Provider | undefined;
  /** Happens before the first round, whose summary is then yet to be heard. */
  before?: (provider: Provider) => void;
}

/** Returns after the first round, with its summary already heard unless said otherwise. */
export async function watchAccount(options: WatchedAccountOptions = {}): Promise<WatchedAccount> {
  const clock = manualClock(START);
  // The provider has a clock of its own, which does not jump when ours does.
  const provider = options.on ?? (await startProvider({ clock: { now: () => START + clock.monotonic() } }));
  const account = provider.simulator.accounts.account();
  options.before?.(provider);
  const baseUrl = options.baseUrl?.(provider) ?? provider.accountUrl;
  const reader = createWatchClient({
    baseUrl,
    apiKey: provider.token,
    limiter: createLimiter({ requestsPerSecond: 10, windowMs: 1 }),
    wallClock: clock.now,
    monotonic: clock.monotonic,
    retry: {
      retries: 1,
      delayMs: OWN_PAUSE_MS,
      random: () => 0,
      // Nothing moves the clock during a round: its own pauses pass at once. The test lets a requested one pass.
      async sleep(ms, signal) {
        const slept = clock.sleep(ms, signal ?? new AbortController().signal);
        if (ms <= OWN_PAUSE_MS) clock.advance(ms);
        await slept;
      },
    },
    ...options.client,
  });
  const daemon = await runDaemon({
    statusUrl: provider.statusUrl,
    startAt: START,
    intervalMs: MINUTE,
    clock,
    ...options.running,
    accounts: [
      {
        name: 'head-office',
        baseUrl,
        reader: createAccountReader(reader),
        registrationsEveryMs: MINUTE,
        togglesEveryMs: MINUTE,
        unreachableAfterMs: options.unreachableAfterMs ?? 5 * MINUTE,
        settings: options.settings ?? SETTINGS,
        page: null,
        labels: {},
      },
    ],
    options: { pages: [], ...options.running?.options },
  });
  const hearing = hearingOf(daemon);
  await daemon.round();
  const { log } = provider.simulator;
  if (options.before === undefined && options.on === undefined) {
    hearing.told();
    hearing.events();
    log.clear();
  }
  return {
    ...hearing,
    provider,
    account,
    daemon,
    async rounds(count) {
      for (let round = 0; round < count; round += 1) await daemon.round();
    },
    asked() {
      const operations = log.all().map(({ operation }) => operation);
      log.clear();
      return operations;
    },
    async close() {
      await daemon.stop();
      reader.close();
      if (options.on === undefined) await provider.close();
    },
  };
}
