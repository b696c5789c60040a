/** The last 24 hours for the page, read again when the history has changed, and at most every few seconds. */
import { computeRecentHours, type RecentHours } from '../core/view/recent.ts';
import { DAY, SECOND } from '../core/text/duration.ts';
import type { DaysOptions } from './ninety-days.ts';

/** Rows are shown for so long before the history is asked whether it has changed. */
const SHOWN_FOR_MS = 5 * SECOND;

/** Null where nothing is kept yet. Rejects with what `read` rejects with. */
export function createRecentHours({ read, now }: Omit<DaysOptions, 'timezone'>): () => Promise<RecentHours | null> {
  let known: { mark: string; at: number; recent: RecentHours } | null = null;
  let reading: Promise<RecentHours | null> | null = null;

  async function readAnew(at: number): Promise<RecentHours | null> {
    return await read(async (history) => {
      const mark = await history.mark();
      if (known?.mark === mark) {
        known = { ...known, at };
        return known.recent;
      }
      const span = { since: at - DAY, until: at };
      const [phones, states, readings] = [
        await history.phones(span),
        await history.states(span),
        await history.readings(span),
      ];
      known = { mark, at, recent: computeRecentHours({ phones, states, readings }, span) };
      return known.recent;
    });
  }

  return async () => {
    const at = now();
    if (known !== null && at - known.at < SHOWN_FOR_MS && at >= known.at) return known.recent;
    reading ??= readAnew(at).finally(() => (reading = null));
    return await reading;
  };
}
