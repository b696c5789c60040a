/** Lanes: a timeline for each subject over the last 24 hours and the next 12, with shared hours. */
import { findMaximum, findMinimum } from '../../core/transition/collections.ts';
import { html } from 'hono/html';
import { DAY, HOUR } from '../../core/text/duration.ts';
import { toReadableLine } from '../../core/text/markup.ts';
import { formatInteger, toOneLine, formatCount } from '../../core/text/plain.ts';
import type { CustomerView } from '../../core/view/customers.ts';
import { isUnknownSource } from '../../core/view/verdict/known.ts';
import type { MaintenanceView, SystemStatus } from '../../core/view/system-status.ts';
import { listSiteSpans, type RecentHours, type TroubleSpan } from '../../core/view/recent.ts';
import { listAccountViews, listPageViews } from '../../core/view/verdict/sums.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { toDayParts, formatHourText, formatPageTime } from '../look/layout.ts';
import type { Fragment } from '../look/icons.ts';

const AHEAD_MS = 12 * HOUR;
/** Hours between two lines. */
const STEP_HOURS = 6;
/** On a phone, an hour closer to the current time would lie below its label. */
const NARROW_HOURS = 4.6;
/** Smallest visible width of a span, in percent of a lane. */
const NARROWEST = 0.5;
/** More lanes would not be read: a firm has tiles. */
const MOST_LANES = 12;
/** Toggles with a lane of their own. */
const MOST_TOGGLES = 4;

interface LaneFrame {
  from: number;
  to: number;
  now: number;
}

/** Position in percent. */
function across({ from, to }: LaneFrame, at: number): number {
  return ((Math.min(Math.max(at, from), to) - from) / (to - from)) * 100;
}

function percent(value: number): string {
  return `${Math.round(value * 100) / 100}%`;
}

/** Null without recorded data of the last hours. */
export function renderLanes(
  status: SystemStatus,
  customer: CustomerView | null,
  recent: RecentHours | null,
): Fragment | null {
  if (recent === null) return null;
  const frame = { from: status.now - DAY, to: status.now + AHEAD_MS, now: status.now };
  const lines = [...siteLanes(status, customer, recent, frame), ...pageLanes(status, recent, frame)].slice(
    0,
    MOST_LANES,
  );
  if (lines.length === 0) return null;
  return html`<section class="card full" aria-labelledby="hours" id="lanes">
    <div class="head">
      <h2 id="hours">Last 24 hours, next 12</h2>
      <p>${formatReadAges(status)}</p>
    </div>
    <div class="lanes">${lines} ${toggleLanes(status, frame)} ${workLane(status, frame)} ${axis(status, frame)}</div>
  </section>`;
}

/** `read 2–41 s ago`. */
export function formatReadAges({ sources }: SystemStatus): string | null {
  const ages = sources.flatMap(({ lastReadAt, unreadMs }) => (lastReadAt === null ? [] : [unreadMs]));
  if (ages.length === 0) return null;
  const [lowest, most] = [findMinimum(ages), findMaximum(ages)];
  const [first, last] = [formatElapsed(lowest), formatElapsed(most)];
  const [shortest = ''] = first.split(' ');
  if (first === last) return `read ${last} ago`;
  return `read ${first.replace(/^\d+ /, '') === last.replace(/^\d+ /, '') ? shortest : first}–${last} ago`;
}

function lane(
  frame: LaneFrame,
  label: string,
  marks: (Fragment | null)[],
  base: 'base' | 'base none' | null,
): Fragment {
  const now = percent(across(frame, frame.now));
  return html`<svg class="lane" role="img" aria-label="${label}">
    ${frame.to > frame.now ? html`<rect class="later" x="${now}" width="${percent(100 - across(frame, frame.now))}" height="100%" />` : null}
    ${base === null ? null : html`<rect class="${base}" y="1em" width="${now}" height=".33em" rx="2" />`} ${marks}
    ${frame.to > frame.now ? html`<line class="now" x1="${now}" x2="${now}" y1="0" y2="100%" />` : null}
  </svg>`;
}

function siteLanes(
  status: SystemStatus,
  customer: CustomerView | null,
  recent: RecentHours,
  frame: LaneFrame,
): Fragment[] {
  return (customer?.sites ?? []).map(({ account, site, total, registered, offline, unknown }) => {
    const stretches = listSiteSpans(recent, account, site) ?? [
      { kind: 'never' as const, since: frame.from, until: frame.now, most: 0 },
    ];
    const name = site === null ? 'Address not known' : toOneLine(site);
    const value =
      unknown > 0
        ? 'not known'
        : offline > 0
          ? `${formatInteger(offline)} offline`
          : `${formatInteger(registered)} of ${formatInteger(total)}`;
    return row(status, frame, name, value, stretches);
  });
}

function pageLanes(status: SystemStatus, recent: RecentHours, frame: LaneFrame): Fragment[] {
  return listPageViews(status).map((page) => {
    const stretches = recent.sources.get(page.name) ?? [
      { kind: 'never' as const, since: frame.from, until: frame.now, most: 0 },
    ];
    const value = isUnknownSource(page) ? 'not known' : toOneLine(page.state ?? '').toLowerCase();
    return row(status, frame, toOneLine(page.called), value, stretches);
  });
}

function row(
  status: SystemStatus,
  frame: LaneFrame,
  name: string,
  value: string,
  stretches: readonly TroubleSpan[],
): Fragment {
  const label = `${name}: ${formatStretches(status, stretches) ?? 'well all day'}`;
  return html`<p>${name}</p>
    ${lane(
      frame,
      label,
      stretches.map((stretch, index) => mark(status, frame, stretch, stretches, index)),
      'base',
    )}<span class="n">${value}</span>`;
}

/** Text beside a span only if no other is near. */
function mark(
  { now }: SystemStatus,
  frame: LaneFrame,
  stretch: TroubleSpan,
  all: readonly TroubleSpan[],
  index: number,
): Fragment {
  const [x, end] = [across(frame, stretch.since), across(frame, stretch.until)];
  const width = Math.max(NARROWEST, end - x);
  const { kind } = stretch;
  if (kind === 'never') {
    return html`<rect class="later" x="${percent(x)}" width="${percent(width)}" y=".9em" height=".5em" /><line
        class="hour"
        x1="${percent(x)}"
        x2="${percent(x + width)}"
        y1="1.16em"
        y2="1.16em"
      />`;
  }
  const next = all[index + 1];
  const isAlone = kind === 'lost' && (next === undefined || across(frame, next.since) - x > 20);
  const lasts = formatElapsed(Math.min(stretch.until, now) - stretch.since);
  const text = `${formatCount(stretch.most, 'phone')}, ${lasts}`;
  return html`<rect class="${kind}" x="${percent(x)}" width="${percent(width)}" y=".7em" height=".93em" rx="2" />
    ${isAlone ? html`<text class="roomy" x="${percent(x)}" dx="${x > 25 ? '-.4em' : '.9em'}" y=".67em" text-anchor="${x > 25 ? 'end' : 'start'}">${text}</text>` : null}`;
}

/** In a sentence; null without a problem. */
function formatStretches(status: SystemStatus, stretches: readonly TroubleSpan[]): string | null {
  const texts = stretches.map(({ kind, since, until, most }) => {
    const when = `${formatPageTime(status, since)} to ${until >= status.now - 60_000 ? 'now' : formatPageTime(status, until)}`;
    switch (kind) {
      case 'lost':
        return `${formatCount(most, 'phone')} offline ${when}`;
      case 'down':
        return `degraded ${when}`;
      case 'work':
        return `planned work ${when}`;
      case 'gap':
        return `not read ${when}`;
      case 'never':
        return `not watched until ${formatPageTime(status, until)}`;
    }
  });
  return texts.length === 0 ? null : texts.slice(-6).join(', ');
}

/** Toggles with hours: their current state until the next change, and the state after it. */
function toggleLanes(status: SystemStatus, frame: LaneFrame): Fragment[] {
  const all = listAccountViews(status).flatMap(({ toggles }) => toggles ?? []);
  const planned = all.filter((toggle) => toggle.changesAt !== undefined && toggle.status !== null);
  return planned.slice(0, MOST_TOGGLES).map(({ name, status: isOn, changesAt = frame.to }) => {
    const [from, to] = isOn === true ? [frame.now, changesAt] : [changesAt, frame.to];
    const isShown = from < frame.to;
    const label = `${toOneLine(name)} is ${isOn === true ? 'on' : 'off'}, ${isOn === true ? 'off' : 'on'} at ${formatPageTime(status, changesAt)}`;
    const box = isShown
      ? html`<rect
          class="on"
          x="${percent(across(frame, from))}"
          width="${percent(across(frame, to) - across(frame, from))}"
          y=".75em"
          height=".83em"
          rx="2"
        />`
      : null;
    return html`<p>${toOneLine(name)}</p>
      ${lane(frame, label, [box], null)}<span class="n">${isOn === true ? 'on' : 'off'}</span>`;
  });
}

function workLane(status: SystemStatus, frame: LaneFrame): Fragment | null {
  const near = status.maintenance.filter((work) => isNear(work, frame));
  if (near.length === 0) return null;
  const label = near
    .map(
      ({ subject, beginsAt, endsAt }) =>
        `${toReadableLine(subject)} ${formatPageTime(status, beginsAt ?? 0)} to ${formatPageTime(status, endsAt ?? frame.to)}`,
    )
    .join(', ');
  const marks = near.map(({ subject, beginsAt, endsAt }) => {
    const [x, end] = [across(frame, beginsAt ?? frame.from), across(frame, endsAt ?? frame.to)];
    return html`<rect
        class="work"
        x="${percent(x)}"
        width="${percent(Math.max(NARROWEST, end - x))}"
        y=".75em"
        height=".83em"
        rx="2"
      />
      ${near.length === 1 ? workLabel(x, end, toReadableLine(subject).slice(0, 40)) : null}`;
  });
  return html`<p>Planned work</p>
    ${lane(frame, label, marks, null)}<span class="n">${formatCount(near.length, 'window')}</span>`;
}

/** On the side that has room for it. */
function workLabel(x: number, end: number, text: string): Fragment {
  return x > 50
    ? html`<text class="roomy" x="${percent(x)}" dx="-.5em" y="1.5em" text-anchor="end">${text}</text>`
    : html`<text class="roomy" x="${percent(end)}" dx=".5em" y="1.5em">${text}</text>`;
}

function isNear({ beginsAt, endsAt, phase }: MaintenanceView, { from, to }: LaneFrame): boolean {
  return phase !== 'cancelled' && beginsAt !== null && beginsAt < to && (endsAt ?? beginsAt) > from;
}

function axis(status: SystemStatus, frame: LaneFrame): Fragment {
  const first = firstHour(status, frame);
  const marks: Fragment[] = [];
  for (let at = first; at < frame.to; at += STEP_HOURS * HOUR) {
    // There is no room for an hour beside the current time.
    if (Math.abs(at - frame.now) < HOUR) continue;
    const text = formatHourText(status, at);
    const isNearNow = Math.abs(at - frame.now) < NARROW_HOURS * HOUR;
    marks.push(
      html`<text class="${isNearNow ? 'roomy' : ''}" x="${percent(across(frame, at))}" y="1.1em" text-anchor="middle"
        >${text === '00:00' ? toDayParts(status, at).weekday : text}</text
      >`,
    );
  }
  return html`<svg class="lane axis" aria-hidden="true">
    ${marks}
    <text class="strong" x="${percent(across(frame, frame.now))}" y="1.1em" text-anchor="middle">now</text>
  </svg>`;
}

/** The first of 0, 6, 12 and 18 o'clock in the reader's zone. */
function firstHour(status: SystemStatus, { from }: LaneFrame): number {
  let at = Math.ceil(from / HOUR) * HOUR;
  while (Number(formatHourText(status, at).slice(0, 2)) % STEP_HOURS !== 0) at += HOUR;
  return at;
}

/** The last 24 hours of a customer, with all its sites and accounts in one lane; null without recorded data. */
export function renderCustomerLane(
  status: SystemStatus,
  customer: CustomerView,
  recent: RecentHours | null,
): Fragment | null {
  const stretches = listLaneStretches(customer, recent);
  if (stretches === null) return null;
  const frame = { from: status.now - DAY, to: status.now, now: status.now };
  const label = `${customer.called}: ${formatStretches(status, stretches) ?? 'well all day'}`;
  return lane(
    frame,
    label,
    stretches.map(({ kind, since, until }) => {
      const x = across(frame, since);
      const width = Math.max(1, across(frame, until) - x);
      return kind === 'never'
        ? html`<rect class="base none" x="${percent(x)}" width="${percent(width)}" y="1em" height=".33em" />`
        : html`<rect class="${kind}" x="${percent(x)}" width="${percent(width)}" y=".7em" height=".93em" rx="2" />`;
    }),
    'base',
  );
}

/** Null without recorded data of any of its accounts. */
export function listLaneStretches({ accounts }: CustomerView, recent: RecentHours | null): TroubleSpan[] | null {
  if (recent === null) return null;
  const all = accounts.flatMap(({ name }) => recent.sources.get(name) ?? []);
  return accounts.some(({ name }) => recent.sources.has(name)) ? all.toSorted((a, b) => a.since - b.since) : null;
}
