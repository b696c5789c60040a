/** The report for a terminal or plain-text mail. */
import { drawColumns } from '../text/columns.ts';
import { joinNames, toOneLine, truncate, formatCount } from '../text/plain.ts';
import { fitLines } from '../text/wrap.ts';
import { formatElapsed } from '../wording/time.ts';
import { toReadableLine, toReadableText } from '../text/markup.ts';
import { formatNoticeState, quoteNoticeState } from '../wording/state-words.ts';
import type { OutageEvidence } from './outage-evidence.ts';
import type { Outage } from './outages.ts';
import type { Maintenance } from './announced-maintenance.ts';
import type { Report } from './monthly-report.ts';
import {
  RECORD_TITLE,
  formatRecordLines,
  formatCustomers,
  formatFelt,
  listUnread,
  formatMaintenanceRemarks,
  formatNothing,
  formatOutageEnd,
  formatOutageRemarks,
  formatPeriod,
  createReader,
  formatReceivers,
  formatRemarks,
  formatSites,
  formatSources,
  formatTitle,
  formatUptimes,
  UPTIME_NOTE,
  type ReportReader,
  type ReportTable,
} from './report-words.ts';
import { sumLengths } from './uptime.ts';

/** Limit of provider text per line. */
const LONGEST_WORDS = 400;
const LONGEST_HEADLINE = 200;

/** Without a final line end. `width`: default unlimited. */
export function formatTextReport(report: Report, width = Infinity): string {
  const reader = createReader(report);
  const sections: [string, string[]][] = [
    ['Uptime', tableLines(formatUptimes(report, reader), width)],
    ['Not read', unknownLines(report, reader)],
    ['Outages', report.outages.flatMap((outage) => outageLines(outage, report, reader))],
    ['Maintenance', report.maintenances.flatMap((work) => maintenanceLines(work, reader))],
    ['Silent edits', editLines(report, reader)],
    ...(report.customers.length === 0
      ? []
      : [['Phones by customer', tableLines(formatCustomers(report), width)] as [string, string[]]]),
    ['Phones by site', tableLines(formatSites(report, reader), width)],
    ['Delivery times', deliveryLines(report, reader, width)],
    ...(report.record.length === 0
      ? []
      : [[RECORD_TITLE, formatRecordLines(report.record, reader, report.timezone)] as [string, string[]]]),
  ];
  const head = [formatTitle(report), formatPeriod(report), UPTIME_NOTE, ...formatRemarks(report)];
  const body = sections.flatMap(([title, lines]) => [
    '',
    title,
    '-'.repeat(title.length),
    ...(lines.length === 0 ? [formatNothing(report)] : lines),
  ]);
  return fitLines([...head, ...body], width).join('\n');
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
    ...(components.length === 0 ? [] : [`  ${toOneLine(`affects: ${joinNames(components)}`)}`]),
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
    toReadableLine(title),
    `  ${reader.called(source)}, ${toOneLine(quoteNoticeState(state))}; announced for ${time(beginsAt)} to ${time(endsAt)}`,
    `  ${beganAt === null ? 'not seen to begin' : `began ${time(beganAt)}`}, ${endedAt === null ? 'not seen to end' : `ended ${time(endedAt)}`}`,
    ...formatMaintenanceRemarks(work).map((remark) => `  ${remark}`),
    ...evidence.flatMap((one) => evidenceLines(one, reader)),
  ];
}

function editLines({ edits }: Report, { at, called }: ReportReader): string[] {
  return edits.flatMap(({ at: seen, source, title, before, after }) => [
    `${at(seen)}  ${called(source)}: ${toReadableLine(title)}`,
    `  before: “${truncate(toOneLine(toReadableText(before)), LONGEST_WORDS)}”`,
    `  after:  “${truncate(toOneLine(toReadableText(after)), LONGEST_WORDS)}”`,
  ]);
}

function deliveryLines(report: Report, { at }: ReportReader, width: number): string[] {
  const table = tableLines(formatReceivers(report), width);
  const lines = report.late.map(({ receiver, number, dueAt, lateMs, why }) => {
    const which = number === null ? '' : ` #${number}`;
    const fate = lateMs === null ? 'refused for good' : `${formatElapsed(lateMs)} late`;
    return `${at(dueAt)}  ${receiver}${which}: ${fate}${why === null ? '' : `; ${toOneLine(why)}`}`;
  });
  return table.length === 0 ? [] : [...table, ...lines];
}

function tableLines(table: ReportTable<string>, width: number): string[] {
  return table.length === 0 ? [] : drawColumns(table, { width, endFrom: 1 });
}
