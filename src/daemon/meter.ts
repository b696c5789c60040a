/** Hears what the daemon does and keeps what metrics and readiness need of it, over every reload of the configuration. */
import type { HttpAttempt } from '../provider/http.ts';
import type { Metrics, SweepOutcome } from '../web/metrics.ts';
import { isBlind } from '../core/observation/health.ts';
import type { Clock } from './clock.ts';
import type { Daemon } from './daemon.ts';
import type { Observer } from './options.ts';
import type { KnownSource } from '../core/view/picture-of.ts';
import { ACCOUNT_PARTS, PAGE_PARTS } from '../core/observation/listing.ts';

export interface Meter {
  observer: Pick<Observer, 'entered' | 'sweepEnded' | 'attempted'>;
  /** To be called after each attempt at a request of a source. */
  requested(source: string, attempt: HttpAttempt): void;
  /** When it was last read in full, over every reload, and how long ago that is, or the start. */
  reading(source: Pick<KnownSource, 'name' | 'state'>): Pick<KnownSource, 'lastReadAt' | 'unreadMs'>;
}

export interface MeterDeps {
  metrics: Metrics;
  clock: Pick<Clock, 'monotonic'>;
  /** The daemons of now; none before the first is assembled. */
  daemons(): readonly Pick<Daemon, 'named' | 'surprise'>[];
}

type WatchedSource = Pick<KnownSource, 'name' | 'state' | 'lastReadAt'>;

/** Before a source was read for the first time, the time since the start of the process counts. */
export function createMeter({ metrics, clock, daemons }: MeterDeps): Meter {
  const started = clock.monotonic();
  const readings = new Map<string, { baseUrl: string; wall: number; monotonic: number }>();

  /** What the last sweep came to; null where it was broken off. */
  function outcomeOf({ name, state, lastReadAt }: WatchedSource): SweepOutcome | null {
    if (lastReadAt !== null && lastReadAt !== readings.get(name)?.wall) {
      readings.set(name, { baseUrl: state.baseUrl, wall: lastReadAt, monotonic: clock.monotonic() });
      return 'complete';
    }
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
      attempted({ receiver, outcome, messages }) {
        const reason = outcome.kind === 'delivered' ? 'none' : outcome.code;
        metrics.attempted({ receiver, outcome: outcome.kind, reason, messages: messages.length });
      },
    },
    requested(source, { operation, outcome, durationMs }) {
      metrics.requested({ source, operation, outcome, durationMs });
    },
    reading({ name, state }) {
      const known = readings.get(name);
      // Another address under the same name is another source.
      const read = known?.baseUrl === state.baseUrl ? known : null;
      return { lastReadAt: read?.wall ?? null, unreadMs: clock.monotonic() - (read?.monotonic ?? started) };
    },
  };
}

/** True while nothing of it can be read. */
function isWhollyBlind({ snapshot }: KnownSource['state']): boolean {
  const parts = 'phones' in snapshot ? ACCOUNT_PARTS : PAGE_PARTS;
  return parts.every((part) => Object.hasOwn(snapshot.health.blind, part));
}
