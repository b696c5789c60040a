/** An option of a form's select. */
import { html } from 'hono/html';
import type { Fragment } from './icons.ts';

/** `chosen`: the selected value. */
export function renderOption(value: string, text: string, chosen: string): Fragment {
  return value === chosen
    ? html`<option value="${value}" selected>${text}</option>`
    : html`<option value="${value}">${text}</option>`;
}
