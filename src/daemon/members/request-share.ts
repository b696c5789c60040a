/** What a member that leads uses of every limit of requests, beside others that may still believe that they lead. */
import type { Clock } from '../common/clock.ts';

/**
 * What is used beside others that may still ask, and what the first that is cut off goes on with; each that follows and is
 * cut off as well has a quarter of that before it. Together they are less than one, however many follow.
 */
const SHARE = { besideOthers: 0.6, cutOff: 0.3, following: 0.25 } as const;

export interface RequestShare {
  /** The others were heard of again. */
  heard(): void;
  /** Above 0 and at most 1. */
  now(isCutOff: boolean): number;
}

export interface RequestShareDeps {
  /** How many others may believe that they lead, as far as was heard. */
  rivals(): number;
  clock: Pick<Clock, 'monotonic'>;
  /** So far apart the requests of two members have to be. */
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
      // A member that stands by now may have asked a moment ago.
      if (fewer !== null && clock.monotonic() - fewer.since >= apartMs) [rivals, fewer] = [fewer.rivals, null];
      if (isCutOff) return SHARE.cutOff * SHARE.following ** rivals;
      return rivals > 0 ? SHARE.besideOthers : 1;
    },
  };
}
