/**
 * Limits the time of an answer. A process that was busy meanwhile could not read it: of such a time only one part of
 * the limit counts, and an answer that has arrived by then is taken.
 */

/** Parts of the limit. */
const PARTS = 8;

/** Rejects with `timeout` if there is no answer within `ms` in which this process could have read it. */
export async function waitForAnswer<T>(
  ms: number,
  answer: Promise<T>,
  timeout = (): Error => new Error('no answer came in time'),
): Promise<T> {
  const over = Promise.withResolvers<never>();
  let left = PARTS;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    // Timers run before what has arrived is read.
    setImmediate(() => over.reject(timeout()));
  }, ms / PARTS);
  try {
    return await Promise.race([answer, over.promise]);
  } finally {
    clearInterval(timer);
  }
}
