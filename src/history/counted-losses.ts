/** Remembers which lost phones the history has counted, so that each loss counts once, from its start. */
import type { PhoneLoss, PhonesStanding } from '../core/history/standing.ts';
import { TABLES, type Backdated, type HistoryRow, type HistoryTable } from './history-store.ts';

export interface CountedSiteLoss extends PhoneLoss {
  site: string;
}

/** `lostAt`: number of lost phones of a site in the last stored row. */
export function createCountedLosses(lostAt: (source: string, site: string) => number) {
  const counted = new Map<string, ReadonlySet<string>>();

  return {
    /** Losses not counted before for this source; they count from now on. */
    findNew(source: string, phones: readonly PhonesStanding[]): CountedSiteLoss[] {
      const before = counted.get(source);
      const found = phones.flatMap(({ site, losses = [] }) => {
        // After a start nothing is remembered: the last stored row has counted as many of the first losses.
        const uncounted = before === undefined ? losses.slice(lostAt(source, site)) : losses;
        return uncounted.filter((loss) => before?.has(keyOf(loss)) !== true).map((loss) => ({ ...loss, site }));
      });
      counted.set(source, new Set(phones.flatMap(({ losses = [] }) => losses.map(keyOf))));
      return found;
    },
  };
}

/** Key of a row within its table. */
export function toRowKey(row: HistoryRow, table: HistoryTable = 'phones'): string {
  return TABLES[table].key.map((column) => row[column]).join('\n');
}

function keyOf({ extension, since }: PhoneLoss): string {
  return `${extension}\n${since}`;
}

/**
 * A phone counts as lost after the hold-off, but was lost earlier. Corrects the rows in `waiting`; corrections of
 * stored rows go to `backdated`.
 */
export function backdate(
  waiting: Map<string, HistoryRow>,
  backdated: Backdated[],
  { source, subject, name, since, until: end }: Omit<Backdated, 'count'>,
): void {
  const own = [...waiting]
    .filter(([, row]) => row['source'] === source && row['subject'] === subject)
    .map(([key, row]) => ({ key, row, at: Number(row['at']) }))
    .toSorted((one, other) => one.at - other.at);
  const before = own.findLast(({ at }) => at <= since);
  if (before !== undefined && before.at < since) {
    // The loss lies between two rows.
    const row = { ...before.row, at: since, lost: Number(before.row['lost']) + 1 };
    waiting.set(toRowKey(row), row);
  }
  for (const { key, row, at } of own) {
    if (at >= since && at < end) waiting.set(key, { ...row, lost: Number(row['lost']) + 1 });
  }
  const until = Math.min(end, own[0]?.at ?? end);
  if (until <= since) return;
  const same = backdated.findLast(
    (one) => one.source === source && one.subject === subject && one.since === since && one.until === until,
  );
  if (same === undefined) backdated.push({ source, subject, name, since, until, count: 1 });
  else same.count += 1;
}
