/**
 * How long each component stood in which state. Only time in which it was read counts as known: what nobody looked at is
 * unknown, whatever was seen before and after it.
 */
import type { ReadingRow, Span, StateRow } from '../history/rows.ts';
import { compareNames } from '../text/plain.ts';

/** Milliseconds of a span, by how a thing stood in them. They sum up to the time in which it existed. */
export interface TimeByState {
  up: number;
  /** Degraded, or in a state that is not known to be operational. */
  degraded: number;
  maintenance: number;
  unknown: number;
}

export interface Uptime extends TimeByState {
  source: string;
  /** `page`, `component/ID` */
  subject: string;
  /** The last it was called. */
  name: string;
  /** How much of the span is known. */
  known: number;
  /** Of the known time, from 0 to 100; null where nothing is known. */
  percent: number | null;
  /** The same of the known time without maintenance. */
  percentBesideMaintenance: number | null;
}

/** A stretch of time in which a thing stood so. */
export interface Stretch extends Span {
  state: keyof TimeByState;
}

/** Every thing there are rows of, pages first, in the order of their names. */
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

/** From 0 to 100; null where there is nothing to share. */
export function computeShare(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100;
}

function byPlace(a: Uptime, b: Uptime): number {
  const ofPages = Number(b.subject === 'page') - Number(a.subject === 'page');
  return (
    compareNames(a.source, b.source) || ofPages || compareNames(a.name, b.name) || compareNames(a.subject, b.subject)
  );
}

/** Milliseconds in each state. */
export function sumTimeByState(stretches: readonly Stretch[]): TimeByState {
  const time = { up: 0, degraded: 0, maintenance: 0, unknown: 0 };
  for (const { state, since, until } of stretches) time[state] += until - since;
  return time;
}

/**
 * How one thing stood in a span; rows in the order of time. Before it was first seen it was not there where its source
 * was read, and is unknown where that was not.
 */
export function listStretches(rows: readonly StateRow[], readings: readonly ReadingRow[], span: Span): Stretch[] {
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
    // It was not there.
    if (row.state === null || stood === undefined) return [];
    return inOrder(stood, known, standing(row.state));
  });
  return [...unseen, ...seen];
}

/** What was read of it stood so, and the rest of it is unknown. */
function inOrder(stood: Span, known: readonly Span[], state: Stretch['state']): Stretch[] {
  const stretches: Stretch[] = [];
  let at = stood.since;
  for (const { since, until } of clipSpans(known, stood)) {
    if (since > at) stretches.push({ since: at, until: since, state: 'unknown' });
    if (until > Math.max(at, since)) stretches.push({ since: Math.max(at, since), until, state });
    at = Math.max(at, until);
  }
  if (at < stood.until) stretches.push({ since: at, until: stood.until, state: 'unknown' });
  return stretches;
}

function standing(state: string): Stretch['state'] {
  if (state === 'operational') return 'up';
  return state === 'under_maintenance' ? 'maintenance' : 'degraded';
}

/** What of these lies in the span, in the order of time. */
export function clipSpans(spans: readonly Span[], { since, until }: Span): Span[] {
  const out: Span[] = [];
  for (const one of spans) {
    const cut = { since: Math.max(one.since, since), until: Math.min(one.until, until) };
    if (cut.until > cut.since) out.push(cut);
  }
  return out.sort((a, b) => a.since - b.since);
}

/** What of the span lies in none of these. */
export function findGaps(span: Span, readings: readonly Span[]): Span[] {
  return inOrder(span, readings, 'up').flatMap(({ state, since, until }) =>
    state === 'unknown' ? [{ since, until }] : [],
  );
}

/** Milliseconds; what overlaps counts twice. */
export function sumLengths(spans: readonly Span[]): number {
  return spans.reduce((sum, { since, until }) => sum + until - since, 0);
}

/** Spans that overlap or touch are one. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const { since, until } of spans.toSorted((a, b) => a.since - b.since)) {
    const last = out.at(-1);
    if (last !== undefined && since <= last.until) last.until = Math.max(last.until, until);
    else out.push({ since, until });
  }
  return out;
}
