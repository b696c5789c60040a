/** Which of the phones that are lost the history counts already: each is counted from when it was lost, once. */
import type { PhoneLoss, PhonesStanding } from '../core/history/standing.ts';
import type { Backdated, HistoryRow } from './archive.ts';

export interface SiteLoss extends PhoneLoss {
  site: string;
}

export interface CountedLosses {
  /** Those that were not lost when the phones of this source stood before; they count from now on. */
  findNew(source: string, phones: readonly PhonesStanding[]): SiteLoss[];
}

/** `lostAt`: how many phones of a site are lost by the last row of the archive. */
export function createCountedLosses(lostAt: (source: string, site: string) => number): CountedLosses {
  const counted = new Map<string, ReadonlySet<string>>();

  return {
    findNew(source, phones) {
      const before = counted.get(source);
      const found = phones.flatMap(({ site, losses = [] }) => {
        // Since the start nothing was counted: those that were called lost first are the ones that the archive has.
        const young = before === undefined ? losses.slice(lostAt(source, site)) : losses;
        return young.filter((loss) => before?.has(keyOf(loss)) !== true).map((loss) => ({ ...loss, site }));
      });
      counted.set(source, new Set(phones.flatMap(({ losses = [] }) => losses.map(keyOf))));
      return found;
    },
  };
}

function keyOf({ extension, since }: PhoneLoss): string {
  return `${extension}\n${since}`;
}

/**
 * A phone is called lost once the hold-off is over, and was lost before. Rows of `waiting` that count it as missing follow;
 * those that the archive has go to `backdated`.
 */
export function backdate(
  waiting: Map<string, HistoryRow>,
  backdated: Backdated[],
  { source, subject, name, since, until: end }: Omit<Backdated, 'count'>,
): void {
  let until = end;
  for (const [key, row] of waiting) {
    if (row['source'] !== source || row['subject'] !== subject) continue;
    const at = Number(row['at']);
    until = Math.min(until, at);
    if (at >= since && at < end) waiting.set(key, { ...row, lost: Number(row['lost']) + 1 });
  }
  if (until <= since) return;
  const same = backdated.findLast(
    (one) => one.source === source && one.subject === subject && one.since === since && one.until === until,
  );
  if (same === undefined) backdated.push({ source, subject, name, since, until, count: 1 });
  else same.count += 1;
}
