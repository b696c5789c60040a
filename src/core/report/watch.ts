/** Coverage of an outage: gaps in readings, and whether it began before the watch. */
import type { AlertRow, HistoryReader, ReadingRow, Span } from '../history/rows.ts';
import { DAY, MINUTE } from '../text/duration.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import { findGaps, joinSpans, sumLengths, clipSpans } from './uptime.ts';

export interface WatchRecord {
  /** Its part within the report; null if its course is unknown. */
  within: Span;
  withinMs: number;
  /** Gaps in that part since the first reading. */
  unread: Span[];
  unreadMs: number;
  /** First reading of its source; null if the outage began later, or if earlier readings were pruned. */
  notWatchedBefore: number | null;
}

/** An alert opens slightly before the sweep that found it ends. */
const SEEN_WITHIN_MS = 5 * MINUTE;
/** Span of earlier readings examined per query. */
const LOOKED_BACK_MS = 31 * DAY;

/** Parts that must be read to observe an alert of this family. */
const PARTS: Readonly<Partial<Record<AlertRow['family'], readonly string[]>>> = {
  notice: ['notices'],
  phones: ['registrations'],
  trouble: ['page', 'components'],
};

/** Readings of the parts relevant to an alert; all parts if those were never read. */
function readingsFor({ source, family }: AlertRow, readings: readonly ReadingRow[]): ReadingRow[] {
  const own = readings.filter((reading) => reading.source === source);
  const wanted = own.filter(({ part }) => PARTS[family]?.includes(part) ?? true);
  return wanted.length > 0 ? wanted : own;
}

/**
 * `readings` start at the alert. `earlier` finds earlier readings of the source; it is called only if the alert began
 * before all of them.
 */
export async function computeWatch(
  alert: AlertRow,
  readings: readonly ReadingRow[],
  span: Span,
  earlier: (before: number) => Promise<boolean>,
): Promise<WatchRecord> {
  const { startedAt, openedAt, resolvedAt } = alert;
  const read = readingsFor(alert, readings);
  const until = Math.min(resolvedAt ?? span.until, span.until);
  const whole = { since: Math.min(Math.max(startedAt, span.since), until), until };
  const first = findMinimum(read.map(({ since }) => since));
  const isFirst =
    Number.isFinite(first) && first > startedAt && openedAt >= first - SEEN_WITHIN_MS && !(await earlier(startedAt));
  const watched = isFirst ? { since: Math.max(whole.since, Math.min(first, until)), until } : whole;
  const parts = Map.groupBy(read, ({ part }) => part);
  const gaps = parts.size === 0 ? [watched] : [...parts.values()].flatMap((all) => findGaps(watched, all));
  const unread = joinSpans(clipSpans(gaps, watched));
  return {
    within: whole,
    withinMs: whole.until - whole.since,
    unread,
    unreadMs: sumLengths(unread),
    notWatchedBefore: isFirst ? first : null,
  };
}

/** Truncates it at `until`. */
export function endWatchAt(watch: WatchRecord, until: number): WatchRecord {
  const { since } = watch.within;
  const span = { since, until: Math.max(since, Math.min(watch.within.until, until)) };
  const unread = clipSpans(watch.unread, span);
  return { ...watch, within: span, withinMs: span.until - since, unread, unreadMs: sumLengths(unread) };
}

/** Joins the watches of an alert of several accounts: from the first to the last, with the gaps of each. */
export function joinWatches(watches: readonly WatchRecord[]): WatchRecord {
  const [only, ...others] = watches;
  if (only !== undefined && others.length === 0) return only;
  const spans = watches.map(({ within }) => within);
  const within = {
    since: findMinimum(spans.map(({ since }) => since)),
    until: findMaximum(spans.map(({ until }) => until)),
  };
  const unread = joinSpans(watches.flatMap((watch) => watch.unread));
  const notWatched = watches.flatMap(({ notWatchedBefore }) => notWatchedBefore ?? []);
  return {
    within,
    withinMs: within.until - within.since,
    unread,
    unreadMs: sumLengths(unread),
    notWatchedBefore: notWatched.length < watches.length ? null : findMinimum(notWatched),
  };
}

/** True if a source was read at any earlier time. Searches month by month, because the history may be long. */
export function readBefore(
  history: Pick<HistoryReader, 'readings'>,
  source: string,
  keptSince: number,
): (before: number) => Promise<boolean> {
  return async (before) => {
    for (let until = before; until > keptSince; until -= LOOKED_BACK_MS) {
      const since = Math.max(keptSince, until - LOOKED_BACK_MS);
      if ((await history.readings({ since, until }, source)).length > 0) return true;
    }
    return false;
  };
}
