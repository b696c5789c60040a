/**
 * Days in a row, for everything that is watched: how each component of a page stood, and how many phones of each site were
 * lost. Of a day only what was read counts as known.
 */
import type { AlertRow, PhonesRow, ReadingRow, Span, StateRow } from '../history/rows.ts';
import type { TransitionRecord } from '../history/record.ts';
import type { PastNotice } from '../history/past-notice.ts';
import { MINUTE } from '../text/duration.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import type { RecordDetails } from '../transition/notice-details.ts';
import type { Felt } from './outages.ts';
import {
  findGaps,
  joinSpans,
  sumLengths,
  listStretches,
  sumTimeByState,
  clipSpans,
  type TimeByState,
} from './uptime.ts';

/** With less of it that is not known a day still counts as well. */
const UNKNOWN_IN_PART_MS = 30 * MINUTE;
/** Shorter ones are no news of their own. */
const LEAST_GAP_MS = 15 * MINUTE;
/** Sources that fall out together do so within this. */
const TOGETHER_MS = 5 * MINUTE;

/** One day of one thing. Of a site `degraded` is the time in which some of its phones were lost. */
export interface DayTime extends TimeByState {
  /** What of it nobody watched and the provider's notices tell; absent for nothing. */
  noticed?: number;
  /** Of a site: most phones that were lost at once, what all lost phones sum up to, and all there are; 0 for a component. */
  mostLost: number;
  lostMs: number;
  phonesMs: number;
}

/** A component, a page that has none, or a site. */
export interface DayRow {
  source: string;
  /** `page`, `component/ID`, `site/NAME` */
  subject: string;
  /** With the names of its ancestors before it; of phones without a known address empty. */
  name: string;
  /** One for each day. All of it 0: it was not there. */
  days: DayTime[];
}

/** An alert that was open on some of the days; several sources may take part in it. */
export interface DayAlert {
  id: string;
  number: number;
  title: string;
  severity: AlertRow['severity'];
  family: AlertRow['family'];
  sources: string[];
  since: number;
  /** Null while it is open. */
  until: number | null;
  /** What it meant for one's own phones; null where it cost none, and for what the provider had no word of. */
  felt: Felt | null;
  /** The number of the alert that tells the rest of it; absent for one that ended by itself. */
  mergedInto?: number;
}

/** When a source, or each of these, was not read. */
export interface DayGap extends Span {
  sources: string[];
}

/** Days in a row, as the page shows them. */
export interface DaysView {
  /** The last of them is today, and ends now. */
  days: readonly (Span & { date: string })[];
  /** When what is kept begins; null where nothing is. */
  keptSince: number | null;
  rows: readonly DayRow[];
  /** Those that were open on some of the days, the latest first. */
  alerts: readonly DayAlert[];
  /** The latest last. */
  gaps: readonly DayGap[];
  /** By the key of a row: numbers of the alerts it had to do with. */
  alertsOf: ReadonlyMap<string, ReadonlySet<number>>;
  /** By the key of a row: how often it was hit. */
  records: ReadonlyMap<string, RecordDetails>;
  /** What nobody watched and the provider's notices tell, the latest first. */
  told: readonly PastNotice[];
}

export function toRowKey({ source, subject }: Pick<DayRow, 'source' | 'subject'>): string {
  return `${source}\n${subject}`;
}

/** What the history has of one source. */
export interface SourceRows {
  states: readonly StateRow[];
  phones: readonly PhonesRow[];
  readings: readonly ReadingRow[];
}

/** Milliseconds that are not known of a row since the watch began: of its first day only what came after. */
export function sumUnknown({ days: times }: DayRow, days: readonly Span[], keptSince: number): number {
  return times.reduce((sum, { unknown, noticed = 0 }, index) => {
    const { since = 0, until = 0 } = days[index] ?? {};
    return sum + (until <= keptSince ? 0 : Math.max(0, unknown - Math.max(0, keptSince - since - noticed)));
  }, 0);
}

/** Every thing of a source. `days` follow one another; the last of them may end now. */
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
      days: sliced(rows, days).map((some, index) => stateTime(some, read[index] ?? [], days[index])),
    })),
    ...[...Map.groupBy(phones, ({ site }) => site)].map(([site, rows]) => ({
      source: rows.at(-1)?.source ?? '',
      subject: `site/${site}`,
      name: site,
      days: sliced(rows, days).map((some, index) => phonesTime(some, readPhones[index] ?? [], days[index])),
    })),
  ];
}

/** For each day the rows that say how a thing stood in it: the last before it, and those within. */
function sliced<R extends { at: number }>(rows: readonly R[], days: readonly Span[]): R[][] {
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

/** `known`: when the phones were read. */
function phonesTime(rows: readonly PhonesRow[], known: readonly ReadingRow[], day: Span | undefined): DayTime {
  const [first] = rows;
  if (day === undefined || first === undefined) return NO_TIME;
  const time = { ...NO_TIME };
  // Before it was first seen it was not there where its account was read, and is unknown where that was not.
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

/** How much of the time lies in one of these. */
function overlap(spans: readonly Span[], since: number, until: number): number {
  let ms = 0;
  for (const span of spans) ms += Math.max(0, Math.min(span.until, until) - Math.max(span.since, since));
  return ms;
}

/** What a day is drawn as. `in part`: well as far as it is known, and more than half an hour of it is not. */
export type DayState = 'well' | 'in part' | 'trouble' | 'maintenance' | 'unknown' | 'none';

/** Any trouble makes it a day of trouble; `none` is a day on which it was not there. */
export function toDayState({ up, degraded, maintenance, unknown }: DayTime): DayState {
  const known = up + degraded + maintenance;
  if (known + unknown === 0) return 'none';
  if (degraded > 0) return 'trouble';
  if (known === 0 || unknown > known) return 'unknown';
  if (maintenance > 0) return 'maintenance';
  return unknown > UNKNOWN_IN_PART_MS ? 'in part' : 'well';
}

/** Times add up; of `mostLost` the largest stays. */
export function sumDays(days: readonly DayTime[]): DayTime {
  const sum: DayTime = { ...NO_TIME };
  for (const day of days) {
    for (const key of ['up', 'degraded', 'maintenance', 'unknown', 'lostMs', 'phonesMs'] as const) sum[key] += day[key];
    sum.mostLost = Math.max(sum.mostLost, day.mostLost);
    if (day.noticed !== undefined) sum.noticed = (sum.noticed ?? 0) + day.noticed;
  }
  return sum;
}

/**
 * Of the known time without planned work, from 0 to 100; of a site the share of its phones that were registered in it.
 * Null where nothing is known. Rounded down to a hundredth: what was not wholly well is not called so.
 */
export function computePercentUp({ up, degraded, lostMs, phonesMs }: DayTime): number | null {
  const [part, whole] = phonesMs > 0 ? [phonesMs - lostMs, phonesMs] : [up, up + degraded];
  return whole === 0 ? null : Math.floor((part / whole) * 10_000) / 100;
}

/** Several sources may take part in one alert, and each keeps its part. The latest first. `felt` and `merged`: by their ids. */
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

/** Which alerts were merged into which, by id and number. */
export function countMerges(records: readonly TransitionRecord[]): Map<string, number> {
  return new Map(
    records.flatMap(({ transition: { details }, alert }): [string, number][] =>
      alert !== null && 'goes_on_in' in details && details.goes_on_in !== undefined
        ? [[alert.id, details.goes_on_in.number]]
        : [],
    ),
  );
}

/** For sorting; of two that began at once the one with the higher number comes first. */
export function compareLatestFirst(a: DayAlert, b: DayAlert): number {
  return b.since - a.since || b.number - a.number;
}

/** When not all of a source was read, between its first reading and its last: of each source by itself. */
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

/** Gaps of several sources that begin and end together are one. */
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
