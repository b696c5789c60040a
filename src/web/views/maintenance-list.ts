/** Planned maintenance as list entries: date, work and window. */
import { html } from 'hono/html';
import { formatList, toOneLine } from '../../core/text/plain.ts';
import type { MaintenanceView, SystemStatus } from '../../core/view/system-status.ts';
import { formatWorkTitle } from '../../core/wording/notices/maintenance-wording.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { findSourceTitle } from '../look/source-title.ts';
import { toDayParts, formatHourText, renderStatusPageLink, formatMaintenanceWindow } from '../look/layout.ts';
import { renderGlyph, type Fragment } from '../look/icons.ts';

/** Future, running, and overdue. */
export function listComingWork({ maintenance }: Pick<SystemStatus, 'maintenance'>): MaintenanceView[] {
  return maintenance.filter(({ phase }) => phase === 'to come' || phase === 'under way');
}

/** Date, work and window; `below`: further content. */
export function planLine(
  status: SystemStatus,
  work: MaintenanceView,
  root = '',
  below: Fragment | null = null,
): Fragment {
  const { number, subject, phase, beginsAt, affected, source, url } = work;
  const day = beginsAt === null ? null : toDayParts(status, beginsAt);
  const isOn = phase === 'under way';
  return html`<span class="date"
      >${day === null ? html`<b>?</b>` : html`${day.weekday}<b>${day.day}</b>${day.month}`}</span
    >
    <div>
      <h3>
        ${isOn ? renderGlyph('work') : null}
        <a class="quiet" href="${root}alerts/${number}">${formatWorkTitle(subject)}</a>
      </h3>
      <p class="small soft">
        ${findSourceTitle(status, source)}${affected.length === 0 ? null : `: ${formatList(affected.map(toOneLine), 3)}`}.
        ${renderStatusPageLink(url)}
      </p>
      ${below}
    </div>
    <span class="small nw r"
      >${hoursOf(status, work)}${isOn ? html`<br /><span class="state work">under way</span>` : below === null ? null : renderLength(work)}</span
    >`;
}

function renderLength({ beginsAt, endsAt }: MaintenanceView): Fragment | null {
  if (beginsAt === null || endsAt === null || endsAt <= beginsAt) return null;
  return html`<br /><span class="soft">${formatElapsed(endsAt - beginsAt)}</span>`;
}

/** Hours alone if the window is within the day beside it. */
function hoursOf(status: SystemStatus, { beginsAt, endsAt }: MaintenanceView): string {
  if (beginsAt === null || endsAt === null) return formatMaintenanceWindow(status, beginsAt, endsAt);
  const isOneDay = toDayParts(status, beginsAt).key === toDayParts(status, endsAt).key;
  return isOneDay
    ? `${formatHourText(status, beginsAt)}–${formatHourText(status, endsAt)}`
    : formatMaintenanceWindow(status, beginsAt, endsAt);
}

/** One line, for a page with problems. */
export function renderSlimPlan(status: SystemStatus, { number, subject, beginsAt, endsAt }: MaintenanceView): Fragment {
  return html`<p class="x">
    ${renderGlyph('work')}<a class="quiet" href="alerts/${number}">${formatWorkTitle(subject)}</a
    ><span>${formatMaintenanceWindow(status, beginsAt, endsAt)}</span>
  </p>`;
}
