/** The current status: the verdict, then problems in detail, then everything else in short. */
import { findMinimum } from '../../core/transition/collections.ts';
import { html } from 'hono/html';
import { capitalize, toOneLine, formatCount } from '../../core/text/plain.ts';
import type { DaysView } from '../../core/report/days.ts';
import { listCustomers, isInTrouble, type CustomerView } from '../../core/view/customers.ts';
import type { EndedAlert, MaintenanceView, OpenAlert, SystemStatus } from '../../core/view/system-status.ts';
import type { RecentHours } from '../../core/view/recent.ts';
import { isStateless, isUnknownPart, formatReadTime, formatSum } from '../../core/view/verdict/known.ts';
import { listPageViews, sumPages } from '../../core/view/verdict/sums.ts';
import { computeVerdict, isStart } from '../../core/view/verdict/verdict.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { renderAlertCard, renderAlsoOpen, formatAffectedNames } from '../alert/alert-card.ts';
import { filterAlerts, isFiltering, type Filter } from './customer-filter.ts';
import { renderCustomers, MANY } from './customers.ts';
import { renderDaysCard } from '../days/days-brief.ts';
import { renderLanes } from './lanes.ts';
import { renderDocument, formatPhones, renderTime, createPageTitle, type PageContext } from '../look/layout.ts';
import { listComingWork, planLine, renderSlimPlan } from './maintenance-list.ts';
import { renderOfflineCurve } from './offline-curve.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { renderPageRow } from './page-tree.ts';
import { renderSites } from './phone-dots.ts';
import { listStart, renderNotYetCard } from './starting-cards.ts';
import { toggleTable } from './toggles.ts';
import { renderKnownCard, renderNotKnownCard } from './unknown-cards.ts';
import { renderVerdict, listNext } from './verdict-section.ts';

/** Further entries are on a page of their own, or found with the filter. */
const MOST_CARDS = 4;
const MOST_ALSO = 20;
const MOST_PLANNED = 3;
const MOST_ENDED = 5;

/** The part of the history that the page shows; null if it was not read. */
export interface RecentHistory {
  recent: RecentHours | null;
  days: DaysView | null;
}

/** Parts of the page below its verdict. */
interface NowParts {
  context: PageContext;
  filter: Filter;
  history: RecentHistory;
  customers: readonly CustomerView[];
  losses: ReturnType<typeof computeVerdict>['losses'];
  lead: OpenAlert | null;
  open: readonly OpenAlert[];
  /** Number of phones if the provider does not answer; else null. */
  cutOff: number | null;
  isStarting: boolean;
}

export function renderNowPage(context: PageContext, filter: Filter, history: RecentHistory): Fragment {
  return renderDocument(
    context,
    { here: 'now', ...createPageTitle(context.status) },
    renderNowContent(context, filter, history),
  );
}

/** Everything between masthead and footer. */
export function renderNowContent(context: PageContext, filter: Filter, history: RecentHistory): Fragment {
  const { status } = context;
  const verdict = computeVerdict(status);
  const { losses, lead } = verdict;
  const customers = listCustomers(status, losses);
  const open = filterAlerts(status, filter);
  const beside =
    losses !== null
      ? renderOfflineCurve(status, losses, history.recent)
      : isStart(verdict)
        ? listStart(status)
        : listNext(status);
  const parts: NowParts = {
    context,
    filter,
    history,
    customers,
    losses,
    lead,
    open,
    cutOff: verdict.cutOff,
    isStarting: isStart(verdict),
  };
  const isOne = customers.length <= 1 && !isFiltering(filter);
  return html`${renderVerdict(context, verdict, beside)}
    <div class="page" id="now" data-live>${isOne ? oneFirm(parts) : manyCustomers(parts)}</div>`;
}

/** Beginning of the history; null without one. */
function findFirstReading({ days, recent }: RecentHistory): number | null {
  return days?.keptSince ?? recent?.readSince ?? null;
}

/** One firm: sites, lanes and everything else in cards. */
function oneFirm(parts: NowParts): Fragment {
  const { context, customers, open, history, cutOff, isStarting } = parts;
  const { status } = context;
  const [customer = null] = customers;
  if (cutOff !== null && customer !== null) return cutOffFirm(parts, customer, cutOff);
  const hasTrouble = open.length > 0;
  const phones = customer === null ? null : phonesCard(status, customer);
  const cards = [
    ...(hasTrouble || phones === null ? [] : [phones]),
    ...(hasTrouble ? [] : [renderDaysCard(status, history.days)]),
    pagesCard(status),
    toggleTable(status),
    isStarting ? renderNotYetCard(status, findFirstReading(history)) : null,
    plannedCard(status),
    endedCard(status),
  ].filter((card) => card !== null);
  return html`${
    hasTrouble
      ? html`<div class="col w8">${alertCards(parts)}</div>
          <div class="col w4">${phones} ${alsoOpen(parts)}</div>`
      : renderLanes(status, customer, history.recent)
  }
  ${cards}`;
}

/** The provider does not answer: what is known, what is not, and phones as last seen. */
function cutOffFirm(parts: NowParts, customer: CustomerView, total: number): Fragment {
  const { status } = parts.context;
  return html`${renderKnownCard(status)} ${renderNotKnownCard(status, total)} ${phonesCard(status, customer, null)}
    <div class="col w8">${alertCards(parts)} ${alsoOpen(parts)}</div>
    ${plannedCard(status)} ${endedCard(status)}`;
}

/** A firm with customers: the table and the alerts beside it in trouble, tiles in calm. */
function manyCustomers(parts: NowParts): Fragment {
  const { context, customers, open, history, filter, losses, isStarting } = parts;
  const { status } = context;
  const list = renderCustomers(status, customers, { filter, recent: history.recent, losses });
  if (open.length > 0 || customers.some(isInTrouble) || isFiltering(filter)) {
    return html`<div class="col w8">${list} ${plannedCard(status, true)}</div>
      <div class="col w4">
        ${alertCards(parts)} ${alsoOpen(parts)} ${customers.length < MANY.fold ? pagesCard(status) : null}
      </div>`;
  }
  const cards = [
    renderDaysCard(status, history.days),
    customers.length < MANY.fold || isStarting ? pagesCard(status) : null,
    isStarting ? renderNotYetCard(status, findFirstReading(history)) : null,
    plannedCard(status),
    endedCard(status),
  ];
  return html`${list} ${cards}`;
}

/** Critical alerts, or the first open one: each with its story in a card. */
function carded({ open, lead }: NowParts): OpenAlert[] {
  const critical = open.filter(({ severity }) => severity === 'critical');
  const first = open.find((alert) => alert === lead) ?? open[0];
  const all = critical.length > 0 ? critical : first === undefined ? [] : [first];
  return all.slice(0, MOST_CARDS);
}

function alertCards(parts: NowParts): Fragment[] {
  return carded(parts).map((alert) => renderAlertCard(parts.context, alert, alert === parts.lead));
}

function alsoOpen(parts: NowParts): Fragment | null {
  const { context, open, filter } = parts;
  const cards = carded(parts);
  const others = open.filter((alert) => !cards.includes(alert));
  if (others.length === 0) {
    return isFiltering(filter) && open.length === 0
      ? html`<section class="card" id="also-open"><p>No open alert is like that.</p></section>`
      : null;
  }
  const counts = (['critical', 'warning', 'info'] as const).flatMap((severity) => {
    const count = others.filter((alert) => alert.severity === severity).length;
    return count === 0 ? [] : [severity === 'warning' ? formatCount(count, 'warning') : `${count} ${severity}`];
  });
  return html`<section class="card" aria-labelledby="also" id="also-open">
    <div class="head">
      <h2 id="also">Also open</h2>
      <p>${counts.join(', ')}</p>
    </div>
    <ul class="rows">
      ${others.slice(0, MOST_ALSO).map((alert) => renderAlsoOpen(context.status, alert))}
      ${others.length > MOST_ALSO ? html`<li>and ${others.length - MOST_ALSO} more</li>` : null}
    </ul>
  </section>`;
}

function phonesCard(status: SystemStatus, customer: CustomerView, state = phonesState(customer)): Fragment {
  return html`<section class="card w4" aria-labelledby="phones" id="phone-list">
    <div class="head">
      <h2 id="phones">${customer.offline > 0 ? 'Phones by site' : 'Phones'}</h2>
      <p>${formatPhones(status)}</p>
    </div>
    ${state}
    ${renderSites(customer.sites, ({ missing }) => {
      const since = missing.flatMap((phone) => phone.since ?? []);
      return since.length === 0 ? null : html`since ${renderTime(status, findMinimum(since))}`;
    })}
  </section>`;
}

/** Text for a customer whose phones are unknown now. */
function phonesState({ accounts, isAwaited }: CustomerView): Fragment | null {
  const blind = accounts.flatMap((account) => account.blind.map(toOneLine));
  const isUnread = accounts.some((account) => isUnknownPart(account, 'registrations'));
  if (blind.length === 0 && !isUnread) return null;
  const read = accounts.map((account) => formatReadTime(account, isUnread)).join('; ');
  const said = capitalize(isAwaited || !isUnread ? read : `as last seen, ${read}`);
  return html`<p class="small soft">${said}${blind.length === 0 ? '' : `. Cannot be read: ${blind.join('; ')}`}</p>`;
}

function pagesCard(status: SystemStatus): Fragment | null {
  const pages = listPageViews(status);
  if (pages.length === 0) return null;
  return html`<section class="card w4" aria-labelledby="pages" id="page-list">
    <div class="head">
      <h2 id="pages">Status pages</h2>
      ${
        pages.every(isStateless)
          ? null
          : html`<p>${formatSum(sumPages(status), { well: 'operational', wrong: formatTrouble(pages) }, status)}</p>`
      }
    </div>
    <ul class="tree">
      ${pages.map((one) => renderPageRow(status, one))}
    </ul>
  </section>`;
}

const ADJECTIVES = ['degraded', 'under maintenance'];

/** The state of all pages with problems, if one word says it. */
function formatTrouble(pages: ReturnType<typeof listPageViews>): string {
  const wrong = pages.filter(({ isWell }) => !isWell).map(({ state }) => toOneLine(state ?? '').toLowerCase());
  return ADJECTIVES.find((word) => wrong.every((state) => state === word)) ?? 'not operational';
}

function plannedCard(status: SystemStatus, isSlim = false): Fragment | null {
  const planned = listComingWork(status);
  if (planned.length === 0) return null;
  const line = (work: MaintenanceView): Fragment =>
    isSlim
      ? html`<li id="work-${work.number}">${renderSlimPlan(status, work)}</li>`
      : html`<li class="plan" id="work-${work.number}">${planLine(status, work)}</li>`;
  return html`<section class="card${isSlim ? '' : ' w4'}" aria-labelledby="planned" id="planned-work">
    <div class="head">
      <h2 id="planned">Planned work</h2>
      <a href="maintenance">All ${planned.length}</a>
    </div>
    <ul class="rows">
      ${planned.slice(0, MOST_PLANNED).map(line)}
    </ul>
  </section>`;
}

function endedCard(status: SystemStatus): Fragment | null {
  const { ended } = status;
  if (ended.length === 0) return null;
  return html`<section class="card w4" aria-labelledby="ended" id="ended-alerts">
    <div class="head">
      <h2 id="ended">Ended in 24 hours</h2>
      <a href="days#happened">All alerts</a>
    </div>
    <ul class="rows">
      ${ended.slice(0, MOST_ENDED).map((alert) => html`<li>${endedLine(status, alert)}</li>`)}
      ${ended.length > MOST_ENDED ? html`<li class="small">and ${ended.length - MOST_ENDED} more</li>` : null}
    </ul>
  </section>`;
}

function endedLine(status: SystemStatus, alert: EndedAlert): Fragment {
  const { number, title, startedAt, endedAt } = alert;
  return html`<p class="x">
      ${renderGlyph('ok')}<a class="quiet" href="alerts/${number}">${toOneLine(title) || `Alert #${number}`}</a
      ><span>${renderTime(status, startedAt)}, ${formatElapsed(endedAt - startedAt)}</span>
    </p>
    <small>${formatAffectedNames(status, alert)}</small>`;
}
