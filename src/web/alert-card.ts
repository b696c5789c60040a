/** An alert that is open: what it means here, how far the provider is, its words, who has it, and what happened folded away. */
import { html } from 'hono/html';
import { capitalize, truncate, formatList, toOneLine } from '../core/text/plain.ts';
import { matchersOf } from '../core/view/muting.ts';
import type { OpenAlert, PartView, Picture, SaidByProvider } from '../core/view/picture.ts';
import { type VerdictTone, toneOf } from '../core/view/verdict.ts';
import { readable } from '../core/wording/markup.ts';
import { ownedBy, PROVIDER, speakerIn } from '../core/wording/speaker.ts';
import { noticeLabel } from '../core/wording/state-words.ts';
import { span } from '../core/wording/time.ts';
import { heldText } from '../core/wording/why.ts';
import { hour, namesText, outward, since, toneBadge, words, type PageContext } from './layout.ts';
import { glyph, type Fragment } from './icons.ts';
import { signInLink } from './sign-in-link.ts';
import { LONGEST_FIELD } from './silences.ts';

/** What can be done about it is there only for viewers who may change something. */
export function alertCard(context: PageContext, alert: OpenAlert): Fragment {
  const { picture } = context;
  const { number, severity, title, startedAt, words: said } = alert;
  const tone = toneOf(severity);
  const by = alert.said.at(-1)?.source;
  return html`<article class="card alert ${tone}" id="alert-${number}" aria-labelledby="a${number}">
    <p class="meta">
      ${toneBadge(tone)} <span>#${number}</span> <span>${callers(picture, alert)}</span>
      <span>${since(picture, startedAt)}</span>
    </p>
    <h3 id="a${number}">${toOneLine(title) || 'Without a title'}</h3>
    ${steps(picture, alert, tone)}
    ${words(picture, said, by === undefined ? capitalize(PROVIDER) : called(picture, by))} ${facts(picture, alert)}
    ${folded(picture, alert)} ${acts(context, alert)}
  </article>`;
}

/** Whose trouble it is, as people call them. */
export function callers(picture: Picture, { sources }: Pick<OpenAlert, 'sources'>): string {
  return formatList(
    sources.map((source) => called(picture, source)),
    3,
  );
}

/** What people call the source; its name where it is not in the picture. */
export function called({ sources }: Picture, source: string): string {
  return toOneLine(
    sources.find(({ name }) => name === source)?.called ?? (source === 'linewatch' ? 'Linewatch itself' : source),
  );
}

const COURSES: Readonly<Record<string, readonly string[]>> = {
  unplanned: ['investigating', 'identified', 'recovering', 'resolved'],
  planned: ['scheduled', 'underway', 'complete'],
};

/** How far the provider is: when it first said each of what it says in turn. Nothing for what goes another way. */
export function steps(
  picture: Picture,
  alert: Pick<OpenAlert, 'said' | 'sources'>,
  tone: VerdictTone,
): Fragment | null {
  const { said } = alert;
  const now = said.findLast(({ state }) => state !== null)?.state ?? null;
  const course = Object.values(COURSES).find((states) => now !== null && states.includes(now));
  if (course === undefined || now === null) return null;
  const place = course.indexOf(now);
  return html`<ol class="steps ${tone}" aria-label="How far ${speakerIn(picture.sources, alert)} is">
    ${course.map((state, index) => {
      const at = index > place ? null : (said.find((each) => each.state === state)?.at ?? null);
      const how = index < place ? 'done' : index === place ? 'done here' : '';
      return html`<li class="${how}" ${index === place ? html`aria-current="step"` : null}>
        <span>${noticeLabel(state)}</span>${at === null ? null : hour(picture, at)}
      </li>`;
    })}
  </ol>`;
}

function facts(picture: Picture, alert: OpenAlert): Fragment {
  const { state, affected, why, told, notTold, acknowledged, also, parts } = alert;
  const silenced = parts.flatMap(({ silencedBy }) => silencedBy ?? []);
  const last = told.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0);
  const rows: (readonly [string, Fragment | string])[] = [
    ...(state === null ? [] : [['Stands', toOneLine(state)] as const]),
    ...(affected.length === 0 ? [] : [['Hits', namesText(affected)] as const]),
    ...(why === null ? [] : [['Why', why] as const]),
    ...(also.length === 0 ? [] : [['With', also.map((each) => `#${each}`).join(', ')] as const]),
    ...(told.length === 0
      ? []
      : [
          [
            'Told',
            html`${told.map(({ receiver }) => receiver).join(', ')}${last === 0 ? null : html`; last ${hour(picture, last)}`}`,
          ] as const,
        ]),
    ...(notTold === null || notTold.reason === 'acknowledged'
      ? []
      : [['Next', capitalize(heldText(notTold, picture.now))] as const]),
    [
      'Taken by',
      acknowledged === null
        ? 'nobody yet'
        : html`${glyph('person')} ${toOneLine(acknowledged.by)},
          ${hour(picture, acknowledged.at)}${
            acknowledged.comment === '' ? null : html`: “${toOneLine(acknowledged.comment)}”`
          }`,
    ],
    ...(silenced.length === 0
      ? []
      : [['Muted', html`${glyph('muted')} by silence ${[...new Set(silenced)].join(', ')}`] as const]),
  ];
  return html`<dl class="facts">
    ${rows.map(
      ([label, value]) =>
        html`<dt>${label}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** What happened, in a line each. */
function folded(picture: Picture, alert: OpenAlert): Fragment | null {
  const { number, said, startedAt, acknowledged } = alert;
  if (said.length < 2) return null;
  const taken =
    acknowledged === null
      ? []
      : [{ at: acknowledged.at, tone: 'person' as const, text: `Taken by ${toOneLine(acknowledged.by)}` }];
  const lines = [
    ...said.map((each) => ({ at: each.at ?? startedAt, tone: toneOfWord(each), text: saidText(each) })),
    ...taken,
  ];
  return html`<details data-fold="happened-${number}">
    <summary>What happened: ${lines.length} entries</summary>
    <ol class="story brief">
      ${lines
        .toSorted((a, b) => a.at - b.at)
        .map(
          ({ at, tone, text }) =>
            html`<li>
              ${hour(picture, at)}${glyph(tone)}
              <div>${text}</div>
            </li>`,
        )}
    </ol>
  </details>`;
}

/** By the state that was said with it; planned work and unknown states are `work`. */
export function toneOfWord({ state }: Pick<SaidByProvider, 'state'>): VerdictTone {
  if (state === 'investigating' || state === 'identified') return 'crit';
  if (state === 'resolved' || state === 'complete' || state === 'false_alarm') return 'ok';
  return 'work';
}

function saidText({ state, text }: SaidByProvider): string {
  return truncate([...(state === null ? [] : [noticeLabel(state)]), toOneLine(readable(text))].join(': '), 160);
}

function acts(context: PageContext, alert: OpenAlert): Fragment {
  const { number, url, acknowledged, parts } = alert;
  const { picture } = context;
  const loud = parts.filter(({ silencedBy }) => silencedBy === null);
  const mayChange = context.viewer.whyNotChange === null;
  return html`<div class="acts">
    ${acknowledged === null ? takeButton(context, number) : null}
    <a href="alerts/${number}">Whole story of #${number}</a>
    ${(mayChange ? loud : []).map(
      (part) =>
        html`<a href="${muteLink(picture, alert, part)}"
          >Mute ${parts.length === 1 ? `#${number}` : called(picture, part.source)}…</a
        >`,
    )}
    ${outward(ownedBy(speakerIn(picture.sources, alert), 'notice'), url)}
  </div>`;
}

/** Users take it with one press; others say who they are first, or sign in. Null for whoever may not, by any name. */
export function takeButton({ viewer }: PageContext, number: number, as = ''): Fragment | null {
  if (viewer.whyNotChange !== null) {
    return viewer.maySignIn
      ? html`<a class="button ${as}" href="${signInLink('', `alerts/${number}`)}">Sign in to acknowledge</a>`
      : null;
  }
  if (viewer.name === null) return html`<a class="button" href="alerts/${number}#take">Acknowledge #${number}…</a>`;
  return html`<form method="post" action="alerts/${number}">
    <button class="${as}">Acknowledge #${number}</button>
  </form>`;
}

/** The form for a silence, filled in with what this part of the alert is about. */
export function muteLink(picture: Picture, { title }: Pick<OpenAlert, 'title'>, part: PartView): string {
  const { source, component = [], ...other } = matchersOf(picture, part);
  const query = new URLSearchParams({ source: source?.[0] ?? '', comment: toOneLine(title).slice(0, 200) });
  const named = component.join(', ');
  // Commas part values in the form, so a name that holds one cannot be written there.
  const isWritable = named.length <= LONGEST_FIELD && !component.some((name) => name.includes(','));
  if (named !== '' && isWritable) query.set('component', named);
  for (const [key, values] of Object.entries(other)) query.set('other', `${key}=${values.join(',')}`);
  return `silences?${query.toString()}`;
}

/** `49 min`, how long it has been open. */
export function lasting({ now }: Picture, { startedAt }: Pick<OpenAlert, 'startedAt'>): string {
  return span(now - startedAt);
}
