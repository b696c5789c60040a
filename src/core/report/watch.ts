/** How far an outage was watched: when it was not read, and whether it began before anybody looked. */
import type { AlertRow, HistoryReader, ReadingRow, Span } from '../history/rows.ts';
import { DAY, MINUTE } from '../text/duration.ts';
import { findMinimum } from '../transition/collections.ts';
import { findGaps, joinSpans, sumLengths, clipSpans } from './uptime.ts';

export interface Watch {
  /** What of it lies in the span of the report; null where it is not known how it went on. */
  within: Span;
  withinMs: number;
  /** When it was not read, of that, since the first look. */
  unread: Span[];
  unreadMs: number;
  /** The first look at its source; null where it began after that, or where the looks before it were pruned. */
  notWatchedBefore: number | null;
}

/** An alert is opened a moment before the look that found it ends. */
const SEEN_WITHIN_MS = 5 * MINUTE;
/** As much of the readings before an outage is looked at together. */
const LOOKED_BACK_MS = 31 * DAY;

/** What has to be read for an alert of this family to be known. */
const PARTS: Readonly<Partial<Record<AlertRow['family'], readonly string[]>>> = {
  notice: ['notices'],
  phones: ['registrations'],
  trouble: ['page', 'components'],
};

/** Readings of the parts that an alert is known by; of all parts where these were never read. */
function readingsFor({ source, family }: AlertRow, readings: readonly ReadingRow[]): ReadingRow[] {
  const own = readings.filter((reading) => reading.source === source);
  const wanted = own.filter(({ part }) => PARTS[family]?.includes(part) ?? true);
  return wanted.length > 0 ? wanted : own;
}

/**
 * `readings`: from the beginning of the alert on. `earlier` finds when its source was read before that: asked only where
 * the alert began before all of these.
 */
export async function computeWatch(
  alert: AlertRow,
  readings: readonly ReadingRow[],
  span: Span,
  earlier: (before: number) => Promise<boolean>,
): Promise<Watch> {
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

/** As much of it as was before that. */
export function endWatchAt(watch: Watch, until: number): Watch {
  const { since } = watch.within;
  const span = { since, until: Math.max(since, Math.min(watch.within.until, until)) };
  const unread = clipSpans(watch.unread, span);
  return { ...watch, within: span, withinMs: span.until - since, unread, unreadMs: sumLengths(unread) };
}

/** Whether a source was read at any time before, a month at a time: the history may be long. */
export function readBefore(
  history: Pick<HistoryReader, 'readings'>,
  source: string,
  keptSince: number,
): (before: number) => Promise<boolean> {
  return async (before) => {
    for (let until = before; until > keptSince; until -= LOOKED_BACK_MS) {
      const since = Math.max(keptSince, until - LOOKED_BACK_MS);
      // oxlint-disable-next-line no-await-in-loop -- one month after the other
      if ((await history.readings({ since, until }, source)).length > 0) return true;
    }
    return false;
  };
}
