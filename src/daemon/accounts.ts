/** From the configuration to accounts that can be watched: read-only clients behind their limiters. */
import { customerOf, type AccountConfig, type Config } from '../config/config.ts';
import type { Log } from '../log/log.ts';
import { createReadOnlyClient, type ReadOnlyClient } from '../provider/account-client.ts';
import { chainLimiters, createLimiter, type Limiter } from '../provider/limiter.ts';
import type { HttpAttempt } from '../provider/http.ts';
import type { ProxyEnvironment } from '../net/agents.ts';
import type { AccountSettings } from '../core/account/settings.ts';
import { accountReader } from './reader.ts';
import type { WatchedAccount } from './options.ts';
import type { Recorder } from './recorder.ts';
import type { Clock } from './clock.ts';

/** A limiter for each account within one for each origin, for the life of the process: a reload does not begin a new second. */
export type AccountLimiters = (name: string, baseUrl: string, requestsPerSecond: number, perOrigin: number) => Limiter;

export function createAccountLimiters(): AccountLimiters {
  const limiters = new Map<string, Limiter>();
  function limiter(key: string, requestsPerSecond: number): Limiter {
    const known = limiters.get(`${key} ${requestsPerSecond}`) ?? createLimiter({ requestsPerSecond });
    limiters.set(`${key} ${requestsPerSecond}`, known);
    return known;
  }
  // An account waits at its own limiter first, so that none of them fills the queue of the origin.
  return (name, baseUrl, requestsPerSecond, perOrigin) =>
    chainLimiters(
      limiter(`account ${name}`, requestsPerSecond),
      limiter(`origin ${new URL(baseUrl).origin}`, perOrigin),
    );
}

export interface AccountWiring {
  config: Config;
  limiters: AccountLimiters;
  userAgent: string;
  proxy?: ProxyEnvironment | undefined;
  clock: Clock;
  log: Log;
  onRequest?: ((source: string, attempt: HttpAttempt) => void) | undefined;
  /** Hears every answer as it comes. */
  recorder?: Recorder | null | undefined;
}

const NEVER = new AbortController().signal;

/** The clients are the caller's to close. */
export function watchedAccounts(wiring: AccountWiring): { accounts: WatchedAccount[]; clients: ReadOnlyClient[] } {
  const pairs = wiring.config.accounts.map((account) => ({ account, client: readerOf(account, wiring) }));
  return {
    accounts: pairs.map(({ account, client }) => ({
      ...watchedAccount(account, wiring.config),
      reader: accountReader(client),
    })),
    clients: pairs.map(({ client }) => client),
  };
}

/** What of the configuration is for all accounts. */
type Naming = Pick<Config, 'accounts' | 'timezone'>;

/** All of it but how it is looked at. */
export function watchedAccount(account: AccountConfig, config: Naming): Omit<WatchedAccount, 'reader'> {
  return {
    name: account.name,
    baseUrl: account.baseUrl,
    registrationsEveryMs: account.registrations.interval,
    togglesEveryMs: account.toggles.interval,
    unreachableAfterMs: account.unreachableAfter,
    settings: settingsOf(account, config),
    page: account.statusPage,
    labels: account.labels,
  };
}

export function readerOf(
  account: AccountConfig,
  { config, limiters, userAgent, proxy, clock, log, onRequest, recorder }: AccountWiring,
): ReadOnlyClient {
  return createReadOnlyClient({
    baseUrl: account.baseUrl,
    apiKey: account.apiKey,
    limiter: limiters(
      account.name,
      account.baseUrl,
      account.requestsPerSecond,
      config.limits.requestsPerSecondPerOrigin,
    ),
    userAgent,
    ...(proxy !== undefined && { proxy }),
    wallClock: clock.now,
    monotonic: clock.monotonic,
    // A sweep comes again soon; more than one retry inside it would only hold it up.
    retry: { retries: 1, sleep: (ms, signal) => clock.sleep(ms, signal ?? NEVER) },
    onRequest: (attempt) => {
      log.debug('request', { source: account.name, ...attempt });
      onRequest?.(account.name, attempt);
    },
    onAnswer: recorder?.listenTo(account.name),
  });
}

export function settingsOf(account: AccountConfig, config: Naming): AccountSettings {
  const { registrations, toggles, sites, componentsWithoutPhones } = account;
  const { extensions, ignore, watchDuring, offlineAfter, mass } = registrations;
  return {
    registrations: { extensions, ignore, watchDuring, offlineAfter, mass },
    expectations: toggles.expect.map(({ toggle, onDuring, except, timezone: zone, grace, severity }) => ({
      toggle,
      hours: {
        ranges: onDuring,
        except: except.map(({ dates, onDuring: ranges }) => ({ dates, ranges })),
        timezone: zone,
      },
      grace,
      severity,
    })),
    customer: customerOf(config, account.name),
    timezone: config.timezone,
    sites,
    componentsWithoutPhones,
  };
}
