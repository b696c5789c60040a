/** The page of `linewatch demo`: the one of the daemon, whose numbers and control are those of the demonstration. */
import type { Config } from '../config/config.ts';
import type { Clock } from '../daemon/clock.ts';
import { controlRoutes } from '../daemon/control.ts';
import type { Daemon } from '../daemon/daemon.ts';
import { alone } from '../daemon/daemons.ts';
import { keptHistory } from '../daemon/kept-history.ts';
import { createMeter, type Meter } from '../daemon/meter.ts';
import type { Observer } from '../daemon/options.ts';
import { createPast } from '../daemon/past.ts';
import { drawing } from '../daemon/drawing.ts';
import { createCommits, createWebPlace, webOf } from '../daemon/web-place.ts';
import type { Log } from '../log/log.ts';
import { createMetrics } from '../web/metrics.ts';
import type { Platform } from './platform.ts';

/** The story is short: whoever looks sees it unfold. */
const REFRESH_SECONDS = 3;
const CLOSE_GRACE_MS = 500;

interface DemoPage extends Pick<Meter, 'requested'> {
  observer: Meter['observer'] & Pick<Observer, 'committed'>;
  /** Resolves to where it is, without a slash at the end; to be called once the daemon is there. */
  open(): Promise<string>;
  close(): Promise<void>;
}

interface DemoPageWiring {
  config: Config;
  platform: Pick<Platform, 'version' | 'hostname'>;
  clock: Clock;
  log: Log;
  daemon(): Daemon;
}

/** Listens nowhere before `open`. */
export function demoPage({ config, platform, clock, log, daemon }: DemoPageWiring): DemoPage {
  const metrics = createMetrics(platform.version);
  const meter = createMeter({ metrics, clock, daemons: () => [daemon()] });
  const startedAt = clock.now();
  const { reading } = meter;
  const drawn = drawing(() => ({ config, daemon: daemon(), reading, clock, startedAt, log }));
  const commits = createCommits();
  const web = webOf({
    ...drawn,
    config: () => config,
    control: controlRoutes({ ...drawn, daemons: alone(daemon), now: clock.now, configuration: () => config }),
    metrics,
    refreshSeconds: REFRESH_SECONDS,
    hostname: platform.hostname,
    redact: (text) => text,
    log,
    now: clock.now,
    commits,
    past: createPast({
      history: keptHistory(config),
      place: config,
      timezone: () => config.timezone,
      now: clock.now,
      log,
    }),
  });
  const place = createWebPlace(web, log);
  return {
    observer: { ...meter.observer, committed: commits.tell },
    requested: meter.requested,
    async open() {
      await place.move(config.http.listen);
      if (place.url === null) throw new Error('the demonstration has no place for its page');
      return place.url;
    },
    close: () => place.close(CLOSE_GRACE_MS),
  };
}
