/** A month as one value: what every format of the report prints. */
import type { TransitionRecord } from '../history/record.ts';
import type { AlertRow, ReadingRow, Span } from '../history/rows.ts';
import { MINUTE } from '../text/duration.ts';
import { byText } from '../text/plain.ts';
import { greatest, least } from '../transition/long-lists.ts';
import type { SourceRows } from './days.ts';
import type { DeliveryTally, LateDelivery, ReceiverDeliveries } from './delivery-times.ts';
import { maintenancesOf, silentEdits, type Maintenance, type SilentEdit } from './announced-maintenance.ts';
import type { Month } from './month.ts';
import { outagesOf, type Outage } from './outages.ts';
import { siteLosses, type SiteLosses } from './site-losses.ts';
import { gapsIn, joined, lengthOf, uptimes, type Uptime } from './uptime.ts';

export interface Report extends Span {
  instance: string;
  /** IANA name. */
  timezone: string;
  month: Month;
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
  receivers: ReceiverDeliveries[];
  late: LateDelivery[];
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
  /** The whole month. */
  span: Span;
  /** Only of this source; default: all of them. */
  source?: string | undefined;
  /** Names of all that is configured: any other source is no longer watched. Default: all are. */
  watched?: readonly string[] | undefined;
}

/** How things stood in a span. */
export interface Standing {
  sources: SourceReading[];
  uptimes: Uptime[];
  sites: SiteLosses[];
}

/** What goes on is reported until it was last read: the time since then is not unknown, it is not over. */
const STILL_READ_MS = 5 * MINUTE;

/** What the history has of a span, and of what began before it. */
export interface ReportRows {
  /** Epoch milliseconds; absent where nothing is kept. */
  keptSince?: number | undefined;
  standing: Standing;
  alerts: readonly AlertRow[];
  transitions: readonly TransitionRecord[];
  deliveries: DeliveryTally;
  leftOut: Pick<Report['leftOut'], 'alerts' | 'changes'>;
}

/** What goes on is reported until it was last read (`lastRead`). */
export function spanUntil({ since, until }: Span, last: number): Span {
  return { since, until: Math.max(since, Math.min(until, last)) };
}

/** `span`: see `spanUntil`. Of one source only what involves it. */
export function reportOf(rows: ReportRows, { span, source, watched, ...options }: ReportOptions): Report {
  const isMeant = (one: { source: string }): boolean => source === undefined || one.source === source;
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
  return {
    ...options,
    ...span,
    historyBeginsAt: keptSince > span.since ? keptSince : null,
    sources: standing.sources.filter(isMeant),
    uptimes: standing.uptimes.filter(isMeant),
    outages: outagesOf(alerts, transitions, span, (name) => lastReadOf.get(name) ?? null).filter(involves),
    maintenances: maintenancesOf(transitionsOf, span, options.madeAt),
    edits: silentEdits(transitionsOf, span),
    sites: standing.sites.filter(isMeant),
    receivers: deliveries.receivers(),
    late: deliveries.late(),
    leftOut: { ...leftOut, late: deliveries.leftOut() },
  };
}

/**
 * Of one source. Of what is no longer watched only the time until it was last read counts, and nothing where that was
 * before the span; `readings` go on beyond the span then.
 */
export function standingOf(source: string, rows: SourceRows, span: Span, isWatched: boolean): Standing {
  const { states, phones, readings } = rows;
  const last = greatest(readings.map(({ until }) => until));
  const isGone = !isWatched && last < span.until;
  const isThere = states.length + phones.length + readings.length > 0 && !(isGone && last < span.since);
  if (!isThere) return { sources: [], uptimes: [], sites: [] };
  const seen = { since: span.since, until: isGone ? last : span.until };
  const parts = Map.groupBy(readings, ({ part }) => part);
  // A source that was never read in the span is there with all of it unknown.
  const gaps = parts.size === 0 ? [seen] : joined([...parts.values()].flatMap((all) => gapsIn(seen, all)));
  return {
    sources: [{ source, gaps, unknownMs: lengthOf(gaps), unwatchedSince: isGone ? last : null }],
    uptimes: uptimes(states, readings, seen),
    sites: siteLosses(phones, readings, seen),
  };
}

/** In the order in which they are given, sources by their names. */
export function joinStandings(standings: readonly Standing[]): Standing {
  return {
    sources: standings.flatMap(({ sources }) => sources).toSorted((a, b) => byText(a.source, b.source)),
    uptimes: standings.flatMap((one) => one.uptimes),
    sites: standings.flatMap(({ sites }) => sites),
  };
}

/** Epoch milliseconds; `now` where nothing was read within the last five minutes. */
export function lastRead(readings: readonly ReadingRow[], now: number): number {
  const ends = [...Map.groupBy(readings, ({ source, part }) => `${source} ${part}`).values()];
  const latest = ends.map((all) => greatest(all.map(({ until }) => until)));
  return least([now, ...latest.filter((at) => now - at < STILL_READ_MS)]);
}
