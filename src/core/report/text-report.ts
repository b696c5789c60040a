/** The report for a terminal or a plain mail. */
import { drawColumns } from '../text/columns.ts';
import { fitLines } from '../text/wrap.ts';
import { oneLine, cut, listed, plural } from '../text/plain.ts';
import { speaker } from '../wording/speaker.ts';
import { span } from '../wording/time.ts';
import { readable } from '../wording/markup.ts';
import { exactly, nameOfMonth } from './month.ts';
import type { OutageEvidence, Felt, Outage } from './outages.ts';
import type { Maintenance } from './announced-maintenance.ts';
import type { Report } from './monthly-report.ts';

/** Characters of the provider’s words in one line. */
const LONGEST_WORDS = 400;

/** Without a line end after the last line. `width` of a terminal; default: lines are as wide as they are. */
export function textReport(report: Report, width = Infinity): string {
  const { instance, timezone, month, since, until, madeAt } = report;
  const sections: [string, string[]][] = [
    ['Uptime', uptimeLines(report, width)],
    ['Not read', unknownLines(report)],
    ['Outages', report.outages.flatMap((outage) => outageLines(outage, timezone))],
    ['Maintenance', report.maintenances.flatMap((work) => maintenanceLines(work, timezone))],
    ['Edited without a word', editLines(report)],
    ['Phones lost by site', siteLines(report, width)],
    ['Told in time', deliveryLines(report, width)],
  ];
  const head = [
    `${nameOfMonth(month)}, ${instance}`,
    `From ${exactly(since, timezone)} to ${exactly(until, timezone)} (${timezone}), made ${exactly(madeAt, timezone)}.`,
    'Uptime is of the time in which it was read; what was not read is unknown and counts as neither up nor down.',
    ...remarksText(report),
  ];
  const body = sections.flatMap(([title, lines]) => [
    '',
    title,
    '-'.repeat(title.length),
    ...(lines.length === 0 ? [nothingText(report)] : lines),
  ]);
  return fitLines([...head, ...body], width).join('\n');
}

/** What the reader of all of it has to know: sentences. */
export function remarksText({ historyBeginsAt, timezone, leftOut }: Report): string[] {
  const left = [
    ...(leftOut.alerts > 0 ? [plural(leftOut.alerts, 'alert')] : []),
    ...(leftOut.changes > 0 ? [plural(leftOut.changes, 'change')] : []),
    ...(leftOut.late > 0 ? [plural(leftOut.late, 'late delivery', 'late deliveries')] : []),
  ];
  return [
    ...(historyBeginsAt === null
      ? []
      : [`The history begins ${exactly(historyBeginsAt, timezone)}: of what was before it nothing is known.`]),
    ...(left.length === 0
      ? []
      : [
          `${listed(left)} are left out of this report for want of room; “linewatch history --csv” lists every change.`,
        ]),
  ];
}

/** How it ended, as far as that is known. */
export function outageEnd({ since, until, unwatchedSince }: Outage, timezone: string): string {
  if (until !== null) return `to ${exactly(until, timezone)} (${span(until - since)})`;
  if (unwatchedSince === null) return 'it goes on';
  return `no longer watched since ${exactly(unwatchedSince, timezone)}: how it went on is unknown`;
}

/** What a section without content says: nothing happened, unless nobody can know. */
export function nothingText({ historyBeginsAt, until }: Report): string {
  return historyBeginsAt !== null && historyBeginsAt >= until ? 'Not known.' : 'Nothing.';
}

/** `99.957 %`: never rounded up to a whole hundred. */
export function percentText(percent: number | null): string {
  return percent === null ? 'unknown' : `${(Math.floor(percent * 1000) / 1000).toFixed(3)} %`;
}

/** `none`, else as long as it is. */
export function lengthText(ms: number): string {
  return ms === 0 ? 'none' : span(ms);
}

export const UPTIME_COLUMNS = ['', 'up', 'beside maintenance', 'degraded', 'maintenance', 'unknown'] as const;

function uptimeLines({ uptimes }: Report, width: number): string[] {
  const rows = uptimes.map((one) => [
    oneLine(`${one.source}: ${one.subject === 'page' ? `${one.name} (the page)` : one.name}`),
    percentText(one.percent),
    percentText(one.percentBesideMaintenance),
    lengthText(one.degraded),
    lengthText(one.maintenance),
    lengthText(one.unknown),
  ]);
  return rows.length === 0 ? [] : drawColumns([UPTIME_COLUMNS, ...rows], { width, endFrom: 1 });
}

function unknownLines({ sources, timezone }: Report): string[] {
  return sources.flatMap(({ source, gaps, unknownMs, unwatchedSince }) => {
    const end =
      unwatchedSince === null ? [] : [`${source}: no longer watched since ${exactly(unwatchedSince, timezone)}`];
    if (gaps.length === 0) return end;
    const longest = gaps.toSorted((a, b) => b.until - b.since - (a.until - a.since)).slice(0, 5);
    return [
      `${source}: ${span(unknownMs)} in ${plural(gaps.length, 'gap')}`,
      ...longest.map(
        (gap) =>
          `  ${exactly(gap.since, timezone)} to ${exactly(gap.until, timezone)} (${span(gap.until - gap.since)})`,
      ),
      ...(gaps.length > longest.length ? [`  and ${gaps.length - longest.length} shorter`] : []),
      ...end,
    ];
  });
}

function outageLines(outage: Outage, timezone: string): string[] {
  const { number, source, severity, title, since, components, phones, notice, evidence } = outage;
  return [
    oneLine(`#${number} ${severity}: ${title}`),
    `  ${source}${notice === null ? '' : `, notice ${notice}`}, from ${exactly(since, timezone)}, ${outageEnd(outage, timezone)}`,
    ...(components.length === 0 ? [] : [oneLine(`  hit: ${components.join(', ')}`).replace(/^/, '  ')]),
    ...(phones === null ? [] : feltLines(phones, timezone)),
    ...evidence.flatMap((one) => evidenceLines(one, timezone)),
  ];
}

/** How the provider's word and one's own phones followed each other. */
export function feltLines(
  { accounts, lostAt, lagMs, backAt, afterResolvedMs, page, unwatchedSince }: Felt,
  timezone: string,
): string[] {
  const by = speaker(page);
  const word = lagMs < 0 ? `${span(-lagMs)} after ${by}'s first word` : `${by}'s first word came ${span(lagMs)} later`;
  const lost =
    unwatchedSince === undefined
      ? 'some are still lost'
      : `no longer watched since ${exactly(unwatchedSince, timezone)}, with some of them lost`;
  const back = backAt === null ? lost : `the last was back ${exactly(backAt, timezone)}`;
  const after =
    afterResolvedMs === null
      ? ''
      : afterResolvedMs < 0
        ? `, ${span(-afterResolvedMs)} before ${by} said that it was over`
        : `, ${span(afterResolvedMs)} after ${by} said that it was over`;
  return [
    `  phones of ${accounts.join(', ')}: lost from ${exactly(lostAt, timezone)}; ${word}`,
    `  phones: ${back}${after}`,
  ];
}

function evidenceLines({ id, at, source, kind, name, from, to, words }: OutageEvidence, timezone: string): string[] {
  const change = [from, to]
    .filter((one) => one !== null)
    .map((one) => cut(oneLine(one), 80))
    .join(' → ');
  const about = name === null ? '' : `${oneLine(name)}: `;
  return [
    `    ${exactly(at, timezone)}  ${source}  ${kind}  ${about}${change}  [${id.slice(0, 12)}]`,
    ...words.map(({ at: said, state, text }) => {
      const when = said === null ? '' : `${exactly(said, timezone)} `;
      return `      ${when}${state === null ? '' : `${oneLine(state)}: `}“${cut(oneLine(readable(text)), LONGEST_WORDS)}”`;
    }),
  ];
}

function maintenanceLines(work: Maintenance, timezone: string): string[] {
  const { title, source, notice, state, beginsAt, endsAt, beganAt, endedAt, evidence } = work;
  const time = (at: number | null): string => (at === null ? 'no time' : exactly(at, timezone));
  return [
    oneLine(title),
    `  ${source}, notice ${notice}, ${state ?? 'no state'}; announced for ${time(beginsAt)} to ${time(endsAt)}`,
    `  ${beganAt === null ? 'not seen to begin' : `began ${time(beganAt)}`}, ${endedAt === null ? 'not seen to end' : `ended ${time(endedAt)}`}`,
    ...maintenanceRemarks(work).map((remark) => `  ${remark}`),
    ...evidence.flatMap((one) => evidenceLines(one, timezone)),
  ];
}

/** What was not as announced; a sentence each. */
export function maintenanceRemarks({ noticeMs, moved, lateMs, overrunMs, outsideMs }: Maintenance): string[] {
  const notice =
    noticeMs === null
      ? []
      : [
          noticeMs < 0
            ? `announced ${span(-noticeMs)} after it was to begin`
            : `announced ${span(noticeMs)} before it was to begin`,
        ];
  return [
    ...notice,
    ...(moved > 0 ? [`its window moved ${plural(moved, 'time')}`] : []),
    ...(lateMs > 0 ? [`began ${span(lateMs)} late`] : []),
    ...(overrunMs > 0 ? [`went on ${span(overrunMs)} after its announced end`] : []),
    ...(outsideMs > 0 ? [`${span(outsideMs)} of it outside its announced window`] : []),
  ];
}

function editLines({ edits, timezone }: Report): string[] {
  return edits.flatMap(({ id, at, source, notice, title, before, after }) => [
    `${exactly(at, timezone)}  ${source}, notice ${notice}: ${oneLine(title)}  [${id.slice(0, 12)}]`,
    `  before: “${cut(oneLine(readable(before)), LONGEST_WORDS)}”`,
    `  after:  “${cut(oneLine(readable(after)), LONGEST_WORDS)}”`,
  ]);
}

function siteLines({ sites }: Report, width: number): string[] {
  const rows = sites.map(({ source, site, phones, losses, mostAtOnce, lostMs }) => [
    oneLine(`${source}: ${siteName(site)}`),
    String(phones),
    String(losses),
    String(mostAtOnce),
    lengthText(lostMs),
  ]);
  return rows.length === 0
    ? []
    : drawColumns([['', 'phones', 'losses', 'most at once', 'phone time lost'], ...rows], { width, endFrom: 1 });
}

/** Phones of which no address is known are of no site. */
export function siteName(site: string): string {
  return site === '' ? '(address unknown)' : site;
}

function deliveryLines({ receivers, late, timezone }: Report, width: number): string[] {
  const rows = receivers.map(({ receiver, delivered, late: count, refused, longestMs }) => [
    receiver,
    String(delivered),
    String(count),
    String(refused),
    longestMs === null ? '' : span(longestMs),
  ]);
  const lines = late.map(({ receiver, number, dueAt, lateMs, why }) => {
    const which = number === null ? '' : ` #${number}`;
    const fate = lateMs === null ? 'refused for good' : `${span(lateMs)} late`;
    return `${exactly(dueAt, timezone)}  ${receiver}${which}: ${fate}${why === null ? '' : `; ${oneLine(why)}`}`;
  });
  return rows.length === 0
    ? []
    : [...drawColumns([['', 'delivered', 'late', 'refused', 'longest'], ...rows], { width, endFrom: 1 }), ...lines];
}
