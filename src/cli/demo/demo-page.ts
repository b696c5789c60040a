/** Access to the demonstration: its page, and the control socket for commands, both as in a daemon. */
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { CONTROL_SOCKET } from '../../control/protocol.ts';
import { serveControl, type ControlServer } from '../../control/server.ts';
import type { Clock } from '../../daemon/common/clock.ts';
import { createControlRoutes, type DaemonContract } from '../../daemon/requests/control.ts';
import type { Daemon } from '../../daemon/loop/daemon.ts';
import { createSingleDaemon } from '../../daemon/status/daemons.ts';
import { openKeptHistory } from '../../daemon/recording/kept-history.ts';
import { createMetricsRecorder } from '../../daemon/status/metrics-recorder.ts';
import { createPageHistory } from '../../daemon/recording/page-history.ts';
import { createDaemonStatusReader } from '../../daemon/status/status-reader.ts';
import { createCommits, createWebPlace, createWeb } from '../../daemon/requests/web-place.ts';
import type { History } from '../../history/history-writer.ts';
import type { Log } from '../../log/log.ts';
import { createMetrics } from '../../web/data/metrics.ts';
import type { Platform } from '../platform.ts';

/** For a page without script: the demonstration is short. */
const REFRESH_SECONDS = 3;
const CLOSE_GRACE_MS = 500;

interface DemoPageWiring {
  config: Config;
  platform: Pick<Platform, 'version' | 'hostname'>;
  clock: Clock;
  log: Log;
  /** The daemon's history. */
  history: Pick<History, 'record'>;
  daemon(): Daemon;
}

/** Does not listen before `open`. */
export function createDemoPage({ config, platform, clock, log, history, daemon }: DemoPageWiring) {
  const metrics = createMetrics(platform.version);
  const meter = createMetricsRecorder({ metrics, clock, daemons: () => [daemon()] });
  const startedAt = clock.now();
  const { reading } = meter;
  const drawn = createDaemonStatusReader(() => ({ config, daemon: daemon(), reading, clock, startedAt, log }));
  const kept = openKeptHistory(config);
  const timezone = (): string => config.timezone;
  const pageHistory = createPageHistory({
    history: kept,
    place: config,
    timezone,
    now: clock.now,
    record: history.record,
    log,
  });
  const routes = createControlRoutes({
    ...drawn,
    daemons: createSingleDaemon(daemon),
    now: clock.now,
    configuration: () => config,
    stories: {
      history: pageHistory,
      failed: (what, error) => log.error('The page cannot read the history', { what, error }),
    },
    record: history.record,
  });
  const commits = createCommits();
  const web = createWeb({
    ...drawn,
    config: () => config,
    control: routes,
    metrics,
    refreshSeconds: REFRESH_SECONDS,
    hostname: platform.hostname,
    redact: (text) => text,
    log,
    now: clock.now,
    commits,
    history: pageHistory,
  });
  const look = Promise.withResolvers<void>();
  const place = createWebPlace(web, log, (request) => (isLook(request) ? look.resolve() : undefined));
  let control: ControlServer | null = null;
  return {
    observer: { ...meter.observer, committed: commits.tell },
    requested: meter.requested,
    /** Resolves when a browser requests the page. */
    looked: look.promise,
    status: drawn.status,
    /** Resolves to its address, without a slash at the end; call once the daemon exists. */
    async open() {
      control = await serveControl<DaemonContract>({
        path: join(config.stateDir, CONTROL_SOCKET),
        routes,
        onFailure: (request, error) => log.error('control request failed', { request, error }),
      });
      await place.move(config.http.listen);
      if (place.url === null) throw new Error('the demonstration has no place for its page');
      return place.url;
    },
    async close() {
      await Promise.all([place.close(CLOSE_GRACE_MS), control?.close(CLOSE_GRACE_MS)]);
      await kept.close();
    },
  };
}

/** True for a person's request, not that of a probe or program. */
function isLook({ method, headers: { accept = '' } }: IncomingMessage): boolean {
  return method === 'GET' && accept.includes('text/html');
}
