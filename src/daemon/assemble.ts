/** From a configuration to a daemon: clients behind their limiters, documents in their store, routes and receivers. */
import { routeTo } from '../core/alert/route.ts';
import type { Config, StatusPageConfig } from '../config/config.ts';
import { MOST_STATUS_REQUESTS } from '../config/status-page-schema.ts';
import type { Log } from '../log/log.ts';
import { createLimiter, chainLimiters, type Limiter } from '../provider/limiter.ts';
import type { HttpAttempt } from '../provider/http.ts';
import { createStatusClient, type StatusClient } from '../provider/status-client.ts';
import type { ProxyEnvironment } from '../net/agents.ts';
import type { Receiver } from '../receivers/receiver.ts';
import {
  instance as instanceDocument,
  receiver as receiverDocument,
  source as sourceDocument,
} from '../store/document-name.ts';
import type { Finding } from '../store/finding.ts';
import type { Store } from '../store/store.ts';
import { createAccountLimiters, watchedAccounts, type AccountLimiters } from './accounts.ts';
import type { Clock } from './clock.ts';
import { createDaemon, type Daemon } from './daemon.ts';
import type { DaemonOptions, Digest, Documents, Observer, WatchedPage } from './options.ts';
import { pageReader } from './reader.ts';
import type { Recorder } from './recorder.ts';
import { ITSELF_SCHEMA, RECEIVER_SCHEMA, SOURCE_SCHEMA } from './schemas.ts';
import { append } from '../core/transition/long-lists.ts';

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
