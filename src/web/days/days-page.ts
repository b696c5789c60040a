/** Ninety days: a bar a day for each component and each site, with the events in them. */
import { setImmediate } from 'node:timers/promises';
import { html, raw } from 'hono/html';
import { toRowKey, type DayAlert, type DayHours, type DaysView } from '../../core/report/days.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { isOfPhones, type DaysContext } from './days-bars.ts';
import { renderDaysFigures } from './days-stats.ts';
import {
  renderDaysForm,
  renderDaysPager,
  selectShownSources,
  type DaysFilter,
  type ShownSource,
} from './days-filter.ts';
import { renderDaysEvents } from './days-happened.ts';
import { renderDaysExports } from './days-exports.ts';
import { toDayParts, renderDocument, createPageTitle, type PageContext } from '../look/layout.ts';
import type { Fragment } from '../look/icons.ts';
import { renderEarlierDays, renderFirstDay, renderFirstVerdict } from './days-first.ts';
import { renderPageDays, renderPhoneDays } from './days-tables.ts';

/** The page around the counts, sent before they are known. */
export function renderDaysFrame(context: PageContext, content: Fragment): Fragment {
  const { title, tone } = createPageTitle(context.status);
  return renderDocument(context, { here: 'days', title: `90 days · ${title}`, tone, apartSeconds: 60 }, content);
}

/** `view`: the days, or a sentence with the reason why they cannot be read. */
export async function renderDaysContent(
  { status }: PageContext,
  view: DaysView | string,
  filter: DaysFilter,
): Promise<Awaited<Fragment>> {
  const heading = (text: Fragment | string, beside: Fragment | null): Fragment =>
    html`<section class="verdict split" aria-labelledby="title">
      <div class="says">
        <h1 id="title"><span>Ninety days</span></h1>
        <p>${text}</p>
      </div>
      ${beside}
    </section>`;
  if (typeof view === 'string') return heading(view, null);
  const { days, rows, keptSince } = view;
  if (rows.length === 0 || keptSince === null) {
    return html`${heading('No day is known yet: the history starts with the watch, and is written every minute.', null)}
      <div class="page">
        <section class="card" aria-label="No day is known">
          <svg class="bars" viewBox="0 0 ${days.length * 8} 32" preserveAspectRatio="none" aria-hidden="true">
            <path class="gone" d="M0 16H${days.length * 8}" />
          </svg>
        </section>
      </div>`;
  }
  const { all, sources: here, count } = selectShownSources(status, view, filter);
  // Figures and events are of all pages of the list.
  const counted = all.flatMap((source) => source.rows);
  const names = days.map(({ since }) => {
    const { weekday, day, month } = toDayParts(status, since);
    return `${weekday} ${day} ${month}`;
  });
  names[names.length - 1] = 'Today';
  const alertsOn = alertsByRow(view);
  const context: DaysContext = { status, days, unit: 'day', names, keptSince, alertsOn, recordOf: recordOf(view) };
  const isPage = ({ rows: own }: ShownSource): boolean => own.some((row) => !isOfPhones(row));
  if (view.hours !== null) return renderFirst(context, view, view.hours, { here: all, filter });
  const [pages, accounts] = [here.filter(isPage), here.filter((source) => !isPage(source))];
  const bySite = filter.q !== '' || all.filter((source) => !isPage(source)).length === 1;
  const hasNoticed = counted.some((row) => row.days.some(({ noticed = 0 }) => noticed > 0));
  return html`${heading(
      html`From ${dayText(status, days[0]?.since ?? 0)} to today,
      ${dayText(status, status.now)}.${(days[0]?.since ?? 0) < keptSince ? html` The history begins ${dayText(status, keptSince)}${hasNoticed ? ', the days before are known from the notices of the page' : ''}.` : null}
      A dash is time without a reading. It does not count, and neither does planned work.`,
      renderDaysForm(filter),
    )}
    <div class="page days">
      <section class="card full" aria-label="In figures" id="figures" data-live>
        ${renderDaysFigures(counted, view, status.now, all)}
      </section>
      ${legend()}
      ${here.length === 0 ? html`<p class="card">No page or customer matches. <a href="days">Show everything</a></p>` : null}
      <div class="col full" id="bars" data-live>
        ${await inPieces(pages, context)} ${renderPhoneDays(context, accounts, bySite)}
        ${renderDaysPager(count, filter)}
      </div>
      ${renderDaysEvents(
        status,
        view,
        all.map(({ source }) => source),
      )}
      ${renderDaysExports(status, view, all, filter)}
    </div>`;
}

/** One page at a time, yielding in between, as many of them take a while. */
async function inPieces(pages: readonly ShownSource[], context: DaysContext): Promise<Fragment[]> {
  const pieces: Fragment[] = [];
  for (const page of pages) {
    pieces.push(raw(String(await renderPageDays(context, page))));
    await setImmediate();
  }
  return pieces;
}

/** Days before the first have bars only where notices of a page reach back. */
async function renderFirst(
  context: DaysContext,
  view: DaysView,
  hours: DayHours,
  { here, filter }: { here: readonly ShownSource[]; filter: DaysFilter },
): Promise<Awaited<Fragment>> {
  const { status, keptSince, days, alertsOn } = context;
  const noticed = here.filter(({ rows }) => rows.some((row) => row.days.some(({ noticed: ms = 0 }) => ms > 0)));
  return html`${renderFirstVerdict(status, keptSince)}
    <div class="page days">
      ${renderFirstDay(status, hours, { keptSince, alertsOf: (row) => alertsOn(row, days.length - 1) })}
      ${renderDaysEvents(
        status,
        view,
        here.map(({ source }) => source),
        'w6',
      )}
      ${renderEarlierDays(status, view)}
      ${noticed.length === 0 ? null : html`${legend()} ${await inPieces(noticed, context)}`}
      ${renderDaysExports(status, view, here, filter)}
    </div>`;
}

function dayText(status: SystemStatus, at: number): Fragment {
  const { key, day, month } = toDayParts(status, at);
  const year = key.slice(0, 4) === toDayParts(status, status.now).key.slice(0, 4) ? '' : ` ${key.slice(0, 4)}`;
  return html`<time datetime="${key}">${day} ${month}${year}</time>`;
}

/** A component has its own alerts, or else those of its page at the time; a site has those of its account’s phones. */
function alertsByRow(view: DaysView): DaysContext['alertsOn'] {
  const { alertsOf } = view;
  const byDay = indexed.get(view) ?? alertsByDay(view);
  indexed.set(view, byDay);
  return (row, day) => {
    const then = byDay.get(row.source)?.[day] ?? [];
    const ids = alertsOf.get(toRowKey(row));
    const own = ids === undefined ? [] : then.filter(({ id }) => ids.has(id));
    return own.length > 0 ? own : then;
  };
}

function recordOf({ records }: DaysView): DaysContext['recordOf'] {
  return (row) => records.get(toRowKey(row));
}

/** By source: alerts about its components and phones on each of the days. */
type AlertsByDay = ReadonlyMap<string, readonly (readonly DayAlert[])[]>;

/** Memoised: counts are immutable, and are shown repeatedly. */
const indexed = new WeakMap<DaysView, AlertsByDay>();

function alertsByDay({ alerts, days }: DaysView): AlertsByDay {
  const byDay = new Map<string, DayAlert[][]>();
  for (const alert of alerts) {
    if (alert.family === 'source' || alert.family === 'toggle') continue;
    const first = Math.max(
      0,
      days.findLastIndex(({ since }) => since <= alert.since),
    );
    const isOpenOn = (day: number): boolean => (days[day]?.since ?? Infinity) < (alert.until ?? Infinity);
    for (const source of alert.sources) {
      const ofSource = byDay.get(source) ?? days.map((): DayAlert[] => []);
      byDay.set(source, ofSource);
      for (let day = first; isOpenOn(day); day += 1) ofSource[day]?.push(alert);
    }
  }
  return byDay;
}

const LEGEND: readonly [string, string, string, string][] = [
  ['', 'well', 'M1 4h6v24h-6z', 'part'],
  ['warn', 'degraded under 30 min', 'M1 25h6v7h-6z', 'foot'],
  ['warn', 'under 3 h', 'M1 19h6v13h-6z', 'foot'],
  ['warn', 'longer', 'M1 0h6v32h-6z', 'foot'],
  ['crit', 'phones offline, the same in red', 'M1 19h6v13h-6z', 'foot'],
  ['', 'planned work', 'M1 4h6v24h-6z', 'work'],
  ['', 'well by its notices, not watched', 'M1 16h6', 'told'],
  ['', 'not known', 'M1 16h6', 'gone'],
];

function legend(): Fragment {
  return html`<ul class="legend" aria-label="What the bars mean">
    ${LEGEND.map(
      ([tone, text, d, kind]) =>
        html`<li>
          <svg class="bars ${tone}" viewBox="0 0 8 32" preserveAspectRatio="none" aria-hidden="true">
            ${tone === '' || text === 'longer' ? null : html`<path class="part" d="M1 4h6v${text.includes('under 30') ? 18 : 12}h-6z" />`}
            <path class="${kind}" d="${d}" /></svg
          >${text}
        </li>`,
    )}
  </ul>`;
}
