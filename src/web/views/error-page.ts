/** An error page: one sentence in the common layout, and a link back. */
import { html } from 'hono/html';
import { renderDocument, createPageTitle, type PageContext } from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';

export function renderError(context: PageContext, sentence: string, depth: 0 | 1 = 0): Fragment {
  const root = depth === 0 ? './' : '../';
  const main = html`<section class="verdict unk" aria-labelledby="title">
    <div class="says">
      <h1 id="title">${renderGlyph('unk')}<span>${sentence}</span></h1>
      <p>Its address may be mistyped, or it is no longer watched. <a href="${root}">Go to Now</a></p>
    </div>
  </section>`;
  return renderDocument(
    context,
    { here: null, title: sentence, tone: createPageTitle(context.status).tone, depth, still: true },
    main,
  );
}
