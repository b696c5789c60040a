/** State by day for each component and site. Only time covered by readings counts as known. */
import type { AlertRow, PhonesRow, ReadingRow, Span, StateRow } from '../history/rows.ts';
import type { TransitionRecord } from '../history/record.ts';
import type { PastNotice } from '../history/past-notice.ts';
import { MINUTE } from '../text/duration.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import type { RecordDetails } from '../transition/notice-details.ts';
import type { Felt, Outage } from './outages.ts';
import type { PastWork } from './past-work.ts';
import {
  findGaps,
  joinSpans,
  sumLengths,
  listStretches,
  sumTimeByState,
  clipSpans,
  type TimeByState,
} from './uptime.ts';

/** A day with less unknown time still counts as operational. */
const UNKNOWN_IN_PART_MS = 30 * MINUTE;
/** Shorter gaps are not reported. */
const LEAST_GAP_MS = 15 * MINUTE;
/** Sources that fail within this time share one gap. */
const TOGETHER_MS = 5 * MINUTE;

/** One day of one subject. For a site, `degraded` is the time with some phones lost. */
export interface DayTime extends TimeByState {
  /** Unwatched time known from the provider's notices; absent if there is none. */
  noticed?: number;
  /** For a site: most phones lost at once, sum of lost time, and sum of phone time; 0 for a component. */
  mostLost: number;
  lostMs: number;
  phonesMs: number;
}

/** A component, a page without components, or a site. */
export interface DayRow {
  source: string;
  /** `page`, `component/ID`, `site/NAME` */
  subject: string;
  /** With its ancestors; empty for phones without a known address. */
  name: string;
  /** One per day; all zero if the subject did not exist. */
  days: DayTime[];
}

/** An alert open on some of the days; several sources may take part. */
export interface DayAlert
  extends Pick<Outage, 'id' | 'number' | 'title' | 'sources' | 'since'>, Pick<AlertRow, 'severity' | 'family'> {
  /** Null while open. */
  until: number | null;
  /** Effect on the account's phones; null if there was none, or if the provider published nothing. */
  felt: Felt | null;
  /** Number of the alert it was merged into; absent if it ended by itself. */
  mergedInto?: number;
  /** True if a later alert has its number, as numbers begin at 1 again after the state was deleted. */
  isNumberReused?: boolean;
}

/** Time during which these sources were not read. */
export interface DayGap extends Span {
  sources: string[];
}

/** Hours of the day on which the watch began. */
export interface DayHours {
  /** All hours of the day; those to come included. */
  spans: readonly Span[];
  /** Their `days` are the hours that have begun. */
  rows: readonly DayRow[];
}

/** The days shown on the page. */
export interface DaysView {
  /** The last day is today and ends now. */
  days: readonly (Span & { date: string })[];
  /** Start of the history; null if it is empty. */
  keptSince: number | null;
  rows: readonly DayRow[];
  /** Alerts open on some of the days, latest first. */
  alerts: readonly DayAlert[];
  /** Latest last. */
  gaps: readonly DayGap[];
  /** Alert ids by row key. */
  alertsOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** Outage record by row key. */
  records: ReadonlyMap<string, RecordDetails>;
  /** Unwatched incidents known from the provider's notices, latest first. */
  notices: readonly PastNotice[];
  /** Planned work that ended on these days, latest first. */
  works: readonly PastWork[];
  /** Null from the second day on. */
  hours: DayHours | null;
}

export function toRowKey({ source, subject }: Pick<DayRow, 'source' | 'subject'>): string {
  return `${source}\n${subject}`;
}

/** History of one source. */
export interface SourceRows {
  states: readonly StateRow[];
  phones: readonly PhonesRow[];
  readings: readonly ReadingRow[];
}

/** Unknown milliseconds of a row since the watch began; the first day counts from that time. */
export function sumUnknown({ days: times }: DayRow, days: readonly Span[], keptSince: number): number {
  let sum = 0;
  for (const [index, day] of days.entries()) {
    const time = times[index];
    if (time === undefined || time.unknown === 0 || day.until <= keptSince) continue;
    sum += Math.max(0, time.unknown - Math.max(0, keptSince - day.since - (time.noticed ?? 0)));
  }
  return sum;
}

/** One row per subject. `days` are consecutive; the last may end now. */
export function computeDayRows({ states, phones, readings }: SourceRows, days: readonly Span[]): DayRow[] {
  const read = days.map((day) => readings.filter(({ since, until }) => until > day.since && since < day.until));
  const readPhones = read.map((all) => all.filter(({ part }) => part === 'registrations'));
  const components = states.filter(({ subject }) => subject !== 'page');
  const parts = Map.groupBy(components.length === 0 ? states : components, ({ subject }) => subject);
  return [
    ...[...parts].map(([subject, rows]) => ({
      source: rows.at(-1)?.source ?? '',
      subject,
      name: rows.at(-1)?.name ?? '',
      days: shareEqualDays(
        sliceByDay(rows, days).map((some, index) => stateTime(some, read[index] ?? [], days[index])),
      ),
    })),
    ...[...Map.groupBy(phones, ({ site }) => site)].map(([site, rows]) => ({
      source: rows.at(-1)?.source ?? '',
      subject: `site/${site}`,
      name: site,
      days: shareEqualDays(
        sliceByDay(rows, days).map((some, index) => phonesTime(some, readPhones[index] ?? [], days[index])),
      ),
    })),
  ];
}

/**
 * Most days are like the day before. Thousands of phones' sites have a million days, which are kept: as an object each
 * they take 200 bytes.
 */
export function shareEqualDays(days: readonly DayTime[]): DayTime[] {
  const shared: DayTime[] = [];
  let before = NO_TIME;
  for (const day of days) {
    if (!isSameTime(day, before)) before = day;
    shared.push(before);
  }
  return shared;
}

function isSameTime(one: DayTime, other: DayTime): boolean {
  return (
    one.up === other.up &&
    one.degraded === other.degraded &&
    one.maintenance === other.maintenance &&
    one.unknown === other.unknown &&
    one.mostLost === other.mostLost &&
    one.lostMs === other.lostMs &&
    one.phonesMs === other.phonesMs &&
    one.noticed === other.noticed
  );
}

/** Rows relevant for each day: the last before it, and those within. */
function sliceByDay<R extends { at: number }>(rows: readonly R[], days: readonly Span[]): R[][] {
  let [standing, next] = [0, 0];
  return days.map(({ since, until }) => {
    while ((rows[standing + 1]?.at ?? Infinity) <= since) standing += 1;
    next = Math.max(next, standing + 1);
    while ((rows[next]?.at ?? Infinity) < until) next += 1;
    return rows.slice(standing, next);
  });
}

const NO_PHONES = { mostLost: 0, lostMs: 0, phonesMs: 0 };
export const NO_TIME: DayTime = { up: 0, degraded: 0, maintenance: 0, unknown: 0, ...NO_PHONES };

function stateTime(rows: readonly StateRow[], readings: readonly ReadingRow[], day: Span | undefined): DayTime {
  return day === undefined ? NO_TIME : { ...sumTimeByState(listStretches(rows, readings, day)), ...NO_PHONES };
}

/** `known`: times at which phones were read. */
function phonesTime(rows: readonly PhonesRow[], known: readonly ReadingRow[], day: Span | undefined): DayTime {
  const [first] = rows;
  if (day === undefined || first === undefined) return NO_TIME;
  const time = { ...NO_TIME };
  // Before a site was first seen it did not exist if the account was read then; otherwise it is unknown.
  for (const unseen of clipSpans([{ since: day.since, until: first.at }], day)) {
    time.unknown += sumLengths(findGaps(unseen, known));
  }
  for (const [index, { at, total, lost }] of rows.entries()) {
    const since = Math.max(at, day.since);
    const until = Math.min(rows[index + 1]?.at ?? day.until, day.until);
    if (until <= since || total === 0) continue;
    const ms = overlap(known, since, until);
    time[lost > 0 ? 'degraded' : 'up'] += ms;
    time.unknown += until - since - ms;
    time.lostMs += lost * ms;
    time.phonesMs += total * ms;
    if (ms > 0) time.mostLost = Math.max(time.mostLost, lost);
  }
  return time;
}

/** Overlap in milliseconds. */
function overlap(spans: readonly Span[], since: number, until: number): number {
  let ms = 0;
  for (const span of spans) ms += Math.max(0, Math.min(span.until, until) - Math.max(span.since, since));
  return ms;
}

/** Display state of a day. `in part`: operational, but unknown for more than half an hour. */
export type DayState = 'well' | 'in part' | 'trouble' | 'maintenance' | 'unknown' | 'none';

/** Any outage makes it a day of trouble; `none`: the subject did not exist. */
export function toDayState({ up, degraded, maintenance, unknown }: DayTime): DayState {
  const known = up + degraded + maintenance;
  if (known + unknown === 0) return 'none';
  if (degraded > 0) return 'trouble';
  if (known === 0 || unknown > known) return 'unknown';
  if (maintenance > 0) return 'maintenance';
  return unknown > UNKNOWN_IN_PART_MS ? 'in part' : 'well';
}

/** Adds times; keeps the largest `mostLost`. */
export function sumDays(days: readonly DayTime[]): DayTime {
  const sum: DayTime = { ...NO_TIME };
  for (const day of days) {
    // Ninety days have tens of thousands: a loop over the names takes several times as long.
    sum.up += day.up;
    sum.degraded += day.degraded;
    sum.maintenance += day.maintenance;
    sum.unknown += day.unknown;
    sum.lostMs += day.lostMs;
    sum.phonesMs += day.phonesMs;
    sum.mostLost = Math.max(sum.mostLost, day.mostLost);
    if (day.noticed !== undefined) sum.noticed = (sum.noticed ?? 0) + day.noticed;
  }
  return sum;
}

/** Memoised: rows are immutable, and are summed for each look at them. */
const sums = new WeakMap<readonly DayTime[], DayTime>();

export function sumRow({ days }: Pick<DayRow, 'days'>): DayTime {
  const sum = sums.get(days) ?? sumDays(days);
  sums.set(days, sum);
  return sum;
}

/**
 * Per cent of known time without planned work; for a site, the share of phone time registered. Null if nothing is
 * known. Rounded down to a hundredth, so that only full uptime shows 100.
 */
export function computePercentUp({ up, degraded, lostMs, phonesMs }: DayTime): number | null {
  const [part, whole] = phonesMs > 0 ? [phonesMs - lostMs, phonesMs] : [up, up + degraded];
  return whole === 0 ? null : Math.floor((part / whole) * 10_000) / 100;
}

/** Merges the parts of several sources into one alert; latest first. `felt` and `merged` are by alert id. */
export function listDayAlerts(
  rows: readonly AlertRow[],
  felt: ReadonlyMap<string, Felt>,
  merged: ReadonlyMap<string, number> = new Map(),
): DayAlert[] {
  return [...Map.groupBy(rows, ({ id }) => id)]
    .flatMap(([id, parts]): DayAlert[] => {
      const [lead] = parts.toSorted((a, b) => Number(a.family === 'phones') - Number(b.family === 'phones'));
      if (lead === undefined) return [];
      const { number, title, severity, family } = lead;
      const ends = parts.map(({ resolvedAt }) => resolvedAt ?? Infinity);
      const until = findMaximum(ends);
      const into = merged.get(id);
      return [
        {
          id,
          number,
          title,
          severity,
          family,
          sources: [...new Set([lead, ...parts].map(({ source }) => source))],
          since: findMinimum(parts.map(({ startedAt }) => startedAt)),
          until: Number.isFinite(until) ? until : null,
          felt: felt.get(id) ?? null,
          ...(into !== undefined && { mergedInto: into }),
        },
      ];
    })
    .toSorted(compareLatestFirst);
}

/** Marks each alert whose number a later one has. `alerts`: latest first. */
export function markReusedNumbers(alerts: readonly DayAlert[]): DayAlert[] {
  const taken = new Set<number>();
  return alerts.map((alert) => {
    if (taken.has(alert.number)) return { ...alert, isNumberReused: true };
    taken.add(alert.number);
    return alert;
  });
}

/** Merge targets by alert id, as numbers. */
export function countMerges(records: readonly TransitionRecord[]): Map<string, number> {
  return new Map(
    records.flatMap(({ transition: { details }, alert }): [string, number][] =>
      alert !== null && 'goes_on_in' in details && details.goes_on_in !== undefined
        ? [[alert.id, details.goes_on_in.number]]
        : [],
    ),
  );
}

/** If two began together, the higher number comes first. */
export function compareLatestFirst(a: DayAlert, b: DayAlert): number {
  return b.since - a.since || b.number - a.number;
}

/** Gaps between the first and last reading of each source. */
export function listGaps(readings: readonly ReadingRow[]): DayGap[] {
  const gaps = [...Map.groupBy(readings, ({ source }) => source)].flatMap(([source, all]) => {
    const parts = [...Map.groupBy(all, ({ part }) => part).values()];
    const between = parts.flatMap((some) =>
      findGaps(
        { since: findMinimum(some.map(({ since }) => since)), until: findMaximum(some.map(({ until }) => until)) },
        some,
      ),
    );
    return joinSpans(between).map((gap) => ({ ...gap, sources: [source] }));
  });
  return gaps.filter(({ since, until }) => until - since >= LEAST_GAP_MS);
}

/** Merges gaps of several sources with equal start and end. */
export function mergeGaps(gaps: readonly DayGap[]): DayGap[] {
  const out: DayGap[] = [];
  for (const gap of gaps.toSorted((a, b) => a.since - b.since)) {
    const same = out.findLast(
      ({ since, until }) => gap.since - since < TOGETHER_MS && Math.abs(gap.until - until) < TOGETHER_MS,
    );
    if (same === undefined) out.push({ ...gap, sources: [...gap.sources] });
    else same.sources = [...same.sources, ...gap.sources];
  }
  return out;
}
