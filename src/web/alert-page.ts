/** The whole story of one alert at an address that stays: every message links here. */
import { html } from 'hono/html';
import { capital, cut, oneLine, plural } from '../core/text/plain.ts';
import type { Picture } from '../core/view/picture.ts';
import type { Story, ToldView } from '../core/view/story.ts';
import { type VerdictTone, toneOf } from '../core/view/verdict.ts';
import { readable } from '../core/wording/markup.ts';
import { noticeLabel } from '../core/wording/state.ts';
import { span } from '../core/wording/time.ts';
import { heldText } from '../core/wording/why.ts';
import { callers, called, steps, toneOfWord } from './alert-card.ts';
import { dayOf, hour, outward, page, time, toneBadge, type Sight } from './frame.ts';
import { glyph, type Fragment } from './glyphs.ts';
import { silenceLine } from './silences.ts';

/** As much of one update as is shown. */
const LONGEST_WORDS = 8_000;
const MOST_NAMED = 200;

/** `trouble` says why what was asked with the form was not done; null for nothing. */
export function alertPage(
  sight: Sight,
  story: Story,
  trouble: string | null,
  form: { by: string; comment: string },
): Fragment {
  const { picture } = sight;
  const { number, title, status } = story;
  const tone = status === 'open' ? toneOf(story.severity) : 'ok';
  const main = html`${top(sight, story, tone)}
    <div class="page two">
      ${trouble === null ? null : html`<p class="says-no full" role="alert">${trouble}</p>`} ${figures(picture, story)}
      ${happened(picture, story)}
      <div class="col">
        ${taking(sight, story, form)} ${whoWasTold(picture, story)} ${whomItHit(story)} ${forTheRecord(story)}
      </div>
    </div>`;
  const said = status === 'open' ? `#${number}` : `#${number} over`;
  return page(sight, { here: null, title: `${said}: ${cut(oneLine(title), 80)}`, tone, depth: 1 }, main);
}

function top(sight: Sight, story: Story, tone: VerdictTone): Fragment {
  const { picture } = sight;
  const { title, severity, number, status, why, state, startedAt, endedAt, url, said } = {
    ...story,
    said: story.words,
  };
  const isOpen = status === 'open';
  return html`<section class="verdict split ${isOpen ? tone : ''}" aria-labelledby="title" id="verdict" data-live>
    <div class="says">
      <p class="meta">
        ${toneBadge(toneOf(severity), isOpen ? capital(severity) : `Was ${severity}`)} <span>#${number}</span>
        <span>${callers(picture, story)}</span>
      </p>
      <h1 id="title">${glyph(tone)}<span>${isOpen ? '' : 'Over: '}${oneLine(title) || 'Without a title'}</span></h1>
      <p>
        ${
          isOpen || endedAt === null
            ? html`Open for <b>${span(picture.now - startedAt)}</b>, since ${time(picture, startedAt)}.`
            : html`From ${time(picture, startedAt)} to ${time(picture, endedAt)}, <b>${span(endedAt - startedAt)}</b>.`
        }
        ${state === null ? null : `${oneLine(state)}.`} ${why === null ? null : `${why}.`}
      </p>
      ${isOpen ? steps(picture, { said }, tone) : null}
    </div>
    <p class="acts"><a href="../api/alerts/${number}">JSON</a> ${outward('Provider’s notice', url)}</p>
  </section>`;
}

function figures(picture: Picture, { startedAt, endedAt, affected, told, words }: Story): Fragment {
  const lasted = span((endedAt ?? picture.now) - startedAt);
  const reminders = told.reduce((most, one) => Math.max(most, one.reminders), 0);
  return html`<section class="full" aria-label="In figures" id="figures" data-live>
    <dl class="figures">
      <div>
        <dt>${endedAt === null ? 'So far' : 'Lasted'}</dt>
        <dd>${lasted}</dd>
      </div>
      <div>
        <dt>Hits</dt>
        <dd>${affected.length} <small>${affected.length === 1 ? 'part or phone' : 'parts and phones'}</small></dd>
      </div>
      <div>
        <dt>Said by the provider</dt>
        <dd>${words.length} <small>${words.length === 1 ? 'update' : 'updates'}</small></dd>
      </div>
      <div>
        <dt>Told to</dt>
        <dd>
          ${told.length}
          <small
            >${told.length === 1 ? 'receiver' : 'receivers'}${reminders === 0 ? '' : `, reminded ${reminders} times`}</small
          >
        </dd>
      </div>
    </dl>
  </section>`;
}

interface StoryMoment {
  at: number;
  glyph: VerdictTone | 'person' | 'info';
  said: string;
  text: Fragment | null;
}

/** In the order in which it happened; what has no time of its own stands where the one before it does. */
function momentsOf(picture: Picture, story: Story): StoryMoment[] {
  const { startedAt, endedAt, acknowledged, words, severity } = story;
  let last = startedAt;
  const moments: StoryMoment[] = [{ at: startedAt, glyph: toneOf(severity), said: 'Began', text: null }];
  for (const said of words) {
    last = said.at ?? last;
    const text = cut(readable(said.text), LONGEST_WORDS);
    moments.push({
      at: last,
      glyph: toneOfWord(said),
      said: `${called(picture, said.source)}${said.state === null ? '' : `: ${noticeLabel(said.state).toLowerCase()}`}`,
      text: text === '' ? null : html`<blockquote class="words"><p>${text}</p></blockquote>`,
    });
  }
  if (acknowledged !== null) {
    const text = acknowledged.comment === '' ? null : html`<p>“${oneLine(acknowledged.comment)}”</p>`;
    moments.push({ at: acknowledged.at, glyph: 'person', said: `Taken by ${oneLine(acknowledged.by)}`, text });
  }
  if (endedAt !== null) {
    moments.push({ at: endedAt, glyph: 'ok', said: `Over after ${span(endedAt - startedAt)}`, text: null });
  }
  return moments.toSorted((a, b) => a.at - b.at);
}

function happened(picture: Picture, story: Story): Fragment {
  let day = '';
  const lines = momentsOf(picture, story).flatMap((moment) => {
    const { key, weekday, day: date, month } = dayOf(picture, moment.at);
    const heading = key === day ? [] : [html`<li class="day">${weekday} ${date} ${month}</li>`];
    day = key;
    return [
      ...heading,
      html`<li>
        ${hour(picture, moment.at)}${glyph(moment.glyph)}
        <div>
          <p><b>${moment.said}</b></p>
          ${moment.text}
        </div>
      </li>`,
    ];
  });
  return html`<section aria-labelledby="story" id="happened" data-live>
    <div class="head">
      <h2 id="story">What happened</h2>
      <p>the provider’s words as they stand there</p>
    </div>
    <ol class="card story">
      ${lines}
    </ol>
  </section>`;
}

function taking({ viewer, picture }: Sight, story: Story, form: { by: string; comment: string }): Fragment {
  const { number, acknowledged, status, silences } = story;
  const mayTake = status === 'open' && viewer.whyNotChange === null;
  const has =
    acknowledged === null
      ? html`<p>${status === 'open' ? 'Nobody has taken it yet.' : 'Nobody had taken it.'}</p>`
      : html`<p>
          ${glyph('person')} <b>${oneLine(acknowledged.by)}</b> ${status === 'open' ? 'has it' : 'had it'} since
          ${time(picture, acknowledged.at)}${
            acknowledged.comment === '' ? '' : html`: “${oneLine(acknowledged.comment)}”`
          }
        </p>`;
  return html`<section aria-labelledby="take">
    <div class="head"><h2 id="take">Who has it</h2></div>
    <div class="card col">
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
                  >What you do about it, if you like<input
                    name="comment"
                    value="${form.comment}"
                    maxlength="1000"
                    autocomplete="off"
                /></label>
                <button class="main">
                  ${acknowledged === null ? `Acknowledge #${number}` : `Take over #${number}`}
                </button>
              </form>
              <p class="small soft">
                Reminders to everybody stop, and all who were told hear who has it. Growth and the end are still told;
                once it worsens, it is nobody’s again.
              </p>`
          : status === 'open'
            ? html`<p class="small soft">
                ${viewer.whyNotChange} On this machine: <code>linewatch alert ack ${number}</code>
              </p>`
            : null
      }
      ${
        silences.length === 0
          ? null
          : html`<ul class="rows">
              ${silences.map((silence) => html`<li>${glyph('muted')} ${silenceLine(picture, silence)}</li>`)}
            </ul>`
      }
    </div>
  </section>`;
}

function whoWasTold(picture: Picture, { told, untold, notTold, status }: Story): Fragment {
  return html`<section aria-labelledby="told" id="who-was-told" data-live>
    <div class="head">
      <h2 id="told">Who was told</h2>
      <p>${plural(told.length, 'receiver')}</p>
    </div>
    <div class="card">
      ${
        told.length === 0
          ? html`<p>Nobody has been told of it.</p>`
          : html`<table class="stack">
              <thead>
                <tr>
                  <th scope="col">Receiver</th>
                  <th scope="col">Last told</th>
                  <th scope="col">Reminded</th>
                </tr>
              </thead>
              <tbody>
                ${told.map((one) => toldRow(picture, one))}
              </tbody>
            </table>`
      }
      ${
        untold.length === 0
          ? null
          : html`<ul class="rows small">
              ${untold.map(({ receiver, why }) => html`<li>${receiver} was not told: ${heldText(why)}</li>`)}
            </ul>`
      }
      ${status === 'resolved' || notTold === null || notTold === 'acknowledged' ? null : html`<p class="small">People are not told of it now: ${heldText(notTold)}.</p>`}
    </div>
  </section>`;
}

function toldRow(picture: Picture, { receiver, type, at, reminders, waiting }: ToldView): Fragment {
  return html`<tr>
    <th scope="row">${receiver} <span class="soft small">${type}</span></th>
    <td data-h="last told">
      ${time(picture, at)}${waiting === 0 ? null : html` <span class="state warn">${glyph('stale', 'warn')}${waiting} waiting</span>`}
    </td>
    <td data-h="reminded">${reminders === 0 ? 'never' : reminders === 1 ? 'once' : `${reminders} times`}</td>
  </tr>`;
}

function whomItHit({ affected, also }: Story): Fragment | null {
  if (affected.length === 0 && also.length === 0) return null;
  const named = affected.slice(0, MOST_NAMED);
  return html`<section aria-labelledby="hit" id="whom-it-hit" data-live>
    <div class="head">
      <h2 id="hit">Whom it hits</h2>
      <p>${affected.length}</p>
    </div>
    <div class="card">
      <ul class="names">
        ${named.map((name) => html`<li>${oneLine(name) || 'without a name'}</li>`)}
      </ul>
      ${affected.length > named.length ? html`<p class="soft">and ${affected.length - named.length} more</p>` : null}
      ${also.length === 0 ? null : html`<p>Has become part of it: ${also.map((each) => `#${each}`).join(', ')}</p>`}
    </div>
  </section>`;
}

function forTheRecord({ id, sources }: Story): Fragment {
  return html`<section aria-labelledby="record">
    <div class="head"><h2 id="record">For a claim</h2></div>
    <dl class="card facts">
      <dt>Alert</dt>
      <dd><code>${id}</code></dd>
      <dt>Watched by</dt>
      <dd>${sources.join(', ')}</dd>
    </dl>
  </section>`;
}
