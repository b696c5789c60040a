/** From the configuration to a daemon: read-only clients behind their limiters, receivers, documents. */
import { customerOf, type AccountConfig, type Config, type StatusPageConfig } from '../config/config.ts';
import { MOST_STATUS_REQUESTS } from '../config/status-page-schema.ts';
import type { AccountSettings } from '../core/account/settings.ts';
import { routeTo } from '../core/alert/route.ts';
import { append } from '../core/transition/long-lists.ts';
import type { Log } from '../log/log.ts';
import type { ProxyEnvironment } from '../net/agents.ts';
import { createReadOnlyClient, type ReadOnlyClient } from '../provider/account-client.ts';
import type { HttpAttempt } from '../provider/http.ts';
import { chainLimiters, createLimiter, type Limiter } from '../provider/limiter.ts';
import { createStatusClient, type StatusClient } from '../provider/status-client.ts';
import type { Receiver } from '../receivers/receiver.ts';
import {
  instance as instanceDocument,
  receiver as receiverDocument,
  source as sourceDocument,
} from '../store/document-name.ts';
import type { Finding } from '../store/finding.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from './clock.ts';
import { createDaemon, type Daemon } from './daemon.ts';
import { ITSELF_SCHEMA, RECEIVER_SCHEMA, SOURCE_SCHEMA } from './documents.ts';
import type { DaemonOptions, Digest, Documents, Observer, WatchedAccount, WatchedPage } from './options.ts';
import { accountReader, pageReader } from './reader.ts';
import type { Recorder } from './recorder.ts';

/** One limiter an origin, over all pages behind it, for the life of the process: a reload does not begin a new second. */
export type Limiters = (baseUrl: string, requestsPerSecond: number) => Limiter;

export function createLimiters(most = MOST_STATUS_REQUESTS): Limiters {
  const origins = new Map<string, Limiter>();
  const slower = new Map<string, Limiter>();
  return (baseUrl, requestsPerSecond) => {
    const { origin } = new URL(baseUrl);
    const limiter = origins.get(origin) ?? createLimiter({ requestsPerSecond: most });
    origins.set(origin, limiter);
    if (requestsPerSecond >= most) return limiter;
    const own = slower.get(`${baseUrl} ${requestsPerSecond}`) ?? createLimiter({ requestsPerSecond });
    slower.set(`${baseUrl} ${requestsPerSecond}`, own);
    return chainLimiters(own, limiter);
  };
}

export interface Assembly {
  config: Config;
  receivers: readonly Receiver[];
  documents: Documents;
  digest: Digest | null;
  limiters: Limiters;
  /** Default: limiters of this assembly alone. */
  accountLimiters?: AccountLimiters;
  clock: Clock;
  random(): number;
  log: Log;
  userAgent: string;
  /** The environment's, for both interfaces of the provider; default: none. */
  proxy?: ProxyEnvironment;
  observer?: Partial<Observer>;
  onRequest?: (source: string, attempt: HttpAttempt) => void;
  /** Hears the answers of all sources as they come. */
  recorder?: Recorder | null;
}

export interface Assembled {
  daemon: Daemon;
  close(): void;
}

/** A daemon that lacks nothing but its state, which it may share with one that still runs. */
export interface Prepared {
  /** Once, and with nobody else on the state. Rejects with `StateRefused` or `DiskError` where that cannot be used. */
  start(): Promise<Assembled>;
  /** In place of a start. */
  close(): void;
}

export function prepare(assembly: Assembly): Prepared {
  const { config, clock, log, limiters } = assembly;
  const clients: Pick<StatusClient, 'close'>[] = [];
  const pages = config.statusPages.map((page) => {
    const client = createStatusClient({
      baseUrl: page.baseUrl,
      limiter: limiters(page.baseUrl, page.requestsPerSecond),
      userAgent: assembly.userAgent,
      ...(assembly.proxy !== undefined && { proxy: assembly.proxy }),
      wallClock: clock.now,
      monotonic: clock.monotonic,
      onAnswer: assembly.recorder?.listenTo(page.name),
      onRequest: (attempt) => {
        log.debug('request', { source: page.name, ...attempt });
        assembly.onRequest?.(page.name, attempt);
      },
    });
    clients.push(client);
    return { ...watchedPage(page), reader: pageReader(client) };
  });
  const watched = watchedAccounts({
    config,
    limiters: assembly.accountLimiters ?? createAccountLimiters(),
    userAgent: assembly.userAgent,
    proxy: assembly.proxy,
    clock,
    log,
    onRequest: assembly.onRequest,
    recorder: assembly.recorder,
  });
  append(clients, watched.clients);
  const options: DaemonOptions = {
    pages,
    accounts: watched.accounts,
    receivers: assembly.receivers,
    route: config.route ?? routeTo([]),
    overrides: config.severityOverrides,
    digest: assembly.digest,
    documents: assembly.documents,
    clock,
    random: assembly.random,
    log,
    ...(assembly.observer === undefined ? {} : { observer: assembly.observer }),
  };
  const close = (): void => {
    for (const client of clients) client.close();
  };
  return { start: async () => ({ daemon: await createDaemon(options), close }), close };
}

/** All of it but how it is looked at. */
export function watchedPage(page: StatusPageConfig): Omit<WatchedPage, 'reader'> {
  return {
    name: page.name,
    baseUrl: page.baseUrl,
    intervalMs: page.interval,
    intervalDuringIncidentMs: page.intervalDuringIncident,
    unreachableAfterMs: page.unreachableAfter,
    maintenance: { reminders: page.maintenanceReminders, graceMs: page.maintenanceGrace },
    components: page.components,
    labels: {},
  };
}

/** `onFinding`: something found on opening a document that people should know. */
export function documentsIn(store: Store, onFinding: (finding: Finding) => void): Documents {
  return {
    async itself(empty) {
      const document = await store.document(instanceDocument('linewatch'), { ...ITSELF_SCHEMA, empty });
      if (document.finding !== null) onFinding(document.finding);
      return document;
    },
    async source(name, empty) {
      const document = await store.document(sourceDocument(name), { ...SOURCE_SCHEMA, empty });
      if (document.finding !== null) onFinding(document.finding);
      return document;
    },
    async account(name, empty) {
      const document = await store.document(sourceDocument(name), { ...SOURCE_SCHEMA, empty });
      if (document.finding !== null) onFinding(document.finding);
      return document;
    },
    sources: () => store.list('source'),
    forget: (name) => store.remove(sourceDocument(name)),
    async receiver(name, empty) {
      const document = await store.document(receiverDocument(name), { ...RECEIVER_SCHEMA, empty });
      if (document.finding !== null) onFinding(document.finding);
      return document;
    },
  };
}

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

function readerOf(
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

function settingsOf(account: AccountConfig, config: Naming): AccountSettings {
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
