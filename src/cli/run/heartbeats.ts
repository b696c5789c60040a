/** The heartbeat of the configuration of now: whoever listens elsewhere hears that this daemon reads and could tell. */
import { isBlind } from '../../core/observation/health.ts';
import { listSourceNames, type Config } from '../../config/config.ts';
import type { Assembled } from '../../daemon/setup/assemble.ts';
import type { Clock } from '../../daemon/common/clock.ts';
import { couldTell, createHeartbeat, type Heartbeat } from '../../daemon/status/heartbeat.ts';
import type { Log } from '../../log/log.ts';
import type { ProxyEnvironment } from '../../net/agents.ts';

type HeartbeatConfig = Pick<Config, 'heartbeat' | 'statusPages' | 'accounts' | 'route'>;

export interface Heartbeats {
  /** Another configuration is taken up: what was under way is cut short. */
  begin(config: HeartbeatConfig): Promise<void>;
  /** To be called after every sweep. */
  sweepEnded(source: string): void;
  stop(): Promise<void>;
}

export interface HeartbeatsDeps {
  /** What runs now; a reload replaces it. */
  present: { assembled: Assembled | null };
  clock: Pick<Clock, 'now'>;
  proxy: ProxyEnvironment;
  log: Log;
  /** Whether what others watch is read; default: nobody watches anything else. */
  areOthersRead?: () => boolean;
}

/** Silent until `begin`; each `begin` ends what an earlier one began. */
export function createHeartbeats({ present, clock, proxy, log, areOthersRead }: HeartbeatsDeps): Heartbeats {
  let heartbeat: Heartbeat | null = null;

  /** What refuses our credentials answers, and is told of: the heartbeat is for what we could not tell. */
  function isRead(source: string): boolean {
    const { daemon } = present.assembled ?? {};
    if (daemon === undefined || daemon.surprise(source) !== null) return false;
    const watch = daemon.named(source);
    return watch !== undefined && !isBlind(watch.state.snapshot.health);
  }

  async function stop(): Promise<void> {
    const stopping = heartbeat;
    heartbeat = null;
    await stopping?.stop();
  }

  return {
    async begin(config) {
      const { heartbeat: wanted, route } = config;
      await stop();
      if (wanted === null) return;
      heartbeat = createHeartbeat({
        url: wanted.url,
        sources: listSourceNames(config),
        couldTell: () =>
          present.assembled !== null &&
          couldTell(present.assembled.daemon, route, clock.now()) &&
          (areOthersRead?.() ?? true),
        proxy,
        log,
      });
    },
    sweepEnded: (source) => heartbeat?.sweepEnded(source, isRead(source)),
    stop,
  };
}
