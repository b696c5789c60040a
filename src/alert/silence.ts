/**
 * Silences mute delivery, not observation: what matches an active one is promised as ever and goes out when
 * the silence is over, told once; what opened and ended inside it is summarised.
 */
import { matches, type Facts, type Matchers } from './route.ts';

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

/** Ended silences are remembered this long: what they held back may still wait for a receiver. */
export const SILENCES_REMEMBERED_FOR_MS = 30 * 24 * 3_600_000;

export function endOf(silence: Silence): number {
  return Math.min(silence.until, silence.expiredAt ?? Infinity);
}

export function isActive(silence: Silence, at: number): boolean {
  return silence.from <= at && at < endOf(silence);
}

/** The silence that mutes this now, or did at another time; null for none. */
export function silencedBy(silences: readonly Silence[], facts: Facts, at: number): Silence | null {
  return silences.find((silence) => isActive(silence, at) && matches(silence.matchers, facts)) ?? null;
}

/** The next time an active silence ends; null when none is active. */
export function nextEnd(silences: readonly Silence[], now: number): number | null {
  const ends = silences.filter((silence) => endOf(silence) > now).flatMap((silence) => [endOf(silence)]);
  return ends.length === 0 ? null : Math.min(...ends);
}
