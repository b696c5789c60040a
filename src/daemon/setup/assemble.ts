/** Assembles a daemon from the configuration: read-only clients with rate limiters, receivers, documents. */
import { readCustomer, type AccountConfig, type Config, type StatusPageConfig } from '../../config/config.ts';
import { PACE } from '../../core/observation/limits.ts';
import type { AccountSettings } from '../../core/account/settings.ts';
import { createRouteTo } from '../../core/alert/route.ts';
import { createConnections, type ProxyAgents, type ProxyEnvironment } from '../../net/agents.ts';
import { createWatchClient, type WatchClient } from '../../provider/account-requests.ts';
import type { HttpAttempt, HttpOptions } from '../../provider/http.ts';
import { chainLimiters, createLimiter, type Limiter } from '../../provider/limiter.ts';
import { createStatusClient } from '../../provider/status-client.ts';
import { createDaemon, type Daemon } from '../loop/daemon.ts';
import { resolveHours } from '../common/expected-hours.ts';
import type { ShardRelation, DaemonOptions, WatchedAccount, WatchedPage } from '../loop/options.ts';
import { createAccountReader } from '../common/account-reader.ts';
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

/** Limiters live as long as the process: a reload must not restart the second of a limit. */
export type Limiters = ReturnType<typeof createLimiters>;

/**
 * `make` creates one with this many requests a second; limiters in `limits` are shared by all callers. Default: a new
 * one.
 */
export function createLimiters(
  make = (requestsPerSecond: number, _limits: string): Limiter => createLimiter({ requestsPerSecond }),
) {
  const limiters = new Map<string, Limiter>();
  function limiter(key: string, requestsPerSecond: number): Limiter {
    const known = limiters.get(`${key} ${requestsPerSecond}`) ?? make(requestsPerSecond, key);
    limiters.set(`${key} ${requestsPerSecond}`, known);
    return known;
  }
  return {
    /** One for each origin over all its pages, preceded by one of its own for a page with a lower rate. */
    page(baseUrl: string, requestsPerSecond: number): Limiter {
      const shared = limiter(`pages of ${new URL(baseUrl).origin}`, PACE.statusRequestsPerSecond);
      if (requestsPerSecond >= PACE.statusRequestsPerSecond) return shared;
      return chainLimiters(limiter(`page ${baseUrl}`, requestsPerSecond), shared);
    },
    /** One for each page of another vendor: many of them may share an origin. */
    vendorPage: (name: string, requestsPerSecond: number): Limiter =>
      limiter(`vendor's page ${name}`, requestsPerSecond),
    /** One for each account, so that none fills the queue of the origin, followed by one for each origin. */
    account: (name: string, baseUrl: string, requestsPerSecond: number, perOrigin: number): Limiter =>
      chainLimiters(
        limiter(`account ${name}`, requestsPerSecond),
        limiter(`accounts of ${new URL(baseUrl).origin}`, perOrigin),
      ),
  };
}

export interface DaemonAssembly extends Pick<
  DaemonOptions,
  | 'receivers'
  | 'documents'
  | 'history'
  | 'digest'
  | 'clock'
  | 'progress'
  | 'random'
  | 'log'
  | 'observer'
  | 'reserveNumbers'
  | 'acknowledge'
> {
  config: Config;
  limiters: Limiters;
  userAgent: string;
  /** Proxy settings of the environment, for both interfaces of the provider; default: none. */
  proxy?: ProxyEnvironment;
  onRequest?: (source: string, attempt: HttpAttempt) => void;
  /** Records the responses of all sources. */
  recorder?: Recorder | null;
  /** Removes all secrets of the configuration from every response; default: none. */
  strike?: (text: string) => string;
  /** The watched shard of the sources, with the state of the others; default: all sources. */
  group?: { sources: ReadonlySet<string> } & Omit<ShardRelation, 'others'>;
}

export interface AssembledDaemon {
  daemon: Daemon;
  close(): void;
}

/** A daemon that is complete but for its state, which a running one may still use. */
export type PreparedDaemon = ReturnType<typeof prepare>;

/** Uses neither state nor network before `start`. */
export function prepare(assembly: DaemonAssembly) {
  const { config, clock, log } = assembly;
  // A thousand accounts at one origin need neither a connection nor an agent each.
  const connections = createConnections(assembly.proxy);
  const wiring = { ...assembly, connections };
  const { group } = assembly;
  const isWatched = ({ name }: { name: string }): boolean => group?.sources.has(name) ?? true;
  const options: Omit<DaemonOptions, 'pages'> = {
    accounts: config.accounts.filter(isWatched).map((account) => {
      const client = createAccountClientOf(account, wiring);
      const watched = toWatchedAccount(account, config);
      const callsToo = watched.settings.calls !== undefined && { callReader: createCallReader(client) };
      return { ...watched, reader: createAccountReader(client), ...callsToo };
    }),
    receivers: assembly.receivers,
    route: config.route ?? createRouteTo([]),
    ...(config.rotas.length > 0 && {
      rotas: { settings: config.rotas, read: createCalendarReader(assembly.proxy ?? {}) },
    }),
    overrides: config.severityOverrides,
    digest: assembly.digest,
    // A report covers all sources, and all shards have the same receivers: the first of several shards acts for all.
    ...((group?.part ?? null) === null && {
      monthly: { receivers: config.report.monthly, timezone: config.timezone },
      prove: listProofs(config),
    }),
    documents: assembly.documents,
    ...(assembly.history !== undefined && { history: assembly.history }),
    noticeImport: { months: config.history.import, keepMs: config.history.keep },
    clock,
    progress: assembly.progress ?? null,
    random: assembly.random,
    log,
    ...(assembly.observer === undefined ? {} : { observer: assembly.observer }),
    ...(assembly.reserveNumbers !== undefined && { reserveNumbers: assembly.reserveNumbers }),
    ...(assembly.acknowledge !== undefined && { acknowledge: assembly.acknowledge }),
    ...(group !== undefined && { shard: { ...group, others: sourcesOf(config).filter((one) => !isWatched(one)) } }),
  };
  const { close } = connections;
  return {
    /**
     * Call once, when no other daemon uses the state. Rejects with `StateRefused` or `DiskError` if the state cannot be
     * used.
     */
    start: async (): Promise<AssembledDaemon> => ({
      daemon: await createDaemon({
        ...options,
        pages: await Promise.all(config.statusPages.filter(isWatched).map((page) => pageToWatch(page, wiring))),
      }),
      close,
    }),
    /** Releases it without a start. */
    close,
  };
}

function listProofs({ receivers, timezone, http: { externalUrl } }: Config): NonNullable<DaemonOptions['prove']> {
  const asked = receivers.filter((receiver) => 'prove' in receiver && receiver.prove !== null);
  return { receivers: asked.map(({ name }) => name), timezone, externalUrl };
}

async function pageToWatch(page: StatusPageConfig, wiring: PageWiring): Promise<WatchedPage> {
  const [components, reader] = await Promise.all([componentsOf(page), openPageReader(page, wiring)]);
  return { ...toWatchedPage(page), components, reader };
}

/** Names of all sources, with the labels that matchers can refer to. */
function sourcesOf({ statusPages, accounts }: Pick<Config, 'statusPages' | 'accounts'>): ShardRelation['others'] {
  return [...statusPages.map(({ name }) => ({ name, labels: {} })), ...accounts];
}

/**
 * As configured; on pages with chosen regions or products, a region or a product alone includes all its components.
 */
async function componentsOf({ type, components }: StatusPageConfig): Promise<StatusPageConfig['components']> {
  if (type === 'provider' || components.include.length + components.exclude.length === 0) return components;
  const { limits } = await loadPageType(type);
  return limits.needsChoice === undefined
    ? components
    : (await import('../../pages/choice.ts')).splitByPlace(components);
}

/** All fields but the reader. */
export function toWatchedPage(page: StatusPageConfig): Omit<WatchedPage, 'reader'> {
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
  DaemonAssembly,
  'limiters' | 'userAgent' | 'clock' | 'log' | 'onRequest' | 'recorder' | 'strike'
> {
  connections: ProxyAgents;
}

/** The contact is an address for another vendor's questions about our requests. */
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

/** The reader of a page of any type; a page of another type than configured is reported with its type. */
export async function openPageReader(
  { name, type, baseUrl, requestsPerSecond }: Pick<StatusPageConfig, 'name' | 'type' | 'baseUrl' | 'requestsPerSecond'>,
  wiring: PageWiring,
): Promise<PageReader> {
  const options = clientOptions(name, wiring);
  const userAgent = formatUserAgent(wiring.userAgent, wiring.config.contact);
  const limiter =
    type === 'provider'
      ? wiring.limiters.page(baseUrl, requestsPerSecond)
      : wiring.limiters.vendorPage(name, requestsPerSecond);
  /** If the page is not of the configured type: the type that it has. */
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

/** A read-only client; the caller closes its connections. */
export function createAccountClientOf(
  {
    name,
    baseUrl,
    apiKey,
    requestsPerSecond,
  }: Pick<AccountConfig, 'name' | 'baseUrl' | 'apiKey' | 'requestsPerSecond'>,
  wiring: ClientWiring & Pick<DaemonAssembly, 'random'> & { config: Pick<Config, 'limits'> },
): WatchClient {
  const { limiters, clock, random, config } = wiring;
  return createWatchClient({
    ...clientOptions(name, wiring),
    baseUrl,
    apiKey,
    limiter: limiters.account(name, baseUrl, requestsPerSecond, config.limits.requestsPerSecondPerOrigin),
    // The next sweep comes soon; more than one retry within a sweep would only delay it.
    retry: { retries: 1, random, sleep: (ms, signal) => clock.sleep(ms, signal ?? NEVER) },
  });
}

/** Settings that are common to all accounts. */
type AllAccounts = Pick<Config, 'accounts' | 'timezone'>;

/** All fields but the reader. */
export function toWatchedAccount(account: AccountConfig, config: AllAccounts): Omit<WatchedAccount, 'reader'> {
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
      hours: resolveHours(one),
      grace: one.grace,
      severity: one.severity,
    })),
    // Not searched for among all: thousands of accounts start at once.
    customer: readCustomer(account, config.accounts),
    timezone,
    sites,
    componentsWithoutPhones,
  };
}
