/**
 * The report as one page that needs nothing else, to be printed or attached to a claim. What comes from outside is text
 * here, whatever it looks like.
 */
import { oneLine, plural } from '../text/plain.ts';
import { readable } from '../wording/markup.ts';
import { span } from '../wording/time.ts';
import { exactly, nameOfMonth } from './month.ts';
import type { OutageEvidence, Outage } from './outages.ts';
import type { Maintenance } from './announced-maintenance.ts';
import type { Report } from './monthly-report.ts';
import {
  feltLines,
  lengthText,
  maintenanceRemarks,
  nothingText,
  outageEnd,
  percentText,
  remarksText,
  siteName,
  UPTIME_COLUMNS,
} from './text-report.ts';

/** Markup that is safe as it stands. */
interface HtmlText {
  html: string;
}

/** What stands between its style tags. */
export const REPORT_STYLE = `
  :root { color-scheme: light; }
  body { font: 15px/1.5 system-ui, sans-serif; color: #1d2430; background: #fff; max-width: 64rem; margin: 2rem auto; padding: 0 1.5rem; overflow-wrap: anywhere; }
  h1 { font-size: 1.7rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; border-bottom: 2px solid #d5dae3; padding-bottom: .3rem; }
  h3 { font-size: 1rem; margin: 1.4rem 0 .2rem; } p { margin: .2rem 0; } .quiet { color: #545e70; }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  th, td { text-align: right; padding: .3rem .6rem; border-bottom: 1px solid #e4e8ef; vertical-align: top; }
  th:first-child, td:first-child { text-align: left; } th { font-weight: 600; color: #545e70; overflow-wrap: normal; }
  ol { list-style: none; margin: .4rem 0 0; padding: 0 0 0 .8rem; border-left: 3px solid #e4e8ef; } li { margin: .3rem 0; }
  q { white-space: pre-line; } code { font-size: .85em; color: #545e70; overflow-wrap: anywhere; }
  section { break-inside: auto; } article, tr, li { break-inside: avoid; }
  @media print { body { margin: 0; max-width: none; font-size: 11px; } }
`;

/** A whole document, with its style inside and without script. Nothing that is not literally here is left unescaped. */
export function htmlReport(report: Report): string {
  const { instance, timezone, month, since, until, madeAt } = report;
  const title = `${nameOfMonth(month)}, ${instance}`;
  const part = (name: string, content: readonly HtmlText[]): HtmlText => section(name, content, nothingText(report));
  const body = html`<h1>${title}</h1>
    <p class="quiet">
      From ${exactly(since, timezone)} to ${exactly(until, timezone)} (${timezone}), made ${exactly(madeAt, timezone)}.
    </p>
    <p class="quiet">
      Uptime is of the time in which it was read; what was not read is unknown and counts as neither up nor down.
    </p>
    ${remarksText(report).map((line) => html`<p><strong>${line}</strong></p>`)} ${part('Uptime', uptimeTable(report))}
    ${part('Not read', unknownList(report))}
    ${part(
      'Outages',
      report.outages.map((outage) => outageArticle(outage, timezone)),
    )}
    ${part(
      'Maintenance',
      report.maintenances.map((work) => maintenanceArticle(work, timezone)),
    )}
    ${part('Edited without a word', editArticles(report))} ${part('Phones lost by site', siteTable(report))}
    ${part('Told in time', deliveryTable(report))} `;
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

function section(title: string, content: readonly HtmlText[], nothing: string): HtmlText {
  return html`<section>
    <h2>${title}</h2>
    ${content.length === 0 ? [html`<p>${nothing}</p>`] : content}
  </section>`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): HtmlText[] {
  if (rows.length === 0) return [];
  const cells = (row: readonly string[]): HtmlText[] => row.map((cell) => html`<td>${cell}</td>`);
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

function uptimeTable({ uptimes }: Report): HtmlText[] {
  return table(
    UPTIME_COLUMNS,
    uptimes.map((one) => [
      oneLine(`${one.source}: ${one.subject === 'page' ? `${one.name} (the page)` : one.name}`),
      percentText(one.percent),
      percentText(one.percentBesideMaintenance),
      ...[one.degraded, one.maintenance, one.unknown].map(lengthText),
    ]),
  );
}

function unknownList({ sources, timezone }: Report): HtmlText[] {
  return sources.flatMap(({ source, gaps, unknownMs, unwatchedSince }) => [
    ...(unwatchedSince === null
      ? []
      : [html`<p>${source}: no longer watched since ${exactly(unwatchedSince, timezone)}</p>`]),
    ...(gaps.length === 0
      ? []
      : [
          html`<h3>${source}: ${span(unknownMs)} in ${plural(gaps.length, 'gap')}</h3>
            <ol>
              ${gaps.map(
                (gap) =>
                  html`<li>
                    ${exactly(gap.since, timezone)} to ${exactly(gap.until, timezone)} (${span(gap.until - gap.since)})
                  </li> `,
              )}
            </ol>`,
        ]),
  ]);
}

function outageArticle(outage: Outage, timezone: string): HtmlText {
  const { number, source, severity, title, since, until, seenAt, components, phones, notice, evidence, id } = outage;
  const end = until === null ? outageEnd(outage, timezone) : `to ${exactly(until, timezone)}: ${span(until - since)}`;
  return html`<article>
    <h3>#${number} ${severity}: ${title}</h3>
    <p>
      ${source}${notice === null ? '' : `, notice ${notice}`}. From ${exactly(since, timezone)} ${end}. First seen
      ${exactly(seenAt, timezone)}. <code>${id}</code>
    </p>
    ${components.length === 0 ? [] : [html`<p>Hit: ${components.join(', ')}.</p>`]}
    ${phones === null ? [] : feltLines(phones, timezone).map((line) => html`<p>${line.trim()}</p>`)}
    ${evidenceList(evidence, timezone)}
  </article>`;
}

function evidenceList(evidence: readonly OutageEvidence[], timezone: string): HtmlText {
  return html`<ol>
    ${evidence.map(({ id, at, source, kind, name, from, to, words }) => {
      const change = [from, to]
        .filter((one) => one !== null)
        .map(readable)
        .join(' → ');
      return html`<li>
        ${exactly(at, timezone)} ${source} <b>${kind}</b> ${name === null ? '' : `${name}: `}${change}
        <code>${id}</code>
        ${words.map(({ at: said, state, text }) => html`<p>${said === null ? '' : exactly(said, timezone)} ${state ?? ''} <q>${readable(text)}</q></p>`)}
      </li> `;
    })}
  </ol>`;
}

function maintenanceArticle(work: Maintenance, timezone: string): HtmlText {
  const { title, source, notice, state, beginsAt, endsAt, beganAt, endedAt, evidence } = work;
  const time = (at: number | null): string => (at === null ? 'not known' : exactly(at, timezone));
  return html`<article>
    <h3>${title}</h3>
    <p>${source}, notice ${notice}, ${state ?? 'no state'}.</p>
    ${table(
      ['', 'begins', 'ends'],
      [
        ['announced', time(beginsAt), time(endsAt)],
        ['took place', time(beganAt), time(endedAt)],
      ],
    )}
    ${maintenanceRemarks(work).map((remark) => html`<p>${remark}.</p>`)} ${evidenceList(evidence, timezone)}
  </article>`;
}

function editArticles({ edits, timezone }: Report): HtmlText[] {
  return edits.map(
    ({ id, at, source, notice, title, before, after }) =>
      html`<article>
        <h3>${title}</h3>
        <p>${source}, notice ${notice}, ${exactly(at, timezone)} <code>${id}</code></p>
        <p>Before: <q>${readable(before)}</q></p>
        <p>After: <q>${readable(after)}</q></p>
      </article>`,
  );
}

function siteTable({ sites }: Report): HtmlText[] {
  return table(
    ['', 'phones', 'losses', 'most at once', 'phone time lost'],
    sites.map(({ source, site, phones, losses, mostAtOnce, lostMs }) => [
      oneLine(`${source}: ${siteName(site)}`),
      ...[phones, losses, mostAtOnce].map(String),
      lengthText(lostMs),
    ]),
  );
}

function deliveryTable({ receivers, late, timezone }: Report): HtmlText[] {
  return [
    ...table(
      ['', 'delivered', 'late', 'refused', 'longest'],
      receivers.map(({ receiver, delivered, late: count, refused, longestMs }) => [
        receiver,
        ...[delivered, count, refused].map(String),
        longestMs === null ? '' : span(longestMs),
      ]),
    ),
    ...(late.length === 0 ? [] : [html`<h3>Late or refused</h3>`]),
    ...table(
      ['to', 'alert', 'due', 'late by', 'why'],
      late.map(({ receiver, number, dueAt, lateMs, why }) => [
        receiver,
        number === null ? '' : `#${number}`,
        exactly(dueAt, timezone),
        lateMs === null ? 'refused for good' : span(lateMs),
        why ?? '',
      ]),
    ),
  ];
}

/** Whatever is put in is text, unless it was made here. */
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
