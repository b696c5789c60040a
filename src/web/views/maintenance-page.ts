/** Planned maintenance: this week and later, each with the sites it may cut off; done; and calendars of the months. */
import { html } from 'hono/html';
import { formatCount, formatList } from '../../core/text/plain.ts';
import { DAY, HOUR } from '../../core/text/duration.ts';
import type { DaysView } from '../../core/report/days.ts';
import type { MaintenanceView, SystemStatus } from '../../core/view/system-status.ts';
import { formatWorkTitle } from '../../core/wording/notices/maintenance-wording.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import type { Fragment } from '../look/icons.ts';
import {
  toDayParts,
  renderDocument,
  formatPageTime,
  createPageTitle,
  renderProviderWords,
  type PageContext,
} from '../look/layout.ts';
import { renderDoneWork } from './maintenance-done.ts';
import { listComingWork, planLine } from './maintenance-list.ts';

/** Sites whose lines a maintenance affects, worst first. */
interface AtRisk {
  customer: string;
  site: string;
  phones: number;
}

/** Months beside the list: this one and the next, and further ones with work, up to this number. */
const MOST_MONTHS = 4;
const FEWEST_MONTHS = 2;
const MOST_SITES = 3;

/** `days`: null while they are not counted. */
export function renderMaintenancePage(context: PageContext, days: DaysView | null): Fragment {
  const { status } = context;
  const coming = listComingWork(status);
  const sunday = findSunday(status);
  const soon = coming.filter(({ beginsAt }) => beginsAt === null || toDayParts(status, beginsAt).key <= sunday);
  const later = coming.filter((work) => !soon.includes(work));
  const main = html`${renderTop(status, coming)}
    <div class="page">
      <div class="col w8">
        ${renderList(status, 'week', 'This week', soon)} ${renderList(status, 'later', 'Later', later)}
        ${renderDoneWork(status, days)}
      </div>
      <div class="col w4">
        <section class="card" aria-labelledby="months" id="calendar" data-live>
          <div class="head">
            <h2 id="months">Calendar</h2>
            ${coming.length === 0 ? null : html`<p>days with work are framed</p>`}
          </div>
          <div class="months">${listMonths(status, coming).map((month) => renderMonth(status, month, coming))}</div>
        </section>
        <section class="card" aria-labelledby="feed">
          <div class="head"><h2 id="feed">In your calendar</h2></div>
          <p class="small">Subscribe once: new and moved work appears by itself.</p>
          <p class="acts">
            <a class="button small" href="calendar.ics">Calendar feed</a
            ><a href="maintenance.csv" download>Export as CSV</a>
          </p>
        </section>
      </div>
    </div>`;
  return renderDocument(
    context,
    { here: 'maintenance', title: 'Maintenance', tone: createPageTitle(status).tone },
    main,
  );
}

function renderTop(status: SystemStatus, coming: readonly MaintenanceView[]): Fragment {
  const atRisk = coming.flatMap((work) => listAtRisk(status, work));
  const sites = new Set(atRisk.map(({ customer, site }) => `${customer}\n${site}`)).size;
  return html`<section class="verdict" aria-labelledby="title" id="verdict" data-live>
    <div class="says">
      <h1 id="title">Planned work</h1>
      <p>
        ${formatNext(status, coming)}${sites === 0 ? '' : ` ${sites === 1 ? '1 site' : `${sites} sites`} may be cut off.`}
      </p>
    </div>
  </section>`;
}

function formatNext(status: SystemStatus, coming: readonly MaintenanceView[]): string {
  const underWay = coming.filter(({ phase }) => phase === 'under way');
  const next = coming.find(({ phase, beginsAt }) => phase === 'to come' && beginsAt !== null && beginsAt > status.now);
  const now = underWay.length === 0 ? [] : [`${formatCount(underWay.length, 'work', 'works')} under way.`];
  if (next === undefined || next.beginsAt === null) {
    return [...now, ...(coming.length > 0 ? [] : ['No work is announced.'])].join(' ');
  }
  return [
    ...now,
    `The next begins ${formatPageTime(status, next.beginsAt)}, in ${formatElapsed(next.beginsAt - status.now)}.`,
  ].join(' ');
}

/** Empty without entries: no empty box. */
function renderList(
  status: SystemStatus,
  id: string,
  title: string,
  works: readonly MaintenanceView[],
): Fragment | null {
  return works.length === 0
    ? null
    : html`<section class="card" aria-labelledby="${id}" id="${id}-work" data-live>
        <div class="head">
          <h2 id="${id}">${title}</h2>
          <p>${formatCount(works.length, 'work', 'works')}</p>
        </div>
        <ul class="rows">
          ${works.map(
            (work) =>
              html`<li class="plan" id="work-${work.number}">
                ${planLine(status, work, '', renderRisk(status, work))}
              </li>`,
          )}
        </ul>
      </section>`;
}

function renderRisk(status: SystemStatus, work: MaintenanceView): Fragment {
  const atRisk = listAtRisk(status, work);
  const names = atRisk.map(({ customer, site, phones }) => `${customer} at ${site}, ${formatCount(phones, 'phone')}`);
  return html`${names.length === 0 ? null : html`<p><b>May cut off ${formatList(names, MOST_SITES)}.</b></p>`}
  ${renderProviderWords(work.words)}`;
}

/** Sites whose lines are configured to depend on the page of the work. */
function listAtRisk({ sources }: SystemStatus, { source }: MaintenanceView): AtRisk[] {
  const all = sources.flatMap((account): AtRisk[] => {
    if (account.type !== 'account' || account.sitePages === undefined) return [];
    const { sitePages, phones, called: customer } = account;
    return (phones?.sites ?? []).flatMap(({ site, total }) =>
      site !== null && sitePages.get(site)?.includes(source) === true ? [{ customer, site, phones: total }] : [],
    );
  });
  return all.toSorted((a, b) => b.phones - a.phones);
}

/** The Sunday of this week in the reader's zone, as a key of `toDayParts`. */
function findSunday(status: SystemStatus): string {
  const place = WEEKDAYS.indexOf(toDayParts(status, status.now).weekday);
  return toDayParts(status, noonOf(status, status.now) + (6 - place) * DAY).key;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Noon is on the same day even if a clock change moves it by an hour. */
function noonOf(status: SystemStatus, at: number): number {
  const { key } = toDayParts(status, at);
  let start = at;
  while (toDayParts(status, start - HOUR).key === key) start -= HOUR;
  return start + 11 * HOUR;
}

interface MonthDay {
  key: string;
  /** `2026-11`. */
  month: string;
  name: string;
  number: string;
  weekday: number;
  isPast: boolean;
  isToday: boolean;
}

/** Days of this month and later ones with work. */
function listMonths(status: SystemStatus, coming: readonly MaintenanceView[]): MonthDay[][] {
  const { now } = status;
  const today = toDayParts(status, now);
  const noon = noonOf(status, now);
  const first = 1 - Number(today.day);
  const last = coming.reduce((latest, { beginsAt }) => Math.max(latest, beginsAt ?? 0), now);
  const lastMonth = toDayParts(status, last).key.slice(0, 7);
  const days = Array.from({ length: MOST_MONTHS * 31 }, (_, index): MonthDay => {
    const at = noon + (first + index) * DAY;
    const { key, weekday, day } = toDayParts(status, at);
    return {
      key,
      month: key.slice(0, 7),
      name: `${MONTHS[Number(key.slice(5, 7)) - 1]} ${key.slice(0, 4)}`,
      number: day,
      weekday: WEEKDAYS.indexOf(weekday),
      isPast: key < today.key,
      isToday: key === today.key,
    };
  });
  const months = [...Map.groupBy(days, ({ month }) => month).values()].slice(0, MOST_MONTHS);
  return months.filter(([day], index) => index < FEWEST_MONTHS || (day !== undefined && day.month <= lastMonth));
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

function renderMonth(status: SystemStatus, days: readonly MonthDay[], coming: readonly MaintenanceView[]): Fragment {
  const before = Array.from({ length: days[0]?.weekday ?? 0 }, () => null);
  const cells = [...before, ...days];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => cells[week * 7 + day] ?? null),
  );
  return html`<table class="month">
    <caption class="small">
      ${days[0]?.name}
    </caption>
    <thead>
      <tr>
        ${WEEKDAYS.map((name) => html`<th scope="col">${name.slice(0, 1)}<span class="hidden">${name.slice(1)}</span></th>`)}
      </tr>
    </thead>
    <tbody>
      ${weeks.map(
        (week) =>
          html`<tr>
            ${week.map((day) => html`<td>${day === null ? null : renderDay(status, day, coming)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function renderDay(status: SystemStatus, day: MonthDay, coming: readonly MaintenanceView[]): Fragment {
  const works = coming.filter((work) => isOn(status, work, day));
  const [first] = works;
  const kind = day.isToday ? 'today' : day.isPast ? 'past' : '';
  if (first === undefined) return html`<span class="${kind}">${day.number}</span>`;
  const names = works.map(({ subject }) => formatWorkTitle(subject)).join(', ');
  return html`<a href="#work-${first.number}" class="${kind}" title="${names}"
    >${day.number}<span class="hidden"> ${names}</span></a
  >`;
}

function isOn(status: SystemStatus, { beginsAt, endsAt }: MaintenanceView, { key }: MonthDay): boolean {
  if (beginsAt === null) return false;
  const from = toDayParts(status, beginsAt).key;
  const to = endsAt === null || endsAt <= beginsAt ? from : toDayParts(status, endsAt - 1).key;
  return from <= key && key <= to;
}
