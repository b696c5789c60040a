/** Sources that are no longer watched: their alerts end as such; what they promised is still delivered. */
import type { Alert } from '../alert/record.ts';
import { emptyState, type SourceState } from '../cycle.ts';
import type { Happening } from '../itself.ts';
import { withoutSettled, type Entry } from '../outbox/entry.ts';
import type { Log } from '../log/log.ts';
import type { Message } from '../outbox/message.ts';
import type { Clock } from './clock.ts';
import type { DaemonOptions } from './options.ts';
import type { Document } from './source-watch.ts';

export interface UnwatchedDeps {
  documents: Pick<DaemonOptions['documents'], 'source' | 'sources' | 'forget'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'error'>;
  happened(happening: Happening): Promise<void>;
  /** Takes up what waits to be delivered, and the numbers that were given. */
  promised(source: string, known: { outbox: Entry[]; lastNumber: number }): Promise<void>;
  isSettled(message: Message): boolean;
}

export interface Unwatched {
  /** Notes what is on disk of a source whose name stands for another address now. */
  movesTo<S extends Pick<SourceState, 'baseUrl'> & { alerts: readonly Alert[] }>(
    source: string,
    document: Document<S>,
    after: S,
  ): void;
  /** Ends what is open of sources that moved, and of those that are not among the watched. */
  end(isWatched: (source: string) => boolean): Promise<void>;
}

export function createUnwatched({ documents, clock, log, happened, promised, isSettled }: UnwatchedDeps): Unwatched {
  const moved: { source: string; address: string; open: readonly Alert[]; forget(): Promise<void> }[] = [];

  async function endOne(source: string): Promise<void> {
    const document = await documents.source(source, emptyState());
    const { alerts, outbox } = document.value;
    await promised(source, document.value);
    const open = alerts.filter(isOpen);
    await happened({ kind: 'unwatched', source, alerts: open });
    const left = withoutSettled(outbox, isSettled);
    if (left.length === 0) return documents.forget(source);
    if (open.length === 0) return;
    const ended = alerts.map((alert) =>
      isOpen(alert) ? { ...alert, status: 'resolved' as const, resolvedAt: clock.now() } : alert,
    );
    await document.commit({ ...document.value, alerts: ended, outbox: left });
  }

  return {
    movesTo(source, document, after) {
      const { baseUrl: address, alerts } = document.value;
      moved.push({ source, address, open: alerts.filter(isOpen), forget: () => document.commit(after) });
    },
    async end(isWatched) {
      for (const { source, address, open, forget } of moved) {
        if (open.length === 0) continue;
        await happened({ kind: 'unwatched', source, address, alerts: open });
        await forget();
      }
      for (const source of await documents.sources()) {
        if (isWatched(source)) continue;
        await endOne(source).catch((error: unknown) => {
          log.error('What is known of a source that is no longer watched cannot be used; it is left as it is', {
            source,
            error,
          });
        });
      }
    },
  };
}

function isOpen({ status }: Alert): boolean {
  return status === 'open';
}
