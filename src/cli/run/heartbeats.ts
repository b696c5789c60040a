/**
 * Heartbeat of the current configuration: tells an external service that this daemon reads its sources and can send.
 */
import { isBlind } from '../../core/observation/health.ts';
import { listSourceNames, type Config } from '../../config/config.ts';
import type { AssembledDaemon } from '../../daemon/setup/assemble.ts';
import type { Clock } from '../../daemon/common/clock.ts';
import { canNotify, createHeartbeat, type Heartbeat } from '../../daemon/status/heartbeat.ts';
import type { Log } from '../../log/log.ts';
import type { ProxyEnvironment } from '../../net/agents.ts';

type HeartbeatConfig = Pick<Config, 'heartbeat' | 'statusPages' | 'accounts' | 'route'>;

export type Heartbeats = ReturnType<typeof createHeartbeats>;

export interface HeartbeatsDeps {
  /** The running daemon; a reload replaces it. */
  present: { assembled: AssembledDaemon | null };
  clock: Pick<Clock, 'now'>;
  proxy: ProxyEnvironment;
  log: Log;
  /** True if sources of other members are read; default: there are none. */
  areOthersRead?: () => boolean;
}

/** Sends nothing before `begin`; each `begin` ends the previous one. */
export function createHeartbeats({ present, clock, proxy, log, areOthersRead }: HeartbeatsDeps) {
  let heartbeat: Heartbeat | null = null;

  /**
   * A source that refuses our credentials responds, and is reported: the heartbeat covers failures that cannot be
   * reported.
   */
  function isRead(source: string): boolean {
    const { daemon } = present.assembled ?? {};
    if (daemon === undefined || daemon.loopFailure(source) !== null) return false;
    const watch = daemon.named(source);
    return watch !== undefined && !isBlind(watch.state.snapshot.health);
  }

  async function stop(): Promise<void> {
    const stopping = heartbeat;
    heartbeat = null;
    await stopping?.stop();
  }

  return {
    /** Applies another configuration and cancels running requests. */
    async begin(config: HeartbeatConfig) {
      const { heartbeat: wanted, route } = config;
      await stop();
      if (wanted === null) return;
      heartbeat = createHeartbeat({
        url: wanted.url,
        sources: listSourceNames(config),
        couldTell: () =>
          present.assembled !== null &&
          canNotify(present.assembled.daemon, route, clock.now()) &&
          (areOthersRead?.() ?? true),
        proxy,
        log,
      });
    },
    /** Called after every sweep. */
    sweepEnded: (source: string): void => heartbeat?.sweepEnded(source, isRead(source)),
    stop,
  };
}
