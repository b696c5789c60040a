/**
 * Creates the report of a month from the history, one source and one page of rows at a time. Memory holds no more than
 * the report shows.
 */
import type { TransitionRecord } from '../history/record.ts';
import type { AlertRow, HistoryReader, ReadingRow } from '../history/rows.ts';
import { DAY } from '../text/duration.ts';
import { compareNames } from '../text/plain.ts';
import { append, findMinimum } from '../transition/collections.ts';
import { tallyDeliveries } from './delivery-times.ts';
import { gatherEvidence } from './evidence.ts';
import {
  joinStandings,
  findLastRead,
  createReport,
  createSourceFilter,
  endSpanAt,
  computeStanding,
  extendReadings,
  type Report,
  type ReportOptions,
  type SpanState,
} from './monthly-report.ts';
import { listNoticeRecords } from './notice-records.ts';
import { readBefore, computeWatch, type WatchRecord } from './watch.ts';

/** How long before the month work is announced or outages begin, at most. */
const BEFORE_MS = 92 * DAY;
/** How long after the month phones return or texts are published, at most. */
const AFTER_MS = 31 * DAY;
/** Limit for all sources together; also the minimum per source. */
const MOST_ALERTS = 10_000;
const LEAST_ALERTS = 100;

const NOT_WATCHED: WatchRecord = {
  within: { since: 0, until: 0 },
  withinMs: 0,
  unread: [],
  unreadMs: 0,
  notWatchedBefore: null,
};

/** Matches pages with phones of all sources, even if the report is about one. */
export async function makeReport(history: HistoryReader, options: ReportOptions): Promise<Report> {
  const { span: whole, madeAt, watched: configured, sources: only } = options;
  const isOf = (source: string): boolean => only?.includes(source) ?? true;
  const sources = (await history.sources()).filter(isOf).toSorted(compareNames);
  const spans = {
    span: endSpanAt(whole, await lastReadOf(history, sources, options)),
    happened: endSpanAt(whole, madeAt),
    madeAt,
  };
  const { span, happened } = spans;
  const keptSince = (await history.kept())?.since;
  const standings: SpanState[] = [];
  const alerts: AlertRow[] = [];
  const watches = new Map<AlertRow, WatchRecord>();
  let alertsLeftOut = 0;
  for (const source of sources) {
    const isWatched = configured?.includes(source) ?? true;
    const most = Math.max(LEAST_ALERTS, Math.floor(MOST_ALERTS / sources.length));
    const found = await history.longestAlerts(happened, source, most);
    append(alerts, found.alerts);
    alertsLeftOut += found.leftOut;
    const since = findMinimum([span.since, ...found.alerts.map(({ startedAt }) => startedAt)]);
    // For removed sources, also the readings after the span.
    const known = await history.readings({ since, until: isWatched ? happened.until : madeAt }, source);
    const watched = isWatched ? extendReadings(known, madeAt) : known;
    const earlier = readBefore(history, source, keptSince ?? span.since);
    for (const alert of found.alerts) watches.set(alert, await computeWatch(alert, watched, happened, earlier));
    const readings = known.filter(({ until }) => until >= span.since);
    const [states, phones] = [await history.states(span, source), await history.phones(happened, source)];
    standings.push(computeStanding(source, { readings, states, phones }, spans, isWatched));
  }
  const around = { since: whole.since - BEFORE_MS, until: whole.until + AFTER_MS };
  const ids = new Set(alerts.map(({ id }) => id));
  const evidence = await gatherEvidence(recordsOf(history.transitionPages(around), isOf), ids);
  const deliveries = tallyDeliveries(createSourceFilter(options));
  for await (const page of history.deliveryPages(whole)) deliveries.add(page);
  return createReport(
    {
      keptSince,
      standing: joinStandings(standings),
      alerts: alerts.toSorted((a, b) => a.startedAt - b.startedAt || a.number - b.number),
      watchOf: (alert) => watches.get(alert) ?? NOT_WATCHED,
      transitions: evidence.transitions,
      deliveries,
      record: listNoticeRecords(await history.pageRecords(), whole, madeAt),
      leftOut: { alerts: alertsLeftOut, changes: evidence.leftOut },
    },
    happened,
    { ...options, span },
  );
}

async function* recordsOf(
  pages: AsyncIterable<readonly TransitionRecord[]>,
  isOf: (source: string) => boolean,
): AsyncGenerator<readonly TransitionRecord[]> {
  for await (const records of pages) yield records.filter(({ transition }) => isOf(transition.source));
}

async function lastReadOf(
  history: HistoryReader,
  sources: readonly string[],
  { span, madeAt }: ReportOptions,
): Promise<number> {
  const latest: ReadingRow[] = [];
  for (const source of sources) {
    const parts = Map.groupBy(await history.readings(span, source), ({ part }) => part);
    for (const all of parts.values()) append(latest, all.slice(-1));
  }
  return findLastRead(latest, madeAt);
}
