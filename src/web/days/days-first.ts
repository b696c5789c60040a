/** The day on which the watch began, by the hour: there are no other days to show yet. */
import { html } from 'hono/html';
import type { DayHours, DayRow, DaysView } from '../../core/report/days.ts';
import { formatCount, toOneLine } from '../../core/text/plain.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { listAccountViews } from '../../core/view/verdict/sums.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { findSourceTitle } from '../look/source-title.ts';
import { formatHourText, renderHour, formatDay } from '../look/layout.ts';
import type { Fragment } from '../look/icons.ts';
import { isOfPhones, type DaysContext } from './days-bars.ts';
import { findWorst } from './days-brief.ts';
import { mergeDays, mergeSites, renderTable } from './days-tables.ts';

export function renderFirstVerdict(status: SystemStatus, keptSince: number): Fragment {
  return html`<section class="verdict" aria-labelledby="title">
    <div class="says">
      <h1 id="title"><span>The first day</span></h1>
      <p>
        Watching since today, ${renderHour(status, keptSince)}: ${formatElapsed(status.now - keptSince)} so far. Until
        tomorrow this page shows the hours of today; then one bar a day, up to ninety.
      </p>
    </div>
  </section>`;
}

export function renderFirstDay(
  status: SystemStatus,
  { spans, rows }: DayHours,
  { keptSince, alertsOf }: { keptSince: number; alertsOf: DaysContext['alertsOn'] },
): Fragment {
  const context: DaysContext = {
    status,
    days: spans,
    unit: 'hour',
    names: spans.map(({ since }) => formatHourText(status, since)),
    keptSince,
    alertsOn: alertsOf,
    recordOf: () => undefined,
  };
  return html`<section class="card full" aria-labelledby="today" id="bars" data-live>
    <div class="head">
      <h2 id="today">Today, hour by hour</h2>
      <p>${formatElapsed(status.now - keptSince)} since the watch began</p>
    </div>
    ${renderTable(
      context,
      listRows(status, rows).map((row) => ({ ...row, depth: 0 })),
    )}
  </section>`;
}

/** A row for each page, then for each site of one firm, or for each customer of several. */
function listRows(status: SystemStatus, rows: readonly DayRow[]): { row: DayRow; name: string }[] {
  const bySource = [...Map.groupBy(rows, ({ source }) => source)];
  const pages = bySource.filter(([, own]) => own.some((row) => !isOfPhones(row)));
  const accounts = bySource.filter(([, own]) => own.every(isOfPhones));
  const phonesOf = new Map(
    listAccountViews(status).flatMap(({ name, phones }) =>
      (phones?.sites ?? []).map(({ site, total }) => [`${name}\n${site ?? ''}`, total] as const),
    ),
  );
  const titled = (source: string): string => findSourceTitle(status, source);
  return [
    ...pages.map(([source, own]) => ({
      row: { source, subject: 'page', name: '', days: mergeDays(own, findWorst) },
      name: titled(source),
    })),
    ...(accounts.length > 1
      ? accounts.map(([source, own]) => ({ row: mergeSites(source, own), name: titled(source) }))
      : accounts.flatMap(([source, own]) =>
          own.map((row) => {
            const count = phonesOf.get(`${source}\n${row.name}`);
            const name = toOneLine(row.name) || 'Address not known';
            return { row, name: count === undefined ? name : `${name}, ${formatCount(count, 'phone')}` };
          }),
        )),
  ];
}

/** Days before the watch are known from notices alone. */
export function renderEarlierDays(
  status: SystemStatus,
  { days, notices }: Pick<DaysView, 'days' | 'notices'>,
): Fragment {
  return html`<section class="card w6" aria-labelledby="earlier">
    <div class="head"><h2 id="earlier">Earlier days</h2></div>
    <p>
      ${notices.length === 0 ? null : html`The status pages still list ${formatCount(notices.length, 'incident')} since ${formatDay(status, days[0]?.since ?? status.now)}: they are below, by their notices. `}How
      your own phones were before today was not measured and is not guessed.
    </p>
  </section>`;
}
