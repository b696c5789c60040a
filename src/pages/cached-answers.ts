/**
 * Detects stale caches. A cache that keeps answering while the vendor's server fails reports the age of its response.
 * If a newer one was seen before, the old one is ignored, as long as caches may serve stale data.
 */
import { MINUTE, SECOND } from '../core/text/duration.ts';

/** Small ages are normal, because caches are filled at different times. */
const OLD_MS = 2 * MINUTE;
/** Ages are whole seconds. */
const SLACK_MS = 5 * SECOND;
/** Caches serve stale data for an hour at most; older responses for longer are accepted. */
const BELIEVED_AFTER_MS = 65 * MINUTE;

/** For one address: returns true if a response of this age is older than an earlier one. `now`: epoch milliseconds. */
export function createCacheWatch(now: () => number): (ageMs: number) => boolean {
  let madeAt: number | null = null;
  let olderSince: number | null = null;
  return (ageMs) => {
    const made = now() - ageMs;
    const isOlder = ageMs >= OLD_MS && madeAt !== null && made < madeAt - SLACK_MS;
    olderSince = isOlder ? (olderSince ?? now()) : null;
    if (olderSince !== null && now() - olderSince < BELIEVED_AFTER_MS) return true;
    olderSince = null;
    // After a backward clock change no earlier response counts as newer.
    const isYoung = madeAt !== null && made < madeAt && madeAt <= now();
    if (!isYoung || ageMs >= OLD_MS) madeAt = made;
    return false;
  };
}
