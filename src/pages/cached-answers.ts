/**
 * Answers of caches. A cache that goes on answering while the vendor's own server fails says how old its answer is: where
 * a newer one was seen before, it is none, for as long as caches do that.
 */
import { MINUTE, SECOND } from '../core/text/duration.ts';

/** Answers younger than this are normal: caches are made for that, and each is filled at a time of its own. */
const OLD_MS = 2 * MINUTE;
/** Ages are whole seconds. */
const SLACK_MS = 5 * SECOND;
/** Caches answer for an hour while the vendor's own server fails; what is older for longer is how it stands. */
const BELIEVED_AFTER_MS = 65 * MINUTE;

/**
 * For one address: says of each answer, by its age, whether it is older than one that was seen. `now`: epoch
 * milliseconds.
 */
export function createCacheWatch(now: () => number): (ageMs: number) => boolean {
  let madeAt: number | null = null;
  let olderSince: number | null = null;
  return (ageMs) => {
    const made = now() - ageMs;
    const isOlder = ageMs >= OLD_MS && madeAt !== null && made < madeAt - SLACK_MS;
    olderSince = isOlder ? (olderSince ?? now()) : null;
    if (olderSince !== null && now() - olderSince < BELIEVED_AFTER_MS) return true;
    olderSince = null;
    // After a clock was put back, nothing seen counts as newer.
    const isYoung = madeAt !== null && made < madeAt && madeAt <= now();
    if (!isYoung || ageMs >= OLD_MS) madeAt = made;
    return false;
  };
}
