/** A bar a day in one row: good days are drawn in one stroke, and each other day has a title. */
import { html } from 'hono/html';
import {
  computePercentUp,
  toDayState,
  sumRow,
  sumUnknown,
  type DayAlert,
  type DayRow,
  type DayTime,
} from '../../core/report/days.ts';
import type { Span } from '../../core/history/rows.ts';
import type { Felt } from '../../core/report/outages.ts';
import { DAY, HOUR, MINUTE } from '../../core/text/duration.ts';
import { truncate, toOneLine, formatCount, formatCountOf } from '../../core/text/plain.ts';
import type { RecordDetails } from '../../core/transition/notice-details.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { formatAuthor } from '../../core/wording/authors.ts';
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
/** Alerts named beside the pointer. */
const MOST_ALERTS = 3;
/** Days with a problem in the text of the image. */
const MOST_SAID = 12;

export interface DaysContext {
  status: SystemStatus;
  /** Days, or the hours of a day. */
  days: readonly Span[];
  unit: 'day' | 'hour';
  /** Name of each day: `Tue 24 Nov`; of each hour: `11:00`. */
  names: readonly string[];
  /** Start of the recorded data: earlier gaps are not failures. */
  keptSince: number;
  /** Alerts of this row on the day with this index. */
  alertsOn(row: DayRow, day: number): readonly DayAlert[];
  /** How often it was affected; undefined if unknown. */
  recordOf(row: DayRow): RecordDetails | undefined;
}

/** The bars as one image; its text has a count of each state, and the latest days with a problem. */
export function renderDayBars(context: DaysContext, row: DayRow): Fragment {
  const counts = (['trouble', 'maintenance', 'unknown', 'well'] as const).flatMap((state) => {
    const count = row.days.filter((time) => toDayState(time) === state).length;
    return count === 0 ? [] : [`${formatCount(count, context.unit)} ${SAID[state]}`];
  });
  const marks = new Map<number, string>();
  for (const [index, time] of row.days.entries()) {
    if (isTold(time)) marks.set(index, `${context.names[index] ?? ''}: ${formatDayTime(row, time)}`);
  }
  const latest = [...marks.values()].slice(-MOST_SAID);
  const label = [counts.join(', '), ...latest].join('; ');
  return renderBars(row.days, {
    count: context.days.length,
    tone: isOfPhones(row) ? 'crit' : 'warn',
    label: marks.size > latest.length ? `${label}; and ${marks.size - latest.length} before` : label,
    // The watch began within the first day that counts.
    unwatched: context.days.filter(({ until }) => until <= context.keptSince).length,
    titleOf: (index) => [marks.get(index), ...alertTitles(context, row, index)].join('\n'),
  });
}

/** Memoised, as an alert is in several days of many rows. */
const titles = new WeakMap<DayAlert, string>();

function alertTitle(alert: DayAlert): string {
  const title = titles.get(alert) ?? `#${alert.number} ${truncate(toOneLine(alert.title), 90)}`;
  titles.set(alert, title);
  return title;
}

function alertTitles(context: DaysContext, row: DayRow, index: number): string[] {
  const alerts = context.alertsOn(row, index);
  const shown = alerts.slice(0, MOST_ALERTS).map(alertTitle);
  return alerts.length > shown.length ? [...shown, `and ${alerts.length - shown.length} more`] : shown;
}

export interface BarOptions {
  tone: 'crit' | 'warn';
  /** Number of places; those without a time are still to come. */
  count: number;
  /** Null where the text beside it says the same. */
  label: string | null;
  /** Number of places before the watch began. */
  unwatched: number;
  /** Shown beside the pointer, of a place with a problem. */
  titleOf: ((index: number) => string) | null;
}

export function renderBars(days: readonly DayTime[], { count, tone, label, unwatched, titleOf }: BarOptions): Fragment {
  return html`<svg
    class="bars ${tone}"
    viewBox="0 0 ${count * STEP - (STEP - WIDE)} ${HIGH}"
    preserveAspectRatio="none"
    ${label === null ? html`aria-hidden="true"` : html`role="img" aria-label="${label}"`}
  >
    ${strokes(days, unwatched).map(({ kind, d, index }) => {
      if (index === null || titleOf === null) return html`<path class="${kind}" d="${d}" />`;
      return html`<path class="${kind}" d="${d}"><title>${titleOf(index)}</title></path>`;
    })}${
      days.length >= count
        ? null
        : html`<path
            class="ahead"
            d="${Array.from({ length: count - days.length }, (_, place) => `M${(days.length + place) * STEP} 4h${WIDE}v24h-${WIDE}z`).join('')}"
          />`
    }
  </svg>`;
}

const SAID = { trouble: 'with trouble', maintenance: 'with planned work', unknown: 'not known', well: 'well' };

/** Subject of a row that sums up the phones of an account. */
export const ACCOUNT_SUBJECT = 'account';

/** A site or a whole account; otherwise it is a component, or a page without components. */
export function isOfPhones({ subject }: Pick<DayRow, 'subject'>): boolean {
  return subject.startsWith('site/') || subject === ACCOUNT_SUBJECT;
}

function isTold(time: DayTime): boolean {
  return ['trouble', 'maintenance', 'in part'].includes(toDayState(time));
}

type BarKind = 'well' | 'told' | 'gone' | 'never' | 'part' | 'work' | 'foot';

interface Stroke {
  kind: BarKind;
  d: string;
  /** Null for a line over several places. */
  index: number | null;
}

/** One path for each style, in which adjacent days form one line of dashes; a day with a problem has its own. */
function strokes(days: readonly DayTime[], unwatched: number): Stroke[] {
  const paths = new Map<BarKind, string>();
  const marked: Stroke[] = [];
  const draw = (kind: BarKind, d: string): void => void paths.set(kind, `${paths.get(kind) ?? ''}${d}`);
  let run: { kind: BarKind; from: number } | null = null;
  for (let index = 0; index <= days.length; index += 1) {
    const time = days[index];
    const kind = time === undefined ? null : plainKind(time, index < unwatched);
    if (run !== null && run.kind !== kind) {
      draw(run.kind, `M${run.from * STEP} ${HIGH / 2}H${index * STEP - (STEP - WIDE)}`);
      run = null;
    }
    if (kind !== null) run ??= { kind, from: index };
    else if (time !== undefined) for (const part of partsOfBar(time, index * STEP)) marked.push({ ...part, index });
  }
  return [...[...paths].map(([kind, d]) => ({ kind, d, index: null })), ...marked];
}

/** Null for a day with a problem. */
function plainKind(time: DayTime, isUnwatched: boolean): BarKind | null {
  const state = toDayState(time);
  if (state === 'well') return (time.noticed ?? 0) > 0 ? 'told' : 'well';
  if (state === 'unknown') return isUnwatched ? 'never' : 'gone';
  return state === 'none' ? 'never' : null;
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

/** `degraded 4 h, planned work 45 min, not known 20 min`. */
function formatDayTime(
  row: DayRow,
  { degraded, maintenance, unknown, mostLost, phonesMs, lostMs, up, noticed = 0 }: DayTime,
): string {
  if (row.subject === ACCOUNT_SUBJECT && lostMs > 0) {
    return `${lostMs < 2 * HOUR ? formatElapsed(lostMs) : `${Math.round(lostMs / HOUR)} h`} of phone time lost`;
  }
  const known = up + degraded;
  const phones = known === 0 ? 0 : Math.round(phonesMs / known);
  const lost = mostLost === 0 ? '' : `, up to ${formatCountOf(mostLost, Math.max(phones, mostLost), 'phone')}`;
  return [
    ...(degraded === 0 ? [] : [`${isOfPhones(row) ? 'offline' : 'degraded'} ${formatElapsed(degraded)}${lost}`]),
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
export function renderUptime(context: DaysContext, row: DayRow): Fragment {
  const sum = sumRow(row);
  const percent = computePercentUp(sum);
  const unknown = sumUnknown(row, context.days, context.keptSince);
  const notes = [
    ...(sum.noticed === undefined ? [] : [formatNoticed(sum.noticed)]),
    ...(unknown < 30 * MINUTE ? [] : [`${roughly(unknown)} not known`]),
  ];
  return html`${percent === null ? 'not known' : formatDayPercent(percent)}${
    percent === null || notes.length === 0 ? null : html`<small>${notes.join(', ')}</small>`
  }`;
}

/** `63 days by notices`: the part without a watch. */
function formatNoticed(ms: number): string {
  return `${roughly(ms)} by notices`;
}

function roughly(ms: number): string {
  if (ms < HOUR) return formatElapsed(ms);
  return ms < 2 * DAY ? `${Math.round(ms / HOUR)} h` : formatCount(Math.round(ms / DAY), 'day');
}

export function formatDayPercent(percent: number): string {
  return `${percent === 100 ? '100' : percent.toFixed(2)} %`;
}
