/** Handles failures of the store: reports each once, retries, and repairs if possible. */
import { MINUTE, SECOND } from '../core/text/duration.ts';
import { computeRetryWait, type RetryPolicy } from '../core/text/retry.ts';
import type { OwnEvent } from '../core/wording/own-events.ts';
import type { HistoryStore, HistoryTrouble } from './history-store.ts';

/** Assume a stale lock after this. */
const LOCKED_FOR_MS = 5 * MINUTE;
/**
 * Damage is repaired on the next attempt, a disk by a person; a lost lease stays lost. A single refusal is retried soon
 * and not reported: a busy database aborts a statement and accepts the next.
 */
const RETRIES: Readonly<Record<HistoryTrouble, RetryPolicy>> = {
  damaged: { firstMs: SECOND, factor: 1, capMs: SECOND, jitter: 0 },
  locked: { firstMs: 5 * SECOND, factor: 1, capMs: 5 * SECOND, jitter: 0 },
  refused: { firstMs: 5 * SECOND, factor: 12, capMs: MINUTE, jitter: 0 },
  away: { firstMs: 5 * SECOND, factor: 1, capMs: 5 * SECOND, jitter: 0 },
  over: { firstMs: 5 * SECOND, factor: Infinity, capMs: Infinity, jitter: 0 },
};

export interface TroublesOptions {
  archive: HistoryStore;
  monotonic(): number;
  /** Reports a failure, once. */
  report(event: OwnEvent): void;
}

/** Reports a failure once and repairs it if possible. */
export function createTroubles({ archive, monotonic, report }: TroublesOptions) {
  let trouble: { kind: HistoryTrouble; failures: number; since: number; isReported: boolean } | null = null;
  let notBefore = -Infinity;

  function reportOnce(event: OwnEvent): void {
    if (trouble?.isReported === true) return;
    if (trouble !== null) trouble.isReported = true;
    report(event);
  }

  async function replaceStore(kind: HistoryTrouble, error: unknown): Promise<void> {
    const setAside = await archive.reset();
    reportOnce({ code: 'history replaced', why: archive.explain(kind, error), setAside });
  }

  function refused(kind: HistoryTrouble, error: unknown): void {
    reportOnce({ code: 'history unwritable', why: archive.explain(kind, error) });
  }

  return {
    notBefore: () => notBefore,
    isOver: () => trouble?.kind === 'over',
    isAwayOrOver: () => trouble?.kind === 'away' || trouble?.kind === 'over',
    end() {
      trouble = null;
    },
    async met(error: unknown): Promise<void> {
      const kind = archive.classify(error);
      const isFirst = trouble?.kind !== kind;
      if (trouble === null || isFirst) {
        trouble = { kind, failures: 0, since: monotonic(), isReported: trouble?.isReported ?? false };
      }
      trouble.failures += 1;
      notBefore = monotonic() + computeRetryWait(RETRIES[kind], trouble);
      if (kind === 'refused') {
        if (!isFirst) refused(kind, error);
      } else if (kind === 'damaged' || (kind === 'locked' && monotonic() - trouble.since >= LOCKED_FOR_MS)) {
        try {
          await replaceStore(kind, error);
        } catch (refusal) {
          // Renaming failed too.
          notBefore = monotonic() + RETRIES.refused.capMs;
          refused('refused', refusal);
        }
      }
    },
  };
}
