/** Filter of the ninety days by the form, fifty sources a page. */
import { findByName } from '../../core/transition/collections.ts';
import { html } from 'hono/html';
import { sumRow, sumDays, type DayRow, type DaysView } from '../../core/report/days.ts';
import { compareNames, toOneLine, formatCount } from '../../core/text/plain.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { findSourceTitle } from '../look/source-title.ts';
import type { Fragment } from '../look/icons.ts';
import { isOfPhones } from './days-bars.ts';
import { renderOption } from '../look/option.ts';

/** Number of sources on one page. */
const PAGE = 50;

export interface DaysFilter {
  q: string;
  trouble: boolean;
  page: number;
}

/** Invalid values count as absent. */
export function readDaysFilter(field: (name: string) => string | undefined): DaysFilter {
  const number = Number(field('page'));
  return {
    q: toOneLine(field('q') ?? '').slice(0, 100),
    trouble: field('show') === 'trouble',
    page: Number.isInteger(number) && number > 0 && number < 1_000 ? number : 1,
  };
}

export function renderDaysForm({ q, trouble }: DaysFilter): Fragment {
  const shown = trouble ? 'trouble' : '';
  return html`<form class="filter" method="get" action="days" role="search" aria-label="Customers and pages">
    <label class="grow"
      >Customer, site, page or part<input type="search" name="q" value="${q}" maxlength="100"
    /></label>
    <label
      >Show<select name="show">
        ${renderOption('', 'everything', shown)} ${renderOption('trouble', 'only trouble', shown)}
      </select></label
    >
    <button>Show</button>
  </form>`;
}

export interface ShownSource {
  source: string;
  rows: DayRow[];
}

/** Pages in the order of the configuration, then accounts by lost phone time; each with its filtered rows. */
export function selectShownSources(
  status: SystemStatus,
  { rows }: DaysView,
  { q, trouble, page: number }: DaysFilter,
): { all: ShownSource[]; sources: ShownSource[]; count: number; pages: number } {
  const asked = q.toLowerCase();
  const bySource = Map.groupBy(rows, ({ source }) => source);
  const names = [...new Set([...status.sources.map(({ name }) => name), ...bySource.keys()])];
  const found = names.flatMap((source) => {
    const isAsked = [source, findSourceTitle(status, source)].some((name) => name.toLowerCase().includes(asked));
    const own = (bySource.get(source) ?? []).filter(
      (row) =>
        (isAsked || row.name.toLowerCase().includes(asked)) &&
        (!trouble || row.days.some(({ degraded }) => degraded > 0)),
    );
    return own.length === 0 ? [] : [{ source, rows: inOrder(status, source, own) }];
  });
  const isPage = ({ rows: own }: ShownSource): boolean => own.some((row) => !isOfPhones(row));
  const lostOf = new Map(found.map(({ source, rows: own }) => [source, sumDays(own.map(sumRow)).lostMs]));
  const lost = ({ source }: ShownSource): number => lostOf.get(source) ?? 0;
  const accounts = found.filter((source) => !isPage(source)).toSorted((a, b) => lost(b) - lost(a));
  const all = [...found.filter(isPage), ...accounts];
  const sources = all.slice((number - 1) * PAGE, number * PAGE);
  return { all, sources, count: all.length, pages: Math.max(1, Math.ceil(all.length / PAGE)) };
}

/** Components in the order of their page; removed ones come last. */
function inOrder(status: SystemStatus, source: string, rows: readonly DayRow[]): DayRow[] {
  const view = findByName(status.sources, source);
  const components = view?.type === 'status page' ? view.components.all : [];
  const order = new Map(components.map(({ id }, index) => [`component/${id}`, index]));
  const place = ({ subject }: DayRow): number => order.get(subject) ?? order.size;
  return rows.toSorted((a, b) => place(a) - place(b) || compareNames(a.name, b.name));
}

/** The same filter for another address. */
export function formatDaysQuery({ q, trouble }: Pick<DaysFilter, 'q' | 'trouble'>): string {
  return new URLSearchParams({ q, ...(trouble && { show: 'trouble' }) }).toString();
}

/** Null if everything fits on one page. */
export function renderDaysPager(count: number, { q, trouble, page: number }: DaysFilter): Fragment | null {
  const pages = Math.ceil(count / PAGE);
  if (pages < 2) return null;
  const link = (to: number): string => `days?${formatDaysQuery({ q, trouble })}&page=${to}`;
  return html`<nav class="acts" aria-label="Sources by page">
    ${number > 1 ? html`<a href="${link(number - 1)}">The ${PAGE} before</a>` : null}
    <span class="soft">${formatCount(count, 'source')}, page ${number} of ${pages}</span>
    ${number < pages ? html`<a href="${link(number + 1)}">The next ${PAGE}</a>` : null}
  </nav>`;
}
