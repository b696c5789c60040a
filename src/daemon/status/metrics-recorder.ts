/** Records what metrics and readiness need from the daemon, across reloads of the configuration. */
import type { HttpAttempt } from '../../provider/http.ts';
import type { Metrics, SweepOutcome } from '../../web/data/metrics.ts';
import { isBlind } from '../../core/observation/health.ts';
import type { Clock } from '../common/clock.ts';
import type { Daemon } from '../loop/daemon.ts';
import type { Observer } from '../loop/options.ts';
import type { SourceLoop } from '../loop/source-loop.ts';
import type { KnownSource } from '../../core/view/standing/source-standings.ts';
import { ACCOUNT_PARTS, PAGE_PARTS } from '../../core/observation/listing.ts';

export interface MetricsRecorder {
  observer: Pick<Observer, 'entered' | 'sweepEnded' | 'attempted'>;
  /** Called after each attempt at a request of a source. */
  requested(source: string, attempt: HttpAttempt): void;
  /**
   * Time of its last complete reading, across reloads, and milliseconds since it and since the last sweep, or since the
   * start.
   */
  reading(source: Pick<KnownSource, 'name' | 'state'>): Pick<KnownSource, 'lastReadAt' | 'unreadMs' | 'unsweptMs'>;
}

export interface MetricsRecorderDeps {
  metrics: Metrics;
  clock: Pick<Clock, 'monotonic'>;
  /** The current daemons; none before the first is assembled. */
  daemons(): readonly Pick<Daemon, 'named' | 'loopFailure'>[];
}

type WatchedSource = Pick<KnownSource, 'name' | 'state' | 'lastReadAt'> & Pick<SourceLoop<unknown>, 'lastSweptAt'>;

/** Time of a reading or a sweep on both clocks. */
interface LastReading {
  baseUrl: string;
  wall: number;
  monotonic: number;
}

/** Before the first reading of a source, the start of the process counts. */
export function createMetricsRecorder({ metrics, clock, daemons }: MetricsRecorderDeps): MetricsRecorder {
  const started = clock.monotonic();
  const readings = new Map<string, LastReading>();
  const sweeps = new Map<string, LastReading>();

  /** False if it is recorded already. */
  function note(into: Map<string, LastReading>, { name, state }: WatchedSource, wall: number | null): boolean {
    if (wall === null || wall === into.get(name)?.wall) return false;
    into.set(name, { baseUrl: state.baseUrl, wall, monotonic: clock.monotonic() });
    return true;
  }

  /** Result of the last sweep; null if it was interrupted. */
  function outcomeOf(source: WatchedSource): SweepOutcome | null {
    const { name, state } = source;
    note(sweeps, source, source.lastSweptAt);
    if (note(readings, source, source.lastReadAt)) return 'complete';
    if (daemons().some(({ loopFailure }) => loopFailure(name) !== null)) return 'failed';
    if (!isBlind(state.snapshot.health)) return null;
    return isWhollyBlind(state) ? 'failed' : 'partial';
  }

  return {
    observer: {
      entered(source, entered) {
        for (const { transition } of entered) metrics.transitioned(source, transition.kind);
      },
      sweepEnded(source) {
        for (const { named } of daemons()) {
          const watch = named(source);
          const outcome = watch === undefined ? null : outcomeOf(watch);
          if (outcome !== null) metrics.swept(source, outcome);
        }
      },
      attempted({ receiver, outcome, proof, messages }) {
        const reason = outcome.kind === 'delivered' ? 'none' : outcome.code;
        metrics.attempted({ receiver, proof, outcome: outcome.kind, reason, messages: messages.length });
      },
    },
    requested(source, { operation, outcome, durationMs }) {
      metrics.requested({ source, operation, outcome, durationMs });
    },
    reading({ name, state }) {
      // Another address under the same name is another source.
      const [read, swept] = [readings, sweeps].map((each) => {
        const known = each.get(name);
        return known?.baseUrl === state.baseUrl ? known : null;
      });
      const at = clock.monotonic();
      return {
        lastReadAt: read?.wall ?? null,
        unreadMs: at - (read?.monotonic ?? started),
        // Before the first sweep the current state is unknown, however recent the start.
        unsweptMs: at - (swept?.monotonic ?? -Infinity),
      };
    },
  };
}

/** True while no part of it can be read. */
function isWhollyBlind({ snapshot }: KnownSource['state']): boolean {
  const parts = 'phones' in snapshot ? ACCOUNT_PARTS : PAGE_PARTS;
  return parts.every((part) => Object.hasOwn(snapshot.health.blind, part));
}
