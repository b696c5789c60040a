/**
 * Share of a leader in every limit of requests, if other members may believe that they lead. A member that vanished may
 * be gone or cut off, which looks the same to the others: the shares of both never exceed the limit. A member that is cut
 * off for long restricts itself further, and the others use the difference.
 */
import { HOUR, MINUTE } from '../../core/text/duration.ts';
import type { Clock } from '../common/clock.ts';

/**
 * `besideOthers`: share of a leader beside others that may still send requests. `cutOff`: share of the first that is
 * cut off; each later one has a quarter of the previous share. The sum is below one for any number.
 */
const SHARE = {
  atFirst: { besideOthers: 0.6, cutOff: 0.3 },
  later: { besideOthers: 0.85, cutOff: 0.1 },
  following: 0.25,
} as const;

/** Until then shares are those at first. Half of the margin is enough for a last report and a last renewal. */
const AT_FIRST_MS = HOUR;
const MARGIN_MS = 5 * MINUTE;

/** Other members that may believe that they lead, as far as known. */
export interface Rivals {
  count: number;
  /** Those of them that may still have their share at first. */
  atFirst: number;
}

export interface RequestShareDeps {
  rivals(): Rivals;
  clock: Pick<Clock, 'monotonic'>;
  /** Shortest time between requests of two members. */
  apartMs: number;
}

export function createRequestShare({ rivals: countRivals, clock, apartMs }: RequestShareDeps) {
  let rivals = countRivals();
  /** Since when there are fewer of them. */
  let fewer: { rivals: Rivals; since: number } | null = null;
  return {
    /** The other members answer again. */
    recount(): void {
      const now = countRivals();
      rivals = { count: Math.max(now.count, rivals.count), atFirst: Math.max(now.atFirst, rivals.atFirst) };
      if (isSame(now, rivals)) fewer = null;
      else if (fewer === null || !isSame(now, fewer.rivals)) fewer = { rivals: now, since: clock.monotonic() };
    },
    /** Above 0 and at most 1. `cutOffMs`: since the last renewal, while it leads without a lease; else null. */
    now(cutOffMs: number | null): number {
      // A member that stands by now may have sent a request a moment ago.
      if (fewer !== null && clock.monotonic() - fewer.since >= apartMs) [rivals, fewer] = [fewer.rivals, null];
      if (cutOffMs !== null) {
        const { cutOff } = cutOffMs < AT_FIRST_MS - MARGIN_MS ? SHARE.atFirst : SHARE.later;
        return cutOff * SHARE.following ** rivals.count;
      }
      if (rivals.count === 0) return 1;
      return (rivals.atFirst > 0 ? SHARE.atFirst : SHARE.later).besideOthers;
    },
  };
}

/** `silences`: of members that may believe that they lead, in milliseconds. */
export function toRivals(silences: readonly number[]): Rivals {
  return { count: silences.length, atFirst: silences.filter((ms) => ms < AT_FIRST_MS + MARGIN_MS).length };
}

function isSame(one: Rivals, other: Rivals): boolean {
  return one.count === other.count && one.atFirst === other.atFirst;
}
