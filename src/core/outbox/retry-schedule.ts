/**
 * Retry schedule of one receiver.
 * A failed alert, or one recipient of a mail, is parked; everything else goes on. If several fail in a row and nothing
 * succeeds in between, the receiver itself is assumed down. It is then retried slowly, with parked messages before new
 * ones. A receiver that needs its messages in order is retried with the oldest, and with another one only right after
 * that has failed.
 * Times are those of a monotonic clock. Nothing is saved: after a restart everything is tried once.
 */
import { findEarliest, findMaximum, findMinimum } from '../transition/collections.ts';
import { HOUR, MINUTE } from '../text/duration.ts';
import { computeRetryWait, type RetryPolicy } from '../text/retry.ts';

/**
 * Exponential backoff: 1, 2, 4, … 256 seconds, then five minutes, each up to a fifth shorter or longer so that many
 * daemons do not retry in step.
 */
export const BACKOFF: RetryPolicy = { firstMs: 1_000, factor: 2, capMs: 5 * MINUTE, jitter: 0.2 };

/** Cap in the first minute of an outage, so that a receiver that restarts is noticed within 5 seconds. */
const EARLY_CAP_MS = 4_000;
const EARLY_MS = MINUTE;

/**
 * Cap while something critical waits: for five minutes the receiver is noticed within 3 seconds, jitter included. Later
 * the pauses grow, so that a server that answers does not get 30,000 requests a day. A server that is not reached, such
 * as while the internet line is down, gets none: it is tried so for an hour. A requested Retry-After is respected.
 */
const URGENT_CAP_MS = 2_400;
const URGENT_MS = 5 * MINUTE;
const URGENT_UNREACHED_MS = HOUR;

/**
 * After more failures in a row than this, of several messages, the receiver was down, and failures of that time do not
 * count against the messages.
 */
const DOWN_AFTER = 5;

/** Another message is tried within this time after the oldest has failed; otherwise the oldest is retried first. */
const RIGHT_AFTER_MS = 10_000;

/**
 * Retry-After concerns the receiver and not the message. If every failure has it, another message is tried after this
 * many, or one bad event could block all others forever.
 */
const ASKED_BEFORE_OTHERS = 10;

interface ParkingPlace {
  failures: number;
  /** Time of the first failure. */
  since: number;
  triedAt: number;
  until: number;
}

export interface RetrySchedule {
  /**
   * Records a failure of these keys. Returns the pause until they are retried, in milliseconds. `leads`: another
   * message is tried right after them, to find out if the receiver is down.
   */
  failed(keys: readonly string[], at: number, retryAfterMs: number | null, leads?: boolean): number;
  /** Parks keys that failed while others of the same sending were delivered, which says nothing about the receiver. */
  lacked(keys: readonly string[], at: number): number;
  /** Records a delivery: `keys` are no longer parked. */
  delivered(keys: readonly string[]): void;
  /** Records a failure of a sending with several alerts: they are sent one by one until that succeeds. */
  split(at: number, retryAfterMs: number | null): number;
  /** Maximum number of alerts in one sending. */
  most(): number;
  /** The key has failed since its last delivery. */
  isParked(key: string): boolean;
  /** The receiver has taken nothing since its first failure. */
  isDown(): boolean;
  /** The failure may be the receiver's: the key never failed, or nothing was delivered since its first failure. */
  isInDoubt(key: string): boolean;
  /** Key that failed just now while leading; null if there is none. */
  leader(at: number): string | null;
  isEmpty(): boolean;
  /** Messages that are not parked may be tried. */
  isOpen(at: number): boolean;
  /** Parked keys that may be retried, the least recently tried first. */
  due(at: number): string[];
  /** Next time at which a parked key may be retried; null for none. */
  nextAt(at: number): number | null;
  /** Ends all pauses: an operator wants everything retried now. */
  retryNow(): void;
  /** Shortens pauses while something critical waits. */
  urge(isUrgent: boolean): void;
  /** Says of the failure that is recorded next whether its attempt reached the receiver's server. */
  reach(isReached: boolean): void;
  /** Removes keys that no longer wait. */
  keep(isWaiting: (key: string) => boolean): void;
}

/** Starts with nothing parked. `random`: 0 ≤ random() < 1. `inOrder`: the receiver needs its messages in order. */
export function createRetrySchedule(random: () => number, inOrder = false): RetrySchedule {
  const places = new Map<string, ParkingPlace>();
  /** Keys that have failed since the last delivery. */
  let failing = new Set<string>();
  let failures = 0;
  /** First failure since the last delivery; null while the receiver works. */
  let downSince: number | null = null;
  let leading: { key: string; until: number } | null = null;
  let [most, isUrgent, isReached] = [Infinity, false, true];
  /** `closedUntil` holds back everything, `restUntil` everything that is parked. */
  let [closedUntil, restUntil] = [-Infinity, -Infinity];

  /** `lastFailure`: the last failure. `askedUntil`: end of the Retry-After that the receiver requested. */
  let [lastFailure, askedUntil] = [-Infinity, -Infinity];

  const limitBackoff = (since: number, at: number): RetryPolicy =>
    capBackoff(since, at, downSince, isUrgent ? (isReached ? URGENT_MS : URGENT_UNREACHED_MS) : 0);

  function close(at: number, retryAfterMs: number | null, leads = false): number {
    failures += 1;
    downSince ??= at;
    leading = null;
    lastFailure = at;
    if (retryAfterMs !== null && retryAfterMs > 0) {
      closedUntil = at + computeRetryWait(BACKOFF, { failures, retryAfterMs, random: random() });
      askedUntil = closedUntil;
      return closedUntil - at;
    }
    if (leads || failing.size < 2) return 0;
    const policy = limitBackoff(downSince, at);
    closedUntil = at + computeRetryWait(policy, { failures: failing.size - 1, random: random() });
    restUntil = at + computeRetryWait(policy, { failures, random: random() });
    return closedUntil - at;
  }

  function park(keys: readonly string[], at: number): number {
    const known = keys.flatMap((key) => places.get(key) ?? []);
    const tried = findMaximum([0, ...known.map((place) => place.failures)]) + 1;
    const since = findMinimum([at, ...known.map((place) => place.since)]);
    const until = at + computeRetryWait(limitBackoff(since, at), { failures: tried, random: random() });
    for (const key of keys) places.set(key, { failures: tried, since, triedAt: at, until });
    return until - at;
  }

  function isInDoubt(key: string): boolean {
    const place = places.get(key);
    return place === undefined || (downSince !== null && place.since >= downSince);
  }

  function open(): void {
    failing = new Set();
    failures = 0;
    downSince = null;
    leading = null;
    closedUntil = -Infinity;
    restUntil = -Infinity;
  }

  /** Shortens all pauses to end at `soon` at the latest. */
  function shortenPauses(soon: number): void {
    closedUntil = Math.min(closedUntil, soon);
    restUntil = Math.min(restUntil, soon);
    for (const [key, place] of places) places.set(key, { ...place, until: Math.min(place.until, soon) });
  }

  function findRetryTime({ until }: ParkingPlace): number {
    return Math.max(until, restUntil, closedUntil);
  }

  return {
    failed(keys, at, retryAfterMs, leads = false) {
      const [first] = keys;
      if (first !== undefined) failing.add(first);
      const closedMs = close(at, retryAfterMs, leads);
      const isAsked = retryAfterMs !== null && retryAfterMs > 0 && failures % ASKED_BEFORE_OTHERS !== 0;
      if (leads && first !== undefined && !isAsked) {
        leading = { key: first, until: Math.max(at, closedUntil) + RIGHT_AFTER_MS };
      }
      return Math.max(park(keys, at), closedMs, restUntil - at);
    },
    lacked: park,
    delivered(keys) {
      if (failing.size > 1 && failures > DOWN_AFTER) places.clear();
      // Unparks keys that failed only while the receiver was down, so that their order is kept. The leader failed
      // beside a delivery and stays parked.
      for (const key of inOrder ? places.keys() : []) if (isInDoubt(key) && key !== leading?.key) places.delete(key);
      for (const key of keys) places.delete(key);
      open();
      most *= 2;
    },
    split(at, retryAfterMs) {
      most = 1;
      return close(at, retryAfterMs);
    },
    most: () => most,
    isParked: (key) => places.has(key),
    isDown: () => downSince !== null,
    isInDoubt,
    leader: (at) => (leading !== null && at < leading.until ? leading.key : null),
    isEmpty: () => places.size === 0,
    isOpen: (at) => at >= closedUntil,
    due(at) {
      const all = [...places].filter(([, place]) => findRetryTime(place) <= at);
      return all.toSorted(([, a], [, b]) => a.triedAt - b.triedAt).map(([key]) => key);
    },
    nextAt(at) {
      return findEarliest([closedUntil, ...[...places.values()].map(findRetryTime)].filter((time) => time > at));
    },
    retryNow: () => shortenPauses(-Infinity),
    urge(urgent) {
      // A key that fails while others are delivered has a failure of its own, which urgency does not change.
      if (urgent && !isUrgent && downSince !== null) shortenPauses(Math.max(lastFailure + URGENT_CAP_MS, askedUntil));
      isUrgent = urgent;
    },
    reach: (reached) => void (isReached = reached),
    keep(isWaiting) {
      for (const key of places.keys()) if (!isWaiting(key)) places.delete(key);
    },
  };
}

/** Backoff of a key that has failed since then; pauses are short early in an outage, for `urgentMs` if it is urgent. */
function capBackoff(since: number, at: number, downSince: number | null, urgentMs: number): RetryPolicy {
  // Others were delivered meanwhile, so the receiver is not the cause.
  if (downSince === null || since < downSince) return BACKOFF;
  const downMs = at - downSince;
  if (downMs < urgentMs) return { ...BACKOFF, capMs: URGENT_CAP_MS };
  // From then on the pause is as long as the outage so far, as if it had doubled from the start.
  return { ...BACKOFF, capMs: Math.min(downMs < EARLY_MS ? EARLY_CAP_MS : downMs, BACKOFF.capMs) };
}
