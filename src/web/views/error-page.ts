/** An error page: one sentence in the common layout, and a link back. */
import { html } from 'hono/html';
import { page, titleOf, type PageContext } from '../look/layout.ts';
import { glyph, type Fragment } from '../look/icons.ts';

export function renderError(context: PageContext, sentence: string, depth: 0 | 1 = 0): Fragment {
  const root = depth === 0 ? './' : '../';
  const main = html`<section class="verdict unk" aria-labelledby="title">
    <div class="says">
      <h1 id="title">${glyph('unk')}<span>${sentence}</span></h1>
      <p class="acts"><a href="${root}">Now</a></p>
    </div>
  </section>`;
  return page(context, { here: null, title: sentence, tone: titleOf(context.picture).tone, depth, still: true }, main);
}
