/** Callers of an alert who were not answered, with masked numbers, and their CSV. They stay current for a day after its end. */
import { findSourceTitle } from '../look/source-title.ts';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { formatCsv } from '../../core/text/csv.ts';
import { formatNumber } from '../../core/text/phone-number.ts';
import { formatInteger, formatCount } from '../../core/text/plain.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { CALLER_HEADINGS, maskReport, type MissedReport, toCallerRows } from '../../core/view/standing/calls-view.ts';
import { formatCalledBack, formatLowerBound } from '../../core/wording/phones/calls-wording.ts';
import type { Fragment } from '../look/icons.ts';
import { renderTime } from '../look/layout.ts';
import { sendPlain, type Env } from '../responses.ts';
import { renderStackTable } from '../look/stack-table.ts';

/** Null if the calls of none of its accounts are watched. `reports` is a sentence if they cannot be listed. */
export function renderCallers(
  status: SystemStatus,
  reports: readonly MissedReport[] | string,
  number: number,
): Fragment | null {
  if (typeof reports === 'string') {
    return html`<section class="card" aria-labelledby="callers" id="missed-callers" data-live>
      <h2 id="callers">Callers who were not answered</h2>
      <p>${reports}</p>
    </section>`;
  }
  if (reports.length === 0) return null;
  return html`<section class="card" aria-labelledby="callers" id="missed-callers" data-live>
    <div class="head">
      <h2 id="callers">Callers who were not answered</h2>
      <p><a href="${number}/callers.csv">Export as CSV</a></p>
    </div>
    ${reports.map((report) => accountCallers(status, maskReport(report), reports.length > 1))}
  </section>`;
}

const HEADINGS = ['Time', 'Caller', 'Called', 'Since then'] as const;

function accountCallers(status: SystemStatus, { source, missed, unread }: MissedReport, isNamed: boolean): Fragment {
  const { waiting, total, called_back: back, withheld, misdialled, callers, country } = missed;
  const [at, who, where, since] = HEADINGS;
  const rows = callers.map(
    (caller) =>
      html`<tr>
        <td data-h="${at}">
          ${caller.times.map((began, index) => html`${index === 0 ? '' : ', '}${renderTime(status, Date.parse(began))}`)}
        </td>
        <td data-h="${who}">${formatNumber(caller.number, country)}</td>
        <td data-h="${where}">${caller.called.map((number) => formatNumber(number, country)).join(', ')}</td>
        <td data-h="${since}">
          ${[...(caller.left_message ? ['left a message'] : []), ...(caller.called_back ? ['called back'] : [])].join(', ')}
        </td>
      </tr>`,
  );
  const notes = [
    ...(back === 0 ? [] : [formatCalledBack(missed)]),
    ...(withheld === 0 ? [] : [`${formatCount(withheld, 'call')} came from withheld numbers.`]),
    ...(misdialled === 0 ? [] : [`${formatCount(misdialled, 'call')} rang for less than 5 seconds.`]),
    formatLowerBound(missed),
    ...unread.map((line) => `Not known: ${line}.`),
  ];
  return html`<p>
      ${isNamed ? html`<b>${findSourceTitle(status, source)}</b>: ` : null}${formatInteger(waiting)} of
      ${formatCount(total, 'caller')} still ${waiting === 1 ? 'waits' : 'wait'}.
    </p>
    ${rows.length === 0 ? null : renderStackTable(HEADINGS, rows)} ${notes.map((note) => html`<p>${note}</p>`)}`;
}

export function addCallerRoutes(app: Hono<Env>): void {
  app.get('/alerts/:number{[0-9]{1,9}}/callers.csv', async (c) => {
    const web = c.get('web');
    const number = Number(c.req.param('number'));
    const reports = await web.missed(number);
    if (typeof reports === 'string') return sendPlain(c, 503, web.redact(reports));
    if (reports.length === 0) {
      return sendPlain(c, 404, `There is no alert #${number} of lost phones or a switch whose calls are read.`);
    }
    const status = web.status();
    const rows = reports.flatMap((report) => toCallerRows(maskReport(report), findSourceTitle(status, report.source)));
    return c.body(web.redact(formatCsv([CALLER_HEADINGS, ...rows])), 200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="callers-${number}.csv"`,
    });
  });
}
