/**
 * Connects the web room with the daemon: current status, and the same requests as the control socket. Manages the
 * listener: none, one, or another one after a reload.
 */
import type { IncomingMessage } from 'node:http';
import type { HostPort } from '../../config/address.ts';
import type { Config } from '../../config/config.ts';
import type { ControlRoutes } from '../../control/protocol.ts';
import type { Log } from '../../log/log.ts';
import type { Web } from '../../web/web.ts';
import type { LookSettings } from '../../web/access/sessions.ts';
import { serveWeb, type Listener, type WebServer } from '../../web/serve.ts';
import type { DaemonContract } from './control.ts';
import { answerOrRefusal } from './request.ts';
import type { StatusReader } from '../status/status-reader.ts';

/** For a page without script; with script a change appears within a second. */
const REFRESH_SECONDS = 60;
/** A running response gets this long when the address changes. */
const MOVE_GRACE_MS = 500;

export interface WebWiring extends StatusReader, Pick<Web, 'metrics' | 'redact' | 'now' | 'history'> {
  /** The current configuration; a reload replaces it. */
  config(): Pick<Config, 'http' | 'accounts'>;
  control: ControlRoutes<DaemonContract>;
  /** Reload interval of a page without script; default: every minute. */
  refreshSeconds?: number;
  hostname: string;
  log: Log;
  commits: Pick<Commits, 'listen'>;
}

/** Notifies listeners of commits, across reloads. */
export type Commits = ReturnType<typeof createCommits>;

/** Listeners stay for the life of the process; each is called at every `tell`, without arguments. */
export function createCommits() {
  const listeners: { listener: () => void; isOpen: () => boolean }[] = [];
  return {
    /** Called after a commit. */
    tell() {
      for (const { listener } of listeners) listener();
    },
    /** `isOpen`: true while a page is open that shows a change at once; default: never. */
    listen: (listener: () => void, isOpen: () => boolean = () => false): void =>
      void listeners.push({ listener, isOpen }),
    /** True while a page is open that follows changes. */
    isFollowed: () => listeners.some(({ isOpen }) => isOpen()),
  };
}

/** Each request reads the current configuration: a reload takes effect without a new listener. */
export function createWeb(wiring: WebWiring): Web {
  const { config, control, metrics, log, recent, status, alert, withSilence, history, hostname, redact, now } = wiring;
  return {
    recent,
    status,
    alert,
    withSilence,
    missed: (alert) => answerOrRefusal(control['calls.missed']({ alert, since: null })),
    history,
    sourcesOf: (customers) => sourcesOf(config().accounts, customers),
    waiting: () => control['deliveries.list']({}),
    metrics,
    changes: {
      mute: (ask) => refusalOf(control['silence.add'](ask)),
      endSilence: (id) => refusalOf(control['silence.expire']({ id })),
      acknowledge: (number, by, comment) => refusalOf(control['alert.ack']({ number, by, comment })),
      release: (number, by) => refusalOf(control['alert.release']({ number, by })),
      test: async (receiver) => await answerOrRefusal(control['deliveries.test']({ receiver })),
      seen: async (token) => await answerOrRefusal(control['receiver.seen']({ token })),
      deliver: (what, receiver, id) => refusalOf(control[`deliveries.${what}`]({ receiver, id })),
    },
    settings() {
      const { http } = config();
      const { listen, externalUrl, metricsByPhone } = http;
      return {
        names: { listenHost: listen?.host ?? 'localhost', hostname, externalUrl },
        looks: looksOf(http),
        metricsByPhone,
      };
    },
    refreshSeconds: wiring.refreshSeconds ?? REFRESH_SECONDS,
    redact,
    failed: (request, error) => log.error('A request to the page failed', { request, error }),
    onChange: wiring.commits.listen,
    now,
  };
}

/** Accounts of the customers, and the status pages that explain their losses. */
function sourcesOf(accounts: Config['accounts'], customers: readonly string[]): ReadonlySet<string> {
  const own = accounts.filter(({ name, labels }) => customers.includes(labels['customer'] ?? name));
  return new Set(
    own.flatMap(({ name, statusPages, sitePages }) => [name, ...statusPages, ...Object.values(sitePages).flat()]),
  );
}

function looksOf({ users, proxyUserHeader, mayChange, silences, externalUrl }: Config['http']): LookSettings {
  return {
    users: Object.fromEntries(users.map(({ name, passwordHash }) => [name, passwordHash])),
    customersOf: Object.fromEntries(
      users.flatMap(({ name, customers }) => (customers === null ? [] : [[name, customers]])),
    ),
    proxyUserHeader,
    mayChange,
    silences,
    externalUrl,
  };
}

async function refusalOf(asked: Promise<unknown>): Promise<string | null> {
  const answer = await answerOrRefusal(asked);
  return typeof answer === 'string' ? answer : null;
}

export type WebPlace = ReturnType<typeof createWebPlace>;

/**
 * Does not listen before the first `move`. The new listener opens before the old one closes, unless the port is the
 * same. `asked` is called with each request before its answer; default: none.
 */
export function createWebPlace(web: Web, log: Log, asked?: (request: IncomingMessage) => void) {
  const answer = answerLater(web, asked);
  let place: HostPort | null = null;
  let server: WebServer | null = null;

  async function open(at: HostPort): Promise<void> {
    server = await serveWeb(answer, at, (error) => web.failed('connection', error));
    place = at;
    log.info('The page can be looked at', { url: server.url });
  }

  /** Running responses get this long, then they are cut. */
  async function close(graceMs: number): Promise<void> {
    const closing = server;
    [server, place] = [null, null];
    await closing?.close(graceMs);
  }

  /** The new address may overlap the old one, as 0.0.0.0 does with 127.0.0.1: then the old listener closes first. */
  async function replace(before: HostPort, to: HostPort): Promise<void> {
    await close(MOVE_GRACE_MS);
    try {
      await open(to);
    } catch (error) {
      await open(before);
      throw error;
    }
  }

  return {
    /** Null while it does not listen. */
    get url() {
      return server?.url ?? null;
    },
    /** Rejects with `PlaceRefused`, and then keeps the old address. */
    async move(to: HostPort | null) {
      if (place?.host === to?.host && place?.port === to?.port) return;
      if (to === null) return await close(MOVE_GRACE_MS);
      if (place !== null && server?.port === to.port) return await replace({ ...place, port: to.port }, to);
      const old = server;
      await open(to);
      await old?.close(MOVE_GRACE_MS);
    },
    close,
  };
}

/**
 * The web room is loaded with the first request: it takes a tenth of the start and 15 MB, which many installations
 * never need.
 */
function answerLater(web: Web, asked?: (request: IncomingMessage) => void): Listener {
  let listener: Promise<Listener> | null = null;
  return async (incoming, outgoing) => {
    asked?.(incoming);
    listener ??= load(web);
    await (
      await listener
    )(incoming, outgoing);
  };
}

async function load(web: Web): Promise<Listener> {
  const [{ createApp }, { createListener: listenerOf }] = await Promise.all([
    import('../../web/app.ts'),
    import('../../web/listener.ts'),
  ]);
  return listenerOf(createApp(web));
}
