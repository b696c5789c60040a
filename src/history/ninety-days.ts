/**
 * Ninety days for the page. Past days are computed once, one source at a time so that nothing else waits. Today is
 * recomputed when the history changes.
 */
import { setImmediate } from 'node:timers/promises';
import { countComponentRecords } from '../core/history/notice-record.ts';
import type { PageRecord } from '../core/history/past-notice.ts';
import type { AlertPart, AlertRow, HistoryReader, Span } from '../core/history/rows.ts';
import {
  listDayAlerts,
  computeDayRows,
  listGaps,
  mergeGaps,
  toRowKey,
  compareLatestFirst,
  markReusedNumbers,
  shareEqualDays,
  NO_TIME,
  type DayAlert,
  countMerges,
  type DayGap,
  type DayHours,
  type DayRow,
  type DaysView,
  type DayTime,
} from '../core/report/days.ts';
import { gatherEvidence } from '../core/report/evidence.ts';
import { listDays } from '../core/report/month.ts';
import { selectFeltAlerts, mapFelt, type Felt } from '../core/report/outages.ts';
import { endSpanAt, findLastRead } from '../core/report/monthly-report.ts';
import { listNoticed, withNotices } from '../core/report/noticed-days.ts';
import { append } from '../core/transition/collections.ts';
import type { RecordDetails } from '../core/transition/notice-details.ts';
import { DAY, HOUR } from '../core/text/duration.ts';
import { createPastWork } from './past-work.ts';

const DAYS = 90;

export interface DaysOptions {
  /** Null if the history is empty. */
  read<T>(question: (history: HistoryReader) => Promise<T>): Promise<T | null>;
  timezone(): string;
  /** Epoch milliseconds. */
  now(): number;
}

/** A past day is final only when its last events are certainly written. */
const SETTLED_AFTER_MS = HOUR;

/** A gap that reaches into unsettled time began no longer before than this; a longer one shows once settled. */
const GAP_BEFORE_MS = 2 * DAY;
/** Rows read or processed before yielding to other tasks: some milliseconds. */
const ROWS_AT_ONCE = 1_000;
/** Turns of the event loop in which a new connection is accepted, its request is read and answered. */
const TURNS_OF_A_REQUEST = 4;
/** Days per query. */
const DAYS_AT_ONCE = 10;

/** Past days. */
interface SettledDays {
  /** Identifies days and history. */
  key: string;
  rows: ReadonlyMap<string, DayRow>;
  /** Days of a subject without a row: it did not exist, or nothing was watched yet. */
  unseen: readonly DayTime[];
  parts: readonly AlertPart[];
  gaps: readonly DayGap[];
  /** Alerts closed by then. */
  ended: readonly AlertRow[];
  alerts: readonly DayAlert[];
}

/** Rejects with the error of `read`. */
export function createNinetyDays({ read, timezone, now }: DaysOptions): () => Promise<DaysView> {
  let settled: SettledDays | null = null;
  let known: { mark: string; days: DaysView } | null = null;
  let counting: Promise<DaysView> | null = null;
  const listPastWork = createPastWork();

  async function counted(history: HistoryReader): Promise<DaysView> {
    const at = now();
    const zone = timezone();
    const days = lastDays(at, zone);
    const kept = await history.kept();
    const mark = `${await history.mark()} ${kept?.since} ${zone} ${days.at(-1)?.date}`;
    // Nothing was written since; a running daemon writes every minute.
    if (known?.mark === mark) return known.days;
    const [over, lasting] = partedAt(days, at - SETTLED_AFTER_MS);
    // A new history starts later; a pruned one covers other days.
    const begins = Math.max(kept?.since ?? 0, spanOf(days).since);
    const key = `${begins} ${zone} ${over.at(0)?.date} ${over.length}`;
    if (settled?.key !== key) settled = { key, ...(await settle(history, over, { begins, now: at })) };
    const news = await added(history, settled, lasting, at);
    const pages = await history.pageRecords();
    const noticed = listNoticedDays(pages, news.rows, days, at);
    const works = await listPastWork(history, pages, { since: spanOf(days).since, until: at });
    const keptSince = kept?.since ?? null;
    const isFirst = keptSince !== null && keptSince >= (days.at(-1)?.since ?? 0);
    const hours = isFirst ? await countHours(history, at, zone) : null;
    known = { mark, days: { days, keptSince, ...news, ...noticed, works, hours } };
    return known.days;
  }

  async function count(): Promise<DaysView> {
    return (await read(counted)) ?? { ...NOTHING, days: lastDays(now(), timezone()) };
  }

  return async () => {
    counting ??= count().finally(() => (counting = null));
    return await counting;
  };
}

const NOTHING = {
  keptSince: null,
  rows: [],
  alerts: [],
  gaps: [],
  alertsOf: new Map<string, Set<string>>(),
  records: new Map<string, RecordDetails>(),
  notices: [],
  works: [],
  hours: null,
};

/** Incidents from the provider's notices, within the days and before. */
function listNoticedDays(
  pages: readonly PageRecord[],
  rows: readonly DayRow[],
  days: readonly Span[],
  now: number,
): Pick<DaysView, 'rows' | 'records' | 'notices'> {
  const records = pages.flatMap((page) =>
    countComponentRecords(page, now).map(
      (record) => [toRowKey({ source: page.source, subject: `component/${record.id}` }), record] as const,
    ),
  );
  return { rows: withNotices(rows, days, pages), records: new Map(records), notices: listNoticed(pages, spanOf(days)) };
}

/** The day of `at` by the hour. */
async function countHours(history: HistoryReader, at: number, timezone: string): Promise<DayHours> {
  const [{ since, until } = { since: at, until: at }] = listDays({ since: at, until: at + 1 }, timezone);
  const spans = Array.from({ length: Math.ceil((until - since) / HOUR) }, (_, index) => ({
    since: since + index * HOUR,
    until: Math.min(since + (index + 1) * HOUR, until),
  }));
  const span = { since, until: at + 1 };
  const readings = Map.groupBy(await history.readings(span), ({ source }) => source);
  const states = Map.groupBy(await history.states(span), ({ source }) => source);
  const phones = Map.groupBy(await history.phones(span), ({ source }) => source);
  const rows: DayRow[] = [];
  const rest = createRests();
  for (const [source, ofSource] of readings) {
    const found = { states: states.get(source) ?? [], phones: phones.get(source) ?? [], readings: ofSource };
    const read = findLastRead(ofSource, at);
    const begun = spans.filter((hour) => hour.since < at);
    append(
      rows,
      computeDayRows(
        found,
        begun.map((hour) => endSpanAt(hour, read)),
      ).filter(wasThere),
    );
    await rest(found.states.length + found.phones.length);
  }
  return { spans, rows };
}

function lastDays(at: number, timezone: string): (Span & { date: string })[] {
  const all = listDays({ since: at - (DAYS + 1) * DAY, until: at + 1 }, timezone).slice(-DAYS);
  return all.map((day) => ({ ...day, until: Math.min(day.until, at) }));
}

function partedAt<D extends Span>(days: readonly D[], before: number): [D[], D[]] {
  const over = days.filter(({ until }) => until <= before);
  return [over, days.slice(over.length)];
}

function spanOf(days: readonly Span[]): Span {
  return { since: days.at(0)?.since ?? 0, until: days.at(-1)?.until ?? 0 };
}

/** With a single turn a request would wait for one computation at each of its steps. */
async function letOthersRun(): Promise<void> {
  for (let turn = 0; turn < TURNS_OF_A_REQUEST; turn += 1) await setImmediate();
}

/** Yields to other tasks after so many rows. */
function createRests(): (counted: number) => Promise<void> {
  let sum = 0;
  return async (counted) => {
    sum += counted;
    if (sum < ROWS_AT_ONCE) return;
    sum = 0;
    await letOthersRun();
  };
}

/** Times in epoch milliseconds. `begins`: no row is older. */
async function settle(
  history: HistoryReader,
  days: readonly Span[],
  { begins, now }: { begins: number; now: number },
): Promise<Omit<SettledDays, 'key'>> {
  const { since, until } = spanOf(days);
  const { rows, gaps, unseen } = begins >= until ? beforeTheWatch(days) : await settleSources(history, days, now);
  const parts: AlertPart[] = [];
  for (let from = since; from < until; from += DAYS_AT_ONCE * DAY) {
    append(parts, await history.partsIn({ since: from, until: Math.min(until, from + DAYS_AT_ONCE * DAY) }));
    await letOthersRun();
  }
  const open = await history.alerts({ since, until });
  const ended = open.filter(({ resolvedAt }) => resolvedAt !== null && resolvedAt < until);
  return {
    rows,
    unseen,
    parts,
    gaps,
    ended,
    alerts: listDayAlerts(ended, await feltIn(history, ended), await mergedIn(history, ended)),
  };
}

/** In a history of today, each source would be asked for nothing: thousands of requests with the first look. */
function beforeTheWatch(days: readonly Span[]): Pick<SettledDays, 'rows' | 'gaps' | 'unseen'> {
  const unseen = shareEqualDays(days.map(({ since, until }) => ({ ...NO_TIME, unknown: until - since })));
  return { rows: new Map(), gaps: [], unseen };
}

/** Reads until now: a subject first seen today was unknown before if there were no readings. */
async function settleSources(
  history: HistoryReader,
  days: readonly Span[],
  now: number,
): Promise<Pick<SettledDays, 'rows' | 'gaps' | 'unseen'>> {
  const { since, until } = spanOf(days);
  const rows = new Map<string, DayRow>();
  const gaps: DayGap[] = [];
  const span = { since, until: now };
  const rest = createRests();
  // A source without readings is unknown throughout.
  for (const [source, readings] of Map.groupBy(await history.readings(span), (one) => one.source)) {
    const states = await history.states(span, source);
    await rest(states.length);
    const found = { states, phones: await history.phones(span, source), readings };
    await rest(states.length + found.phones.length);
    for (const row of computeDayRows(found, days)) rows.set(toRowKey(row), row);
    append(
      gaps,
      listGaps(readings).filter((gap) => gap.until < until),
    );
    await rest(found.states.length + found.phones.length);
  }
  return { rows, gaps, unseen: none(days.length) };
}

/** Recomputes alerts still open since past days, and their subjects. */
async function alertsIn(history: HistoryReader, { ended, alerts }: SettledDays, span: Span): Promise<DayAlert[]> {
  const lasting = await history.alerts(span);
  const near = new Set(lasting.flatMap(({ id, cause }) => [id, cause]));
  const concerned = ended.filter(({ id, cause }) => near.has(id) || (cause !== null && near.has(cause)));
  const rows = [...concerned, ...lasting];
  const recounted = new Set(rows.map(({ id }) => id));
  const current = listDayAlerts(rows, await feltIn(history, rows), await mergedIn(history, rows));
  return markReusedNumbers([...current, ...alerts.filter(({ id }) => !recounted.has(id))].toSorted(compareLatestFirst));
}

/** Adds the unsettled time: today, and an hour of yesterday. */
async function added(
  history: HistoryReader,
  settled: SettledDays,
  lasting: readonly Span[],
  now: number,
): Promise<Pick<DaysView, 'rows' | 'alerts' | 'gaps' | 'alertsOf'>> {
  const { rows: before, unseen, parts, gaps } = settled;
  const span = { since: spanOf(lasting).since, until: now + 1 };
  const read = await history.readings({ ...span, since: span.since - GAP_BEFORE_MS });
  const readings = Map.groupBy(read, ({ source }) => source);
  const states = Map.groupBy(await history.states(span), ({ source }) => source);
  const phones = Map.groupBy(await history.phones(span), ({ source }) => source);
  await letOthersRun();
  const rows: DayRow[] = [];
  const rest = createRests();
  for (const source of new Set([...readings.keys(), ...states.keys(), ...phones.keys()])) {
    const ofSource = readings.get(source) ?? [];
    const found = { states: states.get(source) ?? [], phones: phones.get(source) ?? [], readings: ofSource };
    const until = findLastRead(ofSource, now);
    for (const row of computeDayRows(
      found,
      lasting.map((day) => ({ ...day, until: Math.min(day.until, until) })),
    )) {
      rows.push({ ...row, days: [...(before.get(toRowKey(row))?.days ?? unseen), ...row.days] });
    }
    await rest(found.states.length + found.phones.length);
  }
  const present = new Set(rows.map(toRowKey));
  const gone = [...before.values()].filter((row) => !present.has(toRowKey(row)));
  await letOthersRun();
  const alerts = await alertsIn(history, settled, span);
  await letOthersRun();
  const alertsOf = new Map<string, Set<string>>();
  for (const part of [...parts, ...(await history.partsIn(span))]) {
    const ids = alertsOf.get(toRowKey(part)) ?? new Set();
    alertsOf.set(toRowKey(part), ids.add(part.alert));
  }
  return {
    rows: [...rows, ...gone.map((row) => ({ ...row, days: [...row.days, ...none(lasting.length)] }))].filter(wasThere),
    alerts,
    gaps: mergeGaps([...gaps, ...listGaps(read).filter(({ until }) => until >= span.since)]),
    alertsOf,
  };
}

/** Effect on phones, for the few alerts that have both a notice and losses. */
async function feltIn(history: HistoryReader, alerts: readonly AlertRow[]): Promise<ReadonlyMap<string, Felt>> {
  const both = selectFeltAlerts(alerts);
  if (both.length === 0) return new Map();
  const pages = history.transitionPages({ numbers: [...new Set(both.map(({ number }) => number))] });
  const { transitions } = await gatherEvidence(letOthers(pages), new Set(both.map(({ id }) => id)));
  return mapFelt(both, transitions);
}

/** Losses merged into other alerts. */
async function mergedIn(history: HistoryReader, alerts: readonly AlertRow[]): Promise<ReadonlyMap<string, number>> {
  const losses = alerts.filter(({ family }) => family === 'phones');
  if (losses.length === 0) return new Map();
  const numbers = [...new Set(losses.map(({ number }) => number))];
  const merged = new Map<string, number>();
  for await (const records of letOthers(history.transitionPages({ kinds: ['outage.suspected'], numbers }))) {
    for (const [id, number] of countMerges(records)) merged.set(id, number);
  }
  return merged;
}

/** Yields to other tasks between two pages. */
async function* letOthers<T>(pages: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const page of pages) {
    yield page;
    await letOthersRun();
  }
}

function none(days: number): DayTime[] {
  return Array.from({ length: days }, () => NO_TIME);
}

function wasThere({ days }: DayRow): boolean {
  return days.some(({ up, degraded, maintenance }) => up + degraded + maintenance > 0);
}
