/** For a screen on a wall: large, nothing to scroll, and screen after screen where there is more than fits on one. */
import { html } from 'hono/html';
import { toOneLine, formatCount } from '../core/text/plain.ts';
import type { Picture, SiteView } from '../core/view/picture.ts';
import { isAwaited, isUnknownSource, readText } from '../core/view/known.ts';
import { accountsOf, pagesOf } from '../core/view/sums.ts';
import { TONES, toneOfSource, type Verdict, verdictOf } from '../core/view/verdict.ts';
import { componentLabel } from '../core/wording/state-words.ts';
import { span, windowText } from '../core/wording/time.ts';
import { steps } from './alert-card.ts';
import { hour, page, phonesText, receiversText, titleOf, type PageContext } from './layout.ts';
import { glyph, type Fragment } from './icons.ts';
import { comingWork, toDo, verdictGlyph, verdictSays } from './now-page.ts';
import { customerSites, MOST_DOTS, worstFirst, type Customer } from './phones.ts';

/** As many lines as fit below a short verdict: a customer is a line and a line for each of its sites. */
const LINES = 10;
/** A verdict of so many lines leaves room for none; each takes as much as so much of one, and holds so many letters. */
const VERDICT = { full: 17.5, line: 0.75, letters: 72 };
/** As many lines of advice as leave room for customers. */
const MOST_ADVICE = 3;
/** Dots of one row, and what each further row takes of a line; the most dots are a bar. */
const DOTS = { row: 20, more: 0.55 };
/** Of one customer, the worst first. */
const MOST_SITES = 8;
const MOST_PARTS = 4;
const PAGES = 3;

/** `screen` counts from 1; one that is not there is the first. */
export function wallPage(context: PageContext, screen: number): Fragment {
  const { picture } = context;
  const customers = screensOf(picture);
  const pages = pageScreens(picture);
  const screens = Math.max(customers.length, pages.length);
  const here = screen >= 1 && screen <= screens ? Math.floor(screen) : 1;
  const next = here >= screens ? 1 : here + 1;
  const shown = customers[(here - 1) % customers.length] ?? [];
  const besides = pages[(here - 1) % pages.length] ?? [];
  const parts = besides.map((one) => pagePart(picture, one));
  const main = html`${verdict(picture)}
    <div class="page two" data-next="?wall=${next}">
      ${
        shown.length === 0
          ? html`<div class="col" id="wall-pages" data-live>${parts}</div>`
          : html`<section class="col" aria-labelledby="phones" id="wall-phones" data-live>
              <h2 id="phones" class="hidden">Phones</h2>
              ${shown.map((customer) => customerSites(customer, toneOfSource(customer, picture.open)))}
            </section>`
      }
      <div class="col" id="wall-beside" data-live>${shown.length === 0 ? null : parts} ${planned(picture)}</div>
    </div>`;
  const foot = html`<p>${[phonesText(picture), receiversText(picture)].filter((text) => text !== null).join('. ')}</p>
    ${
      screens < 2
        ? null
        : html`<p class="pager">
            <span class="hidden">Screen ${here} of ${screens}</span
            >${Array.from({ length: screens }, (_, index) => html`<i class="${index + 1 === here ? 'here' : ''}"></i>`)}
          </p>`
    }`;
  return page(context, { here: 'now', ...titleOf(picture), wall: { next: `?wall=${next}`, foot } }, main);
}

/** Trouble comes first, on the first screen; a customer with many sites shows those with trouble. */
function screensOf(picture: Picture): Customer[][] {
  const ordered = accountsOf(picture)
    .map((customer) => ({ customer: fitted(customer), tone: toneOfSource(customer, picture.open) }))
    .toSorted(worstFirst);
  const room = roomBelow(verdictOf(picture));
  const screens: Customer[][] = [];
  let left = 0;
  for (const { customer } of ordered) {
    const sites = customer.phones?.sites ?? [];
    const lines = 1.6 + (sites.length === 0 ? 1 : sites.reduce((sum, site) => sum + linesOf(site), 0));
    if (lines > left) {
      screens.push([]);
      left = room;
    }
    left -= lines;
    screens.at(-1)?.push(customer);
  }
  return screens.length === 0 ? [[]] : screens;
}

function linesOf({ total }: SiteView): number {
  return total > MOST_DOTS ? 1 : 1 + DOTS.more * (Math.max(1, Math.ceil(total / DOTS.row)) - 1);
}

/** The verdict says more the more causes there are. */
function roomBelow({ split, todo }: Verdict): number {
  const texts = split.length === 0 ? [] : [split.join(' '), ...todo.slice(0, MOST_ADVICE)];
  const lines = texts.reduce((sum, text) => sum + Math.ceil(text.length / VERDICT.letters), 0);
  return Math.min(LINES, VERDICT.line * (VERDICT.full - lines));
}

type PageOnWall = ReturnType<typeof pagesOf>[number];

/** Likewise of the pages. */
function pageScreens(picture: Picture): PageOnWall[][] {
  const place = (one: PageOnWall): number => TONES.indexOf(toneOfSource(one, picture.open));
  const ordered = pagesOf(picture).toSorted((a, b) => place(a) - place(b));
  const screens = Math.max(1, Math.ceil(ordered.length / PAGES));
  return Array.from({ length: screens }, (_, index) => ordered.slice(index * PAGES, (index + 1) * PAGES));
}

function fitted(customer: Customer): Customer {
  const { phones } = customer;
  if (phones === null || phones.sites.length <= MOST_SITES) return customer;
  const worst = phones.sites.toSorted((a, b) => b.missing.length - a.missing.length).slice(0, MOST_SITES);
  return { ...customer, phones: { ...phones, sites: worst } };
}

function verdict(picture: Picture): Fragment {
  const said = verdictOf(picture);
  const { tone, headline, lead, losses } = said;
  const since = losses?.since ?? lead?.startedAt ?? null;
  return html`<section class="verdict ${tone}" aria-labelledby="verdict-title" id="verdict" data-live>
    <div class="says">
      <h1 id="verdict-title">${verdictGlyph(said)}<span>${headline}</span></h1>
      ${verdictSays(picture, said)
        .slice(0, 1)
        .map((text) => html`<p>${text}</p>`)}
      ${losses === null ? null : toDo({ todo: said.todo.slice(0, MOST_ADVICE) })}
    </div>
    ${since === null ? null : html`<p class="since"><b>${span(picture.now - since)}</b> since ${hour(picture, since)}</p>`}
  </section>`;
}

function pagePart(picture: Picture, source: PageOnWall): Fragment {
  const { name, called, components, state } = source;
  const isUnknown = isUnknownSource(source);
  const lead = picture.open.find(
    ({ sources, isToCome, said }) => !isToCome && sources.includes(name) && said.length > 0,
  );
  const down = components.notOperational.slice(0, MOST_PARTS);
  const others = components.total - down.length;
  const since = new Map(components.all.map((each) => [each.id, each.since]));
  const rest = isUnknown
    ? state === null
      ? 'Not known'
      : `${toOneLine(state)}, as last seen`
    : down.length === 0
      ? components.total === 0
        ? toOneLine(state ?? 'Not known')
        : `All ${formatCount(components.total, 'component')} operational`
      : `${others} others${components.notOperational.length > down.length ? '' : ' operational'}`;
  return html`<section aria-labelledby="w-${name}">
    <div class="head">
      <h2 id="w-${name}">${toOneLine(called)}</h2>
      <p>${readText(source, isUnknown)}</p>
    </div>
    ${lead === undefined ? null : steps(picture, lead, 'crit')}
    <ul class="tree">
      ${down.map(
        ({ id, name: part, state: word }) =>
          html`<li class="not">
            ${glyph(isUnknown ? 'stale' : 'warn')} ${toOneLine(part)}
            <span class="soft"
              >${componentLabel(word).toLowerCase()} ${span(picture.now - (since.get(id) ?? picture.now))}</span
            >
          </li>`,
      )}
      ${isAwaited(source) && state === null ? null : html`<li class="well"><span>${glyph(isUnknown ? 'stale' : 'ok')} ${rest}</span></li>`}
    </ul>
  </section>`;
}

function planned(picture: Picture): Fragment | null {
  const works = comingWork(picture).slice(0, 2);
  if (works.length === 0) return null;
  const { timezone, now } = picture;
  return html`<section aria-labelledby="planned">
    <div class="head"><h2 id="planned">Planned</h2></div>
    <ul class="rows">
      ${works.map(
        ({ subject, beginsAt, endsAt }) =>
          html`<li>${glyph('work')} <b>${windowText(beginsAt, endsAt, timezone, now)}</b> ${toOneLine(subject)}</li>`,
      )}
    </ul>
  </section>`;
}
