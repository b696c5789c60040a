/**
 * Who is left alone after a failure, and for how long. What fails for now is one alert, or one recipient of a mail: it
 * is parked, and everything else goes on. Where several fail one after the other and nothing is taken in between, it
 * is the receiver: then it is tried gently, by what was never tried sooner than by what was. Who wants everything in its
 * order is tried with the oldest first of all, and with something else only right after that has failed. Times are those
 * of a monotonic clock; nothing of this is kept, so that after a restart everything is tried once.
 */
import { findEarliest, findMaximum, findMinimum } from '../transition/collections.ts';
import { MINUTE } from '../text/duration.ts';

/**
 * How long a receiver that failed is left alone: 1, 2, 4, 8, 16, 32, 64, 128, 256 seconds and then five minutes at a
 * time, each up to a fifth shorter or longer so that many watchers do not come back in step.
 */
const FIRST_MS = 1_000;
const CAP_MS = 5 * MINUTE;
const JITTER = 0.2;

/** In the first minute of an outage it is not left alone for longer: who is back after a restart is noticed in 5 seconds. */
const EARLY_CAP_MS = 4_000;
const EARLY_MS = MINUTE;

/**
 * While something critical waits, a receiver that is back within five minutes is found within 3 seconds, jitter included.
 * After that the rests grow: a server that answers is not asked 30,000 times a day. A time it asked for is kept.
 */
const URGENT_CAP_MS = 2_400;
const URGENT_MS = 5 * MINUTE;

/** After more failures in a row than these, of several, it was the receiver: what failed meanwhile is not to blame. */
const DOWN_AFTER = 5;

/** What is tried right after the oldest has failed is tried within this time, or the oldest is tried again before it. */
const RIGHT_AFTER_MS = 10_000;

/**
 * Who asks for time speaks of itself and not of what it was sent. If it never does otherwise, something else than the
 * oldest is tried this often, or one event might hold up all others for ever.
 */
const ASKED_BEFORE_OTHERS = 10;

interface Place {
  failures: number;
  /** When it failed first. */
  since: number;
  triedAt: number;
  until: number;
}

export interface Parking {
  /**
   * The receiver did not take these. Resolves to the rest until they are tried again, in milliseconds. `leads`: something
   * else is to be tried right after it, which then says whether it is the receiver.
   */
  failed(keys: readonly string[], at: number, retryAfterMs: number | null, leads?: boolean): number;
  /** It took others of the same sending and not these, which says nothing of the receiver itself. */
  lacked(keys: readonly string[], at: number): number;
  /** It took something; of `keys` nothing is parked any more. */
  delivered(keys: readonly string[]): void;
  /** A sending that holds several alerts failed: from now on they are sent one by one, until that goes well. */
  split(at: number, retryAfterMs: number | null): number;
  /** The most alerts in one sending. */
  most(): number;
  /** It has failed since it was last taken. */
  isParked(key: string): boolean;
  /** It has taken nothing since its first failure. */
  isDown(): boolean;
  /** It never failed, or nothing was taken since it failed first: then it may be the receiver. */
  isInDoubt(key: string): boolean;
  /** What has led and failed just now; null for nothing. */
  leader(at: number): string | null;
  isEmpty(): boolean;
  /** May something be tried that is not parked? */
  isOpen(at: number): boolean;
  /** What may be tried again, the least recently tried first. */
  due(at: number): string[];
  /** The next time something may be tried that may not now; null for none. */
  nextAt(at: number): number | null;
  /** Somebody wants everything tried at once. */
  hurry(): void;
  /** Something critical waits: rests that are longer than they have to be are cut. */
  urge(isUrgent: boolean): void;
  /** Forgets what no longer waits. */
  keep(isWaiting: (key: string) => boolean): void;
}

/** `random`: 0 ≤ random() < 1. `sortUpdates`: what waits is wanted in its order. Nothing is parked at first. */
export function createParking(random: () => number, inOrder = false): Parking {
  const places = new Map<string, Place>();
  /** What has failed since it last took something. */
  let failing = new Set<string>();
  let failures = 0;
  /** Its first failure since it last took something; null while it works. */
  let downSince: number | null = null;
  let leading: { key: string; until: number } | null = null;
  let [most, isUrgent] = [Infinity, false];
  /** Nothing is tried before the one, and nothing parked before the other. */
  let [closedUntil, restUntil] = [-Infinity, -Infinity];

  /** When something failed last, and until when the receiver itself asked to be left alone. */
  let [lastFailure, askedUntil] = [-Infinity, -Infinity];

  function close(at: number, retryAfterMs: number | null, leads = false): number {
    failures += 1;
    downSince ??= at;
    leading = null;
    lastFailure = at;
    if (retryAfterMs !== null && retryAfterMs > 0) {
      closedUntil = at + backoffMs(failures, retryAfterMs, random());
      askedUntil = closedUntil;
      return closedUntil - at;
    }
    if (leads || failing.size < 2) return 0;
    const cap = growingCapMs(downSince, at, downSince, isUrgent);
    closedUntil = at + backoffMs(failing.size - 1, null, random(), cap);
    restUntil = at + backoffMs(failures, null, random(), cap);
    return closedUntil - at;
  }

  function park(keys: readonly string[], at: number): number {
    const known = keys.flatMap((key) => places.get(key) ?? []);
    const tried = findMaximum([0, ...known.map((place) => place.failures)]) + 1;
    const since = findMinimum([at, ...known.map((place) => place.since)]);
    const until = at + backoffMs(tried, null, random(), growingCapMs(since, at, downSince, isUrgent));
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

  /** Nothing rests for longer than until then. */
  function cut(soon: number): void {
    closedUntil = Math.min(closedUntil, soon);
    restUntil = Math.min(restUntil, soon);
    for (const [key, place] of places) places.set(key, { ...place, until: Math.min(place.until, soon) });
  }

  function againAt({ until }: Place): number {
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
      // What failed only while nothing was taken goes out in its order now; not so what has failed beside this one.
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
      const all = [...places].filter(([, place]) => againAt(place) <= at);
      return all.toSorted(([, a], [, b]) => a.triedAt - b.triedAt).map(([key]) => key);
    },
    nextAt(at) {
      return findEarliest([closedUntil, ...[...places.values()].map(againAt)].filter((time) => time > at));
    },
    hurry: () => cut(-Infinity),
    urge(urgent) {
      // What fails beside something that is taken has its own trouble.
      if (urgent && !isUrgent && downSince !== null) cut(Math.max(lastFailure + URGENT_CAP_MS, askedUntil));
      isUrgent = urgent;
    },
    keep(isWaiting) {
      for (const key of places.keys()) if (!isWaiting(key)) places.delete(key);
    },
  };
}

/** The longest rest of what has failed since then. */
function growingCapMs(since: number, at: number, downSince: number | null, isUrgent: boolean): number {
  // It took something meanwhile: what is wrong is not the receiver.
  if (downSince === null || since < downSince) return CAP_MS;
  const downMs = at - downSince;
  if (isUrgent && downMs < URGENT_MS) return URGENT_CAP_MS;
  // From then on it has been away for about as long as it is left alone, as if the rests had doubled from the start.
  return downMs < EARLY_MS ? EARLY_CAP_MS : downMs;
}

/**
 * `failures` counts from 1; `random` is in [0, 1). What the receiver asked for is never cut short by jitter (who reads
 * it has capped it); one that asks for no time at all is treated as if it had asked for nothing, or it would be asked
 * once a second for ever.
 */
export function backoffMs(
  failures: number,
  retryAfterMs: number | null,
  random: number,
  capMs: number = CAP_MS,
): number {
  if (retryAfterMs !== null && retryAfterMs > 0) {
    return Math.max(retryAfterMs, FIRST_MS) * (1 + random * JITTER);
  }
  const doubled = Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 30), CAP_MS, capMs);
  return doubled * (1 - JITTER + random * 2 * JITTER);
}
