/** Filter of alerts and customers: sent by GET, above many customers. */
import { findByName } from '../../core/transition/collections.ts';
import { html } from 'hono/html';
import { toOneLine } from '../../core/text/plain.ts';
import { listBegunAlerts } from '../../core/view/verdict/alert-order.ts';
import { isInTrouble, type CustomerView } from '../../core/view/customers.ts';
import type { OpenAlert, SystemStatus } from '../../core/view/system-status.ts';
import type { Fragment } from '../look/icons.ts';
import { renderOption } from '../look/option.ts';

export interface Filter {
  q: string;
  severity: string;
  source: string;
  trouble: boolean;
  page: number;
  /** All customers in trouble, instead of the first of them. */
  all: boolean;
}

export const NO_FILTER: Filter = { q: '', severity: '', source: '', trouble: false, page: 1, all: false };

/** Invalid fields count as absent. */
export function readFilter(field: (name: string) => string | undefined): Filter {
  const read = (name: string): string => toOneLine(field(name) ?? '').slice(0, 100);
  const page = Number(read('page'));
  return {
    q: read('q'),
    severity: read('severity'),
    source: read('source'),
    trouble: read('trouble') !== '',
    page: Number.isInteger(page) && page > 0 && page < 1_000 ? page : 1,
    all: read('all') !== '',
  };
}

/** The number of a page, or all at once, is not a filter. */
export function isFiltering({ q, severity, source, trouble }: Filter): boolean {
  return q !== '' || severity !== '' || source !== '' || trouble;
}

/** The same filter with another page. */
export function filterQuery({ q, severity, source, trouble, all }: Filter, page: number): string {
  return new URLSearchParams({
    ...(q !== '' && { q }),
    ...(severity !== '' && { severity }),
    ...(source !== '' && { source }),
    ...(trouble && { trouble: '1' }),
    ...(all && { all: '1' }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
}

/** Open alerts within a filter, in order. */
export function filterAlerts(status: SystemStatus, { q, severity, source }: Filter): OpenAlert[] {
  const asked = q.toLowerCase();
  return listBegunAlerts(status).filter((alert) => {
    if (severity !== '' && alert.severity !== severity) return false;
    if (source !== '' && !alert.sources.includes(source)) return false;
    const names = alert.sources.map((name) => findByName(status.sources, name)?.called ?? '');
    return [alert.title, ...alert.sources, ...names, ...alert.affected, `#${alert.number}`].some((text) =>
      text.toLowerCase().includes(asked),
    );
  });
}

export function filterCustomers(
  customers: readonly CustomerView[],
  { q, severity, source, trouble }: Filter,
): CustomerView[] {
  const asked = q.toLowerCase();
  return customers.filter((customer) => {
    const { alerts, accounts, sites, called, key, tone } = customer;
    if (trouble && tone === 'ok' && !isInTrouble(customer)) return false;
    if (severity !== '' && !alerts.some((alert) => alert.severity === severity)) return false;
    if (
      source !== '' &&
      !accounts.some(({ name }) => name === source) &&
      !alerts.some(({ sources }) => sources.includes(source))
    ) {
      return false;
    }
    const texts = [
      called,
      key,
      ...accounts.map(({ name }) => name),
      ...sites.flatMap(({ site, missing }) => [
        site ?? '',
        ...missing.flatMap(({ extension, name }) => [extension, name ?? '']),
      ]),
    ];
    return texts.some((text) => text.toLowerCase().includes(asked));
  });
}

export function filterForm(filter: Filter): Fragment {
  return html`<form class="filter" method="get" action="./" role="search" aria-label="Alerts and customers">
    <label class="grow"
      >Customer, site or extension<input type="search" name="q" value="${filter.q}" maxlength="100"
    /></label>
    <label
      >Severity<select name="severity">
        ${renderOption('', 'all', filter.severity)}
        ${['critical', 'warning', 'info'].map((each) => renderOption(each, each, filter.severity))}
      </select></label
    >
    <label class="check"
      ><input type="checkbox" name="trouble" value="1" ${filter.trouble ? html`checked` : null} />only trouble</label
    >
    <button>Show</button>
    ${isFiltering(filter) ? html`<a href="./">Show all</a>` : null}
  </form>`;
}
