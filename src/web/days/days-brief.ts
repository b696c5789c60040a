/** Ninety days in short: a row for each status page, and one for all phones. */
import { html } from 'hono/html';
import { sumDays, sumRow, computePercentUp, type DayRow, type DaysView, type DayTime } from '../../core/report/days.ts';
import { toOneLine, formatCount } from '../../core/text/plain.ts';
import { DAY } from '../../core/text/duration.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { listAccountViews, listPageViews } from '../../core/view/verdict/sums.ts';
import { renderBars, isOfPhones, formatDayPercent } from './days-bars.ts';
import { formatDay } from '../look/layout.ts';
import type { Fragment } from '../look/icons.ts';

interface BriefRow {
  source: string | null;
  days: DayTime[];
}

/** Memoised: views are immutable, and are shown repeatedly. */
const known = new WeakMap<DaysView, BriefRow[]>();

/** Null before the first count, or with less than a day of data. */
export function renderDaysCard(status: SystemStatus, view: DaysView | null): Fragment | null {
  if (view === null || view.keptSince === null || status.now - view.keptSince < DAY) return null;
  const all = known.get(view) ?? briefRows(view);
  known.set(view, all);
  const accounts = listAccountViews(status);
  const rows = all.filter(({ source }) =>
    source === null ? accounts.length > 0 : listPageViews(status).some(({ name }) => name === source),
  );
  if (rows.length === 0) return null;
  const phones = accounts.reduce((sum, { phones: of }) => sum + (of?.total ?? 0), 0);
  const first = view.days[0]?.since ?? 0;
  return html`<section class="card w4" aria-labelledby="brief-days" id="days-card">
    <div class="head">
      <h2 id="brief-days">Ninety days</h2>
      <a href="days">All</a>
    </div>
    ${rows.map(({ source, days }) => {
      const percent = computePercentUp(sumRow({ days }));
      const name =
        source === null
          ? formatCount(phones, 'phone')
          : toOneLine(listPageViews(status).find((one) => one.name === source)?.called ?? source);
      return html`<div class="head brief">
          <p>${name}</p>
          <p class="n">${percent === null ? 'not known' : formatDayPercent(percent)}</p>
        </div>
        ${renderBars(days, {
          count: days.length,
          tone: source === null ? 'crit' : 'warn',
          label: null,
          unwatched: view.days.filter(({ until }) => until <= (view.keptSince ?? 0)).length,
          titleOf: null,
        })}`;
    })}
    <div class="head scale-of">
      <p>${formatDay(status, first)}</p>
      ${first < view.keptSince ? html`<p>watching since ${formatDay(status, view.keptSince)}</p>` : null}
      <p>today</p>
    </div>
  </section>`;
}

function briefRows({ rows, days }: DaysView): BriefRow[] {
  const bySource = Map.groupBy(rows, ({ source }) => source);
  const pages = [...bySource].filter(([, own]) => !isOfPhones(own[0] ?? { subject: '' }));
  const sites = rows.filter(isOfPhones);
  const merged = (own: readonly DayRow[]): DayTime[] =>
    days.map((_, index) => findWorst(own.flatMap((row) => row.days[index] ?? [])));
  return [
    ...pages.map(([source, own]) => ({ source, days: merged(own) })),
    ...(sites.length === 0
      ? []
      : [{ source: null, days: days.map((_, index) => sumDays(sites.flatMap((row) => row.days[index] ?? []))) }]),
  ];
}

/** Day of a page: the worst of its components. */
export function findWorst(times: readonly DayTime[]): DayTime {
  return times.reduce(
    (a, b) => (b.degraded > a.degraded || (b.degraded === a.degraded && b.unknown < a.unknown && b.up > a.up) ? b : a),
    times[0] ?? sumDays([]),
  );
}
