/** Customers of one alert: how many phones each has offline now, how many it had at most, and those that are back. */
import { html } from 'hono/html';
import { findEarliest } from '../../core/transition/collections.ts';
import { compareNames, formatCount, formatList, formatCountOf } from '../../core/text/plain.ts';

import { hasUnknown, listCustomers, type CustomerView } from '../../core/view/customers.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import type { AlertHistory } from '../../core/view/story/alert-history.ts';
import type { Story } from '../../core/view/story/story.ts';
import { renderTime } from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { renderPhoneDots, nameSite } from '../views/phone-dots.ts';

export interface AlertCustomer {
  customer: CustomerView;
  /** Phones that this alert has offline now. */
  offline: number;
  /** Phones offline at most, and of how many; null where the history has nothing of it. */
  most: { offline: number; total: number } | null;
  since: number | null;
  sites: readonly { site: string | null; offline: number }[];
}

const MOST_SITES = 4;
const MOST_ROWS = 200;

/** Those with phones still offline first, then by the size of the loss. Empty for an alert without a customer's phones. */
export function listAlertCustomers(
  status: SystemStatus,
  { number, sources }: Story,
  history: AlertHistory | null,
): AlertCustomer[] {
  const open = status.open.find((alert) => alert.number === number);
  const all = listCustomers(status, null).flatMap((customer): AlertCustomer[] => {
    const names = customer.accounts.flatMap(({ name }) => (sources.includes(name) ? [name] : []));
    const most = findMost(history, names);
    const parts = (open?.parts ?? []).flatMap(({ source, phones }) =>
      phones !== undefined && names.includes(source) ? [phones] : [],
    );
    if (names.length === 0 || (parts.length === 0 && most === null)) return [];
    return [
      {
        customer,
        offline: parts.reduce((sum, { offline }) => sum + offline, 0),
        most,
        since: findEarliest(parts.map(({ since }) => since)),
        sites: parts.flatMap(({ sites }) => sites),
      },
    ];
  });
  const size = ({ offline, most }: AlertCustomer): number => most?.offline ?? offline;
  return all.toSorted(
    (a, b) => b.offline - a.offline || size(b) - size(a) || compareNames(a.customer.called, b.customer.called),
  );
}

function findMost(history: AlertHistory | null, names: readonly string[]): AlertCustomer['most'] {
  let most: AlertCustomer['most'] = null;
  for (const { bySite } of history?.phones ?? []) {
    let [offline, total] = [0, 0];
    for (const site of bySite) {
      if (!names.includes(site.source)) continue;
      offline += site.total - site.registered;
      total += site.total;
    }
    if (offline > (most?.offline ?? 0)) most = { offline, total };
  }
  return most;
}

export function renderAlertCustomers(
  status: SystemStatus,
  story: Story,
  customers: readonly AlertCustomer[],
  below: Fragment | null,
): Fragment {
  const shown = customers.slice(0, MOST_ROWS);
  const lost = customers.reduce((sum, { most, offline }) => sum + (most?.offline ?? offline), 0);
  const offline = customers.reduce((sum, one) => sum + one.offline, 0);
  const back = customers.some(({ most }) => most !== null) && lost > offline ? lost - offline : 0;
  return html`<section class="card" aria-labelledby="hit" id="affects" data-live>
    <div class="head">
      <h2 id="hit">${story.status === 'open' ? 'Affects' : 'Affected'} ${formatCount(customers.length, 'customer')}</h2>
      <p>
        ${back === 0 ? formatCount(offline === 0 ? lost : offline, 'phone') : `${formatCountOf(back, lost, 'phone')} ${back === 1 ? 'is' : 'are'} back`}
      </p>
    </div>
    <table class="cust">
      <thead>
        <tr>
          <th scope="col" class="whose">Customer</th>
          <th scope="col">Phones now, sites</th>
          <th scope="col" class="n">Status</th>
        </tr>
      </thead>
      <tbody>
        ${shown.map((one) => renderRow(status, one))}
      </tbody>
    </table>
    ${customers.length > shown.length ? html`<p class="soft">and ${customers.length - shown.length} more</p>` : null}
    ${below}
  </section>`;
}

function renderRow(status: SystemStatus, { customer, offline, most, since, sites }: AlertCustomer): Fragment {
  const { key, called } = customer;
  const isUnknown = hasUnknown(customer);
  const hit = sites.filter((site) => site.offline > 0);
  const named = hit.map(({ site, offline: count }) => `${nameSite({ site })} ${count}`);
  const state =
    offline > 0
      ? html`<b>${offline}</b> <span class="soft">offline</span>`
      : isUnknown
        ? html`<span class="state unk">${renderGlyph('unk')}not known</span>`
        : html`<span class="state ok">${renderGlyph('ok')}all back</span>`;
  return html`<tr class="${offline > 0 ? 'crit' : isUnknown ? 'unk' : 'ok'}">
    <th scope="row">
      <a href="../customers/${encodeURIComponent(key)}">${called}</a>${
        most === null ? null : html`<small>${most.offline} of ${most.total} at most</small>`
      }
    </th>
    <td class="phones">${renderPhoneDots(customer)}<small>${formatList(named, MOST_SITES)}</small></td>
    <td class="n">${state}${since === null ? null : html`<small>since ${renderTime(status, since)}</small>`}</td>
  </tr>`;
}
