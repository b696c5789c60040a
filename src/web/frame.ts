/** What every page has in common, its look included. Whatever is not literally written here or in a page is escaped by `html`. */
import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { safeUrl } from '../core/wording/wording.ts';
import { readable } from '../core/wording/markup.ts';
import { andMore, cut, oneLine } from '../core/text/plain.ts';
import { span, when } from '../core/wording/time.ts';
import type { Picture, WordsView } from '../core/view/picture.ts';

export type Fragment = ReturnType<typeof html>;

/** As much of an update as a page shows; the rest stands behind the link. */
const LONGEST_WORDS = 1_200;

const PAGES = { overview: ['./', 'Overview'], silences: ['silences', 'Silences'] } as const;

export function page(
  picture: Picture,
  { here, title }: { here: keyof typeof PAGES; title: string },
  top: Fragment,
  main: Fragment,
): Fragment {
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

export const STYLE = `
:root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--text:#1c2024;--soft:#5b6470;--line:#d9dde3;--link:#0b57b0;--good:#1b6e33;--info:#1f5fa8;--warning:#8a5200;--critical:#b3201b;--critical-back:#fdecea;--warning-back:#fff4e0;--info-back:#eaf2fc;--good-back:#e8f5ec}
@media (prefers-color-scheme:dark){:root{--page:#101317;--card:#1a1f25;--text:#e7eaee;--soft:#a3adb9;--line:#343c46;--link:#8abaf5;--good:#7fd398;--info:#8fc0f7;--warning:#f3bb62;--critical:#ff938b;--critical-back:#3a1d1c;--warning-back:#382a12;--info-back:#182b42;--good-back:#16301e}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:72rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.25rem}
h1{font-size:1.05rem;margin:0;color:var(--soft);font-weight:600}
h2{font-size:1.1rem;margin:1.75rem 0 .6rem}
h3{font-size:1.05rem;line-height:1.35;margin:.25rem 0 0}
.head h3{margin:0}
p{margin:.35rem 0}
a{color:var(--link)}
.skip{position:absolute;left:-999rem}
.skip:focus{position:static;display:inline-block;margin:.5rem 1rem 0}
:focus-visible{outline:.2rem solid var(--link);outline-offset:.15rem}
nav{display:flex;gap:1rem}
nav a{padding:.1rem 0}
nav a[aria-current]{color:inherit;font-weight:650;text-decoration:none}
.verdict{margin:.6rem 0;padding:.8rem 1rem;border-radius:.5rem;font-size:1.3rem;line-height:1.35;font-weight:650;border-left:.4rem solid}
.verdict.good{background:var(--good-back);border-color:var(--good);color:var(--good)}
.verdict.info{background:var(--info-back);border-color:var(--info);color:var(--info)}
.verdict.warning{background:var(--warning-back);border-color:var(--warning);color:var(--warning)}
.verdict.critical{background:var(--critical-back);border-color:var(--critical);color:var(--critical)}
.soft{color:var(--soft);font-size:.9rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.85rem 1rem;margin:0 0 .75rem}
.card:target{outline:.2rem solid var(--link)}
.alert{border-left:.4rem solid var(--info)}
.alert.critical{border-left-color:var(--critical)}
.alert.warning{border-left-color:var(--warning)}
.badge{display:inline-block;border:1px solid currentColor;border-radius:1rem;padding:0 .55rem;font-size:.8rem;font-weight:650;line-height:1.5}
.critical>.badge,.badge.critical,.bad{color:var(--critical)}
.warning>.badge,.badge.warning,.late{color:var(--warning)}
.info>.badge,.badge.info{color:var(--info)}
.badge.good,.good{color:var(--good)}
blockquote{margin:.6rem 0;padding:.1rem 0 .1rem .8rem;border-left:.2rem solid var(--line)}
blockquote p{white-space:pre-line}
@media (min-width:64rem){.columns{display:grid;grid-template-columns:minmax(0,1.7fr) minmax(0,1fr);column-gap:1.5rem}}
.head{display:flex;flex-wrap:wrap;gap:.1rem .5rem;align-items:baseline;justify-content:space-between}
ul.plain{list-style:none;margin:0;padding:0}
ul.plain>li{padding:.5rem 0;border-top:1px solid var(--line)}
ul.plain>li:first-child{border-top:0}
ul.plain>li:first-child{padding-top:0}
.links a{margin-right:1rem}
form{margin:0}
.card>:first-child{margin-top:0}
.card>:last-child{margin-bottom:0}
summary{font-weight:600;cursor:pointer}
details[open]>summary{margin-bottom:.6rem}
.card ul:not(.plain){margin:.4rem 0;padding-left:1.3rem}
label,legend{display:block;font-weight:600;margin:.7rem 0 .2rem}
label .soft{font-weight:400}
input,select{display:block;font:inherit;width:100%;max-width:32rem;padding:.45rem .6rem;border:1px solid var(--soft);border-radius:.35rem;background:var(--page);color:var(--text)}
button{font:inherit;font-weight:600;padding:.45rem 1rem;border:1px solid var(--link);border-radius:.35rem;background:var(--card);color:var(--link);cursor:pointer;margin-top:.8rem}
ul.plain button{margin-top:.3rem}
footer{padding-top:1.5rem;padding-bottom:2rem}
footer a{display:inline-block;padding:.15rem 0;margin-right:1rem}
`;

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
