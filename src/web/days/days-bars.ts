/** A bar a day in one row: good days are drawn in one stroke, and each other day has its own text. */
import { html } from 'hono/html';
import {
  computePercentUp,
  toDayState,
  sumDays,
  sumUnknown,
  type DayAlert,
  type DayRow,
  type DayTime,
} from '../../core/report/days.ts';
import type { Span } from '../../core/history/rows.ts';
import type { Felt } from '../../core/report/outages.ts';
import { DAY, HOUR, MINUTE } from '../../core/text/duration.ts';
import { truncate, toOneLine, formatCount } from '../../core/text/plain.ts';
import type { RecordDetails } from '../../core/transition/notice-details.ts';
import type { Picture } from '../../core/view/picture.ts';
import { formatAuthor } from '../../core/wording/speaker.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import type { Fragment } from '../look/icons.ts';

/** Distance between days in the image, and width of each. */
const [STEP, WIDE] = [8, 6];
const HIGH = 32;
/** Problems are drawn below a bar, higher the longer they lasted; the longest fills the day. */
const FEET = [
  { below: 30 * MINUTE, foot: 7 },
  { below: 3 * HOUR, foot: 13 },
  { below: Infinity, foot: HIGH },
];
const MOST_ALERTS = 5;

export interface DaysDrawn {
  picture: Picture;
  days: readonly Span[];
  /** Name of each day: `Tue 24 Nov`. */
  names: readonly string[];
  /** Start of the recorded data: earlier gaps are not failures. */
  keptSince: number;
  /** Alerts of this row on the day with this index. */
  alertsOn(row: DayRow, day: number): readonly DayAlert[];
  /** How often it was affected; undefined if unknown. */
  recordOf(row: DayRow): RecordDetails | undefined;
}

/** The bars, with the same data in words for screen readers: counts, and each day with a problem. */
export function renderDayBars(drawn: DaysDrawn, row: DayRow): Fragment {
  const { days } = drawn;
  const marked = days.flatMap((_, index) => {
    const time = row.days[index];
    return time === undefined || !isTold(time) ? [] : [mark(drawn, row, index, time)];
  });
  const counts = (['trouble', 'maintenance', 'unknown', 'well'] as const).flatMap((state) => {
    const count = row.days.filter((time) => toDayState(time) === state).length;
    return count === 0 ? [] : [`${formatCount(count, 'day')} ${SAID[state]}`];
  });
  return html`<span class="hidden">${counts.join(', ')}</span> ${renderBars(row.days, isSite(row) ? 'crit' : 'warn')}
    ${
      marked.length === 0
        ? null
        : html`<ol class="marks">
            ${marked}
          </ol>`
    }`;
}

/** The bars alone, for sighted readers. */
export function renderBars(days: readonly DayTime[], tone: 'crit' | 'warn'): Fragment {
  return html`<svg
    class="bars ${tone}"
    viewBox="0 0 ${days.length * STEP - (STEP - WIDE)} ${HIGH}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${strokes(days).map(({ kind, d }) => html`<path class="${kind}" d="${d}" />`)}
  </svg>`;
}

const SAID = { trouble: 'with trouble', maintenance: 'with planned work', unknown: 'not known', well: 'well' };

/** Otherwise it is a component, or a page without components. */
export function isSite({ subject }: Pick<DayRow, 'subject'>): boolean {
  return subject.startsWith('site/');
}

function isTold(time: DayTime): boolean {
  return ['trouble', 'maintenance', 'in part'].includes(toDayState(time));
}

type BarKind = 'well' | 'told' | 'gone' | 'never' | 'part' | 'work' | 'foot';

/** One path for each style, in which adjacent days form one line of dashes. */
function strokes(days: readonly DayTime[]): { kind: BarKind; d: string }[] {
  const paths = new Map<BarKind, string>();
  const draw = (kind: BarKind, d: string): void => void paths.set(kind, `${paths.get(kind) ?? ''}${d}`);
  let run: { kind: BarKind; from: number } | null = null;
  for (let index = 0; index <= days.length; index += 1) {
    const time = days[index];
    const state = time === undefined ? null : toDayState(time);
    const isTold = (time?.noticed ?? 0) > 0;
    const kind =
      state === 'well' ? (isTold ? 'told' : 'well') : state === 'unknown' ? 'gone' : state === 'none' ? 'never' : null;
    if (run !== null && run.kind !== kind) {
      draw(run.kind, `M${run.from * STEP} ${HIGH / 2}H${index * STEP - (STEP - WIDE)}`);
      run = null;
    }
    if (kind !== null) run ??= { kind, from: index };
    else if (time !== undefined) for (const part of partsOfBar(time, index * STEP)) draw(part.kind, part.d);
  }
  return [...paths].map(([kind, d]) => ({ kind, d }));
}

function partsOfBar(time: DayTime, x: number): { kind: BarKind; d: string }[] {
  const box = (kind: BarKind, top: number, bottom: number): { kind: BarKind; d: string } => ({
    kind,
    d: `M${x} ${top}h${WIDE}v${bottom - top}h-${WIDE}z`,
  });
  const work = box('work', 4, 28);
  if (time.degraded === 0 && time.maintenance > 0) return [work];
  if (time.degraded === 0) return [box('part', 4, 20), { kind: 'gone', d: `M${x} 26h${WIDE}` }];
  const foot = FEET.find(({ below }) => time.degraded < below)?.foot ?? HIGH;
  if (foot === HIGH) return [box('foot', 0, HIGH)];
  return [box(time.maintenance > 0 ? 'work' : 'part', 4, HIGH - foot - 3), box('foot', HIGH - foot, HIGH)];
}

function mark(drawn: DaysDrawn, row: DayRow, index: number, time: DayTime): Fragment {
  const name = drawn.names[index] ?? '';
  const alerts = drawn.alertsOn(row, index);
  const side = index < drawn.days.length / 3 ? 'at-start' : index < (drawn.days.length * 2) / 3 ? '' : 'at-end';
  const said = formatDayTime(row, time);
  return html`<li class="d${index} ${side}" tabindex="0" aria-label="${name}: ${said}">
    <div class="tip">
      <p><b>${name}</b> ${said}</p>
      ${alerts
        .slice(0, MOST_ALERTS)
        .map(
          (alert) =>
            html`<p>
              <a href="${linkToAlert(alert)}">#${alert.number} ${truncate(toOneLine(alert.title), 90)}</a
              >${alert.felt === null ? null : html`<br /><small>${formatFeltDelay(alert.felt)}</small>`}
            </p>`,
        )}
      ${alerts.length > MOST_ALERTS ? html`<p>and ${alerts.length - MOST_ALERTS} more below</p>` : null}
    </div>
  </li>`;
}

/** A number alone leads to the latest alert that has it. */
export function linkToAlert({ id, number, isNumberReused = false }: DayAlert): string {
  return isNumberReused ? `alerts/${number}?${new URLSearchParams({ id }).toString()}` : `alerts/${number}`;
}

/** `degraded 4 h, planned work 45 min, not known 20 min`. */
export function formatDayTime(
  row: DayRow,
  { degraded, maintenance, unknown, mostLost, phonesMs, up, noticed = 0 }: DayTime,
): string {
  const known = up + degraded;
  const phones = known === 0 ? 0 : Math.round(phonesMs / known);
  const lost = mostLost === 0 ? '' : `, up to ${mostLost} of ${formatCount(Math.max(phones, mostLost), 'phone')}`;
  return [
    ...(degraded === 0 ? [] : [`${isSite(row) ? 'offline' : 'degraded'} ${formatElapsed(degraded)}${lost}`]),
    ...(maintenance === 0 ? [] : [`planned work ${formatElapsed(maintenance)}`]),
    ...(unknown < MINUTE ? [] : [`not known ${formatElapsed(unknown)}`]),
    ...(noticed === 0 ? [] : ['by its notices, not watched']),
  ].join(', ');
}

/** `${speaker(page)}’s first word came 9 min after the first lost phone; the last was back 7 min after its “resolved”` */
export function formatFeltDelay({ lagMs, afterResolvedMs, page }: Felt): string {
  const word = `${formatAuthor(page)}’s first word came ${formatTimeApart(lagMs)} the first lost phone`;
  return afterResolvedMs === null
    ? word
    : `${word}; the last was back ${formatTimeApart(afterResolvedMs)} its “resolved”`;
}

/** `9 min after`, `2 min before`, `with` */
export function formatTimeApart(ms: number): string {
  if (ms === 0) return 'with';
  return `${formatElapsed(Math.abs(ms))} ${ms > 0 ? 'after' : 'before'}`;
}

/** `99.69 %`, with the unknown share since the start of the watch. */
export function renderUptime(drawn: DaysDrawn, row: DayRow): Fragment {
  const sum = sumDays(row.days);
  const percent = computePercentUp(sum);
  const unknown = sumUnknown(row, drawn.days, drawn.keptSince);
  const notes = [
    ...(sum.noticed === undefined ? [] : [formatNoticed(sum.noticed)]),
    ...(unknown < 30 * MINUTE ? [] : [`${roughly(unknown)} not known`]),
  ];
  return html`${percent === null ? 'not known' : formatDayPercent(percent)}${
    percent === null || notes.length === 0 ? null : html`<small>${notes.join(', ')}</small>`
  }`;
}

/** `63 days by notices`: the part without a watch. */
export function formatNoticed(ms: number): string {
  return `${roughly(ms)} by notices`;
}

function roughly(ms: number): string {
  if (ms < HOUR) return formatElapsed(ms);
  return ms < 2 * DAY ? `${Math.round(ms / HOUR)} h` : formatCount(Math.round(ms / DAY), 'day');
}

export function formatDayPercent(percent: number): string {
  return `${percent === 100 ? '100' : percent.toFixed(2)} %`;
}
