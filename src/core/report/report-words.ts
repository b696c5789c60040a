/** Wording shared by all formats for people: times, sources and sentences. */
import { RECORD_MONTHS, type Punctuality } from '../history/notice-record.ts';
import { toReadableLine } from '../text/markup.ts';
import { compareNames, formatList, formatCount, toOneLine } from '../text/plain.ts';
import { formatAuthor } from '../wording/authors.ts';
import type { Span } from '../history/rows.ts';
import { formatRecord } from '../wording/notices/record-wording.ts';
import { formatLateness } from '../wording/notices/told-notice.ts';
import { formatNoticeState } from '../wording/state-words.ts';
import { formatElapsed, formatTime, findZoneName } from '../wording/time.ts';
import { MINUTE } from '../text/duration.ts';
import type { Maintenance } from './announced-maintenance.ts';
import { toMonth, formatMonth } from './month.ts';
import type { Report, ReadingOfSource } from './monthly-report.ts';
import type { NoticeRecord, RecordedNotice } from './notice-records.ts';
import type { Felt, Outage } from './outages.ts';
import { clipSpans, type Uptime } from './uptime.ts';

/** With less unknown time, a percentage needs no qualification. */
const NEGLIGIBLE_MS = 30 * MINUTE;

/** Formatting functions of one report. */
export interface ReportReader {
  /** `Sun 4 Oct 02:59` in the report's zone; the zone is added if another applied. */
  at(time: number): string;
  /** Abbreviation of the zone, such as `AEDT`. */
  zone: string;
  /** Display name of a source. */
  called(source: string): string;
}

export function createReader({ timezone, until, called }: Report): ReportReader {
  const last = until - 1;
  const zone = findZoneName(last, timezone);
  return {
    zone,
    at(time) {
      const text = formatTime(time, timezone, last);
      return text.endsWith(` ${zone}`) ? text.slice(0, -zone.length - 1) : text;
    },
    called: (source) => (Object.hasOwn(called, source) ? (called[source] ?? source) : source),
  };
}

/** `November 2026, Acme Pty Ltd` */
export function formatTitle(report: Report): string {
  const { month, heading, since, until } = report;
  const { at } = createReader(report);
  const period = month === null ? `${at(since)} to ${at(until)}` : formatMonth(month);
  return heading === null ? period : `${period}, ${heading}`;
}

/** Start, end and time zone. */
export function formatPeriod(report: Report): string {
  const { since, until, madeAt, timezone } = report;
  const { at, zone } = createReader(report);
  return `From ${at(since)} to ${at(until)}, made ${at(madeAt)}. Times are ${zone === timezone ? zone : `${zone} (${timezone})`} unless they say otherwise.`;
}

export const UPTIME_NOTE =
  'Uptime is of the time in which it was read; what was not read is unknown and counts as neither up nor down.';

/** Sentences about the whole report. */
export function formatRemarks(report: Report): string[] {
  const { historyBeginsAt, leftOut, record } = report;
  const left = [
    ...(leftOut.alerts > 0 ? [formatCount(leftOut.alerts, 'alert')] : []),
    ...(leftOut.changes > 0 ? [formatCount(leftOut.changes, 'change')] : []),
    ...(leftOut.late > 0 ? [formatCount(leftOut.late, 'late delivery', 'late deliveries')] : []),
  ];
  return [
    ...(historyBeginsAt === null
      ? []
      : [`The history begins ${createReader(report).at(historyBeginsAt)}: ${beforeText(record)}.`]),
    ...(left.length === 0
      ? []
      : [
          `${formatList(left)} are left out of this report for want of room; “linewatch history --csv” lists every change.`,
        ]),
  ];
}

function beforeText(record: Report['record']): string {
  return record.some(({ told }) => told !== null)
    ? 'what was before it was not watched, and is known from notices alone'
    : 'of what was before it nothing is known';
}

/** Gaps of a source since the start of the history; earlier time is reported once for all sources. */
export function listUnread({ gaps }: ReadingOfSource, { until, historyBeginsAt }: Report): Span[] {
  if (historyBeginsAt === null) return [...gaps];
  const kept = clipSpans(gaps, { since: historyBeginsAt, until });
  // The first sweep of a source starts slightly after the very first one.
  return kept.filter((gap) => gap.since > historyBeginsAt || gap.until - gap.since >= MINUTE);
}

/** Display names of the sources of an outage, by name. */
export function formatSources(sources: readonly string[], { called }: Pick<ReportReader, 'called'>): string {
  return formatList([...new Set(sources.map(called))].toSorted(compareNames));
}

/** End and duration as far as known: `to Sun 1 Nov 03:00 (4 h 50 min)`. */
export function formatOutageEnd(outage: Outage, report: Report): string {
  const { since, until, unwatchedSince, within, withinMs } = outage;
  const { at } = createReader(report);
  if (unwatchedSince !== null) return `no longer watched since ${at(unwatchedSince)}: how it went on is unknown`;
  const isPart = since < within.since || (until !== null && until > within.until);
  const of = until === null ? '' : ` of ${formatElapsed(until - since)}`;
  const length = isPart ? `${formatElapsed(withinMs)}${of} in ${periodName(report)}` : formatElapsed(withinMs);
  return until === null ? `it goes on (${length} so far)` : `to ${at(until)} (${length})`;
}

/** Remarks on an outage: parts outside the month, and gaps in coverage. */
export function formatOutageRemarks(outage: Outage, report: Report): string[] {
  const { since, until, within, notWatchedBefore, unread, unreadMs } = outage;
  const { at } = createReader(report);
  const { month } = report;
  const longest = unread.toSorted((a, b) => b.until - b.since - (a.until - a.since)).slice(0, 3);
  const gaps = longest.toSorted((a, b) => a.since - b.since).map((gap) => `${at(gap.since)} to ${at(gap.until)}`);
  const more = unread.length - longest.length;
  return [
    ...(since < within.since
      ? [month === null ? 'began before the time of this report' : `began in ${monthName(since, report)}`]
      : []),
    ...(until !== null && until > within.until
      ? [month === null ? 'went on after the time of this report' : `went on into ${monthName(until, report)}`]
      : []),
    ...(notWatchedBefore === null ? [] : [`not watched before ${at(notWatchedBefore)}`]),
    ...(unreadMs < MINUTE
      ? []
      : [
          `not read for ${formatElapsed(unreadMs)} of it: ${formatList([...gaps, ...(more > 0 ? [`${more} shorter`] : [])])}`,
        ]),
  ];
}

function periodName({ month }: Report): string {
  return month === null ? 'the time of this report' : (formatMonth(month).split(' ')[0] ?? month);
}

/** `October`, with the year if it differs. */
function monthName(at: number, { timezone, month }: Report): string {
  const other = toMonth(at, timezone);
  const [name = '', year = ''] = formatMonth(other).split(' ');
  return month?.startsWith(year) === true ? name : `${name} ${year}`;
}

/** Text of an empty section: nothing happened as far as known. */
export function formatNothing({ historyBeginsAt, until }: Report): string {
  if (historyBeginsAt === null) return 'Nothing.';
  return historyBeginsAt >= until ? 'Not known.' : 'Nothing since the history begins.';
}

/** `99.957 %`: never rounded up to 100. */
function formatPercent(percent: number | null): string {
  return percent === null ? 'unknown' : `${(Math.floor(percent * 1000) / 1000).toFixed(3)} %`;
}

/** `100.000 % of 38 h` if the rest is unknown. */
function formatUptime({ percent, known, unknown }: Uptime): string {
  return percent === null || unknown < NEGLIGIBLE_MS
    ? formatPercent(percent)
    : `${formatPercent(percent)} of ${formatElapsed(known)}`;
}

/** `none` for 0, else a duration. */
function formatLength(ms: number): string {
  return ms === 0 ? 'none' : formatElapsed(ms);
}

/** Order of the provider's statements and the phone losses. */
export function formatFelt(felt: Felt, { at, called }: ReportReader): string[] {
  const { accounts, lostAt, lagMs, backAt, afterResolvedMs, page, unwatchedSince } = felt;
  const by = formatAuthor(page);
  const word =
    lagMs < 0
      ? `${formatElapsed(-lagMs)} after ${by}'s first word`
      : `${by}'s first word came ${formatElapsed(lagMs)} later`;
  const lost =
    unwatchedSince === undefined
      ? 'some are still lost'
      : `no longer watched since ${at(unwatchedSince)}, with some of them lost`;
  const back = backAt === null ? lost : `the last was back ${at(backAt)}`;
  const after =
    afterResolvedMs === null
      ? ''
      : afterResolvedMs < 0
        ? `, ${formatElapsed(-afterResolvedMs)} before ${by} said that it was over`
        : `, ${formatElapsed(afterResolvedMs)} after ${by} said that it was over`;
  return [`phones of ${accounts.map(called).join(', ')}: lost from ${at(lostAt)}; ${word}`, `phones: ${back}${after}`];
}

/** Deviations from the announcement, one sentence each. */
export function formatMaintenanceRemarks({ noticeMs, moved, lateMs, overrunMs, outsideMs }: Maintenance): string[] {
  const notice =
    noticeMs === null
      ? []
      : [
          noticeMs < 0
            ? `announced ${formatElapsed(-noticeMs)} after it was to begin`
            : `announced ${formatElapsed(noticeMs)} before it was to begin`,
        ];
  return [
    ...notice,
    ...(moved > 0 ? [`its window moved ${formatCount(moved, 'time')}`] : []),
    ...(lateMs > 0 ? [`began ${formatElapsed(lateMs)} late`] : []),
    ...(overrunMs > 0 ? [`went on ${formatElapsed(overrunMs)} after its announced end`] : []),
    ...(outsideMs > 0 ? [`${formatElapsed(outsideMs)} of it outside its announced window`] : []),
  ];
}

/** Phones without a known address have no site. */
function formatSite(site: string): string {
  return site === '' ? '(address unknown)' : site;
}

/** The head, then the rows; empty without rows. */
export type ReportTable<Cell> = readonly (readonly Cell[])[];

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): ReportTable<string> {
  return rows.length === 0 ? [] : [head, ...rows];
}

export function formatUptimes({ uptimes }: Report, { called }: ReportReader): ReportTable<string> {
  return toTable(
    ['', 'up', 'excluding maintenance', 'degraded', 'maintenance', 'unknown'],
    uptimes.map((one) => [
      toOneLine(`${called(one.source)}: ${one.subject === 'page' ? `${one.name} (the page)` : one.name}`),
      formatUptime(one),
      formatPercent(one.percentBesideMaintenance),
      ...[one.degraded, one.maintenance, one.unknown].map(formatLength),
    ]),
  );
}

export function formatCustomers({ customers }: Report): ReportTable<string> {
  return toTable(
    ['', 'phones', 'available', 'losses', 'phone time lost'],
    customers.map(({ called, phones, percent, losses, lostMs }) => [
      toOneLine(called),
      String(phones),
      formatPercent(percent),
      String(losses),
      formatLength(lostMs),
    ]),
  );
}

export function formatSites({ sites }: Report, { called }: ReportReader): ReportTable<string> {
  return toTable(
    ['', 'phones', 'available', 'losses', 'most at once', 'phone time lost'],
    sites.map(({ source, site, phones, percent, losses, mostAtOnce, lostMs }) => [
      toOneLine(`${called(source)}: ${formatSite(site)}`),
      String(phones),
      formatPercent(percent),
      ...[losses, mostAtOnce].map(String),
      formatLength(lostMs),
    ]),
  );
}

export function formatReceivers({ receivers }: Report): ReportTable<string> {
  return toTable(
    ['', 'delivered', 'late', 'refused', 'longest'],
    receivers.map(({ receiver, delivered, late, refused, longestMs }) => [
      receiver,
      ...[delivered, late, refused].map(String),
      longestMs === null ? '' : formatElapsed(longestMs),
    ]),
  );
}

/** Heading of the time known from notices only. */
export const RECORD_TITLE = 'By the notices of the page';

type At = ReportReader['at'];

/** Lines about time known from notices only, without line ends; lines of a notice are indented by two spaces. */
export function formatRecordLines(
  records: readonly NoticeRecord[],
  { at, called }: Pick<ReportReader, 'at' | 'called'>,
  timezone: string,
): string[] {
  return records.flatMap(({ source, told, notices, punctuality, components }) => [
    ...(told === null ? [] : [`${called(source)}: ${toldText(told, at)}`]),
    ...notices.flatMap((notice) => noticeLines(notice, at)),
    ...(punctuality.incidents === 0 ? [] : [`${called(source)}: ${punctualityText(punctuality)}`]),
    ...components.map((record) => `  ${formatRecord(record, timezone)}`),
  ]);
}

/** Uptime excludes unwatched time. */
function toldText({ since, until }: Span, at: At): string {
  return `${at(since)} to ${at(until)} is known from the notices of the page alone: it was not watched, and uptime does not count it`;
}

/** Title, followed by its details. */
function noticeLines(notice: RecordedNotice, at: At): string[] {
  const { id, type, state, subject, beganAt, endedAt, components } = notice;
  const lasted = beganAt === null || endedAt === null ? '' : ` (${formatElapsed(endedAt - beganAt)})`;
  const [began, ended] = [beganAt, endedAt].map((time) => (time === null ? 'no time' : at(time)));
  const what = [
    ...(type === 'planned' ? ['planned work'] : []),
    formatNoticeState(state).toLowerCase(),
    ...(components.length === 0 ? [] : [formatList(components.map(toOneLine), 5)]),
    ...[formatLateness(notice)].filter((late) => late !== null),
  ];
  return [`  notice ${id}: ${toReadableLine(subject)}`, `    ${began} to ${ended}${lasted}`, `    ${what.join('; ')}`];
}

function punctualityText({ incidents, late, afterEnd }: Punctuality): string {
  const rest = [
    ...(late === 0 ? [] : [`${late} published more than 15 min late`]),
    ...(afterEnd === 0 ? [] : [`${afterEnd} published after the end`]),
  ];
  return `${formatCount(incidents, 'incident')} in ${RECORD_MONTHS} months${rest.length === 0 ? ', all published in time' : `, of which ${formatList(rest)}`}`;
}
