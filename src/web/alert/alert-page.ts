/** The full story of one alert at a permanent address: every message links here. */
import { html } from 'hono/html';
import { HOUR } from '../../core/text/duration.ts';
import { capitalize, truncate, toOneLine, formatCount } from '../../core/text/plain.ts';
import type { Felt } from '../../core/report/outages.ts';
import type { RecordDetails } from '../../core/transition/notice-details.ts';
import type { PastStory } from '../../core/view/story/past-story.ts';
import { recordText } from '../../core/wording/notices/record-wording.ts';
import type { Picture } from '../../core/view/picture.ts';
import type { Story } from '../../core/view/story/story.ts';
import { type VerdictTone, toneOf } from '../../core/view/verdict/verdict.ts';
import { ownedBy, speaker, speakerIn } from '../../core/wording/speaker.ts';
import { span } from '../../core/wording/time.ts';
import { called, callers, steps } from './alert-card.ts';
import { curve } from './alert-curve.ts';
import { happened, notified } from './alert-story.ts';
import { apart } from '../days/days-bars.ts';
import { figureList, type Figure } from '../look/stats.ts';
import { outward, page, time, titleOf, toneBadge, type PageContext } from '../look/layout.ts';
import { glyph, type Fragment } from '../look/icons.ts';
import { signInLink } from '../access/sign-in-link.ts';
import { silenceLine } from '../views/silences.ts';

const MOST_NAMED = 200;

interface AlertPageParts {
  /** Reason why a request of the form failed; null for none. */
  trouble: string | null;
  form: { by: string; comment: string };
  /** Null if calls are not watched. */
  callers: Fragment | null;
}

export function alertPage(
  context: PageContext,
  story: Story,
  past: PastStory | null,
  { trouble, form, callers: missed }: AlertPageParts,
): Fragment {
  const { picture } = context;
  const { number, title, status } = story;
  const tone = status === 'open' ? toneOf(story.severity) : 'ok';
  const main = html`${top(context, story, tone)}
    <div class="page">
      ${trouble === null ? null : html`<p class="says-no full" role="alert">${trouble}</p>`}
      ${figures(picture, story, past)} ${past === null ? null : curve(picture, story, past)}
      <div class="col w8">
        ${affects(story, past?.before ?? [], picture.timezone)} ${missed} ${notified(picture, story, past)}
        ${forTheRecord(picture, story, past)}
      </div>
      <div class="col w4">${acknowledging(context, story, form)} ${happened(picture, story, past)}</div>
    </div>`;
  const said = status === 'open' ? `#${number}` : `#${number} over`;
  return page(context, { here: null, title: `${said}: ${truncate(toOneLine(title), 80)}`, tone, depth: 1 }, main);
}

/** A link may be older than the stored alerts. */
export function noAlertPage(context: PageContext, number: number): Fragment {
  const main = html`<section class="verdict" aria-labelledby="title">
    <div class="says">
      <h1 id="title">${glyph('unk')}<span>No alert #${number}</span></h1>
      <p>There is none of this number, or it is forgotten: the history reaches back as far as it is kept.</p>
      <p class="acts"><a href="../">What is so now</a> <a href="../days">The last ninety days</a></p>
    </div>
  </section>`;
  return page(
    context,
    { here: null, title: `No alert #${number}`, tone: titleOf(context.picture).tone, depth: 1, still: true },
    main,
  );
}

function top(context: PageContext, story: Story, tone: VerdictTone): Fragment {
  const { picture } = context;
  const { title, severity, number, status, why, state, startedAt, endedAt, url, words: said, sources } = story;
  const isOpen = status === 'open';
  return html`<section class="verdict ${isOpen ? tone : 'ok'}" aria-labelledby="title" id="verdict" data-live>
    <div class="says">
      <p class="meta">
        ${toneBadge(toneOf(severity), isOpen ? capitalize(severity) : `Was ${severity}`)} <span>#${number}</span>
        <span>${callers(picture, story)}</span>
      </p>
      <h1 id="title">${glyph(tone)}<span>${isOpen ? '' : 'Over: '}${toOneLine(title) || 'Without a title'}</span></h1>
      <p>
        ${
          isOpen || endedAt === null
            ? html`Since ${time(picture, startedAt)}, <b>${span(picture.now - startedAt)}</b>.`
            : html`From ${time(picture, startedAt)} to ${time(picture, endedAt)}, <b>${span(endedAt - startedAt)}</b>.`
        }
        ${state === null ? null : `${toOneLine(state)}.`} ${why === null ? null : `${why}.`}
      </p>
      ${isOpen ? steps(picture, { said, sources }, tone) : null}
      <p class="acts">
        <a href="../api/alerts/${number}">Export as JSON</a>
        ${outward('Open status page', url)}
      </p>
    </div>
  </section>`;
}

function figures(
  picture: Picture,
  { startedAt, endedAt, affected, told, words, sources }: Story,
  past: PastStory | null,
): Fragment {
  const reminders = told.reduce((most, one) => Math.max(most, one.reminders), 0);
  const all: Figure[] = [
    [endedAt === null ? 'So far' : 'Lasted', span((endedAt ?? picture.now) - startedAt), ''],
    ...phoneFigures(past, startedAt, endedAt ?? picture.now),
    ...(past === null || past.felt === null
      ? [
          [
            'Affects',
            String(affected.length),
            affected.length === 1 ? 'part or phone' : 'parts and phones',
          ] satisfies Figure,
          [
            `Said by ${speakerIn(picture.sources, { said: words, sources })}`,
            String(words.length),
            words.length === 1 ? 'update' : 'updates',
          ] satisfies Figure,
        ]
      : feltFigures(past.felt)),
    [
      'Notified',
      String(told.length),
      `${told.length === 1 ? 'receiver' : 'receivers'}${reminders === 0 ? '' : `, reminded ${reminders === 1 ? 'once' : `${reminders} times`}`}`,
    ],
  ];
  return html`<section class="card full" aria-label="In figures" id="figures" data-live>${figureList(all)}</section>`;
}

/** Delays between the provider's reports and own losses. */
function feltFigures({ lagMs, afterResolvedMs, page: of }: Felt): Figure[] {
  const by = speaker(of);
  const word: Figure = [ownedBy(by, 'first word'), apart(lagMs), 'the first lost phone'];
  return afterResolvedMs === null ? [word] : [word, ['Last phone back', apart(afterResolvedMs), `${by}’s “resolved”`]];
}

/** Most phones lost at once, and the total duration. */
function phoneFigures(past: PastStory | null, from: number, to: number): Figure[] {
  const phones = past?.phones ?? [];
  let [most, total, lostMs] = [0, 0, 0];
  for (const [index, step] of phones.entries()) {
    const since = Math.max(step.at, from);
    const until = Math.min(phones[index + 1]?.at ?? to, to);
    const offline = step.total - step.registered;
    if (until <= since) continue;
    if (offline > most) [most, total] = [offline, step.total];
    lostMs += offline * (until - since);
  }
  if (most === 0) return [];
  const hours = lostMs / HOUR;
  return [
    ['Most at once', `${most} of ${total}`, 'phones offline'],
    ['Lost in all', `${hours < 10 ? hours.toFixed(1) : Math.round(hours)} h`, 'phone-hours'],
  ];
}

function acknowledging(
  { viewer, picture }: PageContext,
  story: Story,
  form: { by: string; comment: string },
): Fragment {
  const { number, acknowledged, status, silences } = story;
  // Ended silences are listed among the events.
  const muting = silences.filter(({ active }) => active);
  const mayTake = status === 'open' && viewer.whyNotChange === null;
  const has =
    acknowledged === null
      ? html`<p>${status === 'open' ? 'Nobody has acknowledged.' : 'Nobody acknowledged.'}</p>`
      : html`<p>
          ${glyph('person')} <b>${toOneLine(acknowledged.by)}</b> at
          ${time(picture, acknowledged.at)}${
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
                <button class="main">
                  ${acknowledged === null ? `Acknowledge #${number}` : `Acknowledge #${number} instead`}
                </button>
              </form>
              <p class="small soft">
                Reminders stop, and everybody who was notified is told who has acknowledged. Growth and the end are
                still sent; when it worsens, the acknowledgement ends.
              </p>`
          : status === 'open'
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
              ${muting.map((silence) => html`<li>${glyph('muted')} ${silenceLine(picture, silence)}</li>`)}
            </ul>`
      }
    </div>
  </section>`;
}

function affects(
  { affected, also, status }: Story,
  before: readonly RecordDetails[],
  timezone: string,
): Fragment | null {
  if (affected.length === 0 && also.length === 0) return null;
  const named = affected.slice(0, MOST_NAMED);
  return html`<section class="card" aria-labelledby="hit" id="affects" data-live>
    <div class="head">
      <h2 id="hit">${status === 'open' ? 'Affects' : 'Affected'}</h2>
      <p>${affected.length}</p>
    </div>
    <div>
      <ul class="names">
        ${named.map((name) => html`<li>${toOneLine(name) || 'without a name'}</li>`)}
      </ul>
      ${affected.length > named.length ? html`<p class="soft">and ${affected.length - named.length} more</p>` : null}
      ${before.slice(0, MOST_NAMED).map((record) => html`<p class="small soft">Before: ${recordText(record, timezone)}</p>`)}
      ${also.length === 0 ? null : html`<p>Merged: ${also.map((each) => `#${each}`).join(', ')}</p>`}
    </div>
  </section>`;
}

function forTheRecord(picture: Picture, { id, number, sources }: Story, past: PastStory | null): Fragment {
  return html`<section class="card" aria-labelledby="record">
    <div class="head"><h2 id="record">Evidence</h2></div>
    <dl class="facts">
      <dt>Alert</dt>
      <dd><code>${id}</code></dd>
      <dt>Watched by</dt>
      <dd>${sources.map((source) => called(picture, source)).join(', ')}</dd>
      <dt>Evidence</dt>
      <dd>
        ${past === null ? 'the history has nothing of it' : html`${formatCount(past.moments.length, 'entry', 'entries')} in the history, with its ids in the <a href="../api/alerts/${number}">JSON</a>`}
      </dd>
    </dl>
  </section>`;
}
