/**
 * A dead man's switch: after every round in which every source was read in full, and while somebody could be told of
 * it, an address elsewhere is fetched. Whoever listens there notices when this stops, which no message of ours could
 * tell.
 */
import type { Route } from '../../core/alert/route.ts';
import { STUCK_AFTER_MS } from '../../core/view/readiness.ts';
import type { Log } from '../../log/log.ts';
import { createAgents, type ProxyEnvironment } from '../../net/agents.ts';
import { sendRequest } from '../../net/exchange.ts';
import type { Daemon } from '../loop/daemon.ts';
import type { ReceiverState } from '../common/documents.ts';

export interface Heartbeat {
  /** To be called after every sweep. */
  sweepEnded(source: string, wasGood: boolean): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Cuts short what is under way; no more beats. */
  stop(): Promise<void>;
}

/** For one beat; nothing else waits for it. */
const TIMEOUT_MS = 10_000;

export interface HeartbeatWiring {
  /** Secret: the log names it only as the heartbeat. */
  url: string;
  /** Names of all that must be read between two beats. */
  sources: readonly string[];
  /** False while nobody could be told of anything. */
  couldTell(): boolean;
  /** The environment's. */
  proxy: ProxyEnvironment;
  log: Log;
}

/**
 * Beats once each of `sources` has had a good sweep since the last beat. Of several failures in a row the first is
 * logged.
 */
export function createHeartbeat({ url, sources, couldTell, proxy, log }: HeartbeatWiring): Heartbeat {
  const agents = createAgents(proxy);
  const good = new Set<string>();
  const abort = new AbortController();
  let beating: Promise<void> | null = null;
  let failing = false;

  async function beat(): Promise<void> {
    try {
      const { signal } = abort;
      const { status } = await sendRequest({ method: 'GET', url, timeoutMs: TIMEOUT_MS, signal, agents });
      // Whoever redirects, to a login page perhaps, has not taken it.
      if (status < 200 || status >= 300) throw new Error(`it answered ${status}`);
      if (failing) log.info('The heartbeat is heard again');
      failing = false;
    } catch (error) {
      if (!failing && !abort.signal.aborted) log.warn('The heartbeat is not heard', { error });
      failing = true;
    }
  }

  return {
    sweepEnded(source, wasGood) {
      if (wasGood) good.add(source);
      else good.delete(source);
      if (beating !== null || abort.signal.aborted || !sources.every((name) => good.has(name))) return;
      if (!couldTell()) return;
      good.clear();
      beating = beat().finally(() => {
        beating = null;
      });
    },
    idle: async () => void (await beating),
    async stop() {
      abort.abort();
      await beating;
    },
  };
}

/** False while the state cannot be saved, and while every receiver that the route leads to takes nothing. */
export function couldTell(
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

/** Refused for good with its last sending, or failing for so long that nobody would call it a moment. */
function takesNothing({ failing, refused }: Pick<ReceiverState, 'failing' | 'refused'>, now: number): boolean {
  if (failing === null) return false;
  return refused.some(({ at }) => at >= failing.since) || now - failing.since > STUCK_AFTER_MS;
}
