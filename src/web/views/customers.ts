/**
 * Customers on the page: tiles without problems, a table with the worst first in trouble, and limits for many of them.
 */
import { findMinimum } from '../../core/transition/collections.ts';
import { html } from 'hono/html';
import { formatInteger, toOneLine, formatCount } from '../../core/text/plain.ts';
import { hasUnknown, isInTrouble, compareWorstFirst, type CustomerView } from '../../core/view/customers.ts';
import type { NamedCause, PhoneLosses } from '../../core/view/verdict/phone-losses.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import type { RecentHours } from '../../core/view/recent.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { filterCustomers, filterForm, filterQuery, isFiltering, type Filter } from './customer-filter.ts';
import { renderCustomerLane, formatReadAges, listLaneStretches } from './lanes.ts';
import { renderHour, formatPhones, renderTime, formatPageTime } from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { renderPhoneDots, nameSite } from './phone-dots.ts';

/** Numbers of customers above which good ones fold, tiles lose their lanes, and tiles show problems only. */
export const MANY = { fold: 10, bare: 50, trouble: 200 } as const;
/** Rows of the table before "Show all". */
const FIRST_ROWS = 25;
const PAGE_ROWS = 50;
/** Sites that a row names. */
const MOST_SITES = 4;
const MOST_WELL_NAMED = 400;

export function renderCustomers(
  status: SystemStatus,
  customers: readonly CustomerView[],
  { filter, recent, losses }: { filter: Filter; recent: RecentHours | null; losses: PhoneLosses | null },
): Fragment {
  const found = filterCustomers(customers, filter);
  const isTable = found.some(isInTrouble) || isFiltering(filter);
  return isTable ? table(status, customers.length, found, filter, losses) : tiles(status, found, filter, recent);
}

function tiles(
  status: SystemStatus,
  customers: readonly CustomerView[],
  filter: Filter,
  recent: RecentHours | null,
): Fragment {
  const shown = customers.length >= MANY.trouble ? customers.filter((one) => hasNews(status, one, recent)) : customers;
  const rest = customers.length - shown.length;
  const phones = customers.reduce((sum, { total }) => sum + total, 0);
  return html`<section class="full" aria-labelledby="customers" id="customer-list">
    <div class="head">
      <h2 id="customers">${formatCount(customers.length, 'customer')}</h2>
      <p>${[formatPhones(status), formatReadAges(status)].filter((text) => text !== null).join('; ')}</p>
    </div>
    ${customers.length >= MANY.bare ? filterForm(filter) : null}
    ${
      shown.length === 0
        ? null
        : html`<div class="tiles">
            ${shown.map((customer) => renderCustomerTile(status, customer, customers.length < MANY.bare ? recent : null, recent))}
          </div>`
    }
    ${rest === 0 ? null : html`<p class="soft">${shown.length === 0 ? `All ${formatCount(rest, 'customer')}: ${formatCount(phones, 'phone')}` : `All phones registered, and quiet for 24 hours: ${formatCount(rest, 'other customer')}`}</p>`}
  </section>`;
}

/** Some trouble in the last 24 hours, or now. */
function hasNews(status: SystemStatus, customer: CustomerView, recent: RecentHours | null): boolean {
  return customer.tone !== 'ok' || findLastTrouble(status, customer, recent) !== null;
}

/** `12/14`, or a glyph for a customer that is unknown or not read yet. */
export function renderRegistered(customer: CustomerView): Fragment {
  const { registered, total, isAwaited } = customer;
  if (isAwaited) return renderGlyph('stale');
  if (hasUnknown(customer)) return renderGlyph('unk');
  return html`<b>${formatInteger(registered)}</b>/${formatInteger(total)}`;
}

export function renderCustomerTile(
  status: SystemStatus,
  customer: CustomerView,
  lane: RecentHours | null,
  recent: RecentHours | null,
): Fragment {
  const { key, called, isAwaited } = customer;
  const isUnknown = hasUnknown(customer) || isAwaited;
  const news = isUnknown ? (isAwaited ? 'not read yet' : 'not known') : findLastTrouble(status, customer, recent);
  return html`<div class="tile${isUnknown ? ' unk' : ''}${news === null ? '' : ' some'}" id="c-${key}">
    <a href="customers/${encodeURIComponent(key)}">${called}</a>
    <span class="n">${renderRegistered(customer)}</span>
    <small>${news ?? (recent === null ? '' : 'quiet for 24 hours')}</small>
    ${renderCustomerLane(status, customer, lane)}
  </div>`;
}

/** `1 phone, 15 min at 02:12`; null without a problem in the last 24 hours, or without recorded data. */
export function findLastTrouble(
  status: SystemStatus,
  customer: CustomerView,
  recent: RecentHours | null,
): string | null {
  const last = listLaneStretches(customer, recent)?.findLast(({ kind }) => kind !== 'never');
  if (last === undefined) return null;
  const lasted = formatElapsed(last.until - last.since);
  const at = formatPageTime(status, last.since);
  if (last.kind === 'lost') return `${formatCount(last.most, 'phone')}, ${lasted} at ${at}`;
  return last.kind === 'gap' ? `not known ${lasted} at ${at}` : null;
}

function table(
  status: SystemStatus,
  count: number,
  found: readonly CustomerView[],
  filter: Filter,
  losses: PhoneLosses | null,
): Fragment {
  const isAsked = isFiltering(filter);
  const rows = (isAsked ? [...found] : found.filter(isInTrouble)).toSorted(compareWorstFirst);
  const others = isAsked ? [] : found.filter((one) => !isInTrouble(one));
  const [well, awaited] = [others.filter((one) => !one.isAwaited), others.filter((one) => one.isAwaited)];
  const pages = Math.ceil(rows.length / PAGE_ROWS);
  const isPaged = (isAsked || filter.all || count >= MANY.trouble) && rows.length > PAGE_ROWS;
  const isCut = !isPaged && !isAsked && !filter.all && count >= MANY.bare && rows.length > FIRST_ROWS;
  const page = Math.min(filter.page, Math.max(1, pages));
  const shown = isPaged
    ? rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS)
    : isCut
      ? rows.slice(0, FIRST_ROWS)
      : rows;
  return html`<section class="card" aria-labelledby="customers" id="customer-list">
    <div class="head">
      <h2 id="customers">Customers, worst first</h2>
      <p>${formatPhones(status) ?? 'none is watched'}</p>
    </div>
    ${count >= MANY.bare || isAsked ? filterForm(filter) : null}
    ${
      shown.length === 0
        ? html`<p>No customer is like that.</p>`
        : html`<table class="cust">
            <thead>
              <tr>
                <th scope="col" class="whose">Customer, cause</th>
                <th scope="col">Phones, sites</th>
                <th scope="col" class="n">Offline</th>
              </tr>
            </thead>
            <tbody>
              ${shown.map((customer) => customerRow(status, customer, losses))}
            </tbody>
          </table>`
    }
    ${isCut ? html`<p class="acts"><a href="./?all=1">Show all ${rows.length}</a></p>` : null}
    ${isPaged ? pager(rows.length, pages, { ...filter, page }) : null} ${wellFold(well)}
    ${awaited.length === 0 ? null : html`<p class="soft">${formatCount(awaited.length, 'customer')} not read yet</p>`}
  </section>`;
}

function pager(count: number, pages: number, filter: Filter): Fragment {
  const { page } = filter;
  return html`<nav class="acts" aria-label="Customers by page">
    ${page > 1 ? html`<a href="./?${filterQuery(filter, page - 1)}">The ${PAGE_ROWS} before</a>` : null}
    <span class="soft">${formatCount(count, 'customer')}, page ${page} of ${pages}</span>
    ${page < pages ? html`<a href="./?${filterQuery(filter, page + 1)}">The next ${PAGE_ROWS}</a>` : null}
  </nav>`;
}

function customerRow(status: SystemStatus, customer: CustomerView, losses: PhoneLosses | null): Fragment {
  const { key, called, offline, notSeen, total, since } = customer;
  const isUnknown = hasUnknown(customer);
  const tone = offline > 0 ? 'crit' : isUnknown ? 'unk' : notSeen > 0 ? 'unk' : 'ok';
  const number =
    offline > 0
      ? html`<b>${formatInteger(offline)}</b> <span class="soft">of ${formatInteger(total)}</span>`
      : isUnknown
        ? html`<span class="state unk">${renderGlyph('unk')}not known</span>`
        : notSeen > 0
          ? html`<b>${formatInteger(notSeen)}</b> <span class="soft">not seen</span>`
          : html`<span class="soft">all ${formatInteger(total)}</span>`;
  return html`<tr class="${tone}" id="c-${key}">
    <th scope="row">
      <a href="customers/${encodeURIComponent(key)}">${called}</a><small>${reasonText(customer, losses)}</small>
    </th>
    <td class="phones">${renderPhoneDots(customer)}<small>${whereText(status, customer)}</small></td>
    <td class="n">${number}${since === null ? null : html`<small>since ${renderTime(status, since)}</small>`}</td>
  </tr>`;
}

function reasonText(customer: CustomerView, losses: PhoneLosses | null): string {
  if (customer.offline > 0 && losses !== null) return causeLabel(customer.cause);
  if (hasUnknown(customer)) {
    const { accounts, alerts } = customer;
    if (accounts.some(({ isRefused }) => isRefused)) return 'API key refused';
    if (accounts.some(({ unreachable }) => unreachable)) return 'Does not answer';
    return toOneLine(alerts[0]?.title ?? accounts.flatMap(({ blind }) => blind)[0] ?? 'not read');
  }
  return customer.notSeen > 0 ? 'left out of the last answer' : '';
}

const CAUSES: Readonly<Record<NamedCause['kind'], string>> = {
  provider: 'Provider',
  planned: 'Planned work',
  suspected: 'Provider suspected',
  residual: 'Left by the provider’s incident',
  site: 'Its own site',
  model: 'Model of phone',
  account: 'The whole account',
  unknown: 'Cause not known',
};

function causeLabel(cause: NamedCause | null): string {
  return CAUSES[cause?.kind ?? 'unknown'];
}

/** `Brighton 14 of 14, Sandringham 10 of 12`. */
function whereText(status: SystemStatus, customer: CustomerView): Fragment | string {
  const { sites, accounts, offline, notSeen, unknown, total } = customer;
  if (offline + notSeen === 0) {
    const readAt = accounts.flatMap(({ lastReadAt }) => lastReadAt ?? []);
    const read = readAt.length === 0 ? null : findMinimum(readAt);
    if (!hasUnknown(customer)) return '';
    if (read === null) return 'not read since the start';
    if (unknown < total) return html`${unknown} as last read ${renderHour(status, read)}`;
    const seen = accounts.reduce((sum, { phones }) => sum + (phones?.registered ?? 0), 0);
    const registered =
      seen === total ? `all ${formatInteger(total)}` : `${formatInteger(seen)} of ${formatInteger(total)}`;
    return html`${registered} registered when last read, ${renderHour(status, read)}`;
  }
  const hit = sites.filter((site) => site.offline + site.notSeen > 0).toSorted((a, b) => b.offline - a.offline);
  const texts = hit
    .slice(0, MOST_SITES)
    .map((site) => `${nameSite(site)} ${formatInteger(site.offline + site.notSeen)} of ${formatInteger(site.total)}`);
  return [
    ...texts,
    ...(hit.length > texts.length ? [`and ${formatCount(hit.length - texts.length, 'more site')}`] : []),
  ].join(', ');
}

function wellFold(well: readonly CustomerView[]): Fragment | null {
  if (well.length === 0) return null;
  const phones = well.reduce((sum, { total }) => sum + total, 0);
  const shown = well.slice(0, MOST_WELL_NAMED);
  return html`<details data-fold="well">
    <summary>All registered: ${formatCount(well.length, 'customer')}, ${formatCount(phones, 'phone')}</summary>
    <ul class="names">
      ${shown.map(({ key, called, total }) => html`<li id="c-${key}"><a class="quiet" href="customers/${encodeURIComponent(key)}">${called}</a> ${formatInteger(total)}</li>`)}
    </ul>
    ${well.length > shown.length ? html`<p class="soft">and ${well.length - shown.length} more</p>` : null}
  </details>`;
}
