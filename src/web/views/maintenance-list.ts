/** Planned maintenance as list entries: date, work and window. */
import { html } from 'hono/html';
import { formatList, toOneLine } from '../../core/text/plain.ts';
import type { MaintenanceView, Picture } from '../../core/view/picture.ts';
import { span } from '../../core/wording/time.ts';
import { called } from '../alert/alert-card.ts';
import { dayOf, hourText, outward, windowShown } from '../look/layout.ts';
import { glyph, type Fragment } from '../look/icons.ts';

/** Future, running, and overdue. */
export function comingWork({ maintenance }: Pick<Picture, 'maintenance'>): MaintenanceView[] {
  return maintenance.filter(({ phase }) => phase === 'to come' || phase === 'under way');
}

/** Date, work and window; `below`: further content. */
export function planLine(picture: Picture, work: MaintenanceView, root = '', below: Fragment | null = null): Fragment {
  const { number, subject, phase, beginsAt, affected, source, url } = work;
  const day = beginsAt === null ? null : dayOf(picture, beginsAt);
  const isOn = phase === 'under way';
  return html`<span class="date"
      >${day === null ? html`<b>?</b>` : html`${day.weekday}<b>${day.day}</b>${day.month}`}</span
    >
    <div>
      <h3>
        ${isOn ? glyph('work') : null}
        <a class="quiet" href="${root}alerts/${number}">${toOneLine(subject) || 'Planned maintenance'}</a>
      </h3>
      <p class="small soft">
        ${called(picture, source)}${affected.length === 0 ? null : `: ${formatList(affected.map(toOneLine), 3)}`}.
        ${outward('Open status page', url)}
      </p>
      ${below}
    </div>
    <span class="small nw r"
      >${hoursOf(picture, work)}${isOn ? html`<br /><span class="state work">under way</span>` : null}</span
    >`;
}

/** Hours alone if the window is within the day beside it. */
function hoursOf(picture: Picture, { beginsAt, endsAt }: MaintenanceView): string {
  if (beginsAt === null || endsAt === null) return windowShown(picture, beginsAt, endsAt);
  const isOneDay = dayOf(picture, beginsAt).key === dayOf(picture, endsAt).key;
  return isOneDay
    ? `${hourText(picture, beginsAt)}–${hourText(picture, endsAt)}`
    : `${hourText(picture, beginsAt)}, ${span(endsAt - beginsAt)}`;
}

/** One line, for a page with problems. */
export function renderSlimPlan(picture: Picture, { number, subject, beginsAt, endsAt }: MaintenanceView): Fragment {
  return html`<p class="x">
    ${glyph('work')}<a class="quiet" href="alerts/${number}">${toOneLine(subject) || 'Planned maintenance'}</a
    ><span>${windowShown(picture, beginsAt, endsAt)}</span>
  </p>`;
}
