/** Sources that are no longer watched: ends their alerts with that reason, and delivers their remaining messages. */
import { type Alert, endUnwatched } from '../../core/alert/alert.ts';
import { createOtherParts } from '../../core/correlation/other-parts.ts';
import { createPageState, type SourceState } from '../../core/engine/page-kind.ts';
import { withoutSettled } from '../../core/outbox/message.ts';
import type { Log } from '../../log/log.ts';
import type { AlertParts } from './alert-parts.ts';
import type { AlertNumbers } from '../common/alert-numbers.ts';
import type { HistoryFeed, HistoryFeedState } from '../recording/history-feed.ts';
import type { Clock } from '../common/clock.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { type Document, type Documents, isSaved } from '../common/documents.ts';
import type { OwnLoop } from './own-loop.ts';
import type { PendingMessages } from '../delivery/pending.ts';
import type { createSources } from './sources.ts';

export interface RemovedSourcesDeps {
  documents: Pick<Documents, 'source' | 'sources' | 'forget'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'error'>;
  pending: PendingMessages;
  numbers: AlertNumbers;
  deliveries: Pick<Deliveries, 'isSettled' | 'removed'>;
  own: Pick<OwnLoop, 'happened'>;
  historyFeed: HistoryFeed;
  parts: Pick<AlertParts, 'byId'>;
  sources: Pick<ReturnType<typeof createSources>, 'named'>;
}

/** The fields of a source's state that are used here. */
type KeptSource = Pick<SourceState, 'baseUrl' | 'lastNumber' | 'outbox'> & HistoryFeedState;

/** A document that cannot be read is logged and left as it is; all others proceed. */
export function createRemovedSources(deps: RemovedSourcesDeps) {
  const { documents, clock, log, pending, numbers, deliveries, own, historyFeed, parts, sources } = deps;
  const moved: { source: string; address: string; open: readonly Alert[] }[] = [];

  /** Ids of alerts with open parts in other sources, which are watched. */
  function findOngoing(source: string, alerts: readonly Alert[]): Set<string> {
    const others = createOtherParts(parts.byId);
    return new Set(alerts.flatMap(({ id }) => (others({ id, source }).isOpen ? [id] : [])));
  }

  /** Ends alerts in the history as well, under another source name: later commits must not change them. */
  function endAll(source: string, alerts: readonly Alert[]): Alert[] {
    const ended = alerts.map((alert) => (isOpen(alert) ? endUnwatched(alert, clock.now()) : alert));
    historyFeed.committed(`${source} until now`, { alerts: ended });
    return ended;
  }

  async function endOne(source: string): Promise<void> {
    const document = await documents.source(source, createPageState());
    const { alerts, outbox, lastNumber } = document.value;
    pending.replace(source, { outbox }, true);
    historyFeed.committed(source, document.value);
    await deliveries.removed.takeUp();
    // No later alert may reuse a number: people know alerts by number.
    numbers.givenBefore(lastNumber + 1);
    const open = alerts.filter(isOpen);
    await own.happened({ kind: 'unwatched', source, alerts: open, ongoing: findOngoing(source, open) });
    const ended = endAll(source, alerts);
    const left = withoutSettled(outbox, deliveries.isSettled);
    if (left.length === 0) return documents.forget(source);
    if (open.length === 0) return;
    await document.commit({ ...document.value, alerts: ended, outbox: left });
  }

  return {
    /**
     * Loads the outbox and the used alert numbers of a source. `after` is its state if its name now belongs to another
     * address, or to another page at the same address (`isAnother`).
     */
    takeUp<S extends KeptSource>(
      source: string,
      document: Pick<Document<S>, 'value' | 'unsaved'>,
      after: S,
      isAnother = document.value.baseUrl !== after.baseUrl,
    ) {
      const { baseUrl: address, alerts, lastNumber } = document.value;
      if (isAnother) {
        moved.push({ source, address, open: alerts.filter(isOpen) });
      }
      numbers.givenBefore(lastNumber + 1);
      pending.replace(source, document.value, isSaved(document));
      if (isSaved(document)) historyFeed.committed(source, document.value);
    },
    /** Ends open alerts of sources that moved, and of those that are not watched. */
    async end(isWatched: (source: string) => boolean) {
      for (const { source, address, open } of moved) {
        if (open.length === 0) continue;
        await own.happened({ kind: 'unwatched', source, address, alerts: open, ongoing: findOngoing(source, open) });
        endAll(source, open);
        // A refusal of the disk is no reason not to watch.
        await sources.named(source)?.save();
      }
      for (const source of await documents.sources()) {
        if (isWatched(source)) continue;
        await endOne(source).catch((error: unknown) => {
          log.error('The state of a source that is no longer watched cannot be read or saved; it is kept', {
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
