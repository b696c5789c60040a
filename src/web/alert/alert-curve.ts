/** Lost phones of an alert over time: a curve with the provider's states and the messages below it, and a table. */
import { html } from 'hono/html';
import { truncate, toOneLine, formatCount, formatCountOf } from '../../core/text/plain.ts';
import { findMaximum } from '../../core/transition/collections.ts';
import type { AlertHistory, PhonesAt } from '../../core/view/story/alert-history.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import type { Story } from '../../core/view/story/story.ts';
import { DAY, HOUR, MINUTE } from '../../core/text/duration.ts';
import { PROVIDER, findAlertAuthor } from '../../core/wording/authors.ts';
import { formatNoticeState } from '../../core/wording/state-words.ts';
import { formatHourText, formatPageTime, renderTime } from '../look/layout.ts';
import { listRoundTimes } from '../views/offline-curve.ts';
import { toWordTone } from './alert-card.ts';
import type { Fragment } from '../look/icons.ts';
import { renderStackTable } from '../look/stack-table.ts';

/** Heights in the chart, in percent: of the line of all phones, and of the zero line. */
const [TOP, BOTTOM] = [16, 64];
const MOST_ROWS = 200;
const MOST_STEPS = 600;
/** Length that fits beside the ribbon. */
const LONGEST_NAME = 12;
/** Width of a state's name in percent of the frame, on a wide screen and on a phone. */
const NAMED_FROM = 9;
const NAMED_ANYWHERE = 32;

interface CurveFrame {
  from: number;
  to: number;
  /** Largest number of phones. */
  most: number;
}

/** Null without lost phones, or without a record in the history. */
export function renderAlertCurve(status: SystemStatus, story: Story, history: AlertHistory): Fragment | null {
  if (history.phones.length === 0) return null;
  const { startedAt, endedAt } = story;
  const end = endedAt ?? status.now;
  const margin = Math.max(5 * MINUTE, (end - startedAt) * 0.12);
  const frame = {
    from: startedAt - margin,
    to: Math.min(status.now, end + margin),
    most: Math.max(1, findMaximum(history.phones.map(({ total }) => total))),
  };
  const steps = stepsIn(history.phones, frame);
  const worst = steps.reduce((a, b) => (b.total - b.registered > a.total - a.registered ? b : a), steps[0] ?? NONE);
  const offline = worst.total - worst.registered;
  if (offline === 0) return null;
  const said = `${formatCountOf(offline, worst.total, 'phone')} offline at most`;
  return html`<section class="card full" aria-labelledby="curve-title" id="curve" data-live>
    <div class="head">
      <h2 id="curve-title">Phones offline</h2>
      <p>${said}, at ${renderTime(status, worst.at)}</p>
    </div>
    <figure>
      <svg class="curve" role="img" aria-label="${said}. The table below has every change.">
        ${[0, 0.5, 1].map((share) => level(frame, Math.round(frame.most * share)))} ${area(steps, frame)}
        ${moment(frame, startedAt, `began ${formatHourText(status, startedAt)}`, 12)}
        ${endedAt === null ? null : moment(frame, endedAt, `over ${formatHourText(status, endedAt)}`, 27)}
        ${ribbon(status, story, frame)} ${ticks(history, frame)} ${scale(status, frame)}
      </svg>
      <details data-fold="curve">
        <summary>As a table: ${formatCount(steps.length, 'change')}</summary>
        ${table(status, steps)}
      </details>
    </figure>
  </section>`;
}

const NONE: PhonesAt = { at: 0, registered: 0, total: 0, bySite: [] };

/** Steps within the frame, with the state at its start. */
function stepsIn(phones: readonly PhonesAt[], { from, to }: CurveFrame): PhonesAt[] {
  const before = phones.findLast(({ at }) => at <= from);
  const within = phones.filter(({ at }) => at > from && at <= to);
  return [...(before === undefined ? [] : [{ ...before, at: from }]), ...within.slice(0, MOST_STEPS)];
}

function across({ from, to }: CurveFrame, at: number): string {
  return (((Math.min(Math.max(at, from), to) - from) / Math.max(1, to - from)) * 100).toFixed(2);
}

function up({ most }: CurveFrame, count: number): number {
  return BOTTOM - (count / most) * (BOTTOM - TOP);
}

const percent = (value: number): string => `${value.toFixed(2)}%`;

/** A horizontal line at this number of phones. */
function level(frame: CurveFrame, count: number): Fragment {
  const y = up(frame, count);
  return html`<line class="level" x1="0" x2="100%" y1="${percent(y)}" y2="${percent(y)}" />
    <text x="0" y="${percent(y)}" dy="-4">${count}${count === frame.most ? ' registered' : ''}</text>`;
}

/** The filled area between expected and registered phones. */
function area(steps: readonly PhonesAt[], frame: CurveFrame): Fragment[] {
  return steps.map(({ at, registered, total }, index) => {
    const next = steps[index + 1];
    const [x, end] = [across(frame, at), across(frame, next?.at ?? frame.to)];
    const width = percent(Math.max(0, Number(end) - Number(x)));
    const [y, all] = [up(frame, registered), up(frame, total)];
    const tone = registered < total ? 'crit' : 'ok';
    return html`${registered < total ? html`<rect class="lost" x="${x}%" y="${percent(all)}" width="${width}" height="${percent(y - all)}" />` : null}
      <line class="line ${tone}" x1="${x}%" x2="${end}%" y1="${percent(y)}" y2="${percent(y)}" />
      ${next === undefined ? null : html`<line class="line ${next.registered < next.total || registered < total ? 'crit' : 'ok'}" x1="${end}%" x2="${end}%" y1="${percent(y)}" y2="${percent(up(frame, next.registered))}" />`}`;
  });
}

function moment(frame: CurveFrame, at: number, text: string, y: number): Fragment {
  const x = across(frame, at);
  const isLate = Number(x) > 50;
  return html`<line class="then" x1="${x}%" x2="${x}%" y1="0" y2="${percent(BOTTOM)}" />
    <text class="when" x="${x}%" dx="${isLate ? -6 : 6}" y="${y}" text-anchor="${isLate ? 'end' : 'start'}"
      >${text}</text
    >`;
}

/** Progress of the provider, by its own states. */
function ribbon(status: SystemStatus, { words, endedAt, sources }: Story, frame: CurveFrame): Fragment | null {
  const states = words.filter(({ at, state }) => at !== null && state !== null);
  if (states.length === 0) return null;
  const by = findAlertAuthor(status.sources, { said: words, sources });
  return html`<text x="0" y="71%" dy="4">${by === PROVIDER ? 'Provider' : truncate(by, LONGEST_NAME)}</text>
    ${states.map((said, index) => {
      const x = Number(across(frame, said.at ?? frame.from));
      const end = Number(across(frame, states[index + 1]?.at ?? endedAt ?? frame.to));
      const isLast = index === states.length - 1;
      const wide = (isLast ? 100 : end) - x;
      const name = formatNoticeState(said.state ?? '').toLowerCase();
      return html`<svg x="${percent(x)}" y="69%" width="${percent(Math.max(0.4, wide))}" height="14%">
        <rect class="${toWordTone(said)}" width="100%" height="9" />
        <title>${name}</title>
        ${wide < NAMED_FROM ? null : html`<text class="${wide < NAMED_ANYWHERE ? 'brief' : ''}" y="24">${name}</text>`}
      </svg>`;
    })}`;
}

function ticks({ messages }: AlertHistory, frame: CurveFrame): Fragment | null {
  const within = messages.filter(({ at }) => at >= frame.from && at <= frame.to);
  if (within.length === 0) return null;
  return html`<text x="0" y="86%" dy="4">Notified</text>
    ${within.slice(0, 60).map(({ at }) => html`<line class="tick" x1="${across(frame, at)}%" x2="${across(frame, at)}%" y1="84%" y2="88%" />`)}`;
}

const TICKS = [MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY];
const MOST_TICKS = 6;
/** No label is cut off at an edge. */
const [FIRST_LABEL, LAST_LABEL] = [5, 95];

/** Round times of the reader's zone; three within days that have too many of them. */
function scale(status: SystemStatus, frame: CurveFrame): Fragment[] {
  const { from: since, to: until } = frame;
  const tick = TICKS.find((each) => (until - since) / each <= MOST_TICKS);
  const times =
    tick === undefined
      ? [0.25, 0.5, 0.75].map((share) => since + (until - since) * share)
      : listRoundTimes(status, { since, until }, tick);
  const name = tick === undefined || tick >= 12 * HOUR ? formatPageTime : formatHourText;
  return times.flatMap((at) => {
    const x = Number(across(frame, at));
    if (x < FIRST_LABEL || x > LAST_LABEL) return [];
    return [html`<text x="${percent(x)}" y="98%" text-anchor="middle">${name(status, at)}</text>`];
  });
}

function table(status: SystemStatus, steps: readonly PhonesAt[]): Fragment {
  const shown = steps.slice(0, MOST_ROWS);
  return html`${renderStackTable(
    ['From', 'Registered', 'Offline', 'Where'],
    shown.map(
      ({ at, registered, total, bySite }) =>
        html`<tr>
          <th scope="row">${renderTime(status, at)}</th>
          <td data-h="registered">${registered} of ${total}</td>
          <td data-h="offline">${total - registered}</td>
          <td data-h="">
            ${bySite
              .filter((site) => site.registered < site.total)
              .map(
                ({ site, registered: there, total: all }) =>
                  `${toOneLine(site) || 'address not known'} ${all - there} of ${all}`,
              )
              .join(', ')}
          </td>
        </tr>`,
    ),
  )}
  ${steps.length > shown.length ? html`<p class="soft">and ${steps.length - shown.length} more</p>` : null}`;
}
