/**
 * Limits of the outbox, the one exception to "at least once": a receiver that is down for a month must not fill the
 * disk. Whole alerts are dropped, the one that ended longest ago first, and open ones last.
 */
import type { Entry } from './message.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import { DAY } from '../text/duration.ts';

export interface Bounds {
  /** All entries in the outbox, as JSON. */
  bytes: number;
  /** Maximum age of an ended alert's messages. */
  ageMs: number;
}

const BOUNDS: Bounds = { bytes: 100_000_000, ageMs: 30 * DAY };

/**
 * Dropping goes on to this share of the limit, so that it happens, and is reported, once and not with every message.
 */
const DOWN_TO = 0.9;
/** Margin for the age limit, as `DOWN_TO` is for bytes. */
const AGE_SLACK_MS = DAY;

/** Memoised by identity: entries are immutable, and every sweep asks for their sizes. */
const sizes = new WeakMap<Entry, number>();

/** Approximate bytes of an entry's JSON; a character counts as one byte. */
export function measureEntry(entry: Entry): number {
  const size = sizes.get(entry) ?? JSON.stringify(entry).length;
  sizes.set(entry, size);
  return size;
}

function measureEntries(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + measureEntry(entry), 0);
}

/** Size of the outbox and age of its oldest entry. */
export interface Load {
  bytes: number;
  /** Epoch milliseconds; Infinity for an empty outbox. */
  oldest: number;
}

/** Approximate bytes as `sizeOf` counts them. */
export function measureOutbox(waiting: readonly Entry[]): Load {
  return { bytes: measureEntries(waiting), oldest: findMinimum(waiting.map(({ promisedAt }) => promisedAt)) };
}

/** The load of two outboxes together. */
export function addLoads(one: Load, other: Load): Load {
  return { bytes: one.bytes + other.bytes, oldest: Math.min(one.oldest, other.oldest) };
}

/** True if nothing has to be dropped. If it is true for the whole outbox, it is true for each part. */
export function isWithinBounds({ bytes, oldest }: Load, now: number, bounds: Bounds = BOUNDS): boolean {
  return bytes <= bounds.bytes && now - oldest <= bounds.ageMs;
}

/** Entries to drop; empty while the limits are kept. */
export function findExcessEntries(
  waiting: readonly Entry[],
  isOpen: (alert: string) => boolean,
  now: number,
  bounds: Bounds = BOUNDS,
): Entry[] {
  let total = measureEntries(waiting);
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
    total -= measureEntries(entries);
    return entries;
  });
}

/**
 * True if enough of an outbox has been settled to rewrite it without another change. Otherwise settled ids would
 * accumulate, and be rewritten with every delivery, until the next change.
 */
export function isWorthTidying(before: readonly Entry[], after: readonly Entry[]): boolean {
  return before.length - after.length > Math.max(100, before.length / 4);
}
