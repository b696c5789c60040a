/** The real daemon on its manual clock, watching the embedded provider, with the web room on a port of its own. */
import { request, type IncomingHttpHeaders } from 'node:http';
import type { MembersView } from '../../src/core/view/system-status.ts';
import { createControlRoutes } from '../../src/daemon/requests/control.ts';
import { createSingleDaemon } from '../../src/daemon/status/daemons.ts';
import { createMetricsRecorder } from '../../src/daemon/status/metrics-recorder.ts';
import { openKeptHistory } from '../../src/daemon/recording/kept-history.ts';
import { createPageHistory } from '../../src/daemon/recording/page-history.ts';
import { createDaemonStatusReader } from '../../src/daemon/status/status-reader.ts';
import { createCommits, createWeb } from '../../src/daemon/requests/web-place.ts';
import { createApp } from '../../src/web/app.ts';
import { createMetrics } from '../../src/web/data/metrics.ts';
import { serveWeb } from '../../src/web/serve.ts';
import { createListener } from '../../src/web/listener.ts';
import type { PageHistory } from '../../src/web/web.ts';
import { startProvider, type Provider } from '../../src/simulator/embedded-provider.ts';
import { quietLog, runDaemon, type RunningDaemon, type RunningOptions } from '../support/running-daemon.ts';
import { recordedHistory, type RecordedHistory } from '../support/recorded-history.ts';
import { NO_HISTORY } from '../support/no-history.ts';
import type { Attempt } from '../../src/daemon/delivery/delivery.ts';

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Asked {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** With Node's own client, which sends whatever headers it is given. */
export function ask(base: string, path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request(`${base}${path}`, { method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
      answer.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

export interface OpenWeb extends AsyncDisposable {
  provider: Provider;
  running: RunningDaemon;
  url: string;
  /** What is written when the test flushes it. */
  kept: RecordedHistory & { directory: string };
  /** Every attempt to deliver so far, and the next one. */
  nextAttempt(): Promise<Attempt>;
  ask(path: string, asked?: Asked): Promise<Answered>;
  /** Failed requests, as they are logged. */
  failures: Readonly<Record<string, unknown>>[];
  /** Resolves when the next request has arrived. */
  began(): Promise<void>;
  /** Resolves when all requests that have arrived are answered or cut off. */
  over(): Promise<void>;
}

export interface OpenWebOptions extends Partial<RunningOptions> {
  listenHost?: string;
  externalUrl?: string | null;
  /** Default: true. */
  silences?: boolean;
  users?: { name: string; passwordHash: string; customers?: string[] }[];
  proxyUserHeader?: string | null;
  mayChange?: string[];
  /** Default: the state is in files. */
  members?: MembersView;
  /** Default: nothing is led by others. */
  recent?: () => Promise<void>;
  /** Default: the history of this daemon. */
  history?: PageHistory;
}

/** What the operator gave in confidence; the page and everything beside it must hide it. */
export const SECRET = 'hush-5e1f';

const INTERVAL_MS = 30_000;

/** When each of these daemons starts: 14:45 in Melbourne, so that hours and days begin where a test expects them. */
const START = Date.parse('2026-10-14T03:45:00Z');

export async function openWeb({
  listenHost,
  externalUrl = null,
  silences = true,
  users = [],
  proxyUserHeader = null,
  mayChange = [],
  members,
  recent,
  history,
  ...given
}: OpenWebOptions = {}): Promise<OpenWeb> {
  const failures: Readonly<Record<string, unknown>>[] = [];
  let running: RunningDaemon | null = null;
  // The provider and the meter are there before the daemon's own clock is.
  const clock = { now: () => running?.clock.now() ?? START, monotonic: () => running?.clock.monotonic() ?? 0 };
  const provider = await startProvider({ clock: { now: clock.now } });
  const metrics = createMetrics('1.2.3');
  const commits = createCommits();
  const kept = recordedHistory(START);
  let attempted = Promise.withResolvers<Attempt>();
  const daemon = (): RunningDaemon['daemon'] => {
    if (running === null) throw new Error('the daemon is not there yet');
    return running.daemon;
  };
  const meter = createMetricsRecorder({ metrics, clock, daemons: () => [daemon()] });
  running = await runDaemon({
    statusUrl: provider.statusUrl,
    startAt: START,
    intervalMs: INTERVAL_MS,
    heard: {
      ...meter.observer,
      committed: commits.tell,
      attempted(attempt) {
        meter.observer.attempted(attempt);
        const done = attempted;
        attempted = Promise.withResolvers<Attempt>();
        done.resolve(attempt);
      },
    },
    onRequest: (attempt) => meter.requested('provider', attempt),
    ...given,
    options: { history: kept.history, ...given.options },
  });
  const config = {
    instance: 'hq',
    timezone: 'Australia/Melbourne',
    http: {
      listen: { host: listenHost ?? '127.0.0.1', port: 0 },
      listenWanted: true,
      silences,
      metricsByPhone: false,
      externalUrl,
      users: users.map((user) => ({ customers: null, ...user })),
      proxyUserHeader,
      mayChange,
    },
    accounts: [],
    statusPages: [
      {
        name: 'provider',
        type: 'provider' as const,
        missingAfter: 900_000,
        acceptNewPage: false,
        baseUrl: provider.statusUrl,
        interval: INTERVAL_MS,
        intervalDuringIncident: INTERVAL_MS,
        requestsPerSecond: 5,
        unreachableAfter: given.unreachableAfterMs ?? 180_000,
        maintenanceReminders: [],
        maintenanceGrace: 0,
        components: { include: [], exclude: [] },
      },
    ],
  };
  const { reading } = meter;
  const drawn = createDaemonStatusReader(() => ({
    config,
    daemon: daemon(),
    reading,
    clock,
    startedAt: START,
    log: quietLog,
    members: members ?? null,
  }));
  const web = createWeb({
    ...drawn,
    ...(recent !== undefined && { recent }),
    config: () => config,
    control: createControlRoutes({
      ...drawn,
      daemons: createSingleDaemon(daemon),
      now: clock.now,
      configuration: () => ({ file: '', timezone: 'UTC', database: null }),
      ...NO_HISTORY,
    }),
    metrics,
    hostname: 'monitor',
    redact: (text) => text.replaceAll(SECRET, '…'),
    log: { ...quietLog, error: (_message, fields = {}) => void failures.push(fields) },
    now: clock.now,
    commits,
    history:
      history ??
      createPageHistory({
        history: openKeptHistory({ stateDir: kept.directory, instance: 'hq', database: null }),
        place: { stateDir: kept.directory, instance: 'hq', database: null },
        timezone: () => config.timezone,
        now: clock.now,
        log: quietLog,
      }),
  });
  const listener = createListener(createApp(web));
  const going = new Set<unknown>();
  let arrived = Promise.withResolvers<void>();
  const server = await serveWeb(
    async (incoming, outgoing) => {
      const answering = listener(incoming, outgoing);
      going.add(answering);
      arrived.resolve();
      arrived = Promise.withResolvers();
      await answering;
      going.delete(answering);
    },
    { host: '127.0.0.1', port: 0 },
    (error) => {
      throw error;
    },
  );
  return {
    provider,
    running,
    url: server.url,
    kept,
    nextAttempt: () => attempted.promise,
    ask: (path, asked) => ask(server.url, path, asked),
    failures,
    began: () => arrived.promise,
    over: async () => void (await Promise.all(going)),
    async [Symbol.asyncDispose]() {
      await server.close(0);
      await running.stop();
      await kept.history.close();
      await provider.close();
    },
  };
}
