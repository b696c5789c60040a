/** The first minute: when it started, when the first messages are sent, and what is not known yet. */
import { html } from 'hono/html';
import { MINUTE } from '../../core/text/duration.ts';
import { findMaximum } from '../../core/transition/collections.ts';
import { SUMMARY_WAITS_MS } from '../../core/outbox/message.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { isAwaited } from '../../core/view/verdict/known.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { formatPageTime } from '../look/layout.ts';
import type { Fragment } from '../look/icons.ts';
import { renderFigureList, type Figure } from '../look/stats.ts';

/** Null without a start. After a restart, changes are sent as they are found. */
export function listStart(status: SystemStatus): Fragment | null {
  const { startedAt, sources, receivers } = status;
  if (startedAt === null) return null;
  // Measured on a clock that does not jump.
  const sinceMs = findMaximum(sources.filter(isAwaited).map(({ unreadMs }) => unreadMs));
  const started: Figure = ['Started', formatPageTime(status, startedAt), `${formatElapsed(sinceMs)} ago`];
  const isFirst = receivers.length > 0 && isFirstLook(status);
  const latest = Math.ceil((startedAt + SUMMARY_WAITS_MS) / MINUTE) * MINUTE;
  return renderFigureList([
    started,
    ...(isFirst
      ? [
          [
            'First messages',
            `by ${formatPageTime(status, latest)}`,
            'what is open is sent once, together',
          ] satisfies Figure,
        ]
      : []),
  ]);
}

/** A source that is read now has no state from before the start. */
function isFirstLook({ sources }: SystemStatus): boolean {
  return sources.some((source) => isAwaited(source) && source.state === null);
}

/** `begun`: first reading in the history, null for none. Null if that was before the start. */
export function renderNotYetCard(status: SystemStatus, begun: number | null): Fragment | null {
  if (!isFirstLook(status) || (begun !== null && begun < (status.startedAt ?? 0))) return null;
  return html`<section class="card w4" aria-labelledby="not-yet">
    <div class="head"><h2 id="not-yet">What is not there yet</h2></div>
    <ul class="rows">
      <li>
        <p>Losses: a phone that is missing counts as lost after <code>offline_after</code>, not at once.</p>
      </li>
      <li><p>The last 24 hours and ninety days: they fill from now on, and nothing before the start is guessed.</p></li>
    </ul>
  </section>`;
}
