/** From the configuration to a daemon: read-only clients behind their limiters, receivers, documents. */
import { findCustomer, type AccountConfig, type Config, type StatusPageConfig } from '../../config/config.ts';
import { PACE } from '../../core/observation/limits.ts';
import type { AccountSettings } from '../../core/account/settings.ts';
import { routeTo } from '../../core/alert/route.ts';
import type { History } from '../../history/history-writer.ts';
import type { Log } from '../../log/log.ts';
import { createConnections, type Connections, type ProxyEnvironment } from '../../net/agents.ts';
import { createWatchClient, type WatchClient } from '../../provider/account-requests.ts';
import type { HttpAttempt, HttpOptions } from '../../provider/http.ts';
import { chainLimiters, createLimiter, type Limiter } from '../../provider/limiter.ts';
import { createStatusClient } from '../../provider/status-client.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { Clock } from '../common/clock.ts';
import type { Progress } from '../common/progress.ts';
import { createDaemon, type Daemon } from '../loop/daemon.ts';
import type { Documents } from '../common/documents.ts';
import { hoursOf } from '../common/expected-hours.ts';
import type { Among, DaemonOptions, Digest, Observer, WatchedAccount, WatchedPage } from '../loop/options.ts';
import { accountReader } from '../common/account-reader.ts';
import { createCallReader } from '../calls/call-reader.ts';
import { resolveCallSettings } from '../loop/configured-calls.ts';
import { createCalendarReader } from '../rotas/read-calendar.ts';
import type { PageReader } from '../../pages/page-reader.ts';
import { createPageReader } from '../../pages/provider/reader.ts';
import type { Detected, Undetected } from '../../pages/detect.ts';
import { createHintingReader } from '../../pages/type-hint.ts';
import { loadPageType } from '../../pages/types.ts';
import { formatUserAgent } from '../../pages/vendor-page.ts';
import type { Recorder } from '../replay/recorder.ts';

/** Limiters live as long as the process: a reload must not begin the second of a limit anew. */
export interface Limiters {
  /** One for each origin over all pages behind it, and before it one of its own for a page that wants to be slower. */
  page(baseUrl: string, requestsPerSecond: number): Limiter;
  /** One for each page of another vendor: many of them may be behind one origin. */
  vendorPage(name: string, requestsPerSecond: number): Limiter;
  /** One for each account, so that none of them fills the queue of the origin, and then one for each origin. */
  account(name: string, baseUrl: string, requestsPerSecond: number, perOrigin: number): Limiter;
}

/** `make` gives one of so many requests a second; what `limits` is the same for whoever asks. Default: one that has them to itself. */
export function createLimiters(
  make = (requestsPerSecond: number, _limits: string): Limiter => createLimiter({ requestsPerSecond }),
): Limiters {
  const limiters = new Map<string, Limiter>();
  function limiter(key: string, requestsPerSecond: number): Limiter {
    const known = limiters.get(`${key} ${requestsPerSecond}`) ?? make(requestsPerSecond, key);
    limiters.set(`${key} ${requestsPerSecond}`, known);
    return known;
  }
  return {
    page(baseUrl, requestsPerSecond) {
      const shared = limiter(`pages of ${new URL(baseUrl).origin}`, PACE.statusRequestsPerSecond);
      if (requestsPerSecond >= PACE.statusRequestsPerSecond) return shared;
      return chainLimiters(limiter(`page ${baseUrl}`, requestsPerSecond), shared);
    },
    vendorPage: (name, requestsPerSecond) => limiter(`vendor's page ${name}`, requestsPerSecond),
    account: (name, baseUrl, requestsPerSecond, perOrigin) =>
      chainLimiters(
        limiter(`account ${name}`, requestsPerSecond),
        limiter(`accounts of ${new URL(baseUrl).origin}`, perOrigin),
      ),
  };
}

export interface Assembly {
  config: Config;
  receivers: readonly Receiver[];
  documents: Documents;
  /** What happened is kept there; default: nowhere. */
  history?: History;
  digest: Digest | null;
  limiters: Limiters;
  clock: Clock;
  /** Who hears that the loops get on; default: nobody. */
  progress?: Progress | null;
  random(): number;
  log: Log;
  userAgent: string;
  /** The environment's, for both interfaces of the provider; default: none. */
  proxy?: ProxyEnvironment;
  observer?: Partial<Observer>;
  onRequest?: (source: string, attempt: HttpAttempt) => void;
  /** Hears the answers of all sources as they come. */
  recorder?: Recorder | null;
  /** Strikes the secrets of the configuration, of whatever source or receiver, out of every answer; default: none. */
  strike?: (text: string) => string;
  /** For alerts, where others of the installation give numbers as well; default: nobody does. */
  reserveNumbers?: DaemonOptions['reserveNumbers'];
  /** Which of the sources are watched, and what is known of the others; default: all are. */
  group?: { sources: ReadonlySet<string> } & Omit<Among, 'others'>;
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

/** Neither the state nor the network is touched before `start`. */
export function prepare(assembly: Assembly): Prepared {
  const { config, clock, log } = assembly;
  // A thousand accounts behind one origin need no connection each, nor what holds one.
  const connections = createConnections(assembly.proxy);
  const wiring = { ...assembly, connections };
  const { group } = assembly;
  const isWatched = ({ name }: { name: string }): boolean => group?.sources.has(name) ?? true;
  const options: Omit<DaemonOptions, 'pages'> = {
    accounts: config.accounts.filter(isWatched).map((account) => {
      const client = clientOfAccount(account, wiring);
      const watched = watchedAccount(account, config);
      const callsToo = watched.settings.calls !== undefined && { callReader: createCallReader(client) };
      return { ...watched, reader: accountReader(client), ...callsToo };
    }),
    receivers: assembly.receivers,
    route: config.route ?? routeTo([]),
    ...(config.rotas.length > 0 && {
      rotas: { settings: config.rotas, read: createCalendarReader(assembly.proxy ?? {}) },
    }),
    overrides: config.severityOverrides,
    digest: assembly.digest,
    // A report covers all sources: of several groups the first makes it.
    ...((group?.part ?? null) === null && { monthly: { receivers: config.report.monthly, timezone: config.timezone } }),
    documents: assembly.documents,
    ...(assembly.history !== undefined && { history: assembly.history }),
    past: { months: config.history.import, keepMs: config.history.keep },
    clock,
    progress: assembly.progress ?? null,
    random: assembly.random,
    log,
    ...(assembly.observer === undefined ? {} : { observer: assembly.observer }),
    ...(assembly.reserveNumbers !== undefined && { reserveNumbers: assembly.reserveNumbers }),
    ...(group !== undefined && { among: { ...group, others: sourcesOf(config).filter((one) => !isWatched(one)) } }),
  };
  const { close } = connections;
  return {
    start: async () => ({
      daemon: await createDaemon({
        ...options,
        pages: await Promise.all(config.statusPages.filter(isWatched).map((page) => pageToWatch(page, wiring))),
      }),
      close,
    }),
    close,
  };
}

async function pageToWatch(page: StatusPageConfig, wiring: PageWiring): Promise<WatchedPage> {
  const [components, reader] = await Promise.all([componentsOf(page), readerOfPage(page, wiring)]);
  return { ...watchedPage(page), components, reader };
}

/** The names of all sources, with the labels that matchers can ask about. */
function sourcesOf({ statusPages, accounts }: Pick<Config, 'statusPages' | 'accounts'>): Among['others'] {
  return [...statusPages.map(({ name }) => ({ name, labels: {} })), ...accounts];
}

/** As written, and where places are chosen, a region or a product alone stands for all of it. */
async function componentsOf({ type, components }: StatusPageConfig): Promise<StatusPageConfig['components']> {
  if (type === 'provider' || components.include.length + components.exclude.length === 0) return components;
  const { limits } = await loadPageType(type);
  return limits.needsChoice === undefined
    ? components
    : (await import('../../pages/choice.ts')).splitByPlace(components);
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
    ...(page.type !== 'provider' && {
      missingAfterMs: page.missingAfter,
      acceptNewPage: page.acceptNewPage,
      vendor: true,
    }),
    labels: {},
  };
}

export interface ClientWiring extends Pick<
  Assembly,
  'limiters' | 'userAgent' | 'clock' | 'log' | 'onRequest' | 'recorder' | 'strike'
> {
  connections: Connections;
}

/** The contact is what another vendor may write to about our requests. */
interface PageWiring extends ClientWiring {
  config: Pick<Config, 'contact'>;
}

function clientOptions(
  source: string,
  { userAgent, connections, clock, log, onRequest, recorder, strike }: ClientWiring,
): HttpOptions {
  return {
    userAgent,
    connections,
    wallClock: clock.now,
    monotonic: clock.monotonic,
    onAnswer: recorder?.listenTo(source),
    strike,
    onRequest: (attempt) => {
      log.debug('request', { source, ...attempt });
      onRequest?.(source, attempt);
    },
  };
}

/** How a page is looked at, whatever its type; one of another type than it is said to be says which. */
export async function readerOfPage(
  { name, type, baseUrl, requestsPerSecond }: Pick<StatusPageConfig, 'name' | 'type' | 'baseUrl' | 'requestsPerSecond'>,
  wiring: PageWiring,
): Promise<PageReader> {
  const options = clientOptions(name, wiring);
  const userAgent = formatUserAgent(wiring.userAgent, wiring.config.contact);
  const limiter =
    type === 'provider'
      ? wiring.limiters.page(baseUrl, requestsPerSecond)
      : wiring.limiters.vendorPage(name, requestsPerSecond);
  /** Where it is not what it is said to be: what it answers like. */
  const detect = async (signal: AbortSignal): Promise<Detected | Undetected> => {
    const { detectPage, listOtherTypes: otherTypesAt } = await import('../../pages/detect.ts');
    const { onAnswer: _, ...unheard } = options;
    return await detectPage(baseUrl, { ...unheard, userAgent, limiter }, signal, otherTypesAt(baseUrl, type));
  };
  if (type === 'provider') {
    return createHintingReader(createPageReader(createStatusClient({ ...options, baseUrl, limiter })), detect, type);
  }
  const { openVendorPage } = await import('../../pages/vendor-client.ts');
  return createHintingReader(
    openVendorPage(await loadPageType(type), { ...options, baseUrl, limiter, userAgent }),
    detect,
    type,
  );
}

const NEVER = new AbortController().signal;

/** A client that can only look; its connections are the caller's to close. */
export function clientOfAccount(
  { name, baseUrl, apiKey, requestsPerSecond }: AccountConfig,
  wiring: ClientWiring & { config: Pick<Config, 'limits'> },
): WatchClient {
  const { limiters, clock, config } = wiring;
  return createWatchClient({
    ...clientOptions(name, wiring),
    baseUrl,
    apiKey,
    limiter: limiters.account(name, baseUrl, requestsPerSecond, config.limits.requestsPerSecondPerOrigin),
    // A sweep comes again soon; more than one retry inside it would only hold it up.
    retry: { retries: 1, sleep: (ms, signal) => clock.sleep(ms, signal ?? NEVER) },
  });
}

/** What of the configuration is for all accounts. */
type AllAccounts = Pick<Config, 'accounts' | 'timezone'>;

/** All of it but how it is looked at. */
export function watchedAccount(account: AccountConfig, config: AllAccounts): Omit<WatchedAccount, 'reader'> {
  return {
    name: account.name,
    baseUrl: account.baseUrl,
    registrationsEveryMs: account.registrations.interval,
    togglesEveryMs: account.toggles.interval,
    unreachableAfterMs: account.unreachableAfter,
    settings: settingsOf(account, config),
    page: account.statusPage,
    pages: account.statusPages,
    sitePages: account.sitePages,
    siteComponents: account.siteComponents,
    labels: account.labels,
  };
}

function settingsOf(account: AccountConfig, config: AllAccounts): AccountSettings {
  const { registrations, toggles, sites, componentsWithoutPhones } = account;
  const { extensions, ignore, offlineAfter, mass } = registrations;
  const { timezone } = config;
  const watchDuring =
    registrations.watchDuring === null ? null : { ranges: registrations.watchDuring, except: [], timezone };
  const calls = resolveCallSettings(account, timezone);
  return {
    ...(calls !== null && { calls }),
    registrations: { extensions, ignore, watchDuring, offlineAfter, mass },
    expectations: toggles.expect.map((one) => ({
      toggle: one.toggle,
      hours: hoursOf(one),
      grace: one.grace,
      severity: one.severity,
    })),
    customer: findCustomer(config, account.name),
    timezone,
    sites,
    componentsWithoutPhones,
  };
}
