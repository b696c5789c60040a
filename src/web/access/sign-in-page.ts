/** Sign-in for remote viewers, and the bare page that it shares with others. */
import { html } from 'hono/html';

import { FONT_PATH } from '../look/font.ts';
import { renderFavicon, MARK, type Fragment } from '../look/icons.ts';
import { STYLE_MARK } from '../look/style.ts';

/** A page for people who are not known: one card, nothing about sources. */
export function renderBarePage(root: string, title: string, content: Fragment): Fragment {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Linewatch</title>
        <link rel="icon" type="image/svg+xml" href="${renderFavicon('work')}" />
        <link rel="preload" href="${root}${FONT_PATH}" as="font" type="font/woff2" crossorigin />
        <link rel="stylesheet" href="${root}style-${STYLE_MARK}.css" />
      </head>
      <body>
        <main class="center">
          <div class="sign">
            <p class="brand">${MARK} Linewatch</p>
            <section class="card col" aria-labelledby="title">
              <h1 id="title">${title}</h1>
              ${content}
            </section>
          </div>
        </main>
      </body>
    </html> `;
}

/** `to` is the page after the sign-in. */
export function signInPage(root: string, form: { name: string; to: string }, trouble: string | null): Fragment {
  return renderBarePage(
    root,
    'Sign in',
    html`${form.to === '' ? null : html`<p class="small soft">You return to /${form.to}.</p>`}
      ${trouble === null ? null : html`<p class="says-no" role="alert">${trouble}</p>`}
      <form class="fields" method="post" action="${root}sign-in">
        <input type="hidden" name="to" value="${form.to}" />
        <label
          >Name<input
            name="name"
            value="${form.name}"
            maxlength="100"
            required
            autocomplete="username"
            autocapitalize="none"
        /></label>
        <label
          >Password<input type="password" name="password" maxlength="1000" required autocomplete="current-password"
        /></label>
        <button class="main">Sign in</button>
      </form>`,
  );
}
