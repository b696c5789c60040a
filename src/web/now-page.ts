/** How everything stands now: one verdict, what is open, the phones by site, the provider's pages, what is planned and what is over. */
import { html } from 'hono/html';
import { formatList, toOneLine, formatCount } from '../core/text/plain.ts';
import { SEVERITIES } from '../core/transition/kind.ts';
import type { EndedAlert, MaintenanceView, OpenAlert, Picture } from '../core/view/picture.ts';
import { notReady } from '../core/view/readiness.ts';
import { isAwaited, startingOf, startingText, sumText, type SumWords } from '../core/view/known.ts';
import { accountsOf, pagesOf, sumPages, wellText } from '../core/view/sums.ts';
import { begun } from '../core/view/alert-order.ts';
import { toneOf, verdictOf, type Verdict } from '../core/view/verdict.ts';
import { ownedBy, speakerIn } from '../core/wording/speaker.ts';
import { shortWhen, span, windowText } from '../core/wording/time.ts';
import { alertCard, callers, called, lasting, takeButton } from './alert-card.ts';
import { dayOf, outward, page, phonesText, time, titleOf, type PageContext } from './layout.ts';
import { glyph, type Fragment } from './icons.ts';
import { pageCard } from './page-tree.ts';
import { alertsFor, customers, filterForm, isFiltering, type Filter } from './phones.ts';
import { toggleTable } from './toggles.ts';

/** What is beyond these numbers is found by the filter, or on a page of its own. */
const MOST_ALERTS = 50;
const MOST_REASONS = 5;
const MOST_PLANNED = 5;
const MOST_ENDED = 15;

export function nowPage(context: PageContext, filter: Filter): Fragment {
  const { picture } = context;
  const main = html`${verdictPart(context)}
    <div class="page three">
      <div class="col a">${openPart(context, filter)}</div>
      <div class="col b">
        <section class="phones" aria-labelledby="phones">
          <div class="head">
            <h2 id="phones">Phones</h2>
            <p id="phone-count" data-live>${phonesText(picture) ?? 'none is watched'}</p>
          </div>
          ${accountsOf(picture).length + begun(picture).length > 1 ? filterForm(picture, filter) : null}
          <div id="customers" data-live>${customers(picture, filter)}</div>
        </section>
      </div>
      <div class="col c">
        ${pagesPart(picture)} ${toggleTable(picture)} ${plannedPart(picture)} ${endedPart(picture)}
      </div>
    </div>`;
  return page(context, { here: 'now', ...titleOf(picture) }, main);
}

function verdictPart(context: PageContext): Fragment {
  const { picture } = context;
  const verdict = verdictOf(picture);
  const { tone, headline, lead, others, unknown, awaited } = verdict;
  const starting = tone === 'unk' ? null : startingOf(picture);
  return html`<section class="verdict ${tone}" aria-labelledby="verdict-title" id="verdict" data-live>
    <div class="says">
      <h1 id="verdict-title">${verdictGlyph(verdict)}<span>${headline}</span></h1>
      ${verdictSays(picture, verdict).map((text) => html`<p>${text}</p>`)} ${toDo(verdict)}
      ${lead === null ? null : verdictActs(context, lead)}
    </div>
    ${notDone(picture)}
    ${
      others.length === 0 && (unknown.length + awaited.length === 0 || tone === 'unk')
        ? null
        : html`<ul class="also" aria-label="Also so">
            ${others.slice(0, 8).map(
              (alert) =>
                html`<li>
                  ${glyph(toneOf(alert.severity))} <a href="#alert-${alert.number}">${toOneLine(alert.title)}</a>
                  <span class="soft nw">${lasting(picture, alert)}</span>
                </li>`,
            )}
            ${others.length > 8 ? html`<li>and ${others.length - 8} more</li>` : null}
            ${starting === null ? null : html`<li>${glyph('stale')} ${startingText(starting)}</li>`}
            ${tone === 'unk' ? null : unknown.slice(0, 5).map((source) => html`<li>${glyph('unk')} Not known how ${toOneLine(source.called)} is</li>`)}
          </ul>`
    }
  </section>`;
}

/** A line for each cause; null where nothing can be said. */
export function toDo({ todo }: Pick<Verdict, 'todo'>): Fragment | null {
  if (todo.length === 0) return null;
  return html`<div class="todo">
    <b>To do</b>
    <div>${todo.map((text) => html`<p>${text}</p>`)}</div>
  </div>`;
}

/** A clock where nothing is amiss and not all has been read yet. */
export function verdictGlyph({ tone, unknown }: Verdict): Fragment {
  return glyph(tone === 'unk' && unknown.length === 0 ? 'stale' : tone);
}

/** What the verdict means here, in a few sentences. */
export function verdictSays(picture: Picture, verdict: Verdict): (Fragment | string)[] {
  const { lead, tone, unknown, awaited, losses } = verdict;
  if (losses !== null) {
    const why = losses.causes.every(({ alerts }) => alerts.every((alert) => alert === lead)) ? lead?.why : null;
    return [`${verdict.split.join(' ')} ${takenText(lead)}`, ...(why === null || why === undefined ? [] : [`${why}.`])];
  }
  if (tone === 'unk' && unknown.length === 0) {
    const missing = formatList(
      awaited.map(({ called: name }) => toOneLine(name)),
      MOST_REASONS,
    );
    return [`${wellText(picture) ?? ''} Not read yet: ${missing}.`.trim()];
  }
  if (tone === 'unk') {
    const why = picture.sources.flatMap(({ blind }) => blind).slice(0, 2);
    return [`Nothing is called well until it answers.${why.length === 0 ? '' : ` ${why.map(toOneLine).join('; ')}.`}`];
  }
  if (lead === null) {
    const [last] = picture.ended;
    const quiet = last === undefined ? '' : ` Quiet for ${span(picture.now - last.endedAt)}.`;
    return [`${wellText(picture) ?? 'Nothing is open.'}${quiet}`];
  }
  const { why, state } = lead;
  return [
    html`For <b>${lasting(picture, lead)}</b>, ${callers(picture, lead)}.
      ${state === null ? null : `${toOneLine(state)}. `}${takenText(lead)}`,
    ...(why === null ? [] : [`${why}.`]),
  ];
}

function takenText(lead: OpenAlert | null): string {
  if (lead === null) return '';
  const { acknowledged } = lead;
  return acknowledged === null ? 'Nobody has taken it yet.' : `${toOneLine(acknowledged.by)} has it.`;
}

function verdictActs(context: PageContext, alert: OpenAlert): Fragment {
  const { number, url, acknowledged } = alert;
  const by = speakerIn(context.picture.sources, alert);
  return html`<div class="acts">
    ${acknowledged === null ? takeButton(context, number, 'main') : null}
    <a href="alerts/${number}">Whole story</a> ${outward(ownedBy(by, 'notice'), url)}
  </div>`;
}

/** What Linewatch cannot do. */
function notDone(picture: Picture): Fragment | null {
  // The first look is under way: that is no failure.
  const reasons = notReady({ ...picture, sources: picture.sources.filter((source) => !isAwaited(source)) });
  if (reasons.length === 0) return null;
  const more = reasons.length - MOST_REASONS;
  return html`<details class="card" data-fold="reasons">
    <summary>Linewatch cannot do all of its work: ${formatCount(reasons.length, 'reason')}</summary>
    <ul>
      ${reasons.slice(0, MOST_REASONS).map((reason) => html`<li>${toOneLine(reason)}</li>`)}
      ${more > 0 ? html`<li>and <a href="readyz">${more} more</a></li>` : null}
    </ul>
  </details>`;
}

function openPart(context: PageContext, filter: Filter): Fragment {
  const { picture } = context;
  const all = begun(picture);
  const found = isFiltering(filter) ? alertsFor(picture, filter) : all;
  const counts = SEVERITIES.toReversed().flatMap((severity) => {
    const count = found.filter((alert) => alert.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const { unknown, awaited } = verdictOf(picture);
  const none =
    isFiltering(filter) && all.length > 0
      ? 'Nothing that is open is like that.'
      : unknown.length + awaited.length > 0
        ? 'Nothing is known to be open.'
        : 'Nothing is open.';
  return html`<section aria-labelledby="open" id="open-alerts" data-live>
    <div class="head">
      <h2 id="open">Open</h2>
      <p>${counts.join(', ')}</p>
    </div>
    ${found.length === 0 ? html`<p class="card">${none}</p>` : found.slice(0, MOST_ALERTS).map((alert) => alertCard(context, alert))}
    ${found.length > MOST_ALERTS ? html`<p class="card">and ${found.length - MOST_ALERTS} more: search for them below</p>` : null}
  </section>`;
}

const PAGES_SUM: SumWords = { all: () => 'all operational', well: 'operational', wrong: 'not operational' };

function pagesPart(picture: Picture): Fragment | null {
  const pages = pagesOf(picture);
  if (pages.length === 0) return null;
  return html`<section aria-labelledby="pages" id="page-list" data-live>
    <div class="head">
      <h2 id="pages">Status pages</h2>
      <p>${sumText(sumPages(picture), PAGES_SUM, picture)}</p>
    </div>
    ${pages.map((one) => pageCard(picture, one))}
  </section>`;
}

/** Under way as well, and what has not ended at its time. */
export function comingWork({ maintenance }: Picture): MaintenanceView[] {
  return maintenance.filter(({ phase }) => phase === 'to come' || phase === 'under way');
}

function plannedPart(picture: Picture): Fragment {
  const planned = comingWork(picture);
  return html`<section aria-labelledby="planned" id="planned-work" data-live>
    <div class="head">
      <h2 id="planned">Planned</h2>
      <a href="maintenance">All weeks</a>
    </div>
    ${
      planned.length === 0
        ? html`<p class="card">None is announced.</p>`
        : html`<ul class="card rows">
            ${planned.slice(0, MOST_PLANNED).map((work) => html`<li class="plan" id="work-${work.number}">${planLine(picture, work)}</li>`)}
          </ul>`
    }
  </section>`;
}

/** The date, and beside it what is done; both are for a line of a list. */
export function planLine(picture: Picture, work: MaintenanceView): Fragment {
  const { number, subject, phase, beginsAt, endsAt, affected, source, url } = work;
  const { timezone, now } = picture;
  const day = beginsAt === null ? null : dayOf(picture, beginsAt);
  const when =
    phase === 'under way' ? ', under way' : beginsAt !== null && beginsAt > now ? `, in ${span(beginsAt - now)}` : '';
  return html`<span class="date"
      >${day === null ? html`<b>?</b>` : html`${day.weekday}<b>${day.day}</b>${day.month}`}</span
    >
    <div>
      <h3>
        ${phase === 'under way' ? glyph('work') : null}
        <a class="quiet" href="alerts/${number}">${toOneLine(subject) || 'Planned maintenance'}</a>
      </h3>
      <p class="small">
        ${windowText(beginsAt, endsAt, timezone, now)}${when}.
        ${called(picture, source)}${affected.length === 0 ? null : `: ${formatList(affected.map(toOneLine), 3)}`}.
        ${outward(ownedBy(speakerIn(picture.sources, { sources: [source] }), 'notice'), url)}
      </p>
    </div>`;
}

function endedPart(picture: Picture): Fragment {
  const { ended } = picture;
  return html`<section aria-labelledby="ended" id="ended-alerts" data-live>
    <div class="head">
      <h2 id="ended">Ended in 24 hours</h2>
    </div>
    ${
      ended.length === 0
        ? html`<p class="card">Nothing.</p>`
        : html`<ul class="card rows">
            ${ended.slice(0, MOST_ENDED).map((alert) => html`<li>${endedLine(picture, alert)}</li>`)}
          </ul>`
    }
  </section>`;
}

function endedLine(picture: Picture, alert: EndedAlert): Fragment {
  const { number, title, startedAt, endedAt, severity } = alert;
  const { timezone, now } = picture;
  return html`${glyph('ok')} <a href="alerts/${number}">#${number} ${toOneLine(title) || 'without a title'}</a><br />
    <span class="soft small"
      >was ${severity}, ${callers(picture, alert)}, ${shortWhen(startedAt, timezone, now)} to ${time(picture, endedAt)},
      <span class="nw">${span(endedAt - startedAt)}</span></span
    >`;
}
