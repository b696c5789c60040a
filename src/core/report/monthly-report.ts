/** A month as one value: what every format of the report prints. */
import type { DeliveryRecord, TransitionRecord } from '../history/record.ts';
import type { AlertRow, HistoryReader, PhonesRow, ReadingRow, Span, StateRow } from '../history/rows.ts';
import { DAY, MINUTE } from '../text/duration.ts';
import { greatest, least } from '../transition/long-lists.ts';
import { lateDeliveries, receiverDeliveries, type LateDelivery, type ReceiverDeliveries } from './delivery-times.ts';
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
}

/** How well a source was read. */
export interface SourceReading {
  source: string;
  /** When any part of it was not. */
  gaps: Span[];
  unknownMs: number;
}

export interface ReportOptions extends Pick<Report, 'instance' | 'timezone' | 'month' | 'madeAt'> {
  /** The whole month. */
  span: Span;
  /** Only of this source; default: all of them. */
  source?: string | undefined;
}

/** What the history has of a span, and of what began before it. */
export interface ReportRows {
  /** Epoch milliseconds; absent where nothing is kept. */
  keptSince?: number | undefined;
  states: readonly StateRow[];
  readings: readonly ReadingRow[];
  phones: readonly PhonesRow[];
  alerts: readonly AlertRow[];
  transitions: readonly TransitionRecord[];
  deliveries: readonly DeliveryRecord[];
}

/** Work is announced, and outages begin, no longer than this before what of them is in the month. */
const BEFORE_MS = 92 * DAY;
/** Phones come back, and words are said, no longer than this after. */
const AFTER_MS = 31 * DAY;
/** What goes on is reported until it was last read: the time since then is not unknown, it is not over. */
const STILL_READ_MS = 5 * MINUTE;

/** What a page says belongs to the phones of accounts, and theirs to it: of all sources, whichever is asked for. */
export async function rowsOf(history: HistoryReader, span: Span): Promise<ReportRows> {
  const around = { since: span.since - BEFORE_MS, until: span.until + AFTER_MS };
  return {
    keptSince: (await history.kept())?.since,
    states: await history.states(span),
    readings: await history.readings(span),
    phones: await history.phones(span),
    alerts: await history.alerts(span),
    transitions: await history.transitions(around),
    deliveries: await history.deliveries(span),
  };
}

/** What goes on is counted to `madeAt` at most, or to when it was last read. Of one source only what involves it. */
export function reportOf(rows: ReportRows, { span: whole, source, ...options }: ReportOptions): Report {
  const { madeAt } = options;
  const span = {
    since: whole.since,
    until: Math.max(whole.since, Math.min(whole.until, lastRead(rows.readings, madeAt))),
  };
  const isMeant = (one: { source: string }): boolean => source === undefined || one.source === source;
  const involves = (outage: Outage): boolean =>
    isMeant(outage) || (source !== undefined && outage.phones?.accounts.includes(source) === true);
  const { states, readings, phones, alerts, transitions, deliveries } = rows;
  const transitionsOf = transitions.filter(({ transition }) => isMeant(transition));
  const told = deliveries.filter(isMeant);
  const { keptSince = span.since } = rows;
  return {
    ...options,
    ...span,
    historyBeginsAt: keptSince > span.since ? keptSince : null,
    sources: sourceReadings(rows, span).filter(isMeant),
    uptimes: uptimes(states, readings, span).filter(isMeant),
    outages: outagesOf(alerts, transitions, span).filter(involves),
    maintenances: maintenancesOf(transitionsOf, span, madeAt),
    edits: silentEdits(transitionsOf, span),
    sites: siteLosses(phones, readings, span).filter(isMeant),
    receivers: receiverDeliveries(told),
    late: lateDeliveries(told),
  };
}

/** Epoch milliseconds; `now` where nothing was read within the last five minutes. */
export function lastRead(readings: readonly ReadingRow[], now: number): number {
  const ends = [...Map.groupBy(readings, ({ source, part }) => `${source} ${part}`).values()];
  const latest = ends.map((all) => greatest(all.map(({ until }) => until)));
  return least([now, ...latest.filter((at) => now - at < STILL_READ_MS)]);
}

/** A source that was never read in the span is there with all of it unknown. */
function sourceReadings({ readings, states, phones }: ReportRows, span: Span): SourceReading[] {
  const bySource = Map.groupBy(readings, ({ source }) => source);
  const named = new Set([...readings, ...states, ...phones].map(({ source }) => source));
  return [...named].toSorted().map((source) => {
    const parts = Map.groupBy(bySource.get(source) ?? [], ({ part }) => part);
    const gaps = parts.size === 0 ? [span] : joined([...parts.values()].flatMap((all) => gapsIn(span, all)));
    return { source, gaps, unknownMs: lengthOf(gaps) };
  });
}
