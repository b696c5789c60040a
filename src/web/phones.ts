/** The phones of the customers by site, a dot each: trouble first, what is not known next, what is well folded. */
import { html } from 'hono/html';
import { toOneLine, formatCount } from '../core/text/plain.ts';
import type { AccountView, OpenAlert, Picture, SiteView, SourceView } from '../core/view/picture.ts';
import { isAwaited, isUnknownPart, readText } from '../core/view/known.ts';
import { accountsOf } from '../core/view/sums.ts';
import { begun } from '../core/view/alert-order.ts';
import { type VerdictTone, TONES, toneOfSource } from '../core/view/verdict.ts';
import { asUsual } from '../core/wording/phone-words.ts';

import { glyph, type Fragment } from './icons.ts';
import { option } from './option.ts';

export type Customer = SourceView & AccountView;

/** As many as have their sites unfolded, however they are. */
const FEW = 10;
/** As many as one page lists. */
const PAGE = 50;
/** More phones at a site are a bar in place of dots. */
export const MOST_DOTS = 60;
const MOST_NAMES = 200;

/** What is asked for by the form above the phones. */
export interface Filter {
  q: string;
  severity: string;
  source: string;
  trouble: boolean;
  page: number;
}

export const NO_FILTER: Filter = { q: '', severity: '', source: '', trouble: false, page: 1 };

/** What makes no sense counts as not asked for. */
export function readFilter(field: (name: string) => string | undefined): Filter {
  const read = (name: string): string => toOneLine(field(name) ?? '').slice(0, 100);
  const page = Number(read('page'));
  return {
    q: read('q'),
    severity: read('severity'),
    source: read('source'),
    trouble: read('trouble') !== '',
    page: Number.isInteger(page) && page > 0 && page < 1_000 ? page : 1,
  };
}

/** Going to another page of all is none. */
export function isFiltering({ q, severity, source, trouble }: Filter): boolean {
  return q !== '' || severity !== '' || source !== '' || trouble;
}

/** The alerts that a filter asks for. */
export function alertsFor(picture: Picture, { q, severity, source }: Filter): OpenAlert[] {
  const asked = q.toLowerCase();
  return begun(picture).filter((alert) => {
    if (severity !== '' && alert.severity !== severity) return false;
    if (source !== '' && !alert.sources.includes(source)) return false;
    const names = alert.sources.map((name) => picture.sources.find((each) => each.name === name)?.called ?? '');
    return [alert.title, ...alert.sources, ...names, ...alert.affected, `#${alert.number}`].some((text) =>
      text.toLowerCase().includes(asked),
    );
  });
}

function customersFor(picture: Picture, filter: Filter): Customer[] {
  const { q, severity, source, trouble } = filter;
  const asked = q.toLowerCase();
  return accountsOf(picture).filter((customer) => {
    const open = begun(picture).filter(({ sources }) => sources.includes(customer.name));
    if (trouble && toneOfSource(customer, picture.open) === 'ok') return false;
    if (severity !== '' && !open.some((alert) => alert.severity === severity)) return false;
    if (source !== '' && customer.name !== source && !open.some(({ sources }) => sources.includes(source))) {
      return false;
    }
    const sites = customer.phones?.sites ?? [];
    const phones = customer.phones?.missing ?? [];
    const texts = [
      customer.name,
      customer.called,
      ...sites.flatMap(({ site }) => site ?? []),
      ...phones.flatMap(({ extension, name }) => [extension, name ?? '']),
    ];
    return texts.some((text) => text.toLowerCase().includes(asked));
  });
}

export function filterForm({ sources }: Picture, filter: Filter): Fragment {
  return html`<form class="filter" method="get" action="./" role="search" aria-label="Alerts and customers">
    <label class="grow"
      >Customer, site or extension<input type="search" name="q" value="${filter.q}" maxlength="100"
    /></label>
    <label
      >Severity<select name="severity">
        ${option('', 'all', filter.severity)}
        ${['critical', 'warning', 'info'].map((each) => option(each, each, filter.severity))}
      </select></label
    >
    <label
      >Source<select name="source">
        ${option('', 'all', filter.source)}
        ${sources.map(({ name, called }) => option(name, toOneLine(called), filter.source))}
      </select></label
    >
    <label class="check"
      ><input type="checkbox" name="trouble" value="1" ${filter.trouble ? html`checked` : null} />only trouble</label
    >
    <button>Show</button>
    ${isFiltering(filter) ? html`<a href="./">Show all</a>` : null}
  </form>`;
}

/** Those that are well are folded where there are many, unless somebody looks for one. */
export function customers(picture: Picture, filter: Filter): Fragment {
  const found = customersFor(picture, filter)
    .map((customer) => ({ customer, tone: toneOfSource(customer, picture.open) }))
    .toSorted(worstFirst);
  const here = found.slice((filter.page - 1) * PAGE, filter.page * PAGE);
  const folds = found.length > FEW && !isFiltering(filter);
  const shown = folds ? here.filter(({ tone }) => tone !== 'ok') : here;
  const well = here.filter((each) => !shown.includes(each));
  const phones = well.reduce((sum, { customer }) => sum + (customer.phones?.total ?? 0), 0);
  return html`<div class="card">
    ${found.length === 0 ? html`<p>${isFiltering(filter) ? 'No customer is like that.' : 'No account is watched.'}</p>` : null}
    ${shown.map(({ customer, tone }) => customerSites(customer, tone))}
    ${
      well.length === 0
        ? null
        : html`<details class="group" data-fold="well">
            <summary>All well: ${formatCount(well.length, 'customer')}, ${formatCount(phones, 'phone')}</summary>
            ${well.map(({ customer, tone }) => customerSites(customer, tone))}
          </details>`
    }
    ${pager(found.length, filter)}
  </div>`;
}

/** For sorting: by tone, then who lost most phones, then the larger share of them. */
export function worstFirst(a: { customer: Customer; tone: VerdictTone }, b: typeof a): number {
  const [one, other] = [lostOf(a.customer), lostOf(b.customer)];
  return (
    TONES.indexOf(a.tone) - TONES.indexOf(b.tone) || other.lost - one.lost || other.lost / other.of - one.lost / one.of
  );
}

function lostOf({ phones }: Customer): { lost: number; of: number } {
  return { lost: phones?.missing.filter(({ isLost }) => isLost).length ?? 0, of: Math.max(1, phones?.total ?? 0) };
}

function pager(count: number, filter: Filter): Fragment | null {
  const pages = Math.ceil(count / PAGE);
  if (pages < 2) return null;
  const link = (page: number): string => {
    const { q, severity, source, trouble } = filter;
    return `?${new URLSearchParams({ q, severity, source, ...(trouble && { trouble: '1' }), page: String(page) }).toString()}`;
  };
  return html`<nav class="acts" aria-label="Customers by page">
    ${filter.page > 1 ? html`<a href="${link(filter.page - 1)}">The ${PAGE} before</a>` : null}
    <span class="soft">${formatCount(count, 'customer')}, page ${filter.page} of ${pages}</span>
    ${filter.page < pages ? html`<a href="${link(filter.page + 1)}">The next ${PAGE}</a>` : null}
  </nav>`;
}

/** `tone` decides the sign beside its name. */
export function customerSites(customer: Customer, tone: VerdictTone): Fragment {
  const { name, called, phones } = customer;
  const isUnknown = isUnknownPart(customer, 'registrations');
  return html`<section class="customer" aria-labelledby="c-${name}">
    <div class="head">
      <h3 id="c-${name}">${glyph(tone === 'unk' && isAwaited(customer) ? 'stale' : tone)} ${toOneLine(called)}</h3>
      <p>${howMany(customer)}</p>
    </div>
    ${
      phones === null
        ? isAwaited(customer)
          ? null
          : html`<p class="soft">Its phones were never read.</p>`
        : html`<ul class="sites">
            ${phones.sites.map((site) => siteLine(name, site, isUnknown))}
          </ul>`
    }
    ${customer.blind.length === 0 ? null : html`<p class="small soft">Cannot be read: ${customer.blind.map(toOneLine).join('; ')}</p>`}
  </section>`;
}

/** `19 of 59 registered, read 4 s ago`. */
function howMany(customer: Customer): string {
  const { phones } = customer;
  const isUnknown = phones === null || isUnknownPart(customer, 'registrations');
  const read = readText(customer, isUnknown);
  if (isUnknown) return isAwaited(customer) ? read : `not known, ${read}`;
  return `${phones.registered === phones.total ? `all ${phones.total}` : `${phones.registered} of ${phones.total}`} registered${asUsual(phones)}, ${read}`;
}

function siteLine(customer: string, site: SiteView, isUnknown: boolean): Fragment {
  const { total, registered, missing } = site;
  const lost = isUnknown ? 0 : missing.filter(({ isLost }) => isLost).length;
  const unseen = isUnknown ? total : total - registered - lost;
  const text = [
    ...(lost > 0 ? [`${lost} offline`] : []),
    ...(unseen > 0 ? [`${unseen} ${isUnknown ? 'not known' : 'not seen'}`] : []),
  ].join(', ');
  const title = site.site ?? 'Address not known';
  return html`<li class="${lost > 0 ? 'bad' : ''}" id="s-${customer}-${title}">
    <span>${toOneLine(title)}</span>
    ${dots({ well: total - lost - unseen, lost, unseen }, `${total} ${total === 1 ? 'phone' : 'phones'}${text === '' ? ', all registered' : `, ${text}`}`)}
    <span class="n">${text !== '' ? text : total === 1 ? 'registered' : `all ${total}`}</span>
    ${missing.length === 0 || isUnknown ? null : nameFold(`${customer} ${title}`, missing)}
  </li>`;
}

function dots({ well, lost, unseen }: { well: number; lost: number; unseen: number }, label: string): Fragment {
  const total = well + lost + unseen;
  if (total > MOST_DOTS) {
    const part = (count: number): string => ((100 * count) / total).toFixed(2);
    return html`<span class="dots" role="img" aria-label="${label}"
      ><svg viewBox="0 0 100 10" preserveAspectRatio="none">
        <rect class="lost" width="${part(lost)}" height="10" />
        <rect class="gone" x="${part(lost)}" width="${part(unseen)}" height="10" />
        <rect x="${part(lost + unseen)}" width="${part(well)}" height="10" /></svg
    ></span>`;
  }
  return html`<span class="dots" role="img" aria-label="${label}"
    >${dotsOf(lost, 'x')}${dotsOf(unseen, 'q')}${dotsOf(well, '')}</span
  >`;
}

function dotsOf(count: number, kind: string): Fragment[] {
  return Array.from({ length: count }, () => (kind === '' ? html`<i></i>` : html`<i class="${kind}"></i>`));
}

function nameFold(key: string, missing: SiteView['missing']): Fragment {
  const shown = missing.slice(0, MOST_NAMES);
  return html`<details data-fold="${key}">
    <summary>${missing.length === 1 ? 'its name' : `all ${missing.length} names`}</summary>
    <ul class="names">
      ${shown.map(({ extension, name }) => html`<li>${extension} ${name === extension ? '' : toOneLine(name ?? '')}</li>`)}
    </ul>
    ${missing.length > shown.length ? html`<p class="soft">and ${missing.length - shown.length} more</p>` : null}
  </details>`;
}
