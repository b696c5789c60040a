/** The curve of phones offline beside the verdict: from the first reading on, with round hours below it. */
import { findMaximum } from '../../core/transition/collections.ts';
import { html } from 'hono/html';
import { DAY, HOUR, MINUTE } from '../../core/text/duration.ts';
import type { Span } from '../../core/history/rows.ts';
import { computeOfflineCurve, type RecentHours } from '../../core/view/recent.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import type { PhoneLosses } from '../../core/view/verdict/phone-losses.ts';
import { formatHourText } from '../look/layout.ts';
import type { Fragment } from '../look/icons.ts';

/** Possible spans, each with the distance of its ticks, and its name. */
const SPANS = [
  { ms: 30 * MINUTE, tick: 10 * MINUTE, called: 'last 30 min' },
  { ms: HOUR, tick: 20 * MINUTE, called: 'last hour' },
  { ms: 3 * HOUR, tick: HOUR, called: 'last 3 hours' },
  { ms: 6 * HOUR, tick: 2 * HOUR, called: 'last 6 hours' },
  { ms: 12 * HOUR, tick: 3 * HOUR, called: 'last 12 hours' },
  { ms: DAY, tick: 6 * HOUR, called: 'last 24 hours' },
] as const;
/** The loss starts no earlier than this share of the span. */
const BEFORE = 0.25;
const [TOP, BOTTOM] = [18, 86];

export function renderOfflineCurve(status: SystemStatus, losses: PhoneLosses, recent: RecentHours | null): Fragment {
  const { now } = status;
  const since = losses.since;
  const shown = SPANS.find(({ ms }) => now - since <= ms * (1 - BEFORE)) ?? SPANS.at(-1) ?? SPANS[0];
  const from = now - shown.ms;
  const points = computeOfflineCurve(status, recent, from);
  const most = findMaximum([1, ...points.map(({ offline }) => offline)]);
  const x = (at: number): number => ((Math.max(at, from) - from) / shown.ms) * 100;
  const y = (offline: number): number => 100 - (offline / most) * 100;
  const first = points[0];
  const path = points
    .map(({ at, offline }, index) => `${index === 0 ? `M${fixed(x(at))} ` : `H${fixed(x(at))}V`}${fixed(y(offline))}`)
    .join('');
  const begins = fixed(x(first?.at ?? from));
  const ticks = listRoundTimes(status, { since: from, until: now }, shown.tick).filter((at) => x(at) > 4 && x(at) < 92);
  const label = `Phones offline, ${shown.called}: ${points
    .slice(-6)
    .map(({ at, offline }) => `${offline} at ${formatHourText(status, at)}`)
    .join(', ')}, now ${losses.offline}`;
  return html`<figure class="card crit" aria-labelledby="curve">
    <div class="head">
      <h2 id="curve">Phones offline</h2>
      <p>${shown.called}</p>
    </div>
    <svg class="chart" role="img" aria-label="${label}">
      <line class="grid" x1="0" x2="100%" y1="${BOTTOM}%" y2="${BOTTOM}%" />
      <svg
        y="${TOP}%"
        width="100%"
        height="${BOTTOM - TOP}%"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        overflow="visible"
      >
        <path class="area" d="${path}H100V100H${begins}z" />
        <path class="line" d="${path}H100" />
      </svg>
      <text class="big" x="100%" y="${TOP}%" dx="-.3em" dy="1.2em" text-anchor="end">${losses.offline}</text>
      ${ticks.map((at) => html`<text x="${fixed(x(at))}%" y="98%" text-anchor="middle">${formatHourText(status, at)}</text>`)}
      <text class="strong" x="100%" y="98%" text-anchor="end">now</text>
    </svg>
  </figure>`;
}

function fixed(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Round hours of the reader's zone; offsets are multiples of a quarter of an hour. */
export function listRoundTimes(status: Pick<SystemStatus, 'timezone'>, { since, until }: Span, tick: number): number[] {
  const out: number[] = [];
  const step = Math.min(tick, HOUR);
  for (let at = Math.ceil(since / step) * step; at < until; at += step) {
    const [hours = 0, minutes = 0] = formatHourText(status, at).split(':').map(Number);
    if (((hours * 60 + minutes) * MINUTE) % tick === 0) out.push(at);
  }
  return out;
}
