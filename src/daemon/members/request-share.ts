/** Share of a leader in every limit of requests, if other members may believe that they lead. */
import type { Clock } from '../common/clock.ts';

/**
 * `besideOthers`: share of a leader beside others that may still send requests. `cutOff`: share of the first that is
 * cut off; each later one has a quarter of the previous share. The sum is below one for any number.
 */
const SHARE = { besideOthers: 0.6, cutOff: 0.3, following: 0.25 } as const;

export interface RequestShare {
  /** The other members answer again. */
  heard(): void;
  /** Above 0 and at most 1. */
  now(isCutOff: boolean): number;
}

export interface RequestShareDeps {
  /** Number of other members that may believe that they lead, as far as known. */
  rivals(): number;
  clock: Pick<Clock, 'monotonic'>;
  /** Shortest time between requests of two members. */
  apartMs: number;
}

export function createRequestShare({ rivals: countRivals, clock, apartMs }: RequestShareDeps): RequestShare {
  let rivals = countRivals();
  /** Since when there are fewer of them. */
  let fewer: { rivals: number; since: number } | null = null;
  return {
    heard() {
      const now = countRivals();
      if (now >= rivals) [rivals, fewer] = [now, null];
      else if (fewer?.rivals !== now) fewer = { rivals: now, since: clock.monotonic() };
    },
    now(isCutOff) {
      // A member that stands by now may have sent a request a moment ago.
      if (fewer !== null && clock.monotonic() - fewer.since >= apartMs) [rivals, fewer] = [fewer.rivals, null];
      if (isCutOff) return SHARE.cutOff * SHARE.following ** rivals;
      return rivals > 0 ? SHARE.besideOthers : 1;
    },
  };
}
