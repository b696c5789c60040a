/** The page of the demonstration: the one the daemon has, on a port of this machine that the system chooses. */
import type { Config } from '../config/config.ts';
import type { Picture } from '../core/view/picture.ts';
import type { Clock } from '../daemon/clock.ts';
import { silenceRoutes } from '../daemon/control.ts';
import type { Daemon } from '../daemon/daemon.ts';
import { drawPicture } from '../daemon/picture.ts';
import { createMeter, type Meter } from '../daemon/meter.ts';
import { createWebPlace, webOf } from '../daemon/web.ts';
import type { Log } from '../log/log.ts';
import { createMetrics } from '../web/metrics.ts';
import type { Platform } from './platform.ts';

/** The story is short: whoever looks sees it unfold. */
const REFRESH_SECONDS = 3;
const CLOSE_GRACE_MS = 500;

export interface DemoPage extends Pick<Meter, 'observer' | 'requested'> {
  /** Resolves to where it is, without a slash at the end; to be called once the daemon is there. */
  open(): Promise<string>;
  close(): Promise<void>;
}

export interface DemoPageWiring {
  config: Config;
  platform: Pick<Platform, 'version' | 'hostname'>;
  clock: Clock;
  log: Log;
  daemon(): Daemon;
}

export function demoPage({ config, platform, clock, log, daemon }: DemoPageWiring): DemoPage {
  const metrics = createMetrics(platform.version);
  const meter = createMeter({ metrics, clock, daemon });
  const startedAt = clock.now();
  const picture = (): Picture =>
    drawPicture({ config, daemon: daemon(), reading: meter.reading, clock, startedAt, log });
  const web = webOf({
    config: () => config,
    picture,
    control: silenceRoutes({ daemon, now: clock.now }),
    metrics,
    refreshSeconds: REFRESH_SECONDS,
    hostname: platform.hostname,
    redact: (text) => text,
    log,
  });
  const place = createWebPlace(web, log);
  return {
    observer: meter.observer,
    requested: meter.requested,
    async open() {
      await place.move(config.http.listen);
      if (place.url === null) throw new Error('the demonstration has no place for its page');
      return place.url;
    },
    close: () => place.close(CLOSE_GRACE_MS),
  };
}
