/** What has been counted, in a row: each figure large, with its name above and a word on it beside. */
import { html } from 'hono/html';
import type { Fragment } from './icons.ts';

export type Figure = [label: string, figure: string, more: string];

export function figureList(figures: readonly Figure[]): Fragment {
  return html`<dl class="figures">
    ${figures.map(
      ([label, figure, more]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${figure} <small>${more}</small></dd>
        </div>`,
    )}
  </dl>`;
}
