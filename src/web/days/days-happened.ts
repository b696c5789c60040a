/** Events of ninety days, in a line each: alerts, and gaps between readings. */
import { html } from 'hono/html';
import type { DayAlert, DayGap, DaysView } from '../../core/report/days.ts';
import type { PastNotice } from '../../core/history/past-notice.ts';
import { DAY } from '../../core/text/duration.ts';
import { toReadableLine } from '../../core/text/markup.ts';
import { capitalize, formatList, toOneLine, formatCount } from '../../core/text/plain.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { toTone } from '../../core/view/verdict/verdict.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { formatLateness } from '../../core/wording/notices/told-notice.ts';
import { findSourceTitle } from '../look/source-title.ts';
import { formatFeltDelay } from './days-bars.ts';
import { toDayParts, renderTime } from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';
import { renderStackTable } from '../look/stack-table.ts';

/** Others can be found with the filter. */
const MOST_HAPPENED = 30;

/** Latest first. */
export function renderDaysEvents(
  status: SystemStatus,
  { alerts, gaps, notices }: DaysView,
  sources: readonly string[],
  width: 'full' | 'w6' = 'full',
): Fragment {
  const shown = new Set(sources);
  const isHere = (each: { sources: readonly string[] }): boolean => each.sources.some((source) => shown.has(source));
  const [alertsHere, gapsHere] = [alerts.filter(isHere), gaps.filter(isHere)];
  const noticesHere = notices.filter(({ source }) => shown.has(source));
  const count = alertsHere.length + gapsHere.length + noticesHere.length;
  // Only the latest of each are needed: there may be tens of thousands.
  const rows = [
    ...alertsHere.slice(0, MOST_HAPPENED).map((alert) => ({ since: alert.since, line: alertLine(status, alert) })),
    ...gapsHere.slice(-MOST_HAPPENED).map((gap) => ({ since: gap.since, line: gapLine(status, gap) })),
    ...noticesHere.slice(0, MOST_HAPPENED).map((notice) => {
      const since = notice.beganAt ?? notice.createdAt ?? 0;
      return { since, line: toldLine(status, notice, since) };
    }),
  ].toSorted((x, y) => y.since - x.since);
  return html`<section class="card ${width}" aria-labelledby="happened-title" id="happened" data-live>
    <div class="head">
      <h2 id="happened-title">What happened</h2>
      ${count === 0 ? null : html`<p>${formatCount(count, 'entry', 'entries')}</p>`}
    </div>
    <div>
      ${
        count === 0
          ? html`<p>Nothing in all this time.</p>`
          : renderStackTable(
              ['Day', 'What', 'Lasted', 'Where'],
              rows.slice(0, MOST_HAPPENED).map(({ line }) => line),
            )
      }
      ${count > MOST_HAPPENED ? html`<p class="soft">and ${count - MOST_HAPPENED} more: search for them above, or ask <code>linewatch history --since 90d</code></p>` : null}
    </div>
  </section>`;
}

function dayCell(status: SystemStatus, at: number): Fragment {
  const { weekday, day, month } = toDayParts(status, at);
  return html`<td data-h=""><time datetime="${new Date(at).toISOString()}">${weekday} ${day} ${month}</time></td>`;
}

/** A number alone leads to the latest alert that has it. */
function linkToAlert({ id, number, isNumberReused = false }: DayAlert): string {
  return isNumberReused ? `alerts/${number}?${new URLSearchParams({ id }).toString()}` : `alerts/${number}`;
}

function alertLine(status: SystemStatus, alert: DayAlert): Fragment {
  const { number, title, severity, since, until, sources, felt, mergedInto: into } = alert;
  return html`<tr>
    ${dayCell(status, since)}
    <th scope="row">
      ${renderGlyph(toTone(severity))}<span class="hidden">${capitalize(severity)}: </span>
      <a href="${linkToAlert(alert)}">#${number} ${toOneLine(title) || 'without a title'}</a
      >${into === undefined ? (until === null ? ', open' : '') : html`, merged into <a href="alerts/${into}">#${into}</a>`}
      ${felt === null ? null : html`<p class="small soft">${capitalize(formatFeltDelay(felt))}.</p>`}
    </th>
    <td class="nw" data-h="lasted">
      ${until === null ? `${formatElapsed(status.now - since)} so far` : formatElapsed(until - since)}
    </td>
    <td data-h="">
      ${formatList(
        sources.map((source) => findSourceTitle(status, source)),
        3,
      )}
    </td>
  </tr>`;
}

/** A notice from before the watch has no number and no story. */
function toldLine(status: SystemStatus, notice: PastNotice, since: number): Fragment {
  const { subject, url, type, endedAt, components, source } = notice;
  const where = formatList(
    components.map(({ name }) => toOneLine(name)),
    3,
  );
  return html`<tr>
    ${dayCell(status, since)}
    <th scope="row">
      ${renderGlyph(type === 'unplanned' ? 'warn' : 'work')}
      ${url === null ? toReadableLine(subject) : html`<a href="${url}" rel="noreferrer">${toReadableLine(subject)}</a>`}
      <p class="small soft">
        By its notice, not watched${formatLateness(notice) === null ? '' : `; ${formatLateness(notice)}`}.
      </p>
    </th>
    <td class="nw" data-h="lasted">${endedAt === null ? 'not known' : formatElapsed(Math.max(0, endedAt - since))}</td>
    <td data-h="">${findSourceTitle(status, source)}${where === '' ? '' : `: ${where}`}</td>
  </tr>`;
}

function gapLine(status: SystemStatus, { sources, since, until }: DayGap): Fragment {
  const isAll = sources.length > 1 && status.sources.every(({ name }) => sources.includes(name));
  const who = isAll
    ? 'Nothing'
    : formatList(
        sources.map((source) => findSourceTitle(status, source)),
        3,
      );
  return html`<tr>
    ${dayCell(status, since)}
    <th scope="row">
      ${renderGlyph('unk')} ${who} ${isAll || sources.length === 1 ? 'was' : 'were'}
      ${isAll ? '' : 'not '}read${until - since >= DAY ? html`, until ${renderTime(status, until)}` : null}
    </th>
    <td class="nw" data-h="lasted">${formatElapsed(until - since)}</td>
    <td data-h="">not known</td>
  </tr>`;
}
