/** Handles failures of the store: reports each once, retries, and repairs if possible. */
import { MINUTE, SECOND } from '../core/text/duration.ts';
import type { OwnEvent } from '../core/wording/own-events.ts';
import type { HistoryStore, HistoryTrouble } from './history-store.ts';

/** Assume a stale lock after this. */
const LOCKED_FOR_MS = 5 * MINUTE;
/** A single refusal is not reported: a busy database aborts a statement and accepts the next. */
const SECOND_TRY_MS = 5 * SECOND;
/** Retry delays. Damage is repaired on the next attempt, a disk by a person; a lost lease stays lost. */
const RETRY_MS: Readonly<Record<HistoryTrouble, number>> = {
  damaged: SECOND,
  locked: 5 * SECOND,
  refused: MINUTE,
  away: 5 * SECOND,
  over: Infinity,
};

export interface TroublesOptions {
  archive: HistoryStore;
  monotonic(): number;
  /** Reports a failure, once. */
  report(event: OwnEvent): void;
}

/** Reports a failure once and repairs it if possible. */
export function createTroubles({ archive, monotonic, report }: TroublesOptions) {
  let trouble: { kind: HistoryTrouble; since: number; isReported: boolean } | null = null;
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
      if (trouble === null || isFirst) trouble = { kind, since: monotonic(), isReported: trouble?.isReported ?? false };
      notBefore = monotonic() + (isFirst ? Math.min(SECOND_TRY_MS, RETRY_MS[kind]) : RETRY_MS[kind]);
      if (kind === 'refused') {
        if (!isFirst) refused(kind, error);
      } else if (kind === 'damaged' || (kind === 'locked' && monotonic() - trouble.since >= LOCKED_FOR_MS)) {
        try {
          await replaceStore(kind, error);
        } catch (refusal) {
          // Renaming failed too.
          notBefore = monotonic() + RETRY_MS.refused;
          refused('refused', refusal);
        }
      }
    },
  };
}
