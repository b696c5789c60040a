/** Time in each state by component. Time without readings is unknown, whatever was observed before and after. */
import type { ReadingRow, Span, StateRow } from '../history/rows.ts';
import { compareNames } from '../text/plain.ts';

/** Milliseconds by state; their sum is the time in which the subject existed. */
export interface TimeByState {
  up: number;
  /** Degraded, or a state not known to be operational. */
  degraded: number;
  maintenance: number;
  unknown: number;
}

export interface Uptime extends TimeByState {
  source: string;
  /** `page`, `component/ID` */
  subject: string;
  /** Last known name. */
  name: string;
  /** Known milliseconds of the span. */
  known: number;
  /** Per cent of known time; null if nothing is known. */
  percent: number | null;
  /** Per cent of known time excluding maintenance. */
  percentBesideMaintenance: number | null;
}

/** A stretch of time in one state. */
export interface StateSpan extends Span {
  state: keyof TimeByState;
}

/** One per subject with rows: pages first, then by name. */
export function computeUptimes(states: readonly StateRow[], readings: readonly ReadingRow[], span: Span): Uptime[] {
  const things = [...Map.groupBy(states, ({ source, subject }) => `${source}\n${subject}`).values()];
  return things
    .flatMap((rows) => {
      const stretches = listStretches(rows, readings, span);
      const last = rows.findLast(({ state }) => state !== null);
      return last === undefined || stretches.length === 0 ? [] : [uptimeOf(last, sumTimeByState(stretches))];
    })
    .toSorted(byPlace);
}

function uptimeOf({ source, subject, name }: StateRow, time: TimeByState): Uptime {
  const { up, degraded, maintenance } = time;
  return {
    source,
    subject,
    name,
    ...time,
    known: up + degraded + maintenance,
    percent: computeShare(up, up + degraded + maintenance),
    percentBesideMaintenance: computeShare(up, up + degraded),
  };
}

/** 0 to 100; null if `whole` is 0. */
export function computeShare(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100;
}

function byPlace(a: Uptime, b: Uptime): number {
  const ofPages = Number(b.subject === 'page') - Number(a.subject === 'page');
  return (
    compareNames(a.source, b.source) || ofPages || compareNames(a.name, b.name) || compareNames(a.subject, b.subject)
  );
}

/** Milliseconds by state. */
export function sumTimeByState(stretches: readonly StateSpan[]): TimeByState {
  const time = { up: 0, degraded: 0, maintenance: 0, unknown: 0 };
  for (const { state, since, until } of stretches) time[state] += until - since;
  return time;
}

/**
 * States of one subject over a span; rows are in order of time. Before it was first seen it did not exist if its source
 * was read then; otherwise it is unknown.
 */
export function listStretches(rows: readonly StateRow[], readings: readonly ReadingRow[], span: Span): StateSpan[] {
  const [first] = rows;
  if (first === undefined) return [];
  const part = first.subject === 'page' ? 'page' : 'components';
  const read = readings.filter((reading) => reading.source === first.source && reading.part === part);
  const known = clipSpans(read, span);
  const [before] = clipSpans([{ since: span.since, until: first.at }], span);
  const unseen = before === undefined ? [] : inOrder(before, known, 'up').filter(({ state }) => state === 'unknown');
  const seen = rows.flatMap((row, index) => {
    const until = rows[index + 1]?.at ?? span.until;
    const [stood] = clipSpans([{ since: row.at, until }], span);
    // The subject did not exist.
    if (row.state === null || stood === undefined) return [];
    return inOrder(stood, known, standing(row.state));
  });
  return [...unseen, ...seen];
}

/** Splits a stretch: known where it was read, unknown otherwise. */
function inOrder(stood: Span, known: readonly Span[], state: StateSpan['state']): StateSpan[] {
  const stretches: StateSpan[] = [];
  let at = stood.since;
  for (const { since, until } of clipSpans(known, stood)) {
    if (since > at) stretches.push({ since: at, until: since, state: 'unknown' });
    if (until > Math.max(at, since)) stretches.push({ since: Math.max(at, since), until, state });
    at = Math.max(at, until);
  }
  if (at < stood.until) stretches.push({ since: at, until: stood.until, state: 'unknown' });
  return stretches;
}

function standing(state: string): StateSpan['state'] {
  if (state === 'operational') return 'up';
  return state === 'under_maintenance' ? 'maintenance' : 'degraded';
}

/** Parts of the spans inside the given one, in order of time. */
export function clipSpans(spans: readonly Span[], { since, until }: Span): Span[] {
  const out: Span[] = [];
  for (const one of spans) {
    const cut = { since: Math.max(one.since, since), until: Math.min(one.until, until) };
    if (cut.until > cut.since) out.push(cut);
  }
  return out.sort((a, b) => a.since - b.since);
}

/** Parts of the span outside all readings. */
export function findGaps(span: Span, readings: readonly Span[]): Span[] {
  return inOrder(span, readings, 'up').flatMap(({ state, since, until }) =>
    state === 'unknown' ? [{ since, until }] : [],
  );
}

/** Milliseconds; overlaps count twice. */
export function sumLengths(spans: readonly Span[]): number {
  return spans.reduce((sum, { since, until }) => sum + until - since, 0);
}

/** Merges spans that overlap or touch. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const { since, until } of spans.toSorted((a, b) => a.since - b.since)) {
    const last = out.at(-1);
    if (last !== undefined && since <= last.until) last.until = Math.max(last.until, until);
    else out.push({ since, until });
  }
  return out;
}
