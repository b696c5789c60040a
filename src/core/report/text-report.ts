/** The report for a terminal or plain-text mail. */
import { drawColumns } from '../text/columns.ts';
import { toOneLine, truncate, formatCount } from '../text/plain.ts';
import { fitLines } from '../text/wrap.ts';
import { formatElapsed } from '../wording/time.ts';
import { toReadableText } from '../wording/markup.ts';
import { formatNoticeState, quoteNoticeState } from '../wording/state-words.ts';
import type { OutageEvidence } from './outage-evidence.ts';
import type { Outage } from './outages.ts';
import type { Maintenance } from './announced-maintenance.ts';
import type { Report } from './monthly-report.ts';
import { RECORD_TITLE, formatRecordLines } from './notice-record-words.ts';
import {
  formatFelt,
  listUnread,
  formatLength,
  formatMaintenanceRemarks,
  formatNothing,
  formatOutageEnd,
  formatOutageRemarks,
  formatPercent,
  formatPeriod,
  createReader,
  formatRemarks,
  formatSite,
  formatSources,
  formatTitle,
  formatUptime,
  type ReportReader,
} from './report-words.ts';
import { sumLengths } from './uptime.ts';

/** Limit of provider text per line. */
const LONGEST_WORDS = 400;
const LONGEST_HEADLINE = 200;

/** Without a final line end. `width`: default unlimited. */
export function formatTextReport(report: Report, width = Infinity): string {
  const reader = createReader(report);
  const sections: [string, string[]][] = [
    ['Uptime', uptimeLines(report, reader, width)],
    ['Not read', unknownLines(report, reader)],
    ['Outages', report.outages.flatMap((outage) => outageLines(outage, report, reader))],
    ['Maintenance', report.maintenances.flatMap((work) => maintenanceLines(work, reader))],
    ['Silent edits', editLines(report, reader)],
    ...(report.customers.length === 0
      ? []
      : [['Phones by customer', customerLines(report, width)] as [string, string[]]]),
    ['Phones by site', siteLines(report, reader, width)],
    ['Delivery times', deliveryLines(report, reader, width)],
    ...(report.record.length === 0
      ? []
      : [[RECORD_TITLE, formatRecordLines(report.record, reader, report.timezone)] as [string, string[]]]),
  ];
  const head = [
    formatTitle(report),
    formatPeriod(report),
    'Uptime is of the time in which it was read; what was not read is unknown and counts as neither up nor down.',
    ...formatRemarks(report),
  ];
  const body = sections.flatMap(([title, lines]) => [
    '',
    title,
    '-'.repeat(title.length),
    ...(lines.length === 0 ? [formatNothing(report)] : lines),
  ]);
  return fitLines([...head, ...body], width).join('\n');
}

export const UPTIME_COLUMNS = ['', 'up', 'excluding maintenance', 'degraded', 'maintenance', 'unknown'] as const;

function uptimeLines({ uptimes }: Report, { called }: ReportReader, width: number): string[] {
  const rows = uptimes.map((one) => [
    toOneLine(`${called(one.source)}: ${one.subject === 'page' ? `${one.name} (the page)` : one.name}`),
    formatUptime(one),
    formatPercent(one.percentBesideMaintenance),
    formatLength(one.degraded),
    formatLength(one.maintenance),
    formatLength(one.unknown),
  ]);
  return rows.length === 0 ? [] : drawColumns([UPTIME_COLUMNS, ...rows], { width, endFrom: 1 });
}

function unknownLines(report: Report, { at, called }: ReportReader): string[] {
  return report.sources.flatMap((reading) => {
    const { source, unwatchedSince } = reading;
    const gaps = listUnread(reading, report);
    const name = called(source);
    const end = unwatchedSince === null ? [] : [`${name}: no longer watched since ${at(unwatchedSince)}`];
    if (gaps.length === 0) return end;
    const longest = gaps.toSorted((a, b) => b.until - b.since - (a.until - a.since)).slice(0, 5);
    return [
      `${name}: ${formatElapsed(sumLengths(gaps))} in ${formatCount(gaps.length, 'gap')}`,
      ...longest.map((gap) => `  ${at(gap.since)} to ${at(gap.until)} (${formatElapsed(gap.until - gap.since)})`),
      ...(gaps.length > longest.length ? [`  and ${gaps.length - longest.length} shorter`] : []),
      ...end,
    ];
  });
}

function outageLines(outage: Outage, report: Report, reader: ReportReader): string[] {
  const { number, sources, severity, title, since, components, phones, evidence } = outage;
  return [
    toOneLine(`#${number} ${severity}: ${title}`),
    `  ${formatSources(sources, reader)}, from ${reader.at(since)}, ${formatOutageEnd(outage, report)}`,
    ...formatOutageRemarks(outage, report).map((remark) => `  ${remark}`),
    ...(components.length === 0 ? [] : [`  ${toOneLine(`affects: ${components.join(', ')}`)}`]),
    ...(phones === null ? [] : formatFelt(phones, reader).map((line) => `  ${line}`)),
    ...evidence.flatMap((one) => evidenceLines(one, reader)),
  ];
}

function evidenceLines({ at: seen, source, headline, words }: OutageEvidence, { at, called }: ReportReader): string[] {
  return [
    `    ${at(seen)}  ${called(source)}: ${truncate(toOneLine(headline), LONGEST_HEADLINE)}`,
    ...words.map(({ at: said, state, text }) => {
      const when = said === null ? '' : `${at(said)} `;
      const word = state === null ? '' : `${toOneLine(formatNoticeState(state))}: `;
      return `      ${when}${word}“${truncate(toOneLine(toReadableText(text)), LONGEST_WORDS)}”`;
    }),
  ];
}

function maintenanceLines(work: Maintenance, reader: ReportReader): string[] {
  const { title, source, state, beginsAt, endsAt, beganAt, endedAt, evidence } = work;
  const time = (at: number | null): string => (at === null ? 'no time' : reader.at(at));
  return [
    toOneLine(title),
    `  ${reader.called(source)}, ${toOneLine(quoteNoticeState(state))}; announced for ${time(beginsAt)} to ${time(endsAt)}`,
    `  ${beganAt === null ? 'not seen to begin' : `began ${time(beganAt)}`}, ${endedAt === null ? 'not seen to end' : `ended ${time(endedAt)}`}`,
    ...formatMaintenanceRemarks(work).map((remark) => `  ${remark}`),
    ...evidence.flatMap((one) => evidenceLines(one, reader)),
  ];
}

function editLines({ edits }: Report, { at, called }: ReportReader): string[] {
  return edits.flatMap(({ at: seen, source, title, before, after }) => [
    `${at(seen)}  ${called(source)}: ${toOneLine(title)}`,
    `  before: “${truncate(toOneLine(toReadableText(before)), LONGEST_WORDS)}”`,
    `  after:  “${truncate(toOneLine(toReadableText(after)), LONGEST_WORDS)}”`,
  ]);
}

export const CUSTOMER_COLUMNS = ['', 'phones', 'available', 'losses', 'phone time lost'] as const;

function customerLines({ customers }: Report, width: number): string[] {
  const rows = customers.map(({ called, phones, percent, losses, lostMs }) => [
    toOneLine(called),
    String(phones),
    formatPercent(percent),
    String(losses),
    formatLength(lostMs),
  ]);
  return drawColumns([CUSTOMER_COLUMNS, ...rows], { width, endFrom: 1 });
}

export const SITE_COLUMNS = ['', 'phones', 'available', 'losses', 'most at once', 'phone time lost'] as const;

function siteLines({ sites }: Report, { called }: ReportReader, width: number): string[] {
  const rows = sites.map(({ source, site, phones, percent, losses, mostAtOnce, lostMs }) => [
    toOneLine(`${called(source)}: ${formatSite(site)}`),
    String(phones),
    formatPercent(percent),
    String(losses),
    String(mostAtOnce),
    formatLength(lostMs),
  ]);
  return rows.length === 0 ? [] : drawColumns([SITE_COLUMNS, ...rows], { width, endFrom: 1 });
}

function deliveryLines({ receivers, late }: Report, { at }: ReportReader, width: number): string[] {
  const rows = receivers.map(({ receiver, delivered, late: count, refused, longestMs }) => [
    receiver,
    String(delivered),
    String(count),
    String(refused),
    longestMs === null ? '' : formatElapsed(longestMs),
  ]);
  const lines = late.map(({ receiver, number, dueAt, lateMs, why }) => {
    const which = number === null ? '' : ` #${number}`;
    const fate = lateMs === null ? 'refused for good' : `${formatElapsed(lateMs)} late`;
    return `${at(dueAt)}  ${receiver}${which}: ${fate}${why === null ? '' : `; ${toOneLine(why)}`}`;
  });
  return rows.length === 0
    ? []
    : [...drawColumns([['', 'delivered', 'late', 'refused', 'longest'], ...rows], { width, endFrom: 1 }), ...lines];
}
