/** Deliveries of the last 24 hours for the page, read again when the history has changed. */
import type { DeliveryRecord } from '../core/history/record.ts';
import { DAY } from '../core/text/duration.ts';
import { append } from '../core/transition/collections.ts';
import { computeRecentDeliveries, type RecentDeliveries } from '../core/view/recent-deliveries.ts';
import type { DaysOptions } from './ninety-days.ts';

/** More than that in a day is no use to a reader; the report counts all. */
const MOST_READ = 20_000;

/** Rejects with what `read` rejects with. */
export function createRecentDeliveries({
  read,
  now,
}: Omit<DaysOptions, 'timezone'>): () => Promise<RecentDeliveries | null> {
  let known: { mark: string; deliveries: RecentDeliveries } | null = null;

  return async () =>
    await read(async (history) => {
      const mark = await history.mark();
      if (known?.mark === mark) return known.deliveries;
      const span = { since: now() - DAY, until: now() + 1 };
      const records: DeliveryRecord[] = [];
      for await (const page of history.deliveryPages(span)) {
        append(records, page);
        if (records.length > MOST_READ) break;
      }
      const deliveries = computeRecentDeliveries(records, span);
      known = { mark, deliveries };
      return deliveries;
    });
}
