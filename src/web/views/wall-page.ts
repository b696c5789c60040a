/** A wall display: one screen without scrolling, with customers in trouble only, or tiles of all without a problem. */
import { html } from 'hono/html';
import { toReadableLine } from '../../core/text/markup.ts';
import { formatInteger, toOneLine, formatCount } from '../../core/text/plain.ts';
import { listBegunAlerts } from '../../core/view/verdict/alert-order.ts';
import {
  listCustomers,
  hasUnknown,
  isInTrouble,
  compareWorstFirst,
  type CustomerView,
  type PhoneStates,
} from '../../core/view/customers.ts';
import type { OpenAlert, SystemStatus } from '../../core/view/system-status.ts';
import { listAccountViews, listPageViews } from '../../core/view/verdict/sums.ts';
import { isUnknownSource } from '../../core/view/verdict/known.ts';
import {
  toTone,
  computeSourceTone,
  computeVerdict,
  type Verdict,
  type VerdictTone,
} from '../../core/view/verdict/verdict.ts';
import { renderProviderSteps } from '../alert/alert-card.ts';
import { MANY, findLastTrouble, renderCustomerTile, renderRegistered } from './customers.ts';
import {
  renderHour,
  renderDocument,
  formatPhones,
  renderTime,
  formatMaintenanceWindow,
  formatPageTime,
  createPageTitle,
  type PageContext,
} from '../look/layout.ts';
import { listComingWork, renderSlimPlan } from './maintenance-list.ts';
import type { RecentHistory } from './now-page.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { renderPhoneDots, nameSite } from './phone-dots.ts';
import { toDo, renderVerdictGlyph, renderVerdictText, listNext } from './verdict-section.ts';

/** Rows that fit with letters readable from four metres; with more, the last line has the sum of the rest. */
const MOST_ROWS = 13;
const MOST_TILES = 20;
const MOST_SMALL_TILES = 56;
const MOST_ALSO = 3;
const MOST_ADVICE = 2;

/** A line of the board: a customer, or a site of the only one. */
interface BoardRow extends PhoneStates {
  id: string;
  name: string;
  total: number;
  tone: VerdictTone;
}

export function renderWallPage(context: PageContext, history: RecentHistory): Fragment {
  const { status } = context;
  const verdict = computeVerdict(status);
  const customers = listCustomers(status, verdict.losses);
  const rows = boardRows(customers);
  const isCalm = rows.length === 0 && listBegunAlerts(status).length === 0;
  const main = html`${verdictPart(status, verdict)}
    <div class="page ${isCalm ? 'one' : ''}" id="wall-now" data-live>
      ${isCalm ? tilesPart(status, customers, history) : html`${rows.length === 0 ? pagesBoard(status) : board(rows)} ${side(status, verdict)}`}
    </div>`;
  const well = customers.filter((customer) => !isInTrouble(customer) && !customer.isAwaited).length;
  const all =
    well > 0 && customers.length > 1
      ? `${formatCount(well, 'customer')} ${well === 1 ? 'has' : 'have'} all phones registered.`
      : '';
  const sums = [formatPhones(status), all].filter((text) => text !== null && text !== '').join('. ');
  const [next] = isCalm && customers.length !== 1 ? listComingWork(status) : [];
  const foot = html`<p>${sums}</p>
    ${next === undefined ? null : html`<p class="next">${renderGlyph('work')} ${formatMaintenanceWindow(status, next.beginsAt, next.endsAt)} ${toReadableLine(next.subject)}</p>`}
    <p>${toOneLine(status.instance)}</p>`;
  return renderDocument(context, { here: 'now', ...createPageTitle(status), wall: foot }, main);
}

function verdictPart(status: SystemStatus, verdict: Verdict): Fragment {
  const { tone, headline, lead, todo, losses } = verdict;
  const open = listBegunAlerts(status);
  const taken = lead?.acknowledged ?? null;
  const says = losses === null || todo.length === 0 ? renderVerdictText(status, verdict).slice(0, 1) : [];
  return html`<section class="verdict ${tone}" aria-labelledby="verdict-title" id="verdict" data-live>
    <div class="says">
      <h1 id="verdict-title">${renderVerdictGlyph(verdict)}<span>${headline}</span></h1>
      ${says.map((text) => html`<p>${text}</p>`)} ${toDo({ todo: todo.slice(0, MOST_ADVICE), tone })}
    </div>
    <p class="clock">
      <b>${renderHour(status, status.now)}</b>
      ${lead === null || open.length === 0 ? null : taken === null ? html`<span class="${tone}">nobody has acknowledged</span>` : html`<span>${renderGlyph('person')} ${toOneLine(taken.by)}</span>`}
    </p>
  </section>`;
}

/** Customers in trouble or unknown; for a single customer its sites. */
function boardRows(customers: readonly CustomerView[]): BoardRow[] {
  const [only] = customers;
  if (customers.length === 1 && only !== undefined && isInTrouble(only)) {
    return only.sites
      .toSorted((a, b) => b.offline - a.offline || b.total - a.total)
      .map((site) => ({
        ...site,
        id: `s-${site.site ?? ''}`,
        name: nameSite(site),
        tone: site.offline > 0 ? 'crit' : site.unknown > 0 ? 'unk' : 'ok',
      }));
  }
  return customers
    .filter(isInTrouble)
    .toSorted(compareWorstFirst)
    .map((customer) => ({
      ...customer,
      id: `c-${customer.key}`,
      name: customer.called,
      tone: customer.offline > 0 ? 'crit' : hasUnknown(customer) ? 'unk' : 'warn',
    }));
}

function board(rows: readonly BoardRow[]): Fragment {
  const shown = rows.length > MOST_ROWS ? rows.slice(0, MOST_ROWS - 1) : rows;
  const rest = rows.slice(shown.length);
  const sum = (of: (row: BoardRow) => number): number => rest.reduce((all, row) => all + of(row), 0);
  const offline = sum((row) => row.offline + row.notSeen);
  const unknown = sum((row) => row.unknown);
  const more = [
    ...(offline > 0 ? [formatCount(offline, 'phone')] : []),
    ...(unknown > 0 ? [`${formatInteger(unknown)} not known`] : []),
  ];
  return html`<ul class="board" aria-label="In trouble, worst first">
    ${shown.map(boardLine)}
    ${rest.length === 0 ? null : html`<li><span class="name">and ${rest.length} more</span><span class="more">${more.join(', ')}</span></li>`}
  </ul>`;
}

function boardLine(row: BoardRow): Fragment {
  const { id, name, offline, notSeen, unknown, total, tone } = row;
  const count =
    offline > 0
      ? html`<b>${formatInteger(offline)}</b> of ${formatInteger(total)}`
      : unknown > 0 || tone === 'unk'
        ? 'not known'
        : notSeen > 0
          ? `${formatInteger(notSeen)} not seen`
          : html`all ${formatInteger(total)}`;
  return html`<li class="${tone}" id="${id}">
    ${renderName(name)}${renderPhoneDots(row)}<span class="n">${count}</span>
  </li>`;
}

/** Longer ones take two lines of smaller letters. */
const LONG_NAME = 24;

function renderName(name: string): Fragment {
  return html`<span class="name${name.length > LONG_NAME ? ' long' : ''}" title="${name}">${name}</span>`;
}

/** Shown without phones in trouble: pages and customers with their states. */
function pagesBoard(status: SystemStatus): Fragment {
  const all = [...listPageViews(status), ...listAccountViews(status)].slice(0, MOST_ROWS);
  return html`<ul class="board" aria-label="Pages and customers">
    ${all.map((source) => {
      const alerts = status.open.filter(({ sources }) => sources.includes(source.name));
      const tone = computeSourceTone(source, alerts);
      const state = isUnknownSource(source) ? 'not known' : toOneLine(source.state ?? '').toLowerCase();
      return html`<li class="${tone}" id="b-${source.name}">
        <span class="name">${renderGlyph(tone)} ${toOneLine(source.called)}</span><span class="more">${state}</span>
      </li>`;
    })}
  </ul>`;
}

/** Progress of the provider, further open alerts, and planned maintenance. */
function side(status: SystemStatus, { lead, others }: Verdict): Fragment {
  const story = [...(lead === null ? [] : [lead]), ...others].find(({ said }) => said.length > 0);
  const also = others.slice(0, MOST_ALSO);
  const [work] = listComingWork(status);
  return html`<div class="side">
    ${story === undefined ? null : storyPart(status, story)}
    ${
      also.length === 0
        ? null
        : html`<section aria-labelledby="also">
            <h2 id="also">Also open</h2>
            <ul class="rows">
              ${also.map(
                ({ number, severity, title, startedAt }) =>
                  html`<li id="alert-${number}">
                    <p class="x">
                      ${severity === 'info' ? renderGlyph('info', 'work') : renderGlyph(toTone(severity))}<span
                        >${toOneLine(title)}</span
                      ><span>${renderTime(status, startedAt)}</span>
                    </p>
                  </li>`,
              )}
              ${others.length > also.length ? html`<li class="soft">and ${others.length - also.length} more</li>` : null}
            </ul>
          </section>`
    }
    ${
      work === undefined
        ? null
        : html`<section aria-labelledby="planned">
            <h2 id="planned">Planned work</h2>
            <ul class="rows">
              <li>${renderSlimPlan(status, work)}</li>
            </ul>
          </section>`
    }
  </div>`;
}

function storyPart(status: SystemStatus, alert: OpenAlert): Fragment {
  const by = alert.said.at(-1)?.source;
  const called = status.sources.find(({ name }) => name === by)?.called ?? 'Provider';
  return html`<section aria-labelledby="story">
    <h2 id="story">${toOneLine(called)}</h2>
    ${renderProviderSteps(status, alert, toTone(alert.severity)) ?? html`<p>${toOneLine(alert.state ?? '')} since ${formatPageTime(status, alert.startedAt)}</p>`}
  </section>`;
}

function tilesPart(status: SystemStatus, customers: readonly CustomerView[], history: RecentHistory): Fragment {
  const { recent } = history;
  if (customers.length === 0) return pagesBoard(status);
  const [only] = customers;
  if (customers.length === 1 && only !== undefined) {
    return html`<div class="wall-one">
      ${board(only.sites.slice(0, 10).map((site) => ({ ...site, id: `s-${site.site ?? ''}`, name: nameSite(site), tone: 'ok' })))}
      ${listNext(status)}
    </div>`;
  }
  const isTrouble = customers.length >= MANY.trouble;
  const all = isTrouble
    ? customers.filter((customer) => findLastTrouble(status, customer, recent) !== null)
    : customers;
  const isMany = all.length > MOST_TILES;
  const shown = all.slice(0, isMany ? MOST_SMALL_TILES : MOST_TILES);
  const rest = customers.filter((customer) => !shown.includes(customer));
  return html`<div class="wall-tiles">
    ${shown.length === 0 ? null : html`<div class="tiles ${isMany ? 'many' : ''}">${shown.map((customer) => (isMany ? smallTile(customer) : renderCustomerTile(status, customer, recent, recent)))}</div>`}
    ${rest.length === 0 ? null : html`<p>${describeOthers(rest, shown.length === 0)}</p>`}
  </div>`;
}

/** Customers without a tile. `areAll`: no customer has one. */
function describeOthers(rest: readonly CustomerView[], areAll: boolean): string {
  const unread = rest.filter(({ isAwaited }) => isAwaited).length;
  const count = formatCount(rest.length, 'customer');
  const phones = formatCount(
    rest.reduce((sum, { total }) => sum + total, 0),
    'phone',
  );
  if (unread > 0) {
    const notRead = unread === rest.length ? 'not read yet' : `${formatInteger(unread)} of them not read yet`;
    return areAll ? `${count}, ${notRead}` : `and ${count} more, ${notRead}`;
  }
  return areAll ? `All ${count}: ${phones}` : `and ${count} more, all registered`;
}

function smallTile(customer: CustomerView): Fragment {
  return html`<div class="tile${customer.isAwaited ? ' unk' : ''}" id="c-${customer.key}">
    ${renderName(customer.called)}<span class="n">${renderRegistered(customer)}</span>
  </div>`;
}
