/** Figures in a row: each number large, with its name above and a remark beside. */
import { html } from 'hono/html';
import type { Fragment } from './icons.ts';

export type Figure = [label: string, figure: string, more: string];

export function renderFigureList(figures: readonly Figure[]): Fragment {
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
