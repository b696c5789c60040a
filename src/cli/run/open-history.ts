/** The history as a daemon writes it. */
import type { HistoryStore } from '../../history/history-store.ts';
import { createHistory, type History } from '../../history/history-writer.ts';
import type { Lifetime, Present } from './footing.ts';

/** Trouble is told through whatever daemon runs at the time. */
export function openHistory(
  archive: HistoryStore,
  { present, clock, log }: Pick<Lifetime, 'clock' | 'log'> & { present: Pick<Present, 'config' | 'assembled'> },
): History {
  return createHistory({
    archive,
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
