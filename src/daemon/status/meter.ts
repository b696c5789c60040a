/** Hears what the daemon does and keeps what metrics and readiness need of it, over every reload of the configuration. */
import type { HttpAttempt } from '../../provider/http.ts';
import type { Metrics, SweepOutcome } from '../../web/data/metrics.ts';
import { isBlind } from '../../core/observation/health.ts';
import type { Clock } from '../common/clock.ts';
import type { Daemon } from '../loop/daemon.ts';
import type { Observer } from '../loop/options.ts';
import type { SourceLoop } from '../loop/source-loop.ts';
import type { KnownSource } from '../../core/view/standing/source-standings.ts';
import { ACCOUNT_PARTS, PAGE_PARTS } from '../../core/observation/listing.ts';

export interface Meter {
  observer: Pick<Observer, 'entered' | 'sweepEnded' | 'attempted'>;
  /** To be called after each attempt at a request of a source. */
  requested(source: string, attempt: HttpAttempt): void;
  /** When it was last read in full, over every reload, and how long ago that and its last sweep are, or the start. */
  reading(source: Pick<KnownSource, 'name' | 'state'>): Pick<KnownSource, 'lastReadAt' | 'unreadMs' | 'unsweptMs'>;
}

export interface MeterDeps {
  metrics: Metrics;
  clock: Pick<Clock, 'monotonic'>;
  /** The daemons of now; none before the first is assembled. */
  daemons(): readonly Pick<Daemon, 'named' | 'surprise'>[];
}

type WatchedSource = Pick<KnownSource, 'name' | 'state' | 'lastReadAt'> & Pick<SourceLoop<unknown>, 'lastSweptAt'>;

/** When something was done of a source, by both clocks. */
interface Reading {
  baseUrl: string;
  wall: number;
  monotonic: number;
}

/** Before a source was read for the first time, the time since the start of the process counts. */
export function createMeter({ metrics, clock, daemons }: MeterDeps): Meter {
  const started = clock.monotonic();
  const readings = new Map<string, Reading>();
  const sweeps = new Map<string, Reading>();

  /** False where it is known already. */
  function note(into: Map<string, Reading>, { name, state }: WatchedSource, wall: number | null): boolean {
    if (wall === null || wall === into.get(name)?.wall) return false;
    into.set(name, { baseUrl: state.baseUrl, wall, monotonic: clock.monotonic() });
    return true;
  }

  /** What the last sweep came to; null where it was broken off. */
  function outcomeOf(source: WatchedSource): SweepOutcome | null {
    const { name, state } = source;
    note(sweeps, source, source.lastSweptAt);
    if (note(readings, source, source.lastReadAt)) return 'complete';
    if (daemons().some(({ surprise }) => surprise(name) !== null)) return 'failed';
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
        // Before the first sweep nothing is known of now, however short the time since the start.
        unsweptMs: at - (swept?.monotonic ?? -Infinity),
      };
    },
  };
}

/** True while nothing of it can be read. */
function isWhollyBlind({ snapshot }: KnownSource['state']): boolean {
  const parts = 'phones' in snapshot ? ACCOUNT_PARTS : PAGE_PARTS;
  return parts.every((part) => Object.hasOwn(snapshot.health.blind, part));
}
