/** The report as a self-contained page to print or attach to a claim. External text is escaped. */
import { joinNames, capitalize, toOneLine, formatCount } from '../text/plain.ts';
import { toReadableLine, toReadableText } from '../text/markup.ts';
import { formatElapsed } from '../wording/time.ts';
import { formatNoticeState, quoteNoticeState } from '../wording/state-words.ts';
import { formatExactly } from './month.ts';
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
import { REPORT_STYLE } from './report-style.ts';
import { sumLengths } from './uptime.ts';

/** Markup that needs no escaping. */
interface HtmlText {
  html: string;
}

/** A complete document with inline style and no script. Everything interpolated is escaped. */
export function renderHtml(report: Report): string {
  const reader = htmlReaderOf(report);
  const title = formatTitle(report);
  const part = (name: string, content: readonly HtmlText[]): HtmlText => section(name, content, formatNothing(report));
  const last = [part('Delivery times', deliveryTables(report, reader)), ...recordPart(report, reader)];
  const body = html`<h1>${title}</h1>
    <p class="quiet">${formatPeriod(report)}</p>
    <p class="quiet">${UPTIME_NOTE}</p>
    ${formatRemarks(report).map((line) => html`<p><strong>${line}</strong></p>`)}
    ${part('Uptime', table(formatUptimes(report, reader)))} ${part('Not read', unknownList(report, reader))}
    ${part(
      'Outages',
      report.outages.map((outage) => outageArticle(outage, report, reader)),
    )}
    ${part(
      'Maintenance',
      report.maintenances.map((work) => maintenanceArticle(work, reader)),
    )}
    ${part('Silent edits', editArticles(report, reader))}
    ${report.customers.length === 0 ? [] : part('Phones by customer', table(formatCustomers(report)))}
    ${part('Phones by site', table(formatSites(report, reader)))} ${last} `;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
${body.html}</body>
</html>
`;
}

interface HtmlReader extends ReportReader {
  /** With seconds and UTC offset: a claim may depend on either. */
  time(at: number): HtmlText;
}

function htmlReaderOf(report: Report): HtmlReader {
  const reader = createReader(report);
  const { timezone } = report;
  return {
    ...reader,
    time: (at) => {
      const [datetime, title] = [new Date(at).toISOString(), formatExactly(at, timezone)];
      return html`<time datetime="${datetime}" title="${title}">${reader.at(at)}</time>`;
    },
  };
}

function section(title: string, content: readonly HtmlText[], nothing: string): HtmlText {
  return html`<section>
    <h2>${title}</h2>
    ${content.length === 0 ? [html`<p>${nothing}</p>`] : content}
  </section>`;
}

function table([head, ...rows]: ReportTable<string | HtmlText>): HtmlText[] {
  if (head === undefined) return [];
  const cells = (row: readonly (string | HtmlText)[]): HtmlText[] => row.map((cell) => html`<td>${cell}</td>`);
  return [
    html`<table>
      <thead>
        <tr>
          ${head.map((cell) => html`<th scope="col">${cell}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${cells(row)}
            </tr> `,
        )}
      </tbody>
    </table>`,
  ];
}

/** Only if past notices of the page were read. */
function recordPart({ record, timezone }: Report, reader: HtmlReader): HtmlText[] {
  if (record.length === 0) return [];
  const lines = formatRecordLines(record, reader, timezone).map((line) => html`<p>${line.trim()}</p>`);
  return [section(RECORD_TITLE, lines, '')];
}

function unknownList(report: Report, { time, called }: HtmlReader): HtmlText[] {
  return report.sources.flatMap((reading) => {
    const { source, unwatchedSince } = reading;
    const gaps = listUnread(reading, report);
    return [
      ...(unwatchedSince === null
        ? []
        : [html`<p>${called(source)}: no longer watched since ${time(unwatchedSince)}</p>`]),
      ...(gaps.length === 0
        ? []
        : [
            html`<h3>${called(source)}: ${formatElapsed(sumLengths(gaps))} in ${formatCount(gaps.length, 'gap')}</h3>
              <ol>
                ${gaps.map(
                  (gap) =>
                    html`<li>${time(gap.since)} to ${time(gap.until)} (${formatElapsed(gap.until - gap.since)})</li> `,
                )}
              </ol>`,
          ]),
    ];
  });
}

function outageArticle(outage: Outage, report: Report, reader: HtmlReader): HtmlText {
  const { number, sources, severity, title, since, seenAt, components, phones, evidence } = outage;
  const { time } = reader;
  const remarks = formatOutageRemarks(outage, report);
  const watched = formatSources(sources, reader);
  return html`<article>
    <h3>#${number} ${severity}: ${title}</h3>
    <p>${watched}, from ${time(since)}, ${formatOutageEnd(outage, report)}. First seen ${time(seenAt)}.</p>
    ${remarks.map((remark) => html`<p>${capitalize(remark)}.</p>`)}
    ${components.length === 0 ? [] : [html`<p>Affects: ${joinNames(components)}.</p>`]}
    ${phones === null ? [] : formatFelt(phones, reader).map((line) => html`<p>${line}</p>`)}
    ${evidenceList(evidence, reader)}
  </article>`;
}

function evidenceList(evidence: readonly OutageEvidence[], { time, called }: HtmlReader): HtmlText {
  return html`<ol>
    ${evidence.map(
      ({ at, source, headline, words }) =>
        html`<li>
          ${time(at)} ${called(source)}: <b>${toOneLine(headline)}</b>
          ${words.map(
            ({ at: said, state, text }) =>
              html`<p>
                ${said === null ? '' : time(said)} ${state === null ? '' : formatNoticeState(state)}
                <q>${toReadableText(text)}</q>
              </p>`,
          )}
        </li> `,
    )}
  </ol>`;
}

function maintenanceArticle(work: Maintenance, reader: HtmlReader): HtmlText {
  const { title, source, state, beginsAt, endsAt, beganAt, endedAt, evidence } = work;
  const time = (at: number | null): HtmlText | string => (at === null ? 'not known' : reader.time(at));
  return html`<article>
    <h3>${toReadableLine(title)}</h3>
    <p>${reader.called(source)}, ${quoteNoticeState(state)}.</p>
    ${table([
      ['', 'begins', 'ends'],
      ['announced', time(beginsAt), time(endsAt)],
      ['took place', time(beganAt), time(endedAt)],
    ])}
    ${formatMaintenanceRemarks(work).map((remark) => html`<p>${remark}.</p>`)} ${evidenceList(evidence, reader)}
  </article>`;
}

function editArticles({ edits }: Report, { time, called }: HtmlReader): HtmlText[] {
  return edits.map(
    ({ at, source, title, before, after }) =>
      html`<article>
        <h3>${toReadableLine(title)}</h3>
        <p>${called(source)}, ${time(at)}</p>
        <p>Before: <q>${toReadableText(before)}</q></p>
        <p>After: <q>${toReadableText(after)}</q></p>
      </article>`,
  );
}

function deliveryTables(report: Report, { time }: HtmlReader): HtmlText[] {
  const late = report.late.map(({ receiver, number, dueAt, lateMs, why }) => [
    receiver,
    number === null ? '' : `#${number}`,
    time(dueAt),
    lateMs === null ? 'refused for good' : formatElapsed(lateMs),
    why ?? '',
  ]);
  return [
    ...table(formatReceivers(report)),
    ...(late.length === 0
      ? []
      : [html`<h3>Late or refused</h3>`, ...table([['to', 'alert', 'due', 'late by', 'why'], ...late])]),
  ];
}

/** Escapes interpolated values unless they are markup created here. */
function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | HtmlText | readonly HtmlText[])[]
): HtmlText {
  return { html: parts.map((part, index) => `${index === 0 ? '' : markup(values[index - 1] ?? '')}${part}`).join('') };
}

function markup(value: string | number | HtmlText | readonly HtmlText[]): string {
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'html' in value ? value.html : value.map((one) => one.html).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
