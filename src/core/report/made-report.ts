/**
 * Makes the report of a month out of the history, a source and a page of rows at a time: whatever the history has, no more
 * of it is in memory than the report shows.
 */
import type { AlertRow, HistoryReader, ReadingRow } from '../history/rows.ts';
import { DAY } from '../text/duration.ts';
import { byName } from '../text/plain.ts';
import { append } from '../transition/long-lists.ts';
import { tallyDeliveries } from './delivery-times.ts';
import { gatherEvidence } from './evidence.ts';
import {
  joinStandings,
  lastRead,
  reportOf,
  spanUntil,
  standingOf,
  type Report,
  type ReportOptions,
} from './monthly-report.ts';

/** Work is announced, and outages begin, no longer than this before what of them is in the month. */
const BEFORE_MS = 92 * DAY;
/** Phones come back, and words are said, no longer than this after. */
const AFTER_MS = 31 * DAY;
/** Of all sources together, and of each at least. */
const MOST_ALERTS = 10_000;
const LEAST_ALERTS = 100;

/** What a page says belongs to the phones of accounts, and theirs to it: of all sources, whichever is asked for. */
export async function makeReport(history: HistoryReader, options: ReportOptions): Promise<Report> {
  const { span: whole, madeAt } = options;
  const sources = (await history.sources()).toSorted(byName);
  const span = spanUntil(whole, await lastReadOf(history, sources, options));
  const isWatched = (source: string): boolean => options.watched?.includes(source) ?? true;
  const standings = [];
  const alerts: AlertRow[] = [];
  let alertsLeftOut = 0;
  for (const source of sources) {
    // Of what is no longer watched also how long it was read after the month.
    const readings = await history.readings(isWatched(source) ? span : { ...span, until: madeAt }, source);
    const rows = { readings, states: await history.states(span, source), phones: await history.phones(span, source) };
    standings.push(standingOf(source, rows, span, isWatched(source)));
    const most = Math.max(LEAST_ALERTS, Math.floor(MOST_ALERTS / sources.length));
    const found = await history.longestAlerts(span, source, most);
    append(alerts, found.alerts);
    alertsLeftOut += found.leftOut;
  }
  const around = { since: whole.since - BEFORE_MS, until: whole.until + AFTER_MS };
  const evidence = await gatherEvidence(history.transitionPages(around), new Set(alerts.map(({ id }) => id)));
  const deliveries = tallyDeliveries(options.source);
  for await (const page of history.deliveryPages(whole)) deliveries.add(page);
  return reportOf(
    {
      keptSince: (await history.kept())?.since,
      standing: joinStandings(standings),
      alerts: alerts.toSorted((a, b) => a.startedAt - b.startedAt || a.number - b.number),
      transitions: evidence.transitions,
      deliveries,
      leftOut: { alerts: alertsLeftOut, changes: evidence.leftOut },
    },
    { ...options, span },
  );
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
  return lastRead(latest, madeAt);
}
