/** What every page has in common. Whatever is not literally written here or in a page is escaped by `html`. */
import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { safeUrl } from '../core/wording/wording.ts';
import { readable } from '../core/wording/markup.ts';
import { andMore, cut, oneLine } from '../core/text/plain.ts';
import { span, when } from '../core/wording/time.ts';
import type { Picture, WordsView } from '../core/view/picture.ts';
import { STYLE } from './style.ts';

export type Fragment = ReturnType<typeof html>;

const DIGEST = createHash('sha256').update(STYLE).digest('base64');

/** Nothing is loaded, run or framed; of styles only our own. The form goes to us alone. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${DIGEST}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

// Fixed text of ours: the only thing on the pages that is not escaped.
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`);

/** As much of an update as a page shows; the rest stands behind the link. */
const LONGEST_WORDS = 1_200;

export interface Head {
  here: keyof typeof PAGES;
  title: string;
}

const PAGES = { overview: ['./', 'Overview'], silences: ['silences', 'Silences'] } as const;

export function page(picture: Picture, { here, title }: Head, top: Fragment, main: Fragment): Fragment {
  const { startedAt } = picture;
  const instance = oneLine(picture.instance);
  const others = Object.entries(PAGES).map(
    ([name, [href, text]]) => html`<a href="${href}" ${name === here ? html`aria-current="page"` : null}>${text}</a>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · ${instance} · Linewatch</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <div class="head">
            <h1>Linewatch · ${instance}</h1>
            <nav aria-label="Pages">${others}</nav>
          </div>
          ${top}
        </header>
        <main id="main">${main}</main>
        <footer class="soft">
          <p><a href="calendar.ics">Calendar</a> <a href="readyz">Readiness</a> <a href="metrics">Metrics</a></p>
          <p>
            ${startedAt === null ? null : html`Watching since ${time(picture, startedAt)}. `}Times are those of
            ${picture.timezone}.
          </p>
        </footer>
      </body>
    </html> `;
}

export function time({ timezone, now }: Picture, at: number): Fragment {
  return html`<time datetime="${new Date(at).toISOString()}">${when(at, timezone, now)}</time>`;
}

/** `Tue 24 Mar 14:43 AEDT (12 min ago)`. */
export function since(picture: Picture, at: number): Fragment {
  return html`${time(picture, at)} (${span(picture.now - at)} ago)`;
}

export function outward(text: string, url: string | null): Fragment | null {
  const safe = safeUrl(url);
  return safe === null ? null : html`<a href="${safe}" rel="noopener noreferrer">${text}</a>`;
}

export function links(all: readonly (Fragment | null)[]): Fragment | null {
  const there = all.filter((link) => link !== null);
  return there.length === 0 ? null : html`<p class="links">${there}</p>`;
}

export function words(picture: Picture, said: WordsView | null): Fragment | null {
  if (said === null) return null;
  const text = cut(readable(said.text), LONGEST_WORDS);
  if (text === '') return null;
  return html`<blockquote>
    <p>${text}</p>
    ${said.at === null ? null : html`<p class="soft">The provider, ${since(picture, said.at)}</p>`}
  </blockquote>`;
}

export function names(label: string, all: readonly string[]): Fragment | null {
  if (all.length === 0) return null;
  const shown = all.slice(0, 12).map((name) => oneLine(name) || 'without a name');
  return html`<p>
    <span class="soft">${label}</span> ${[shown.join(', '), ...andMore(all.length - shown.length)].join(' ')}
  </p>`;
}

/** The lines of a card, or what to say where there is none. */
export function listed(lines: readonly Fragment[], none: string): Fragment {
  if (lines.length === 0) return html`<p>${none}</p>`;
  return html`<ul class="plain">
    ${lines.map((line) => html`<li>${line}</li>`)}
  </ul>`;
}

export function section(id: string, title: string, content: Fragment): Fragment {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}
