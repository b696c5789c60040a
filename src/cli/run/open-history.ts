/** Opens the history for a daemon. */
import { describeOwnEvent } from '../../core/wording/own-events.ts';
import type { HistoryStore } from '../../history/history-store.ts';
import { createHistory, type History } from '../../history/history-writer.ts';
import type { ProcessContext, RunningState } from './backend.ts';

/** The running daemon reports failures of the store. */
export function openHistory(
  archive: HistoryStore,
  {
    present,
    clock,
    log,
  }: Pick<ProcessContext, 'clock' | 'log'> & { present: Pick<RunningState, 'config' | 'assembled'> },
): History {
  return createHistory({
    archive,
    keepMs: () => present.config.history.keep,
    now: clock.now,
    monotonic: clock.monotonic,
    later: (work, ms) => void setTimeout(work, ms).unref(),
    report(event) {
      const { what, reason } = describeOwnEvent(event);
      log.warn('The history is in trouble', { what, reason });
      present.assembled?.daemon.own
        .happened({ kind: 'state', what, reason })
        .catch((error: unknown) => log.error('The trouble with the history cannot be reported', { error }));
    },
  });
}
