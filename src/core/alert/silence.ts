/**
 * Silences mute delivery, not observation: what matches an active one is promised as ever and goes out when
 * the silence is over, told once; what opened and ended inside it is summarised.
 */
import { hasFullMatch, type Facts, type Matchers, hasPartialMatch } from './matchers.ts';
import { findEarliest } from '../transition/collections.ts';
import { DAY } from '../text/duration.ts';

export interface Silence {
  id: string;
  matchers: Matchers;
  /** Epoch milliseconds. */
  from: number;
  until: number;
  comment: string;
  createdAt: number;
  /** When somebody ended it early; null if nobody did. */
  expiredAt: number | null;
}

/** What a person asks for. */
export interface SilenceAsk {
  matchers: Record<string, string[]>;
  from: number;
  until: number;
  comment: string;
}

/** Id of a silence that is not made yet, but looked at. */
export const PREVIEWED = 'preview';

/** Ended silences are remembered this long: what they held back may still wait for a receiver. */
const SILENCES_REMEMBERED_FOR_MS = 30 * DAY;

/** More are not kept: each is asked about every message, and is shown to everybody. */
export const MOST_SILENCES = 1_000;

/** A Date a hundred years and more before the last one there is. */
const LATEST_MS = 8.6e15;
/** Longer than that nobody remembers what is muted; a year with a day to spare for leap years. */
const LONGEST_MS = 366 * DAY;

/** What is wrong with the times of a silence that is asked for. */
export type SilenceTrouble = 'over' | 'too long' | 'too far';

/** Null for times that will do. What is no number at all is trouble as well. */
export function findSilenceTrouble(
  { from, until }: Pick<Silence, 'from' | 'until'>,
  now: number,
): SilenceTrouble | null {
  if (!(until > Math.max(from, now))) return 'over';
  if (!(from <= now + LONGEST_MS)) return 'too far';
  return until - from <= LONGEST_MS ? null : 'too long';
}

/**
 * A silence as it is taken up from the disk: one that was kept without a bound lasts as long as may be asked for, so
 * that everybody can be shown it. Null for what cannot be one.
 */
export function restoreSilence(silence: Silence): Silence | null {
  const { matchers, from, until, createdAt } = silence;
  const isWhole = [from, until, createdAt].every(Number.isFinite) && Math.abs(createdAt) <= LATEST_MS;
  if (!isWhole || Object.keys(matchers).length === 0) return null;
  const begins = Math.min(Math.max(from, createdAt - LONGEST_MS), createdAt + LONGEST_MS);
  const bounded = { ...silence, from: begins, until: Math.min(until, Math.max(begins, createdAt) + LONGEST_MS) };
  return bounded.from === from && bounded.until === until ? silence : bounded;
}

/** Those that have not ended, and of those that have the latest. */
export function keepRecentSilences(silences: readonly Silence[], now: number): Silence[] {
  const ended = silences.filter(
    (silence) => endOf(silence) <= now && now - endOf(silence) <= SILENCES_REMEMBERED_FOR_MS,
  );
  const latest = new Set(ended.toSorted((one, other) => endOf(other) - endOf(one)).slice(0, MOST_SILENCES));
  return silences.filter((silence) => endOf(silence) > now || latest.has(silence));
}

/** Epoch milliseconds: when it was ended, or the end it was given. */
export function endOf(silence: Silence): number {
  return Math.min(silence.until, silence.expiredAt ?? Infinity);
}

export function isActive(silence: Silence, at: number): boolean {
  return silence.from <= at && at < endOf(silence);
}

/** The silence that mutes this now, or did at another time; null for none. One for a part mutes what lies within it. */
export function findSilence(silences: readonly Silence[], facts: Facts, at: number): Silence | null {
  return silences.find((silence) => isActive(silence, at) && hasFullMatch(silence.matchers, facts)) ?? null;
}

/** The silences that ask for a part of this to be muted, which goes out all the same since it hits more. */
export function listPartialSilences(silences: readonly Silence[], facts: Facts, at: number): Silence[] {
  return silences.filter(
    (silence) =>
      isActive(silence, at) && hasPartialMatch(silence.matchers, facts) && !hasFullMatch(silence.matchers, facts),
  );
}

/** For how long silences muted this within a span of time, in milliseconds; what several muted at once counts once. */
export function computeMutedTime(silences: readonly Silence[], facts: Facts, from: number, until: number): number {
  const muting = silences
    .filter(({ matchers }) => hasFullMatch(matchers, facts))
    .toSorted((one, other) => beginningOf(one) - beginningOf(other));
  let ms = 0;
  let at = from;
  for (const silence of muting) {
    const begins = Math.max(at, beginningOf(silence));
    const ends = Math.min(endOf(silence), until);
    if (ends <= begins) continue;
    ms += ends - begins;
    at = ends;
  }
  return ms;
}

/** One that is asked for afterwards has muted nothing before. */
function beginningOf({ from, createdAt }: Silence): number {
  return Math.max(from, createdAt);
}

/** The next time an active silence ends; null when none is active. */
export function findNextSilenceEnd(silences: readonly Silence[], now: number): number | null {
  return findEarliest(silences.map(endOf).filter((end) => end > now));
}
