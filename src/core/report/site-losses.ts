/** One's own phones at each site over a span: how many were lost, how many at once, and for how long. */
import type { PhonesRow, ReadingRow, Span } from '../history/rows.ts';
import { findMaximum } from '../transition/collections.ts';
import { sumLengths, computeShare, clipSpans } from './uptime.ts';
import { compareNames } from '../text/plain.ts';

export interface SiteLosses {
  source: string;
  /** Empty for phones of which no address is known. */
  site: string;
  /** How many phones there were at the end. */
  phones: number;
  /** How often a phone was lost: one that comes back and is lost again counts twice. */
  losses: number;
  mostAtOnce: number;
  /** Milliseconds of all lost phones together, as far as the account was read. */
  lostMs: number;
  /** Milliseconds of all its phones together in that time. */
  phonesMs: number;
  /** How much of that they were not lost, from 0 to 100; null where nothing is known. */
  percent: number | null;
}

/** Sorted by account and site. A site that had no phones in all the span is left out. */
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
