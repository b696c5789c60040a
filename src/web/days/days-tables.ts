/** Tables of ninety days: rows with trouble, and the others in a fold. */
import { html } from 'hono/html';
import { BELOW } from '../../core/history/standing.ts';
import { computePercentUp, NO_TIME, sumDays, sumRow, type DayRow, type DayTime } from '../../core/report/days.ts';
import { findMaximum } from '../../core/transition/collections.ts';
import { formatCount, toOneLine } from '../../core/text/plain.ts';
import type { CustomerAccount } from '../../core/view/customers.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { listAccountViews } from '../../core/view/verdict/sums.ts';
import { formatRecordClause } from '../../core/wording/notices/record-wording.ts';
import { findSourceTitle } from '../look/source-title.ts';
import { formatDay, formatNames } from '../look/layout.ts';
import type { Fragment } from '../look/icons.ts';
import { ACCOUNT_SUBJECT, isOfPhones, renderDayBars, renderUptime, type DaysContext } from './days-bars.ts';
import { findWorst } from './days-brief.ts';
import type { ShownSource } from './days-filter.ts';

/** Rows above the fold. */
const [MOST_COMPONENTS, MOST_CUSTOMERS] = [5, 7];

interface DaysRow {
  row: DayRow;
  name: string;
  depth: number;
}

/** A page: all its components as one row, then those with trouble. */
export function renderPageDays(context: DaysContext, { source, rows }: ShownSource): Fragment {
  const { status } = context;
  const [only] = rows;
  const isAlone = only !== undefined && rows.length === 1;
  const all: DaysRow = {
    row: { source, subject: 'page', name: '', days: mergeDays(rows, findWorst) },
    name: 'All components',
    depth: 0,
  };
  const inTrouble = rows.filter((row) => !isQuiet(row));
  const above = new Set(
    inTrouble.toSorted((a, b) => sumRow(b).degraded - sumRow(a).degraded).slice(0, MOST_COMPONENTS),
  );
  const shown = isAlone ? [] : rows.filter((row) => above.has(row));
  const folded = isAlone ? [] : inTrouble.filter((row) => !above.has(row));
  const quiet = isAlone ? [] : rows.filter(isQuiet);
  const first = isAlone ? { row: only, name: only.subject === 'page' ? 'The page' : only.name, depth: 0 } : all;
  return html`<section class="card full" aria-labelledby="d-${source}">
    <div class="head">
      <h2 id="d-${source}">${findSourceTitle(status, source)}</h2>
      <p>
        ${only?.subject === 'page' ? 'the page as a whole' : formatCount(rows.length, 'component')}${isWatched(status, source) ? '' : ', no longer watched'}
      </p>
    </div>
    ${renderTable(context, [first, ...shown.map((row) => ({ row, ...placeOf(row, shown) }))])}
    ${renderFold(
      context,
      folded.map((row) => ({ row, ...placeOf(row, folded) })),
      quiet.map(({ name }) => toOneLine(name)),
      'component',
    )}
  </section>`;
}

/** A row for each customer; for each site where one customer alone is watched or searched for. */
export function renderPhoneDays(
  context: DaysContext,
  accounts: readonly ShownSource[],
  bySite: boolean,
): Fragment | null {
  if (accounts.length === 0) return null;
  const { status } = context;
  const customers = new Map(listAccountViews(status).map((customer) => [customer.name, customer]));
  if (bySite) {
    return html`<section class="card full" aria-labelledby="d-phones">
      <div class="head">
        <h2 id="d-phones">Customers’ phones</h2>
        <p>by site</p>
      </div>
      <table class="days-of">
        ${renderHead(context)} ${accounts.map((account) => accountPart(context, account, customers))}
      </table>
    </section>`;
  }
  const rows = accounts.map(({ source, rows: sites }): DaysRow => {
    const name = findSourceTitle(status, source);
    return {
      row: mergeSites(source, sites),
      name: customers.has(source) ? name : `${name}, no longer watched`,
      depth: 0,
    };
  });
  const inTrouble = rows.filter(({ row }) => !isQuiet(row));
  const quiet = rows.filter(({ row }) => isQuiet(row));
  return html`<section class="card full" aria-labelledby="d-phones">
    <div class="head">
      <h2 id="d-phones">Customers’ phones</h2>
      <p>most lost phone time first</p>
    </div>
    ${inTrouble.length === 0 ? null : renderTable(context, inTrouble.slice(0, MOST_CUSTOMERS))}
    ${renderFold(
      context,
      inTrouble.slice(MOST_CUSTOMERS),
      quiet.map(({ name }) => name),
      'customer',
    )}
  </section>`;
}

/** Days of an account: of its sites, the longest time offline; phone time is summed up. */
export function mergeSites(source: string, sites: readonly DayRow[]): DayRow {
  return { source, subject: ACCOUNT_SUBJECT, name: '', days: mergeDays(sites, mergeSiteTimes) };
}

function mergeSiteTimes(times: readonly DayTime[]): DayTime {
  const [only] = times;
  if (times.length < 2) return only ?? NO_TIME;
  const most = (of: (time: DayTime) => number): number => findMaximum(times.map(of));
  const degraded = most((time) => time.degraded);
  const { lostMs, phonesMs } = sumDays(times);
  return {
    up: Math.max(0, most((time) => time.up + time.degraded) - degraded),
    degraded,
    maintenance: most((time) => time.maintenance),
    unknown: most((time) => time.unknown),
    mostLost: most((time) => time.mostLost),
    lostMs,
    phonesMs,
  };
}

type MergeTimes = (times: readonly DayTime[]) => DayTime;

/** Memoised by the first row; rows are immutable. */
const merges = new WeakMap<DayRow, { rows: readonly DayRow[]; merge: MergeTimes; days: DayTime[] }>();

export function mergeDays(rows: readonly DayRow[], merge: MergeTimes): DayTime[] {
  const [first] = rows;
  if (first === undefined) return [];
  const known = merges.get(first);
  const isSame = known?.merge === merge && known.rows.length === rows.length;
  if (isSame && known.rows.every((row, index) => row === rows[index])) return known.days;
  const days = first.days.map((_, index) => merge(rows.flatMap((row) => row.days[index] ?? [])));
  merges.set(first, { rows, merge, days });
  return days;
}

/** Measured, and never with trouble or planned work. */
function isQuiet(row: DayRow): boolean {
  const sum = sumRow(row);
  return computePercentUp(sum) === 100 && sum.degraded + sum.maintenance === 0;
}

function isWatched({ sources }: SystemStatus, source: string): boolean {
  return sources.some(({ name }) => name === source);
}

/** A component follows its parent if that has a row; else its full path is shown. */
function placeOf({ name }: DayRow, shown: readonly DayRow[]): Pick<DaysRow, 'name' | 'depth'> {
  const path = name.split(BELOW);
  const parent = path.slice(0, -1).join(BELOW);
  const isBelow = path.length > 1 && shown.some((row) => row.name === parent);
  return isBelow ? { name: path.at(-1) ?? '', depth: path.length - 1 } : { name, depth: 0 };
}

function renderFold(
  context: DaysContext,
  rows: readonly DaysRow[],
  quiet: readonly string[],
  what: string,
): Fragment | null {
  const count = rows.length + quiet.length;
  if (count === 0) return null;
  const summary =
    rows.length === 0
      ? `${formatCount(count, what)} without trouble`
      : `${count} more ${count === 1 ? what : `${what}s`}${quiet.length === 0 ? '' : `, ${quiet.length} of them without trouble`}`;
  return html`<details>
    <summary>${summary}</summary>
    ${rows.length === 0 ? null : renderTable(context, rows)}
    ${quiet.length === 0 ? null : html`<p class="small soft">Without trouble: ${formatNames(quiet, quiet.length)}.</p>`}
  </details>`;
}

export function renderTable(context: DaysContext, rows: readonly DaysRow[]): Fragment {
  return html`<table class="days-of">
    ${renderHead(context)}
    <tbody>
      ${rows.map((row) => renderRow(context, row))}
    </tbody>
  </table>`;
}

function renderHead({ status, days, unit, keptSince }: DaysContext): Fragment {
  const marks = unit === 'hour' ? ['00:00', '12:00', '24:00'] : dayMarks(status, days[0]?.since ?? 0, keptSince);
  return html`<thead>
    <tr>
      <th scope="col"><span class="hidden">Name</span></th>
      <th scope="col">
        <span class="hidden">${unit === 'hour' ? 'Hours from ' : 'Days from '}</span
        ><span class="scale">${marks.map((mark) => html`<span>${mark}</span>`)}</span>
      </th>
      <th scope="col">${unit === 'hour' ? 'Up today' : 'Up'}</th>
    </tr>
  </thead>`;
}

function dayMarks(status: SystemStatus, first: number, keptSince: number): string[] {
  const kept = first < keptSince ? [`watching since ${formatDay(status, keptSince)}`] : [];
  return [formatDay(status, first), ...kept, 'today'];
}

function renderRow(context: DaysContext, { row, name, depth }: DaysRow): Fragment {
  const record = context.recordOf(row);
  return html`<tr class="in${Math.min(depth, 3)}">
    <th scope="row">
      ${toOneLine(name) || (isOfPhones(row) ? 'Address not known' : 'without a name')}${record === undefined ? null : html`<small class="soft">${formatRecordClause(record, context.status.timezone)}</small>`}
    </th>
    <td class="ninety">${renderDayBars(context, row)}</td>
    <td>${renderUptime(context, row)}</td>
  </tr>`;
}

function accountPart(
  context: DaysContext,
  { source, rows }: ShownSource,
  customers: ReadonlyMap<string, CustomerAccount>,
): Fragment {
  const phones = customers.get(source)?.phones ?? null;
  return html`<tbody>
    <tr class="whose">
      <th scope="rowgroup" colspan="3">
        ${findSourceTitle(context.status, source)}
        <small class="soft"
          >${!customers.has(source) ? 'no longer watched' : phones === null ? null : formatCount(phones.total, 'phone')}</small
        >
      </th>
    </tr>
    ${rows.map((row) => renderRow(context, { row, name: row.name, depth: 1 }))}
  </tbody>`;
}
