/**
 * The one exception to "at least once": a receiver that stays dead for a month must not fill the disk. What waits is
 * given up a whole alert at a time, the one that ended longest ago first, and one that is still open only when nothing
 * else is left to give.
 */
import type { Entry } from './message.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import { DAY } from '../text/duration.ts';

export interface Bounds {
  /** Of everything that waits, as JSON. */
  bytes: number;
  /** An ended alert's messages wait this long. */
  ageMs: number;
}

export const BOUNDS: Bounds = { bytes: 100_000_000, ageMs: 30 * DAY };

/** A bound that is reached is undercut by a good deal, so that giving up is told once and not message by message. */
const DOWN_TO = 0.9;
/** Of age, as `DOWN_TO` is of bytes. */
const AGE_SLACK_MS = DAY;

/** An entry never changes, and its size is asked for at every sweep. */
const sizes = new WeakMap<Entry, number>();

/** Bytes of an entry's JSON, near enough: characters count as one each. */
export function sizeOf(entry: Entry): number {
  const size = sizes.get(entry) ?? JSON.stringify(entry).length;
  sizes.set(entry, size);
  return size;
}

function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
}

/** How much waits, and since when the oldest of it. */
export interface Load {
  bytes: number;
  /** Epoch milliseconds; infinite where nothing waits. */
  oldest: number;
}

/** Bytes as `toLengthHeader` counts them. */
export function loadOf(waiting: readonly Entry[]): Load {
  return { bytes: bytesOf(waiting), oldest: findMinimum(waiting.map(({ promisedAt }) => promisedAt)) };
}

/** True while nothing has to be given up, neither of all that waits nor of any part of it. */
export function isWithin({ bytes, oldest }: Load, now: number, bounds: Bounds = BOUNDS): boolean {
  return bytes <= bounds.bytes && now - oldest <= bounds.ageMs;
}

/** What must be given up of what waits; empty as long as the bounds hold. */
export function beyondBounds(
  waiting: readonly Entry[],
  isOpen: (alert: string) => boolean,
  now: number,
  bounds: Bounds = BOUNDS,
): Entry[] {
  let total = bytesOf(waiting);
  const alerts = [...Map.groupBy(waiting, ({ alert }) => alert.id)].map(([id, entries]) => ({
    entries,
    open: isOpen(id),
    lastAt: findMaximum(entries.map(({ promisedAt }) => promisedAt)),
  }));
  alerts.sort((a, b) => Number(a.open) - Number(b.open) || a.lastAt - b.lastAt);
  const tooMuch = total > bounds.bytes;
  const tooOld = alerts.some(({ open, lastAt }) => !open && now - lastAt > bounds.ageMs);
  return alerts.flatMap(({ entries, open, lastAt }) => {
    const isOld = tooOld && !open && now - lastAt > bounds.ageMs - AGE_SLACK_MS;
    if (!isOld && !(tooMuch && total > bounds.bytes * DOWN_TO)) return [];
    total -= bytesOf(entries);
    return entries;
  });
}

/**
 * True when so much of an outbox has been settled that writing it anew is worth the trouble although nothing else has
 * changed: else what was settled would be remembered, and rewritten with every delivery, until the next change.
 */
export function isWorthTidying(before: readonly Entry[], after: readonly Entry[]): boolean {
  return before.length - after.length > Math.max(100, before.length / 4);
}
