/**
 * Silences mute delivery, not observation: matching messages are enqueued as usual, and go out once when the silence is
 * over. Alerts that opened and ended within it are summarised.
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
  /** Name of the person who made it; absent if it is not known. */
  by?: string;
  createdAt: number;
  /** When a person ended it early; null if it was not. */
  expiredAt: number | null;
}

/** Request for a silence. */
export interface SilenceAsk extends Pick<Silence, 'from' | 'until' | 'comment' | 'by'> {
  matchers: Record<string, string[]>;
}

/** Id of a silence in a preview, before it exists. */
export const PREVIEWED = 'preview';

/** Ended silences are kept this long: messages that they held may still wait for a receiver. */
const SILENCES_REMEMBERED_FOR_MS = 30 * DAY;

/** Most silences that are kept: each is matched with every message, and the page lists all. */
export const MOST_SILENCES = 1_000;

/** Latest accepted time, a hundred years and more before the last possible Date. */
const LATEST_MS = 8.6e15;
/** Longest silence, a leap year: people forget longer ones. */
const LONGEST_MS = 366 * DAY;

/** Error in the times of a requested silence. */
export type SilenceTrouble = 'over' | 'too long' | 'too far';

/** Null for valid times. NaN is an error as well. */
export function findSilenceTrouble(
  { from, until }: Pick<Silence, 'from' | 'until'>,
  now: number,
): SilenceTrouble | null {
  if (!(until > Math.max(from, now))) return 'over';
  if (!(from <= now + LONGEST_MS)) return 'too far';
  return until - from <= LONGEST_MS ? null : 'too long';
}

/**
 * A silence as read from the disk. The times of one that was saved without limits are limited, so that it can be shown.
 * Null for an invalid one.
 */
export function restoreSilence(silence: Silence): Silence | null {
  const { matchers, from, until, createdAt } = silence;
  const isWhole = [from, until, createdAt].every(Number.isFinite) && Math.abs(createdAt) <= LATEST_MS;
  if (!isWhole || Object.keys(matchers).length === 0) return null;
  const begins = Math.min(Math.max(from, createdAt - LONGEST_MS), createdAt + LONGEST_MS);
  const bounded = { ...silence, from: begins, until: Math.min(until, Math.max(begins, createdAt) + LONGEST_MS) };
  return bounded.from === from && bounded.until === until ? silence : bounded;
}

/** Keeps those that have not ended, and the latest of the others. */
export function keepRecentSilences(silences: readonly Silence[], now: number): Silence[] {
  const ended = silences.filter(
    (silence) => endOf(silence) <= now && now - endOf(silence) <= SILENCES_REMEMBERED_FOR_MS,
  );
  const latest = new Set(ended.toSorted((one, other) => endOf(other) - endOf(one)).slice(0, MOST_SILENCES));
  return silences.filter((silence) => endOf(silence) > now || latest.has(silence));
}

/** Actual or planned end, epoch milliseconds. */
export function endOf(silence: Silence): number {
  return Math.min(silence.until, silence.expiredAt ?? Infinity);
}

export function isActive(silence: Silence, at: number): boolean {
  return silence.from <= at && at < endOf(silence);
}

/** The silence that mutes an alert at a time; null for none. One for a part mutes only alerts that it covers. */
export function findSilence(silences: readonly Silence[], facts: Facts, at: number): Silence | null {
  return silences.find((silence) => isActive(silence, at) && hasFullMatch(silence.matchers, facts)) ?? null;
}

/** Active silences that match a part of an alert only: it goes out, since it affects more. */
export function listPartialSilences(silences: readonly Silence[], facts: Facts, at: number): Silence[] {
  return silences.filter(
    (silence) =>
      isActive(silence, at) && hasPartialMatch(silence.matchers, facts) && !hasFullMatch(silence.matchers, facts),
  );
}

/** Time within a span during which silences muted an alert, in milliseconds; overlaps count once. */
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

/** A silence that was created after its start has muted nothing before. */
function beginningOf({ from, createdAt }: Silence): number {
  return Math.max(from, createdAt);
}

/** The next time an active silence ends; null when none is active. */
export function findNextSilenceEnd(silences: readonly Silence[], now: number): number | null {
  return findEarliest(silences.map(endOf).filter((end) => end > now));
}
