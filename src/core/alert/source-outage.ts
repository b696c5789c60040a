/**
 * Sources that are unreachable at one origin, or because nothing can be reached: one alert in which each of them has a part.
 */
import type { Lack } from '../transition/details.ts';
import { findMinimum } from '../transition/collections.ts';
import { formatAllOf, formatCount, formatCountOf, formatNoneOf } from '../text/plain.ts';
import type { Alert, AlertView, ToldReceiver } from './alert.ts';

/** Code of a failure that the source's own server reports. */
const ANSWERED = 'server_error';

/** Fields of an alert that show whether its source is unreachable. */
type OutagePart = Pick<Alert, 'id' | 'source' | 'status' | 'family' | 'lastChange'> & { told: readonly ToldReceiver[] };

/** An open alert that other sources may join. */
export interface OpenOutage extends Pick<Alert, 'id' | 'number' | 'startedAt'> {
  /** Codes of the failures; empty in older documents. */
  codes: ReadonlySet<string>;
}

/** Open alert about an unreachable source; null without one. */
export function openOutage(alerts: readonly Alert[]): OpenOutage | null {
  const open = alerts.find((alert) => alert.status === 'open' && readingOf(alert)?.kind === 'source.unreachable');
  if (open === undefined) return null;
  const { id, number, startedAt } = open;
  return { id, number, startedAt, codes: codesOf(readingOf(open)?.details.lacks ?? []) };
}

function codesOf(lacks: readonly Lack[]): Set<string> {
  return new Set(lacks.flatMap(({ code }) => code ?? []));
}

function readingOf({ family, lastChange }: Pick<OutagePart, 'family' | 'lastChange'>) {
  const transition = lastChange?.transition;
  const isReading = transition?.kind === 'source.unreachable' || transition?.kind === 'source.recovered';
  return family === 'source' && isReading ? transition : null;
}

/** All sources of one alert. */
export interface SourceOutage {
  /** Null if they have several, since nothing at all could be reached. */
  origin: string | null;
  sources: readonly { name: string; isBack: boolean }[];
  /** Each of them answered, with an error of its own: Linewatch reaches them. Absent if one did not, or is unknown. */
  isAnswered?: true;
}

/** Null for fewer than two sources, and for any other alert. `isRead`: whether the reader may know a part. */
export function findSourceOutage(
  parts: readonly OutagePart[],
  isRead: (part: OutagePart) => boolean = () => true,
): SourceOutage | null {
  const known = parts.flatMap((part) => {
    const reading = readingOf(part);
    if (reading === null || !isRead(part)) return [];
    const codes = codesOf(reading.details.lacks ?? []);
    const isAnswered = codes.size === 1 && codes.has(ANSWERED);
    return [{ ...part, origin: originOf(reading.details.base_url), isAnswered }];
  });
  const bySource = [...Map.groupBy(known, ({ source }) => source)];
  if (bySource.length < 2) return null;
  const origins = new Set(known.map(({ origin }) => origin));
  const [origin = null] = origins;
  return {
    origin: origins.size === 1 ? origin : null,
    sources: bySource.map(([name, mine]) => ({ name, isBack: mine.every(({ status }) => status === 'resolved') })),
    ...(known.every(({ isAnswered }) => isAnswered) && { isAnswered: true }),
  };
}

function originOf(baseUrl: string): string {
  return /^https?:\/\/[^/]+/i.exec(baseUrl)?.[0] ?? baseUrl;
}

/** `3 sources behind https://api.example.com`, or as many as there are. */
export function formatOutageThing(outage: SourceOutage, count = outage.sources.length): string {
  const { length } = outage.sources;
  return addOrigin(count === length ? formatCount(count, 'source') : formatCountOf(count, length, 'source'), outage);
}

function addOrigin(sources: string, { origin }: SourceOutage): string {
  return origin === null ? sources : `${sources} behind ${origin}`;
}

/** Title for all of them together. */
export function formatOutageTitle(outage: SourceOutage): string {
  const down = outage.sources.filter(({ isBack }) => !isBack).length;
  if (down === 0) return `${addOrigin(formatAllOf(outage.sources.length, 'source'), outage)} can be read again`;
  if (down < outage.sources.length) return `${formatOutageThing(outage, down)} still unreachable`;
  if (outage.origin !== null) return `${formatOutageThing(outage)} are unreachable`;
  return outage.isAnswered === true
    ? `${formatNoneOf(outage.sources.length, 'source')} can be read`
    : 'Linewatch itself cannot reach anything';
}

/** The title with its two parts, for a reminder. */
export function createOutageTitles(outage: SourceOutage): Pick<AlertView, 'title' | 'still'> {
  const down = outage.sources.filter(({ isBack }) => !isBack).length;
  return { title: formatOutageTitle(outage), still: { thing: formatOutageThing(outage, down), state: 'unreachable' } };
}

/** Title for all sources that have, or had, a part in an alert; null for fewer than two, and for any other alert. */
export function findOutageTitle(parts: readonly Alert[]): string | null {
  const outage = findSourceOutage(parts);
  if (outage === null) return null;
  return formatOutageTitle({ ...outage, sources: outage.sources.map(({ name }) => ({ name, isBack: false })) });
}

/** The open alert to join: the oldest of those that began just now, or have a failure in common. */
export function chooseOutageToJoin(
  open: readonly (OpenOutage & { fellNow: boolean })[],
  codes: ReadonlySet<string>,
): OpenOutage | null {
  const same = open.filter((one) => one.fellNow || !one.codes.isDisjointFrom(codes));
  const first = findMinimum(same.map(({ number }) => number));
  return same.find(({ number }) => number === first) ?? null;
}
