/** Phones as dots, offline first: a struck ring is offline, a dashed ring unknown, a full dot registered. */
import { html, raw } from 'hono/html';
import { formatInteger, toOneLine, formatCount, formatCountOf } from '../../core/text/plain.ts';
import type { CustomerSite, PhoneStates } from '../../core/view/customers.ts';
import type { MissingPhone } from '../../core/view/system-status.ts';
import type { Fragment } from '../look/icons.ts';

/** From this number on, one bar in three parts replaces them. */
const BAR_FROM = 40;
const MOST_NAMES = 200;

/** `24 of 38 phones offline`, `25 phones not known`, `all 12 phones registered`. */
function statesText({ offline, notSeen, unknown, registered }: PhoneStates): string {
  const total = offline + notSeen + unknown + registered;
  const parts = [
    ...(offline > 0 ? [`${formatCountOf(offline, total, 'phone')} offline`] : []),
    ...(notSeen > 0 ? [`${notSeen} not seen`] : []),
    ...(unknown > 0 ? [`${formatCount(unknown, 'phone')} not known`] : []),
  ];
  if (parts.length > 0) return parts.join(', ');
  return total === 1 ? '1 phone registered' : `all ${formatCount(total, 'phone')} registered`;
}

export function renderPhoneDots(states: PhoneStates): Fragment {
  const { offline, notSeen, unknown, registered } = states;
  const gone = notSeen + unknown;
  const total = offline + gone + registered;
  const label = statesText(states);
  if (total >= BAR_FROM) return bar(offline, gone, total, label);
  return html`<span class="dots" role="img" aria-label="${label}"
    >${repeated(offline, 'x')}${repeated(gone, 'q')}${repeated(registered, '')}</span
  >`;
}

/** A gap separates the offline part. */
function bar(offline: number, gone: number, total: number, label: string): Fragment {
  const part = (count: number): string => ((100 * count) / total).toFixed(2);
  const gap = offline > 0 && offline < total ? 0.6 : 0;
  return html`<span class="dots" role="img" aria-label="${label}"
    ><svg viewBox="0 0 100 10" preserveAspectRatio="none">
      ${offline === 0 ? null : html`<rect class="lost" width="${(Number(part(offline)) - gap).toFixed(2)}" height="10" />`}
      ${gone === 0 ? null : html`<rect class="gone" x="${part(offline)}" width="${part(gone)}" height="10" />`}
      ${offline + gone === total ? null : html`<rect x="${part(offline + gone)}" width="${part(total - offline - gone)}" y="2" height="6" />`}
    </svg></span
  >`;
}

/** Thousands of them: one text is cheaper than a fragment each. */
function repeated(count: number, kind: string): ReturnType<typeof raw> {
  return raw((kind === '' ? '<i></i>' : `<i class="${kind}"></i>`).repeat(count));
}

/** Sites with lost phones first; `beside`: text beside each. */
export function renderSites(sites: readonly CustomerSite[], beside: (site: CustomerSite) => Fragment | null): Fragment {
  const ordered = sites.toSorted((a, b) => b.offline - a.offline || b.unknown - a.unknown || b.total - a.total);
  return html`<ul class="sites">
    ${ordered.map((site) => siteLine(site, beside(site)))}
  </ul>`;
}

function siteLine(site: CustomerSite, beside: Fragment | null): Fragment {
  const { account, site: name, total, offline, notSeen, unknown, missing } = site;
  const count =
    unknown > 0
      ? html`${unknown} not known`
      : offline > 0
        ? html`<b>${formatInteger(offline)}</b> of ${formatInteger(total)}`
        : notSeen > 0
          ? html`${notSeen} not seen`
          : html`${formatInteger(total)}`;
  return html`<li id="s-${account}-${name ?? ''}">
    <span>${nameSite(site)}</span><span class="sub">${beside}</span><span class="n">${count}</span>
    ${renderPhoneDots(site)} ${missing.length === 0 ? null : renderNames(`${account} ${name ?? ''}`, missing)}
  </li>`;
}

export function nameSite({ site }: Pick<CustomerSite, 'site'>): string {
  return site === null ? 'Address not known' : toOneLine(site);
}

export function renderNames(key: string, missing: readonly MissingPhone[]): Fragment {
  const shown = missing.slice(0, MOST_NAMES);
  return html`<details data-fold="${key}">
    <summary>${formatCount(missing.length, 'name')}</summary>
    <ul class="names">
      ${shown.map(({ extension, name }) => html`<li>${extension} ${name === extension ? '' : toOneLine(name ?? '')}</li>`)}
    </ul>
    ${missing.length > shown.length ? html`<p class="soft">and ${missing.length - shown.length} more</p>` : null}
  </details>`;
}
