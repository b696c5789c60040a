/** A table that becomes a list of cards where the screen is narrow: each cell then says by `data-h` what it is. */
import { html } from 'hono/html';
import type { Fragment } from './icons.ts';

/** `rows` are `<tr>` elements, whose cells say with `data-h` which heading is theirs. */
export function stackTable(headings: readonly (string | Fragment)[], rows: readonly Fragment[]): Fragment {
  return html`<table class="stack">
    <thead>
      <tr>
        ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}
