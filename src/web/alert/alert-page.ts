/** The full story of one alert at a permanent address: every message links here. */
import { html } from 'hono/html';
import { HOUR } from '../../core/text/duration.ts';
import { capitalize, formatList, truncate, toOneLine, formatCount, formatCountOf } from '../../core/text/plain.ts';
import type { Felt } from '../../core/report/outages.ts';
import type { AlertHistory } from '../../core/view/story/alert-history.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import type { Story } from '../../core/view/story/story.ts';
import { listAccountViews, listPageViews, sumPhones } from '../../core/view/verdict/sums.ts';
import { type VerdictTone, toTone, computeVerdict } from '../../core/view/verdict/verdict.ts';
import { formatPossessive, formatAuthor, findAlertAuthor } from '../../core/wording/authors.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { renderAffected, renderNames } from './alert-affected.ts';
import { formatAffectedNames, renderProviderSteps } from './alert-card.ts';
import { findSourceTitle } from '../look/source-title.ts';
import { listAlertCustomers, renderAlertCustomers, type AlertCustomer } from './alert-customers.ts';
import { renderAlertCurve } from './alert-curve.ts';
import { renderAlertEvents, renderNotified } from './alert-story.ts';
import { formatTimeApart } from '../days/days-bars.ts';
import { renderFigureList, type Figure } from '../look/stats.ts';
import {
  renderStatusPageLink,
  renderDocument,
  renderTime,
  formatPageTime,
  createPageTitle,
  renderToneBadge,
  type PageContext,
} from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { signInLink } from '../access/sign-in-link.ts';
import { renderSilenceLine } from '../views/silence-words.ts';
import { toDo } from '../views/verdict-section.ts';

interface AlertPageParts {
  /** Number in the address, if it is another: that of an absorbed alert leads to the one that absorbed it. */
  asked?: number;
  /** Reason why a request of the form failed; null for none. */
  trouble: string | null;
  form: { by: string; comment: string };
  /** Null if calls are not watched. */
  callers: Fragment | null;
}

export function renderAlertPage(
  context: PageContext,
  story: Story,
  history: AlertHistory | null,
  { asked = story.number, trouble, form, callers: missed }: AlertPageParts,
): Fragment {
  const { status } = context;
  const { number, title } = story;
  const isOpen = story.status === 'open';
  const tone = isOpen ? toTone(story.severity) : 'ok';
  const customers = listAlertCustomers(status, story, history);
  const before = history?.before ?? [];
  const main = html`${top(context, story, { tone, history, customers })}
    <div class="page">
      ${trouble === null ? null : html`<p class="says-no full" role="alert">${trouble}</p>`}
      ${
        asked === number
          ? null
          : html`<p class="says-no work full" role="note">
              <b>#${asked} was merged into #${number}</b>: both have the same cause. Messages, acknowledgement and end
              are those of <a href="${number}">#${number}</a>.
            </p>`
      }
      ${history === null ? null : renderAlertCurve(status, story, history)}
      <div class="col w8">
        ${
          customers.length === 0
            ? renderAffected(story, before, status.timezone)
            : renderAlertCustomers(status, story, customers, renderNames(story, before, status.timezone))
        }
        ${missed} ${renderNotified(status, story, history)} ${forTheRecord(status, story, history)}
      </div>
      <div class="col w4">${acknowledging(context, story, form)} ${renderAlertEvents(status, story, history)}</div>
    </div>`;
  const said = isOpen ? `#${number}` : `#${number} over`;
  return renderDocument(
    context,
    { here: null, path: `alerts/${number}`, title: `${said}: ${truncate(toOneLine(title), 80)}`, tone, depth: 1 },
    main,
  );
}

/** A link may be older than the stored alerts. */
export function renderNoAlertPage(context: PageContext, number: number): Fragment {
  const main = html`<section class="verdict" aria-labelledby="title">
    <div class="says">
      <h1 id="title">${renderGlyph('unk')}<span>No alert #${number}</span></h1>
      <p>There is none of this number, or it is forgotten: the history reaches back as far as it is kept.</p>
      <p class="acts"><a href="../">What is so now</a> <a href="../days">The last ninety days</a></p>
    </div>
  </section>`;
  return renderDocument(
    context,
    { here: null, title: `No alert #${number}`, tone: createPageTitle(context.status).tone, depth: 1, still: true },
    main,
  );
}

interface Top {
  tone: VerdictTone;
  history: AlertHistory | null;
  customers: readonly AlertCustomer[];
}

/** Own loss leads: `31 of 371 phones still offline`; null for an alert without one. */
function formatLoss(status: SystemStatus, story: Story, { history, customers }: Omit<Top, 'tone'>): string | null {
  const isOpen = story.status === 'open';
  const offline = customers.reduce((sum, one) => sum + one.offline, 0);
  const most = findMostOffline(history, story.startedAt, story.endedAt ?? status.now);
  if (isOpen && offline > 0) {
    const { well, wrong, unknown } = sumPhones(status);
    return `${formatCountOf(offline, well + wrong + unknown, 'phone')} ${most.offline > offline ? 'still offline' : 'offline'}`;
  }
  if (!isOpen && most.offline > 0) {
    const where = customers.length > 1 ? ` at ${customers.length} customers` : '';
    return `Over: ${formatCount(most.offline, 'phone')} ${most.offline === 1 ? 'was' : 'were'} offline${where}`;
  }
  return null;
}

/** `At 4 customers; it was 112 phones at 11.` Empty where the headline has all of it. */
function formatExtent({ customers, history }: Omit<Top, 'tone'>, { startedAt }: Story, now: number): string {
  const hit = customers.filter(({ offline }) => offline > 0).length;
  const offline = customers.reduce((sum, one) => sum + one.offline, 0);
  const most = findMostOffline(history, startedAt, now);
  if (offline === 0) return '';
  const where = hit === 1 ? `At ${customers[0]?.customer.called ?? ''}` : `At ${hit} customers`;
  const was =
    most.offline <= offline
      ? ''
      : `; it was ${formatCount(most.offline, 'phone')}${customers.length > hit ? ` at ${customers.length}` : ''}`;
  return `${where}${was}. `;
}

function top(context: PageContext, story: Story, parts: Top): Fragment {
  const { status } = context;
  const { tone, history } = parts;
  const { title, severity, number, also, why, state, startedAt, endedAt, url, words: said, sources } = story;
  const isOpen = story.status === 'open';
  const open = status.open.find((alert) => alert.number === number);
  const loss = formatLoss(status, story, parts);
  const isTitled = loss === null;
  const headline = loss ?? `${isOpen ? '' : 'Over: '}${toOneLine(title) || 'Without a title'}`;
  const known = listAccountViews(status).filter(({ name }) => sources.includes(name));
  // Advice is about the causes of this alert: the others are as if they were not there.
  const todo =
    open === undefined
      ? []
      : computeVerdict({ ...status, sources: [...listPageViews(status), ...known], open: [open] }).todo;
  return html`<section class="verdict split ${isOpen ? tone : 'ok'}" aria-labelledby="title" id="verdict" data-live>
    <div class="says">
      <p class="meta">
        ${renderToneBadge(toTone(severity), isOpen ? capitalize(severity) : `Was ${severity}`)} <span>#${number}</span>
        <span>${isTitled ? formatAffectedNames(status, story) : toOneLine(title)}</span>
        ${
          also.length === 0
            ? null
            : html`<span
                >with
                ${formatList(
                  also.map((each) => `#${each}`),
                  6,
                )}
                merged into it</span
              >`
        }
      </p>
      <h1 id="title">${renderGlyph(tone)}<span>${headline}</span></h1>
      <p>
        ${isOpen ? formatExtent(parts, story, status.now) : ''}${
          isOpen || endedAt === null
            ? html`Since ${renderTime(status, startedAt)}, <b>${formatElapsed(status.now - startedAt)}</b>.`
            : html`From ${renderTime(status, startedAt)} to ${renderTime(status, endedAt)},
                <b>${formatElapsed(endedAt - startedAt)}</b>.`
        }
        ${state === null ? null : `${toOneLine(state)}.`} ${why === null ? null : `${why}.`}
      </p>
      ${toDo({ todo, tone })} ${isOpen ? renderProviderSteps(status, { said, sources }, tone) : null}
      <div class="acts">
        ${isOpen ? renderHold(context, story) : null} <a href="../api/alerts/${number}">Export as JSON</a>
        ${renderStatusPageLink(url)}
      </div>
    </div>
    ${figures(status, story, history, parts.customers.length > 0)}
  </section>`;
}

/** The button of a user with a name; others name themselves below. */
function renderHold({ viewer }: PageContext, { number, acknowledged }: Story): Fragment | null {
  if (viewer.whyNotChange !== null) return null;
  const isHeld = acknowledged !== null;
  const text = isHeld ? 'Release' : `Acknowledge #${number}`;
  if (viewer.name === null) return html`<a class="button ${isHeld ? '' : 'main'}" href="#take">${text}…</a>`;
  return html`<form method="post" action="${number}">
    <button class="${isHeld ? '' : 'main'}" name="do" value="${isHeld ? 'release' : 'take'}">${text}</button>
  </form>`;
}

function figures(
  status: SystemStatus,
  { startedAt, endedAt, affected, notified, words, sources, acknowledged }: Story,
  history: AlertHistory | null,
  hasCustomers: boolean,
): Fragment {
  const reminders = notified.reduce((most, one) => Math.max(most, one.reminders), 0);
  const all: Figure[] = [
    ...(acknowledged === null
      ? []
      : [
          [
            'Acknowledged by',
            toOneLine(acknowledged.by),
            `at ${formatPageTime(status, acknowledged.at)}`,
          ] satisfies Figure,
        ]),
    [endedAt === null ? 'So far' : 'Lasted', formatElapsed((endedAt ?? status.now) - startedAt), ''],
    ...phoneFigures(history, startedAt, endedAt ?? status.now),
    ...(history === null || history.felt === null
      ? (
          [
            ['Affects', affected.length, 'part or phone', 'parts and phones'],
            [`Said by ${findAlertAuthor(status.sources, { said: words, sources })}`, words.length, 'update', 'updates'],
          ] as const
        ).flatMap(([name, count, one, many]): Figure[] =>
          count === 0 || hasCustomers ? [] : [[name, String(count), count === 1 ? one : many]],
        )
      : feltFigures(history.felt)),
    [
      'Notified',
      String(notified.length),
      `${notified.length === 1 ? 'receiver' : 'receivers'}${reminders === 0 ? '' : `, reminded ${reminders === 1 ? 'once' : `${reminders} times`}`}`,
    ],
  ];
  return renderFigureList(all);
}

/** Delays between the provider's reports and own losses. */
function feltFigures({ lagMs, afterResolvedMs, page: of }: Felt): Figure[] {
  const by = formatAuthor(of);
  const word: Figure = [formatPossessive(by, 'first word'), formatTimeApart(lagMs), 'the first lost phone'];
  return afterResolvedMs === null
    ? [word]
    : [word, ['Last phone back', formatTimeApart(afterResolvedMs), `${by}’s “resolved”`]];
}

/** Most phones lost at once, and the total duration. */
function phoneFigures(history: AlertHistory | null, from: number, to: number): Figure[] {
  const { offline: most, total, lostMs } = findMostOffline(history, from, to);
  if (most === 0) return [];
  const hours = lostMs / HOUR;
  return [
    ['Most at once', `${most} of ${total}`, 'phones offline'],
    ['Lost in all', `${hours < 10 ? hours.toFixed(1) : Math.round(hours)} h`, 'of phone time'],
  ];
}

/** Most phones offline at once, of how many, and the phone time lost. */
function findMostOffline(
  history: AlertHistory | null,
  from: number,
  to: number,
): { offline: number; total: number; lostMs: number } {
  const phones = history?.phones ?? [];
  let [most, total, lostMs] = [0, 0, 0];
  for (const [index, step] of phones.entries()) {
    const since = Math.max(step.at, from);
    const until = Math.min(phones[index + 1]?.at ?? to, to);
    const offline = step.total - step.registered;
    if (until <= since) continue;
    if (offline > most) [most, total] = [offline, step.total];
    lostMs += offline * (until - since);
  }
  return { offline: most, total, lostMs };
}

function acknowledging({ viewer, status }: PageContext, story: Story, form: { by: string; comment: string }): Fragment {
  const { number, acknowledged, silences } = story;
  const isOpen = story.status === 'open';
  // Ended silences are listed among the events.
  const muting = silences.filter(({ active }) => active);
  const mayTake = isOpen && viewer.whyNotChange === null;
  const has =
    acknowledged === null
      ? html`<p>${isOpen ? 'Nobody has acknowledged.' : 'Nobody acknowledged.'}</p>`
      : html`<p>
          ${renderGlyph('person')} <b>${toOneLine(acknowledged.by)}</b> at
          ${renderTime(status, acknowledged.at)}${
            acknowledged.comment === '' ? '' : html`: “${toOneLine(acknowledged.comment)}”`
          }
        </p>`;
  return html`<section class="card" aria-labelledby="take">
    <div class="head"><h2 id="take">Acknowledged by</h2></div>
    <div class="col">
      <div id="taken" data-live>${has}</div>
      ${
        mayTake
          ? html`<form class="fields" method="post" action="${number}">
                ${
                  viewer.name === null
                    ? html`<label
                        >Your name<input name="by" value="${form.by}" maxlength="100" required autocomplete="name"
                      /></label>`
                    : null
                }
                <label
                  >Comment, such as a ticket<input
                    name="comment"
                    value="${form.comment}"
                    maxlength="1000"
                    autocomplete="off"
                /></label>
                <p class="acts">
                  <button class="${acknowledged === null && viewer.name === null ? 'main' : ''}">
                    ${acknowledged !== null ? `Acknowledge #${number} instead` : viewer.name === null ? `Acknowledge #${number}` : 'Acknowledge with this comment'}
                  </button>
                  ${acknowledged === null ? null : html`<button name="do" value="release">Release</button>`}
                </p>
              </form>
              <p class="small soft">
                Reminders stop, and everybody who was notified is told who has acknowledged. Growth and the end are
                still sent; when it worsens, the acknowledgement ends.
              </p>`
          : isOpen
            ? html`${
                  viewer.maySignIn
                    ? html`<p class="acts">
                        <a class="button main" href="${signInLink('../', `alerts/${number}`)}"
                          >Sign in to acknowledge</a
                        >
                      </p>`
                    : null
                }
                <p class="small soft">
                  ${viewer.whyNotChange} On this machine: <code>linewatch alert ack ${number}</code>
                </p>`
            : null
      }
      ${
        muting.length === 0
          ? null
          : html`<ul class="rows">
              ${muting.map((silence) => html`<li>${renderGlyph('muted')} ${renderSilenceLine(status, silence)}</li>`)}
            </ul>`
      }
    </div>
  </section>`;
}

function forTheRecord(status: SystemStatus, { id, number, sources }: Story, history: AlertHistory | null): Fragment {
  return html`<section class="card" aria-labelledby="record">
    <div class="head"><h2 id="record">Evidence</h2></div>
    <dl class="facts">
      <dt>Alert</dt>
      <dd><code>${id}</code></dd>
      <dt>Watched by</dt>
      <dd>${sources.map((source) => findSourceTitle(status, source)).join(', ')}</dd>
      <dt>Evidence</dt>
      <dd>
        ${history === null ? 'the history has nothing of it' : html`${formatCount(history.moments.length, 'entry', 'entries')} in the history, with its ids in the <a href="../api/alerts/${number}?${new URLSearchParams({ id }).toString()}">JSON</a>`}
      </dd>
    </dl>
  </section>`;
}
