/** Endpoints of the daemon, for the life of its process: page, control socket, metrics, systemd. */
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { createReportNames, findCustomer, type ReportNames } from '../../config/report-names.ts';
import { CONTROL_SOCKET, ControlRefusal, type ControlRoutes } from '../../control/protocol.ts';
import { serveControl, type ControlServer } from '../../control/server.ts';
import { createControlRoutes, listPerformers, type DaemonContract } from '../../daemon/requests/control.ts';
import type { Daemon } from '../../daemon/loop/daemon.ts';
import { createSingleDaemon, type Daemons } from '../../daemon/status/daemons.ts';
import { openKeptHistory } from '../../daemon/recording/kept-history.ts';
import { answerOrRefusal, type KnownMembers } from '../../daemon/requests/request.ts';
import { createMetricsRecorder } from '../../daemon/status/metrics-recorder.ts';
import { createPageHistory } from '../../daemon/recording/page-history.ts';
import { createDaemonStatusReader, type StatusReader } from '../../daemon/status/status-reader.ts';
import { createCommits, createWebPlace, createWeb, type WebPlace } from '../../daemon/requests/web-place.ts';
import type { Log } from '../../log/log.ts';
import { explainDiskError, readErrorCode } from '../../net/failure.ts';
import { createMetrics } from '../../web/data/metrics.ts';
import { PlaceRefused } from '../../web/serve.ts';
import type { StateBackend, ProcessContext } from './backend.ts';
import { createSystemd } from './systemd.ts';

/** How long a running request of a command or of the page may take after a stop. */
const REQUEST_GRACE_MS = 500;

const AT_AN_END = 'This daemon is beginning or ending; ask again in a moment.';

export type Endpoints = ReturnType<typeof createEndpoints>;

/** Null for an unknown customer. */
function namesOf(config: Config, hostname: string, customer: string | undefined): ReportNames | null {
  const isHostName = config.instance === hostname;
  if (customer === undefined) return createReportNames(config, { isHostName });
  const found = findCustomer(config, customer);
  return found === null ? null : createReportNames(config, { isHostName, customer: found });
}

/** Does not listen before `open`, and shows nothing before it has a daemon, shards or a stand-by. */
export function createEndpoints({ platform, first, present, clock, log }: ProcessContext) {
  const startedAt = clock.now();
  const redact = (text: string): string => present.secrets.redact(text);
  const metrics = createMetrics(platform.version);
  const { show, status, alert, withSilence, recent, daemons, listHere } = createFace();
  const meter = createMetricsRecorder({ metrics, clock, daemons: listHere });
  const histories = new Set<StateBackend['history']>();
  let control: Promise<ControlServer | null> | null = null;
  let members: KnownMembers | null = null;

  function theOne(): Daemon {
    if (present.assembled !== null) return present.assembled.daemon;
    throw new ControlRefusal(AT_AN_END);
  }

  async function record(): Promise<void> {
    await Promise.all([...histories].map((each) => each.record()));
  }

  const systemd = createSystemd({ env: platform.env, monotonic: clock.monotonic, status, redact });
  const commits = createCommits();
  const kept = openKeptHistory(first.config);
  const history = createPageHistory({
    history: kept,
    place: first.config,
    doubted() {
      for (const each of histories) each.doubted();
    },
    record,
    reportNames: (customer) => namesOf(present.config, platform.hostname, customer),
    timezone: () => present.config.timezone,
    now: clock.now,
    log,
  });
  const routes = createControlRoutes({
    daemons,
    status,
    alert,
    now: clock.now,
    configuration: () => present.config,
    stories: { history, failed: (what, error) => log.error('The page cannot read the history', { what, error }) },
    record,
    members: () => members,
  });
  const web = createWeb({
    config: () => present.config,
    recent,
    status,
    alert,
    withSilence,
    control: routes,
    metrics,
    hostname: platform.hostname,
    redact,
    log,
    now: clock.now,
    commits,
    history,
  });
  const place = createWebPlace(web, log);

  return {
    meter,
    systemd,
    place,
    status,
    /** Called after a commit. */
    committed: commits.tell,
    /** Acknowledges an alert as a command does; resolves to the reason of a refusal, or null. */
    acknowledge: (number: number, by: string) => acknowledgeBy(routes, number, by),
    /** True while a page is open that follows changes. */
    isFollowed: commits.isFollowed,
    /** Shows the single daemon of this process from now on. */
    watches() {
      const { reading } = meter;
      const own = { reading, clock, startedAt, log };
      const reader = createDaemonStatusReader(() => ({ ...own, config: present.config, daemon: theOne() }));
      show(reader, createSingleDaemon(theOne));
    },
    /** Makes requests for the history write pending records first, until the returned function is called. */
    records(added: StateBackend['history']): () => void {
      histories.add(added);
      return () => void histories.delete(added);
    },
    /** Shows this status from now on. Other members lead a part of it, or all. */
    shows: show,
    /** Shows the members that share the database from now on. */
    isAmong(known: KnownMembers): void {
      members = known;
    },
    /** Requests that this process performs for other members. */
    deeds: listPerformers({ status, alert, now: clock.now }),
    /** Starts to listen; no effect if it does already. */
    async open(): Promise<void> {
      control ??= openControl(join(first.config.stateDir, CONTROL_SOCKET), routes, log);
      await control;
      await openPage(place, present.config, log);
    },
    async close(): Promise<void> {
      const opened = await control?.catch(() => null);
      await Promise.all([opened?.close(REQUEST_GRACE_MS), place.close(REQUEST_GRACE_MS)]);
      await kept.close();
    },
  };
}

/** Resolves to the reason of a refusal, or null. */
async function acknowledgeBy(
  routes: ControlRoutes<DaemonContract>,
  number: number,
  by: string,
): Promise<string | null> {
  const answer = await answerOrRefusal(routes['alert.ack']({ number, by, comment: '' }));
  return typeof answer === 'string' ? answer : null;
}

/** The status and the daemons that were shown last. Throws `ControlRefusal` before the first. */
function createFace() {
  let seen: { reader: StatusReader; daemons: Daemons } | null = null;

  function shown(): NonNullable<typeof seen> {
    if (seen === null) throw new ControlRefusal(AT_AN_END);
    return seen;
  }

  const reader: StatusReader = {
    status: (only) => shown().reader.status(only),
    alert: (number, only) => shown().reader.alert(number, only),
    withSilence: (ask) => shown().reader.withSilence(ask),
    recent: async () => await shown().reader.recent(),
  };
  const daemons: Daemons = {
    parts: () => shown().daemons.parts(),
    refresh: () => shown().daemons.refresh(),
  };
  return {
    ...reader,
    daemons,
    show(next: StatusReader, of: Daemons): void {
      seen = { reader: next, daemons: of };
    },
    /** Daemons of this process; none before the first starts. */
    listHere(): readonly Daemon[] {
      try {
        return daemons.parts().flatMap(({ daemon }) => daemon ?? []);
      } catch (error) {
        if (error instanceof ControlRefusal) return [];
        throw error;
      }
    },
  };
}

/** The page is optional; the watch is essential. */
async function openPage(place: WebPlace, { http }: Config, log: Log): Promise<void> {
  try {
    await place.move(http.listen);
  } catch (error) {
    if (!(error instanceof PlaceRefused) || http.listenWanted) throw error;
    log.warn('There is no page to look at', { reason: error.message });
  }
}

/** A disk that is read-only or full takes no socket; the watch is essential. */
async function openControl(
  path: string,
  routes: ControlRoutes<DaemonContract>,
  log: Log,
): Promise<ControlServer | null> {
  try {
    return await serveControl<DaemonContract>({
      path,
      routes,
      onFailure: (request, error) => log.error('control request failed', { request, error }),
    });
  } catch (error) {
    if (readErrorCode(error) === null) throw error;
    log.warn('Commands cannot ask this daemon', { reason: explainDiskError(error) });
    return null;
  }
}
