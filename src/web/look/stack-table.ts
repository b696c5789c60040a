/** A table that becomes a list of cards on a narrow screen: each cell has its heading in `data-h`. */
import { html } from 'hono/html';
import type { Fragment } from './icons.ts';

/** `rows` are `<tr>` elements whose cells have their heading in `data-h`. */
export function renderStackTable(headings: readonly (string | Fragment)[], rows: readonly Fragment[]): Fragment {
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
