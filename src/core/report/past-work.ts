/** Planned work that is over, with the phones that were lost meanwhile. */
import type { PastNotice } from '../history/past-notice.ts';
import type { PhonesRow, ReadingRow, Span } from '../history/rows.ts';
import { findMaximum } from '../transition/collections.ts';

/** Most phones of a site that were lost at once during the work, beyond those lost before it. */
export interface WorkLoss {
  account: string;
  /** Empty for phones without a known address. */
  site: string;
  phones: number;
}

export interface PastWork extends Omit<PastNotice, 'origin' | 'components'> {
  /** Number of its alert; null if it had none, as before the watch. */
  number: number | null;
  /** Worst first. */
  losses: readonly WorkLoss[];
  /** Accounts whose phones were read during the work. */
  measured: readonly string[];
}

export function isCancelled({ state }: Pick<PastNotice, 'state'>): boolean {
  return state === 'cancelled';
}

/** Time of the work, as published or else as announced; null if it is not known, or if it was cancelled. */
export function findWorkSpan(
  work: Pick<PastNotice, 'state' | 'beginsAt' | 'endsAt' | 'beganAt' | 'endedAt'>,
): Span | null {
  const [since, until] = [work.beganAt ?? work.beginsAt, work.endedAt ?? work.endsAt];
  return isCancelled(work) || since === null || until === null || until <= since ? null : { since, until };
}

/** `phones` has the rows of the span, and those that held at its beginning; oldest first. */
export function measureWorkLosses(
  { since, until }: Span,
  phones: readonly PhonesRow[],
  readings: readonly ReadingRow[],
): Pick<PastWork, 'losses' | 'measured'> {
  const read = readings.filter((one) => one.part === 'registrations' && one.since < until && one.until > since);
  const measured = new Set(read.map(({ source }) => source));
  const bySite = Map.groupBy(phones, ({ source, site }) => `${source}\n${site}`);
  const losses = [...bySite.values()].flatMap((rows): WorkLoss[] => {
    const [first] = rows;
    if (first === undefined || !measured.has(first.source)) return [];
    const before = rows.findLast(({ at }) => at <= since)?.lost ?? 0;
    const within = rows.filter(({ at }) => at > since && at < until).map(({ lost }) => lost);
    const lost = findMaximum([before, ...within]) - before;
    return lost > 0 ? [{ account: first.source, site: first.site, phones: lost }] : [];
  });
  return { losses: losses.toSorted((a, b) => b.phones - a.phones), measured: [...measured] };
}
