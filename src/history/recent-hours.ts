/** The last 24 hours for the page, read again when the history has changed, and at most every few seconds. */
import { computeRecentHours, type RecentHours } from '../core/view/recent.ts';
import { DAY, MINUTE, SECOND } from '../core/text/duration.ts';
import type { DaysOptions } from './ninety-days.ts';

/**
 * Rows are shown for so long before the history is asked whether it has changed; longer where a reading takes long, as
 * the history of thousands of accounts changes all the time.
 */
const SHOWN_FOR = { leastMs: 5 * SECOND, readings: 20, mostMs: MINUTE } as const;

/** Null where nothing is kept yet. Rejects with what `read` rejects with. */
export function createRecentHours({ read, now }: Omit<DaysOptions, 'timezone'>): () => Promise<RecentHours | null> {
  let known: { mark: string; at: number; recent: RecentHours } | null = null;
  let reading: Promise<RecentHours | null> | null = null;
  let shownForMs: number = SHOWN_FOR.leastMs;

  async function readAnew(at: number): Promise<RecentHours | null> {
    return await read(async (history) => {
      const mark = await history.mark();
      if (known?.mark === mark) {
        known = { ...known, at };
        return known.recent;
      }
      const span = { since: at - DAY, until: at };
      const [losses, states, readings] = [
        await history.losses(span),
        await history.states(span),
        await history.readings(span),
      ];
      known = { mark, at, recent: computeRecentHours({ losses, states, readings }, span) };
      const tookMs = now() - at;
      shownForMs = Math.min(Math.max(SHOWN_FOR.leastMs, SHOWN_FOR.readings * tookMs), SHOWN_FOR.mostMs);
      return known.recent;
    });
  }

  return async () => {
    const at = now();
    if (known !== null && at - known.at < shownForMs && at >= known.at) return known.recent;
    reading ??= readAnew(at).finally(() => (reading = null));
    return await reading;
  };
}
