/** How long a probe of life waits at worst. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Requests it again and again until stopped; resolves with the longest answer, in milliseconds. */
export async function askHealth(url: string, stop: AbortSignal): Promise<number> {
  let longest = 0;
  while (!stop.aborted) {
    const asked = performance.now();
    // A connection that was closed while it was kept is asked again: that is no answer either way.
    await fetch(url, { headers: { connection: 'close' } }).then(
      (answer) => answer.text(),
      () => null,
    );
    longest = Math.max(longest, performance.now() - asked);
    await sleep(100);
  }
  return longest;
}
