/** A month, or another span, as one value: what every format of the report prints. */
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
  /** Null where it is of another span. */
  month: Month | null;
  /** Whose it is, as people say it; null where that goes without saying. */
  heading: string | null;
  /** By the names of sources: what people call them. */
  called: Readonly<Record<string, string>>;
  /** When it was made; of a month that goes on, `until` is no later. */
  madeAt: number;
  /** Of what was before it nothing is known; null where that is before the month. */
  historyBeginsAt: number | null;
  sources: SourceReading[];
  uptimes: Uptime[];
  outages: Outage[];
  maintenances: Maintenance[];
  edits: SilentEdit[];
  sites: SiteLosses[];
  /** Empty where there is one customer alone. */
  customers: CustomerPhones[];
  receivers: ReceiverDeliveries[];
  late: LateDelivery[];
  /** What was read from notices and not watched; empty where no page's past was read. */
  record: NoticeRecord[];
  /** What there was no room for. The shortest alerts, changes in the middle of an alert, the last late deliveries. */
  leftOut: { alerts: number; changes: number; late: number };
}

/** How well a source was read. */
export interface SourceReading {
  source: string;
  /** When any part of it was not. */
  gaps: Span[];
  unknownMs: number;
  /** When it was last read, of what is no longer configured. */
  unwatchedSince: number | null;
}

export interface ReportOptions extends Pick<Report, 'instance' | 'timezone' | 'month' | 'madeAt'> {
  /** The whole month, or all that was asked for. */
  span: Span;
  /** Only what involves this source; default: all of them. */
  source?: string | undefined;
  /** Only of these sources, such as those of one customer, without a word of any other; default: all of them. */
  sources?: readonly string[] | undefined;
  /** Default: the instance. */
  heading?: string | null | undefined;
  /** By the names of sources. Default: each is called by its name, and is nobody's. */
  names?: Readonly<Record<string, SourceName>> | undefined;
  /** Names of all that is configured: any other source is no longer watched. Default: all are. */
  watched?: readonly string[] | undefined;
}

/** How things stood in a span. */
export interface Standing {
  sources: SourceReading[];
  uptimes: Uptime[];
  sites: SiteLosses[];
}

/** What was read so lately goes on: the time since then is not unknown, it is not over. */
const STILL_READ_MS = 5 * MINUTE;

/** What the history has of a span, and of what began before it. */
export interface ReportRows {
  /** Epoch milliseconds; absent where nothing is kept. */
  keptSince?: number | undefined;
  standing: Standing;
  alerts: readonly AlertRow[];
  watchOf: OutageRows['watchOf'];
  transitions: readonly TransitionRecord[];
  deliveries: DeliveryTally;
  record?: readonly NoticeRecord[];
  leftOut: Pick<Report['leftOut'], 'alerts' | 'changes'>;
}

/** Of what a report is. */
export interface ReportSpans {
  /** How components stood: until they were last read, see `endSpanAt`. */
  span: Span;
  /** What happened: as far as it is over. */
  happened: Span;
  madeAt: number;
}

/** Uptime is reported until it was last read (`findLastRead`). */
export function endSpanAt({ since, until }: Span, last: number): Span {
  return { since, until: Math.max(since, Math.min(until, last)) };
}

/** Of what is asked for. */
export function createSourceFilter({
  source,
  sources,
}: Pick<ReportOptions, 'source' | 'sources'>): (name: string) => boolean {
  return (name) => (source === undefined || name === source) && (sources?.includes(name) ?? true);
}

/** `span`: see `endSpanAt`; `happened`: as far as it is over. Of one source only what involves it. */
export function createReport(rows: ReportRows, happened: Span, options: ReportOptions): Report {
  const { span, source, watched, instance, timezone, month, madeAt, heading = instance, names = {} } = options;
  const isAsked = createSourceFilter(options);
  const isMeant = (one: { source: string }): boolean => isAsked(one.source);
  const involves = (outage: Outage): boolean =>
    isMeant(outage) || (source !== undefined && outage.phones?.accounts.includes(source) === true);
  const { standing, transitions, deliveries, leftOut } = rows;
  const transitionsOf = transitions.filter(({ transition }) => isMeant(transition));
  const { keptSince = span.since } = rows;
  const lastReadOf = new Map(standing.sources.map((one) => [one.source, one.unwatchedSince]));
  const isWatched = (name: string): boolean => watched?.includes(name) ?? true;
  // What goes on in a source that was not read in all the span is not of it.
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
    called: Object.fromEntries(Object.entries(names).map(([name, { called }]) => [name, called])),
    madeAt,
    ...span,
    historyBeginsAt: keptSince > span.since ? keptSince : null,
    sources: standing.sources.filter(isMeant),
    uptimes: standing.uptimes.filter(isMeant),
    outages: listOutages(
      { alerts, transitions, watchOf: rows.watchOf, lastReadOf: findLastRead, timezone },
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

/**
 * Of one source. Of what is no longer watched only the time until it was last read counts, and nothing where that was
 * before the span; `readings` go on beyond the span then.
 */
export function computeStanding(
  source: string,
  rows: SourceRows,
  { span, happened, madeAt }: ReportSpans,
  isWatched: boolean,
): Standing {
  const { states, phones, readings } = rows;
  const last = findMaximum(readings.map(({ until }) => until));
  const isGone = !isWatched && last < span.until;
  const isThere = states.length + phones.length + readings.length > 0 && !(isGone && last < span.since);
  if (!isThere) return { sources: [], uptimes: [], sites: [] };
  const seen = { since: span.since, until: isGone ? last : span.until };
  const parts = Map.groupBy(readings, ({ part }) => part);
  // A source that was never read in the span is there with all of it unknown.
  const gaps = parts.size === 0 ? [seen] : joinSpans([...parts.values()].flatMap((all) => findGaps(seen, all)));
  return {
    sources: [{ source, gaps, unknownMs: sumLengths(gaps), unwatchedSince: isGone ? last : null }],
    uptimes: computeUptimes(states, readings, seen),
    sites: listSiteLosses(phones, isGone ? readings : extendReadings(readings, madeAt), isGone ? seen : happened),
  };
}

/** In the order in which they are given, sources by their names. */
export function joinStandings(standings: readonly Standing[]): Standing {
  return {
    sources: standings.flatMap(({ sources }) => sources).toSorted((a, b) => compareTexts(a.source, b.source)),
    uptimes: standings.flatMap((one) => one.uptimes),
    sites: standings.flatMap(({ sites }) => sites),
  };
}

/** Epoch milliseconds; `now` where nothing was read within the last five minutes. */
export function lastRead(readings: readonly ReadingRow[], now: number): number {
  return findMinimum([now, ...endsOf(readings).filter((at) => now - at < STILL_READ_MS)]);
}

/** What goes on stands as it stood when it was last read. */
export function extendReadings(readings: readonly ReadingRow[], now: number): ReadingRow[] {
  const parts = Map.groupBy(readings, ({ source, part }) => `${source} ${part}`);
  return [...parts.values()].flatMap((all) => {
    const last = findMaximum(all.map(({ until }) => until));
    const goesOn = last < now && now - last < STILL_READ_MS;
    return all.map((row) => (goesOn && row.until === last ? { ...row, until: now } : row));
  });
}

/** When each part was read last. */
function endsOf(readings: readonly ReadingRow[]): number[] {
  const parts = Map.groupBy(readings, ({ source, part }) => `${source} ${part}`);
  return [...parts.values()].map((all) => findMaximum(all.map(({ until }) => until)));
}
