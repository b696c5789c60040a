/** Ninety days: a bar a day for each component and each site, with the events in them. */
import { setImmediate } from 'node:timers/promises';
import { BELOW } from '../../core/history/standing.ts';
import { html, raw } from 'hono/html';
import { toRowKey, type DayAlert, type DayRow, type DaysView } from '../../core/report/days.ts';
import { toOneLine, formatCount } from '../../core/text/plain.ts';
import { formatRecordClause } from '../../core/wording/notices/record-wording.ts';
import type { Picture } from '../../core/view/picture.ts';
import { findSourceTitle } from '../alert/alert-card.ts';
import { renderDayBars, isSite, renderUptime, type DaysDrawn } from './days-bars.ts';
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
import { listAccountViews } from '../../core/view/verdict/sums.ts';
import type { CustomerAccount as Customer } from '../../core/view/customers.ts';

/** The page around the counts, sent before they are known. */
export function renderDaysFrame(context: PageContext, content: Fragment): Fragment {
  const { title, tone } = createPageTitle(context.picture);
  return renderDocument(context, { here: 'days', title: `90 days · ${title}`, tone, apartSeconds: 60 }, content);
}

/** `view`: or a sentence on why there is none. */
export async function renderDaysContent(
  { picture }: PageContext,
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
    return html`${heading('Nothing is known of them yet: the history begins with the watch, and is written every minute.', null)}
      <div class="page">
        <section class="card" aria-label="No day is known">
          <svg class="bars" viewBox="0 0 ${days.length * 8} 32" preserveAspectRatio="none" aria-hidden="true">
            <path class="gone" d="M0 16H${days.length * 8}" />
          </svg>
        </section>
      </div>`;
  }
  const { sources: here, count } = selectShownSources(picture, view, filter);
  const shown = here.flatMap((source) => source.rows);
  const names = days.map(({ since }) => {
    const { weekday, day, month } = toDayParts(picture, since);
    return `${weekday} ${day} ${month}`;
  });
  const drawn: DaysDrawn = { picture, days, names, keptSince, alertsOn: alertsByRow(view), recordOf: recordOf(view) };
  const pages = here.filter((source) => !isSite(source.rows[0] ?? { subject: '' }));
  const accounts = here.filter((source) => isSite(source.rows[0] ?? { subject: '' }));
  const [ofPages, ofPhones] = [await inPieces(pages, drawn, pageSection), await phonesSection(drawn, accounts)];
  const isTold = shown.some((row) => row.days.some(({ noticed = 0 }) => noticed > 0));
  return html`${heading(
      html`From ${dayText(picture, days[0]?.since ?? 0)} to today,
      ${dayText(picture, picture.now)}.${(days[0]?.since ?? 0) < keptSince ? html` The history begins ${dayText(picture, keptSince)}${isTold ? ', before that it is as the notices of the page say' : ''}.` : null}
      What was not seen is a dash and counts neither way; nor does planned work.`,
      renderDaysForm(filter),
    )}
    <div class="page days">
      <section class="card full" aria-label="In figures" id="figures" data-live>
        ${renderDaysFigures(shown, view, picture.now, here)}
      </section>
      ${legend()}
      ${here.length === 0 ? html`<p class="card">Nothing is like that. <a href="days">Show everything</a></p>` : null}
      <div class="col full" id="bars" data-live>${ofPages} ${ofPhones} ${renderDaysPager(count, filter)}</div>
      ${renderDaysExports(picture, view, here, filter)}
      ${renderDaysEvents(
        picture,
        view,
        here.map(({ source }) => source),
      )}
    </div>`;
}

/** One source at a time, yielding in between, as many of them take a while. */
async function inPieces(
  sources: readonly ShownSource[],
  drawn: DaysDrawn,
  draw: (drawn: DaysDrawn, source: ShownSource) => Fragment,
): Promise<Fragment[]> {
  const pieces: Fragment[] = [];
  for (const source of sources) {
    pieces.push(raw(String(await draw(drawn, source))));
    await setImmediate();
  }
  return pieces;
}

function dayText(picture: Picture, at: number): Fragment {
  const { key, day, month } = toDayParts(picture, at);
  const year = key.slice(0, 4) === toDayParts(picture, picture.now).key.slice(0, 4) ? '' : ` ${key.slice(0, 4)}`;
  return html`<time datetime="${key}">${day} ${month}${year}</time>`;
}

/** A component has its own alerts, or else those of its page at the time; a site has those of its account’s phones. */
function alertsByRow(view: DaysView): DaysDrawn['alertsOn'] {
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

function recordOf({ records }: DaysView): DaysDrawn['recordOf'] {
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

function head({ picture, days }: DaysDrawn): Fragment {
  const at = (index: number): Fragment | null => {
    const day = days[index];
    return day === undefined ? null : dayText(picture, day.since);
  };
  return html`<thead>
    <tr>
      <th scope="col"><span class="hidden">What</span></th>
      <th scope="col">
        <span class="hidden">Days from </span
        ><span class="scale">${[0, 30, 60].map((index) => html`<span>${at(index)}</span>`)}<span>today</span></span>
      </th>
      <th scope="col">Up</th>
    </tr>
  </thead>`;
}

function rowOf(drawn: DaysDrawn, row: DayRow, name: string, depth: number): Fragment {
  const record = drawn.recordOf(row);
  return html`<tr class="in${Math.min(depth, 3)}">
    <th scope="row">
      ${toOneLine(name) || (isSite(row) ? 'Address not known' : 'without a name')}${record === undefined ? null : html`<small class="soft">${formatRecordClause(record, drawn.picture.timezone)}</small>`}
    </th>
    <td class="ninety">${renderDayBars(drawn, row)}</td>
    <td>${renderUptime(drawn, row)}</td>
  </tr>`;
}

function pageSection(drawn: DaysDrawn, { source, rows }: ShownSource): Fragment {
  const { picture } = drawn;
  const names = new Set(rows.map(({ name }) => name));
  return html`<section class="card" aria-labelledby="d-${source}">
    <div class="head">
      <h2 id="d-${source}">${findSourceTitle(picture, source)}</h2>
      <p>
        ${rows[0]?.subject === 'page' ? 'the page as a whole' : formatCount(rows.length, 'component')}${isWatched(picture, source) ? '' : ', no longer watched'}
      </p>
    </div>
    <table class="days-of">
      ${head(drawn)}
      <tbody>
        ${rows.map((row) => {
          if (row.subject === 'page') return rowOf(drawn, row, 'The page', 0);
          // It follows its parent if that has a row; else its full path is shown.
          const path = row.name.split(BELOW);
          const isBelow = path.length > 1 && names.has(path.slice(0, -1).join(BELOW));
          return rowOf(drawn, row, isBelow ? (path.at(-1) ?? '') : row.name, isBelow ? path.length - 1 : 0);
        })}
      </tbody>
    </table>
  </section>`;
}

function isWatched({ sources }: Picture, source: string): boolean {
  return sources.some(({ name }) => name === source);
}

async function phonesSection(drawn: DaysDrawn, accounts: readonly ShownSource[]): Promise<Awaited<Fragment> | null> {
  if (accounts.length === 0) return null;
  const customers = new Map(listAccountViews(drawn.picture).map((customer) => [customer.name, customer]));
  const parts = await inPieces(accounts, drawn, (_, account) => accountPart(drawn, account, customers));
  return html`<section class="card" aria-labelledby="d-phones">
    <div class="head">
      <h2 id="d-phones">Customers’ phones</h2>
      <p>by site</p>
    </div>
    <table class="days-of">
      ${head(drawn)} ${parts}
    </table>
  </section>`;
}

function accountPart(
  drawn: DaysDrawn,
  { source, rows }: ShownSource,
  customers: ReadonlyMap<string, Customer>,
): Fragment {
  const phones = customers.get(source)?.phones ?? null;
  return html`<tbody>
    <tr class="whose">
      <th scope="rowgroup" colspan="3">
        ${findSourceTitle(drawn.picture, source)}
        <small class="soft"
          >${!customers.has(source) ? 'no longer watched' : phones === null ? null : formatCount(phones.total, 'phone')}</small
        >
      </th>
    </tr>
    ${rows.map((row) => rowOf(drawn, row, row.name, 1))}
  </tbody>`;
}
