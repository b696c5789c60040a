/**
 * Sources that start together share one summary for people: it waits until each of them has been read once. A source
 * that is slow, or that sends without end, holds the others' summaries up for a short while only.
 */
import type { Message } from '../core/outbox/message.ts';
import type { Clock } from './clock.ts';

/** What tells of trouble waits no longer: people hear of an outage within 4 s of the poll that sees it. */
const TROUBLE_WAITS_MS = 2_000;
/** What tells of none: a page of 1,000 components, the largest known, is read in 10 s. */
const CALM_WAITS_MS = 30_000;

export interface SharedStart {
  /** A source has been read once, or could not be. */
  ended(source: string): void;
  /** What may be told of what is pending for people: all but the summaries that still wait for others. */
  tellable(pending: readonly Message[]): readonly Message[];
  /** Calls `wake` whenever what waited may go; resolves when nothing waits any longer, or at the stop. */
  run(stop: AbortSignal): Promise<void>;
}

export function createSharedStart(
  sources: readonly string[],
  { clock, wake }: { clock: Clock; wake(): void },
): SharedStart {
  const starting = new Set(sources);
  const complete = new AbortController();
  /** The summaries that wait at present. */
  let waiting: 'all' | 'calm' | 'none' = sources.length === 0 ? 'none' : 'all';

  function release(next: typeof waiting): void {
    waiting = next;
    wake();
  }

  return {
    ended(source) {
      if (!starting.delete(source) || starting.size > 0) return;
      release('none');
      complete.abort();
    },
    tellable(pending) {
      if (waiting === 'none') return pending;
      // "Nothing is open" must not follow the outage that came after it.
      const spokenOf = new Set(pending.flatMap((message) => (isSummary(message) ? [] : [message.alert.source])));
      return pending.filter(
        (message) =>
          !isSummary(message) ||
          (waiting === 'calm' && message.alert.severity !== 'info') ||
          spokenOf.has(message.alert.source),
      );
    },
    async run(stop) {
      const over = AbortSignal.any([stop, complete.signal]);
      await clock.sleep(TROUBLE_WAITS_MS, over);
      if (!over.aborted) release('calm');
      await clock.sleep(CALM_WAITS_MS - TROUBLE_WAITS_MS, over);
      if (!over.aborted) release('none');
    },
  };
}

function isSummary({ changes }: Message): boolean {
  return changes.every(({ transition }) => transition.kind === 'source.baseline');
}
