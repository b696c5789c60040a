/**
 * Silences on the page: those in force, those that ended, and the form to create one. It is separate from the overview,
 * which reloads by itself.
 */
import { html } from 'hono/html';
import { toOneLine, formatCount } from '../../core/text/plain.ts';
import { renderDocument, renderTime, createPageTitle, type PageContext } from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import type { SystemStatus, SilenceView } from '../../core/view/system-status.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { renderSilenceForm, type Preview, type SilenceForm } from './silence-form.ts';
import { describeMatchers, renderSilenceTimes } from './silence-words.ts';

/** Longest useful list. */
const MOST = 200;

/** `trouble` is the error of the last request. */
export function renderSilencePage(
  context: PageContext,
  form: SilenceForm,
  trouble: string | null,
  preview: Preview | null = null,
): Fragment {
  const { status, viewer } = context;
  const { silences, endedSilences } = status;
  const mayChange = viewer.whyNotChange === null;
  const main = html`<section class="verdict" aria-labelledby="title">
      <div class="says">
        <h1 id="title"><span>Silences</span></h1>
        <p>
          A silenced alert sends no messages. It stays on this page and on the wall, marked, and its history goes on.
          When the silence ends, alerts that are still open are sent, and the others are summarised.
        </p>
      </div>
    </section>
    <div class="page">
      ${trouble === null ? null : html`<p class="says-no full" role="alert">${trouble}</p>`}
      <div class="col w8">
        <section class="card" aria-labelledby="new">
          <div class="head"><h2 id="new">New silence</h2></div>
          ${mayChange ? renderSilenceForm(status, form, preview) : html`<p>${viewer.whyNotChange}</p>`}
        </section>
      </div>
      <div class="col w4">
        <section class="card" aria-labelledby="there">
          <div class="head">
            <h2 id="there">In force</h2>
            <p>${silences.length === 0 ? null : silences.length}</p>
          </div>
          ${silences.length === 0 ? html`<p>Nothing is silenced.</p>` : renderInForce(status, silences, mayChange)}
        </section>
        ${endedSilences.length === 0 ? null : renderEnded(status, endedSilences)}
      </div>
    </div>`;
  return renderDocument(
    context,
    { here: 'silences', title: 'Silences', tone: createPageTitle(status).tone, still: true },
    main,
  );
}

function renderInForce(status: SystemStatus, silences: readonly SilenceView[], mayChange: boolean): Fragment {
  const shown = silences.slice(0, MOST);
  return html`<ul class="rows">
      ${shown.map((silence) => html`<li>${renderSilence(status, silence, mayChange)}</li>`)}
    </ul>
    ${silences.length > shown.length ? html`<p class="soft">and ${silences.length - shown.length} more: <code>linewatch silence list</code></p>` : null}`;
}

function renderSilence(status: SystemStatus, silence: SilenceView, mayChange: boolean): Fragment {
  const { id, matchers, comment, until, by } = silence;
  const muted = status.open.filter(({ parts }) => parts.some(({ silencedBy }) => silencedBy === id)).length;
  return html`<div class="muting">
    ${renderGlyph('muted')}
    <div>
      <h3>${describeMatchers(status, matchers)}</h3>
      ${comment === '' ? null : html`<p class="small">“${toOneLine(comment)}”</p>`}
      <small
        >${by === undefined ? null : `By ${toOneLine(by)}. `}${renderSilenceTimes(status, silence)}, in
        ${formatElapsed(until - status.now)}.${muted === 0 ? null : ` Silences ${formatCount(muted, 'open alert')}.`}
        <span class="soft">${id}</span></small
      >
    </div>
    ${
      mayChange
        ? html`<form method="post" action="silences">
            <input type="hidden" name="expire" value="${id}" /><button class="small" aria-label="End silence ${id}">
              End
            </button>
          </form>`
        : null
    }
  </div>`;
}

function renderEnded(status: SystemStatus, ended: readonly SilenceView[]): Fragment {
  return html`<section class="card" aria-labelledby="ended">
    <div class="head">
      <h2 id="ended">Ended in 30 days</h2>
      <p>the latest first</p>
    </div>
    <ul class="rows">
      ${ended.map(
        ({ matchers, from, until, by }) =>
          html`<li>
            <p class="x">
              ${renderGlyph('muted')}<span
                >${describeMatchers(status, matchers)}${by === undefined ? null : html`<small class="soft"> ${toOneLine(by)}</small>`}</span
              ><span>${renderTime(status, until)}, ${formatElapsed(until - from)}</span>
            </p>
          </li>`,
      )}
    </ul>
  </section>`;
}
