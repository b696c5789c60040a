/**
 * A dead man's switch: requests an external address after every round with complete readings of all sources, as long as
 * notifications can be sent. The service there notices when the requests stop, which no message of ours could report.
 */
import type { Route } from '../../core/alert/route.ts';
import { STUCK_AFTER_MS } from '../../core/view/readiness.ts';
import type { Log } from '../../log/log.ts';
import { createAgents, type ProxyEnvironment } from '../../net/agents.ts';
import { sendRequest } from '../../net/exchange.ts';
import type { Daemon } from '../loop/daemon.ts';
import type { ReceiverState } from '../common/documents.ts';

export type Heartbeat = ReturnType<typeof createHeartbeat>;

/** Timeout of one beat, which delays nothing else. */
const TIMEOUT_MS = 10_000;

export interface HeartbeatWiring {
  /** Secret: the log calls it only the heartbeat. */
  url: string;
  /** Names of all sources that must be read between two beats. */
  sources: readonly string[];
  /** False while no notification could be sent. */
  couldTell(): boolean;
  /** Proxy settings of the environment. */
  proxy: ProxyEnvironment;
  log: Log;
}

/**
 * Beats once each of `sources` has had a complete sweep since the last beat. Logs the first of consecutive failures.
 */
export function createHeartbeat({ url, sources, couldTell, proxy, log }: HeartbeatWiring) {
  const agents = createAgents(proxy);
  const good = new Set<string>();
  const abort = new AbortController();
  let beating: Promise<void> | null = null;
  let failing = false;

  async function beat(): Promise<void> {
    try {
      const { signal } = abort;
      const { status } = await sendRequest({ method: 'GET', url, timeoutMs: TIMEOUT_MS, signal, agents });
      // A redirect, perhaps to a login page, is not an acceptance.
      if (status < 200 || status >= 300) throw new Error(`it answered ${status}`);
      if (failing) log.info('The heartbeat is heard again');
      failing = false;
    } catch (error) {
      if (!failing && !abort.signal.aborted) log.warn('The heartbeat is not heard', { error });
      failing = true;
    }
  }

  return {
    /** Called after every sweep. */
    sweepEnded(source: string, wasGood: boolean): void {
      if (wasGood) good.add(source);
      else good.delete(source);
      if (beating !== null || abort.signal.aborted || !sources.every((name) => good.has(name))) return;
      if (!couldTell()) return;
      good.clear();
      beating = beat().finally(() => {
        beating = null;
      });
    },
    /** Resolves when no request is running. */
    idle: async (): Promise<void> => void (await beating),
    /** Cancels the running request and sends no more. */
    async stop(): Promise<void> {
      abort.abort();
      await beating;
    },
  };
}

/** False while the state cannot be saved, and while all receivers of the route fail. */
export function canNotify(
  { deliveries, unsaved }: Pick<Daemon, 'deliveries' | 'unsaved'>,
  route: Route | null,
  now: number,
): boolean {
  if (route === null || unsaved().length > 0) return false;
  const routed = new Set(receiversOf(route));
  return deliveries.some(({ receiver, state }) => routed.has(receiver.name) && !takesNothing(state, now));
}

function receiversOf({ receivers, routes }: Route): string[] {
  return [...receivers, ...routes.flatMap(receiversOf)];
}

/**
 * True if the last sending was refused permanently, or if the receiver has failed for too long to be a short outage.
 */
function takesNothing({ failing, refused }: Pick<ReceiverState, 'failing' | 'refused'>, now: number): boolean {
  if (failing === null) return false;
  return refused.some(({ at }) => at >= failing.since) || now - failing.since > STUCK_AFTER_MS;
}
