/** What the web room is given: the daemon as it stands, and the same requests the control socket takes. */
import type { Config } from '../config/config.ts';
import { ControlRefusal } from '../control/protocol.ts';
import type { Picture } from '../core/view/picture.ts';
import type { Log } from '../log/log.ts';
import { isLoopback } from '../net/loopback.ts';
import type { Web } from '../web/app.ts';
import type { Metrics } from '../web/metrics.ts';
import type { SilenceRoutes } from './control.ts';

export interface WebWiring {
  /** The configuration of now; a reload replaces it. */
  config(): Pick<Config, 'http'>;
  picture(): Picture;
  control: Pick<SilenceRoutes, 'silence.add' | 'silence.expire'>;
  metrics: Metrics;
  /** How often the page loads again by itself; default: every minute. */
  refreshSeconds?: number;
  hostname: string;
  redact(text: string): string;
  log: Log;
}

const REFRESH_SECONDS = 60;

export function webOf(wiring: WebWiring): Web {
  const { config, control, metrics, log } = wiring;
  return {
    picture: wiring.picture,
    metrics,
    silences: {
      add: (ask) => refusalOf(control['silence.add'](ask)),
      expire: (id) => refusalOf(control['silence.expire']({ id })),
    },
    names: () => ({
      listenHost: config().http.listen?.host ?? 'localhost',
      hostname: wiring.hostname,
      externalUrl: config().http.externalUrl,
    }),
    whyNotMute: () => whyNotMute(config().http),
    refreshSeconds: wiring.refreshSeconds ?? REFRESH_SECONDS,
    redact: wiring.redact,
    failed: (request, error) => log.error('A request to the page failed', { request, error }),
  };
}

/**
 * Nobody logs in here: whoever can reach the page could mute alerts, on this machine everybody with an account of it. A
 * proxy on this machine can ask who people are.
 */
function whyNotMute({ listen, silences }: Pick<Config['http'], 'listen' | 'silences'>): string | null {
  if (!isLoopback(listen?.host ?? 'localhost')) {
    return 'This page can be reached from other machines without logging in, so it mutes nothing. Use "linewatch silence add", or let http.listen be a loopback address behind a proxy that asks who people are, and set http.silences: true.';
  }
  if (silences) return null;
  return 'This page mutes nothing: nobody logs in here, and everybody on this machine could. Use "linewatch silence add", or allow it with http.silences: true.';
}

async function refusalOf(asked: Promise<unknown>): Promise<string | null> {
  try {
    await asked;
    return null;
  } catch (error) {
    if (error instanceof ControlRefusal) return error.message;
    throw error;
  }
}
