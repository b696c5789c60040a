/** Names of what an alert affects, components and phones, with their records of outages before. */
import { html } from 'hono/html';
import { formatCount, toOneLine } from '../../core/text/plain.ts';
import type { RecordDetails } from '../../core/transition/notice-details.ts';
import type { Story } from '../../core/view/story/story.ts';
import { formatRecord } from '../../core/wording/notices/record-wording.ts';
import type { Fragment } from '../look/icons.ts';

const MOST_NAMED = 200;

/** Names in a fold: extensions are for those who look for one. Null for none. */
export function renderNames({ affected }: Story, before: readonly RecordDetails[], timezone: string): Fragment | null {
  return html`${
    affected.length === 0
      ? null
      : html`<details data-fold="names">
          <summary>All ${formatCount(affected.length, 'phone or part', 'phones and parts')}</summary>
          ${renderList(affected)}
        </details>`
  }
  ${renderRecords(before, timezone)}`;
}

/** Null for an alert without parts. */
export function renderAffected(
  { affected, status }: Story,
  before: readonly RecordDetails[],
  timezone: string,
): Fragment | null {
  if (affected.length === 0) return null;
  return html`<section class="card" aria-labelledby="hit" id="affects" data-live>
    <div class="head">
      <h2 id="hit">${status === 'open' ? 'Affects' : 'Affected'}</h2>
      <p>${affected.length}</p>
    </div>
    <div>${renderList(affected)} ${renderRecords(before, timezone)}</div>
  </section>`;
}

function renderList(affected: readonly string[]): Fragment {
  const named = affected.slice(0, MOST_NAMED);
  return html`<ul class="names">
      ${named.map((name) => html`<li>${toOneLine(name) || 'without a name'}</li>`)}
    </ul>
    ${affected.length > named.length ? html`<p class="soft">and ${affected.length - named.length} more</p>` : null}`;
}

function renderRecords(before: readonly RecordDetails[], timezone: string): Fragment[] {
  return before
    .slice(0, MOST_NAMED)
    .map((record) => html`<p class="small soft">Before: ${formatRecord(record, timezone)}</p>`);
}
