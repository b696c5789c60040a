/** Phone losses by site over a span. */
import type { PhonesRow, ReadingRow, Span } from '../history/rows.ts';
import { findMaximum } from '../transition/collections.ts';
import { sumLengths, computeShare, clipSpans } from './uptime.ts';
import { compareNames } from '../text/plain.ts';

export interface SiteLosses {
  source: string;
  /** Empty for phones without a known address. */
  site: string;
  /** Phones at the end of the span. */
  phones: number;
  /** Number of losses; a phone lost twice counts twice. */
  losses: number;
  mostAtOnce: number;
  /** Total lost time of all phones, within coverage. */
  lostMs: number;
  /** Total time of all phones within coverage. */
  phonesMs: number;
  /** Per cent of phone time registered; null if nothing is known. */
  percent: number | null;
}

/** Sorted by account and site. Sites without phones in the span are omitted. */
export function listSiteLosses(rows: readonly PhonesRow[], readings: readonly ReadingRow[], span: Span): SiteLosses[] {
  return [...Map.groupBy(rows, ({ source, site }) => `${source}\n${site}`).values()]
    .flatMap((ofSite) => lossesAt(ofSite, readings, span))
    .toSorted((a, b) => compareNames(a.source, b.source) || compareNames(a.site, b.site));
}

function lossesAt(rows: readonly PhonesRow[], readings: readonly ReadingRow[], span: Span): SiteLosses[] {
  const last = rows.at(-1);
  const phones = rows.findLast(({ total }) => total > 0)?.total;
  if (last === undefined || phones === undefined) return [];
  const { source, site } = last;
  const read = readings.filter((one) => one.source === source && one.part === 'registrations');
  let losses = 0;
  let [lostMs, phonesMs] = [0, 0];
  for (const [index, { at, lost, total }] of rows.entries()) {
    const before = rows[index - 1];
    if (at >= span.since && before !== undefined) losses += Math.max(0, lost - before.lost);
    const [stood] = clipSpans([{ since: at, until: rows[index + 1]?.at ?? span.until }], span);
    if (stood === undefined) continue;
    const knownMs = sumLengths(clipSpans(read, stood));
    lostMs += lost * knownMs;
    phonesMs += total * knownMs;
  }
  const present = rows.filter(({ at }, index) => (rows[index + 1]?.at ?? span.until) > span.since && at < span.until);
  const mostAtOnce = Math.max(0, findMaximum(present.map(({ lost }) => lost)));
  return [
    { source, site, phones, losses, mostAtOnce, lostMs, phonesMs, percent: computeShare(phonesMs - lostMs, phonesMs) },
  ];
}
