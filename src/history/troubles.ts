/** Troubles with the archive of a history: each is told once, waited for, and mended where it can be. */
import { MINUTE, SECOND } from '../core/text/duration.ts';
import type { HistoryStore, HistoryTrouble } from './history-store.ts';

/** Somebody who holds the archive for so long has forgotten it: it is begun anew. */
const LOCKED_FOR_MS = 5 * MINUTE;
/** What is refused once is no news: a database that has much to do gives a statement up, and takes the next one. */
const SECOND_TRY_MS = 5 * SECOND;
/** How long it rests after each trouble. Damage is mended at the next try, a disk by a person; a tenure that is over stays so. */
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
  /** Something is wrong with it that people should know: told once. */
  told(trouble: { what: string; reason: string }): void;
}

/** What is wrong with it is told once, and mended where it can be. */
export function createTroubles({ archive, monotonic, told }: TroublesOptions) {
  let trouble: { kind: HistoryTrouble; since: number; told: boolean } | null = null;
  let notBefore = -Infinity;

  function tell(words: { what: string; reason: string }): void {
    if (trouble?.told === true) return;
    if (trouble !== null) trouble.told = true;
    told(words);
  }

  async function begunAnew(kind: HistoryTrouble, error: unknown): Promise<void> {
    const aside = await archive.beginAnew();
    const why = archive.reasonOf(kind, error);
    tell({
      what: 'its history was begun anew',
      reason: `${why} It was put aside as ${String(aside)}; everything else goes on.`,
    });
  }

  function refused(kind: HistoryTrouble, error: unknown): void {
    const why = archive.reasonOf(kind, error);
    const goesOn = 'Everything else goes on; what happens meanwhile is written as soon as that is possible again.';
    tell({ what: 'its history cannot be written', reason: `${why} ${goesOn}` });
  }

  return {
    notBefore: () => notBefore,
    isOver: () => trouble?.kind === 'over',
    isAwayOrOver: () => trouble?.kind === 'away' || trouble?.kind === 'over',
    end() {
      trouble = null;
    },
    async met(error: unknown): Promise<void> {
      const kind = archive.troubleOf(error);
      const isFirst = trouble?.kind !== kind;
      if (trouble === null || isFirst) trouble = { kind, since: monotonic(), told: trouble?.told ?? false };
      notBefore = monotonic() + (isFirst ? Math.min(SECOND_TRY_MS, RETRY_MS[kind]) : RETRY_MS[kind]);
      if (kind === 'refused') {
        if (!isFirst) refused(kind, error);
      } else if (kind === 'damaged' || (kind === 'locked' && monotonic() - trouble.since >= LOCKED_FOR_MS)) {
        try {
          await begunAnew(kind, error);
        } catch (refusal) {
          // It cannot be moved either.
          notBefore = monotonic() + RETRY_MS.refused;
          refused('refused', refusal);
        }
      }
    },
  };
}
