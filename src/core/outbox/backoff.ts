/**
 * How long a receiver that failed is left alone: 1, 2, 4, 8, 16, 32, 64, 128, 256 seconds and then five minutes at a
 * time, each up to a fifth shorter or longer so that many watchers do not come back in step.
 */
import { MINUTE } from '../text/duration.ts';
const FIRST_MS = 1_000;
const CAP_MS = 5 * MINUTE;
const JITTER = 0.2;

/**
 * `failures` counts from 1; `random` is in [0, 1). What the receiver asked for is never cut short by jitter (who reads
 * it has capped it); one that
 * asks for no time at all is treated as if it had asked for nothing, or it would be asked once a second for ever.
 */
export function backoffMs(failures: number, retryAfterMs: number | null, random: number): number {
  if (retryAfterMs !== null && retryAfterMs > 0) {
    return Math.max(retryAfterMs, FIRST_MS) * (1 + random * JITTER);
  }
  const doubled = Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 30), CAP_MS);
  return doubled * (1 - JITTER + random * 2 * JITTER);
}
