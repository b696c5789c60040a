/** Exports of ninety days: tables for a spreadsheet with the same filter, and the monthly report for a claim. */
import { html } from 'hono/html';
import type { DaysView } from '../../core/report/days.ts';
import { subtractMonth, toMonth, formatMonth, type Month } from '../../core/report/month.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { findSourceTitle } from '../look/source-title.ts';
import { formatDaysQuery, type DaysFilter, type ShownSource } from './days-filter.ts';
import type { Fragment } from '../look/icons.ts';
import { renderOption } from '../look/option.ts';

/** Number of recorded months offered. */
const MOST_MONTHS = 24;

export function renderDaysExports(
  status: SystemStatus,
  { keptSince }: DaysView,
  here: readonly ShownSource[],
  filter: DaysFilter,
): Fragment {
  const query = formatDaysQuery(filter);
  const months = monthsSince(status, keptSince ?? status.now);
  // The current month is the default if there is no full one.
  const chosen = months[1] ?? months[0] ?? '';
  return html`<section class="card full" aria-labelledby="export">
    <div class="head"><h2 id="export">Export</h2></div>
    <div class="col">
      <form class="filter" method="get" action="report" aria-label="Report of a month">
        <label
          >Report of<select name="month">
            ${months.map((month, index) => renderOption(month, `${formatMonth(month)}${index === 0 ? ', so far' : ''}`, chosen))}
          </select></label
        >
        <label class="grow"
          >On<select name="source">
            <option value="">all that is watched</option>
            ${here.map(({ source }) => renderOption(source, findSourceTitle(status, source), ''))}
          </select></label
        >
        <label
          >As<select name="format">
            <option value="html">a page to print</option>
            <option value="csv">CSV</option>
            <option value="json">JSON</option>
            <option value="text">text</option>
          </select></label
        >
        <button>Make the report</button>
      </form>
      <p class="acts">
        <span class="soft">What is shown here:</span>
        <a href="days.csv?${query}" download>the days as CSV</a>
        <a href="history.csv?${query}" download>every change as CSV</a>
        <a href="api/days?${query}">the days as JSON</a>
      </p>
    </div>
  </section>`;
}

/** Latest first. */
function monthsSince({ now, timezone }: SystemStatus, since: number): Month[] {
  const first = toMonth(since, timezone);
  const months: Month[] = [];
  for (
    let month = toMonth(now, timezone);
    month >= first && months.length < MOST_MONTHS;
    month = subtractMonth(month)
  ) {
    months.push(month);
  }
  return months;
}
