/** The history of a daemon's process: one for its life, whatever is configured anew. */
import type { Clock } from '../../daemon/clock.ts';
import { createHistory, type History } from '../../history/history.ts';
import type { Log } from '../../log/log.ts';
import type { Present } from './footing.ts';

export interface HistoryDeps {
  /** What runs now; a reload replaces it. */
  present: Pick<Present, 'config' | 'assembled'>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  log: Log;
}

export function openHistory({ present, clock, log }: HistoryDeps): History {
  return createHistory({
    directory: present.config.stateDir,
    keepMs: () => present.config.history.keep,
    now: clock.now,
    monotonic: clock.monotonic,
    later: (work, ms) => void setTimeout(work, ms).unref(),
    told({ what, reason }) {
      log.warn('The history is in trouble', { what, reason });
      present.assembled?.daemon.itself
        .happened({ kind: 'state', what, reason })
        .catch((error: unknown) => log.error('The trouble with the history cannot be told', { error }));
    },
  });
}
