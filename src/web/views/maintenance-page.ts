/** Planned work as a calendar of weeks, and as a list of what is to come. */
import { html } from 'hono/html';
import { toOneLine } from '../../core/text/plain.ts';
import type { MaintenanceView, Picture } from '../../core/view/picture.ts';
import { DAY, HOUR } from '../../core/text/duration.ts';
import { dayOf, hour, page, titleOf, words, type PageContext } from '../look/layout.ts';
import { glyph, type Fragment } from '../look/icons.ts';
import { called } from '../alert/alert-card.ts';
import { planLine } from './maintenance-list.ts';

/** The week before this one, this one, and five to come. */
const WEEKS_BEFORE = 1;
const WEEKS = 7;

/** In the zone of the configuration, whose days the weeks are made of. */
export function maintenancePage(context: PageContext): Fragment {
  const { picture } = context;
  const coming = picture.maintenance.filter(({ phase }) => phase === 'to come' || phase === 'under way');
  const main = html`<section class="verdict" aria-labelledby="title">
      <div class="says">
        <h1 id="title">${glyph('work')}<span>Maintenance</span></h1>
        <p>
          ${coming.length === 0 ? 'No work is announced.' : html`What is announced, in your own time. <a href="calendar.ics">Calendar to subscribe to</a>`}
        </p>
      </div>
    </section>
    <div class="page">
      <section aria-labelledby="weeks" id="weeks-shown" data-live>
        <div class="head"><h2 id="weeks">By week</h2></div>
        <div class="weeks">${weeksOf(picture).map((week) => weekOf(picture, week))}</div>
      </section>
      <section aria-labelledby="coming" id="coming-work" data-live>
        <div class="head"><h2 id="coming">To come and under way</h2></div>
        ${
          coming.length === 0
            ? html`<p class="card">None is announced.</p>`
            : html`<ul class="card rows">
                ${coming.map((work) => html`<li class="plan" id="work-${work.number}">${planLine(picture, work)}<span></span>${words(picture, work.words, called(picture, work.source))}</li>`)}
              </ul>`
        }
      </section>
    </div>`;
  return page(context, { here: 'maintenance', title: 'Maintenance', tone: titleOf(picture).tone }, main);
}

interface Day {
  key: string;
  at: number;
  label: string;
  isToday: boolean;
  isPast: boolean;
}

/** Days from Monday on, told by their date in the reader's zone. */
function weeksOf(picture: Picture): Day[][] {
  const { now } = picture;
  const today = dayOf(picture, now);
  const place = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(today.weekday);
  // The middle of a day is that day, whatever an hour more or less a change of the clock makes of it.
  const noon = noonOf(picture, now);
  return Array.from({ length: WEEKS }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday): Day => {
      const offset = (week - WEEKS_BEFORE) * 7 + weekday - place;
      const at = noon + offset * DAY;
      const { key, weekday: name, day, month } = dayOf(picture, at);
      return { key, at, label: `${name} ${day} ${month}`, isToday: offset === 0, isPast: offset < 0 };
    }),
  );
}

function noonOf(picture: Picture, at: number): number {
  const { key } = dayOf(picture, at);
  let start = at;
  while (dayOf(picture, start - HOUR).key === key) start -= HOUR;
  return start + 11 * HOUR;
}

function weekOf(picture: Picture, week: readonly Day[]): Fragment {
  const [first] = week;
  return html`<ol class="week" aria-label="Week of ${first?.label ?? ''}">
    ${week.map((day) => {
      const works = picture.maintenance.filter((work) => isOn(picture, work, day));
      const kind = [day.isPast ? 'past' : '', day.isToday ? 'today' : '', works.length === 0 ? 'idle' : '']
        .join(' ')
        .trim();
      return html`<li class="${kind}">
        <span class="soft">${day.label}${day.isToday ? ', today' : ''}</span> ${works.map((work) => job(picture, work))}
      </li>`;
    })}
  </ol>`;
}

function isOn(picture: Picture, { beginsAt, endsAt }: MaintenanceView, { key }: Day): boolean {
  if (beginsAt === null) return false;
  const from = dayOf(picture, beginsAt).key;
  const to = endsAt === null || endsAt <= beginsAt ? from : dayOf(picture, endsAt - 1).key;
  return from <= key && key <= to;
}

function job(picture: Picture, work: MaintenanceView): Fragment {
  const { number, subject, phase, beginsAt, endsAt } = work;
  const text = html`<a href="alerts/${number}">${toOneLine(subject) || 'Planned maintenance'}</a>`;
  return html`<div class="job ${phase === 'cancelled' ? 'unk' : 'work'}">
    ${beginsAt === null ? null : hour(picture, beginsAt)}${endsAt === null ? null : html`–${hour(picture, endsAt)}`}
    ${phase === 'cancelled' ? html`<del>${text}</del>, cancelled` : text}${phase === 'under way' ? ', under way' : phase === 'ended' ? ', over' : ''}
  </div>`;
}
