/** The report of a month or another span as one value, which every format prints. */
import type { TransitionRecord } from '../history/record.ts';
import type { AlertRow, ReadingRow, Span } from '../history/rows.ts';
import { MINUTE } from '../text/duration.ts';
import { compareTexts } from '../text/plain.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import type { SourceRows } from './days.ts';
import type { DeliveryTally, LateDelivery, ReceiverDeliveries } from './delivery-times.ts';
import { listMaintenances, listSilentEdits, type Maintenance, type SilentEdit } from './announced-maintenance.ts';
import type { Month } from './month.ts';
import type { NoticeRecord } from './notice-records.ts';
import { groupByCustomer, type CustomerPhones, type SourceName } from './customer-phones.ts';
import { listOutages, type Outage, type OutageRows } from './outages.ts';
import { listSiteLosses, type SiteLosses } from './site-losses.ts';
import { findGaps, joinSpans, sumLengths, computeUptimes, type Uptime } from './uptime.ts';

export interface Report extends Span {
  instance: string;
  /** IANA name. */
  timezone: string;
  /** Null for a span that is no month. */
  month: Month | null;
  /** Display name of its subject; null if it is obvious. */
  heading: string | null;
  /** Display names by source. */
  called: Readonly<Record<string, string>>;
  /** Time of creation; for the current month `until` is no later. */
  madeAt: number;
  /** Start of the history; null if it is before the month. */
  historyBeginsAt: number | null;
  sources: ReadingOfSource[];
  uptimes: Uptime[];
  outages: Outage[];
  maintenances: Maintenance[];
  edits: SilentEdit[];
  sites: SiteLosses[];
  /** Empty with a single customer. */
  customers: CustomerPhones[];
  receivers: ReceiverDeliveries[];
  late: LateDelivery[];
  /** Unwatched time known from notices; empty if no page has past notices. */
  record: NoticeRecord[];
  /** Omitted for lack of room: the shortest alerts, changes in the middle of alerts, late deliveries at the end. */
  leftOut: { alerts: number; changes: number; late: number };
}

/** Coverage of a source. */
export interface ReadingOfSource {
  source: string;
  /** Times at which any part was not read. */
  gaps: Span[];
  unknownMs: number;
  /** Time of the last reading, if the source was removed. */
  unwatchedSince: number | null;
}

export interface ReportOptions extends Pick<Report, 'instance' | 'timezone' | 'month' | 'madeAt'> {
  /** The whole requested span. */
  span: Span;
  /** Include only this source; default: all. */
  source?: string | undefined;
  /** Include only these sources, such as those of one customer, and mention no other; default: all. */
  sources?: readonly string[] | undefined;
  /** Default: the instance. */
  heading?: string | null | undefined;
  /** By source. Default: the name itself, without a customer. */
  names?: Readonly<Record<string, SourceName>> | undefined;
  /** Configured sources; others count as removed. Default: all are configured. */
  watched?: readonly string[] | undefined;
}

/** State of sources over a span. */
export interface SpanState {
  sources: ReadingOfSource[];
  uptimes: Uptime[];
  sites: SiteLosses[];
}

/** A reading this recent counts as still current. */
const STILL_READ_MS = 5 * MINUTE;

/** History of a span, and of subjects that began before it. */
export interface ReportRows {
  /** Epoch milliseconds; absent if the history is empty. */
  keptSince?: number | undefined;
  standing: SpanState;
  alerts: readonly AlertRow[];
  watchOf: OutageRows['watchOf'];
  transitions: readonly TransitionRecord[];
  deliveries: DeliveryTally;
  record?: readonly NoticeRecord[];
  leftOut: Pick<Report['leftOut'], 'alerts' | 'changes'>;
}

export interface ReportSpans {
  /** Span of component states: until the last reading, see `endSpanAt`. */
  span: Span;
  /** Span of events: the part that is over. */
  happened: Span;
  madeAt: number;
}

/** Uptime is reported until the last reading (`findLastRead`). */
export function endSpanAt({ since, until }: Span, last: number): Span {
  return { since, until: Math.max(since, Math.min(until, last)) };
}

export function createSourceFilter({
  source,
  sources,
}: Pick<ReportOptions, 'source' | 'sources'>): (name: string) => boolean {
  return (name) => (source === undefined || name === source) && (sources?.includes(name) ?? true);
}

/** `happened`: the part of the span that is over. */
export function createReport(rows: ReportRows, happened: Span, options: ReportOptions): Report {
  const { span, source, watched, instance, timezone, month, madeAt, heading = instance, names = {} } = options;
  const isAsked = createSourceFilter(options);
  const isMeant = (one: { source: string }): boolean => isAsked(one.source);
  const involves = (outage: Outage): boolean =>
    outage.sources.some(isAsked) || (source !== undefined && outage.phones?.accounts.includes(source) === true);
  const { standing, transitions, deliveries, leftOut } = rows;
  const transitionsOf = transitions.filter(({ transition }) => isMeant(transition));
  const { keptSince = span.since } = rows;
  const lastReadOf = new Map(standing.sources.map((one) => [one.source, one.unwatchedSince]));
  const isWatched = (name: string): boolean => watched?.includes(name) ?? true;
  // Exclude alerts of sources without readings in the span.
  const alerts = rows.alerts.filter(
    (alert) => alert.resolvedAt !== null || isWatched(alert.source) || lastReadOf.has(alert.source),
  );
  const sites = standing.sites.filter(isMeant);
  const findLastRead = (name: string): number | null => lastReadOf.get(name) ?? null;
  return {
    instance,
    timezone,
    month,
    heading,
    called: Object.fromEntries(
      Object.entries(names).flatMap(([name, { called }]) =>
        (options.sources?.includes(name) ?? true) ? [[name, called]] : [],
      ),
    ),
    madeAt,
    ...span,
    historyBeginsAt: keptSince > span.since ? keptSince : null,
    sources: standing.sources.filter(isMeant),
    uptimes: standing.uptimes.filter(isMeant),
    outages: listOutages(
      {
        alerts,
        transitions,
        watchOf: rows.watchOf,
        lastReadOf: findLastRead,
        timezone,
        customer: nameAccounts(names, standing, options),
      },
      happened,
    ).filter(involves),
    maintenances: listMaintenances(transitionsOf, span, madeAt, timezone),
    edits: listSilentEdits(transitionsOf, span),
    sites,
    customers: groupByCustomer(sites, (account) => names[account]),
    receivers: deliveries.receivers(),
    late: deliveries.late(),
    record: (rows.record ?? []).filter(isMeant),
    leftOut: { ...leftOut, late: deliveries.leftOut() },
  };
}

/** Names accounts in sentences of a report on several; in a report on one account its phones are the reader's. */
function nameAccounts(
  names: NonNullable<ReportOptions['names']>,
  { sites }: Pick<SpanState, 'sites'>,
  { sources }: Pick<ReportOptions, 'sources'>,
): OutageRows['customer'] {
  const known = new Set([...Object.keys(names), ...sites.map(({ source }) => source)]);
  const accounts = new Set([...known].filter((account) => sources?.includes(account) ?? true));
  return (source) => (accounts.size > 1 && accounts.has(source) ? (names[source]?.called ?? source) : null);
}

/**
 * State of one source. A removed source counts only until its last reading, and not at all if that was before the span;
 * its `readings` may extend beyond the span.
 */
export function computeStanding(
  source: string,
  rows: SourceRows,
  { span, happened, madeAt }: ReportSpans,
  isWatched: boolean,
): SpanState {
  const { states, phones, readings } = rows;
  const last = findMaximum(readings.map(({ until }) => until));
  const isGone = !isWatched && last < span.until;
  const isListed = states.length + phones.length + readings.length > 0 && !(isGone && last < span.since);
  if (!isListed) return { sources: [], uptimes: [], sites: [] };
  const seen = { since: span.since, until: isGone ? last : span.until };
  const parts = Map.groupBy(readings, ({ part }) => part);
  // A source without readings in the span is unknown throughout.
  const gaps = parts.size === 0 ? [seen] : joinSpans([...parts.values()].flatMap((all) => findGaps(seen, all)));
  return {
    sources: [{ source, gaps, unknownMs: sumLengths(gaps), unwatchedSince: isGone ? last : null }],
    uptimes: computeUptimes(states, readings, seen),
    sites: listSiteLosses(phones, isGone ? readings : extendReadings(readings, madeAt), isGone ? seen : happened),
  };
}

/** Keeps the given order; sources are sorted by name. */
export function joinStandings(standings: readonly SpanState[]): SpanState {
  return {
    sources: standings.flatMap(({ sources }) => sources).toSorted((a, b) => compareTexts(a.source, b.source)),
    uptimes: standings.flatMap((one) => one.uptimes),
    sites: standings.flatMap(({ sites }) => sites),
  };
}

/** Epoch milliseconds; `now` if there was a reading within the last five minutes. */
export function findLastRead(readings: readonly ReadingRow[], now: number): number {
  return findMinimum([now, ...endsOf(readings).filter((at) => now - at < STILL_READ_MS)]);
}

/** Extends the latest reading of current sources to `now`. */
export function extendReadings(readings: readonly ReadingRow[], now: number): ReadingRow[] {
  const parts = Map.groupBy(readings, ({ source, part }) => `${source} ${part}`);
  return [...parts.values()].flatMap((all) => {
    const last = findMaximum(all.map(({ until }) => until));
    const goesOn = last < now && now - last < STILL_READ_MS;
    return all.map((row) => (goesOn && row.until === last ? { ...row, until: now } : row));
  });
}

/** Last reading of each part. */
function endsOf(readings: readonly ReadingRow[]): number[] {
  const parts = Map.groupBy(readings, ({ source, part }) => `${source} ${part}`);
  return [...parts.values()].map((all) => findMaximum(all.map(({ until }) => until)));
}
