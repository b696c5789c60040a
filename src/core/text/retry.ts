/** Waits before retries: growing, capped, with jitter, and as long as a server requests. */

export interface RetryPolicy {
  /** Wait after the first failure. */
  firstMs: number;
  /** Growth of the wait with every further failure; 1: always the first wait. */
  factor: number;
  capMs: number;
  /** Share by which a wait may be shorter or longer, so that many programs do not retry in step; 0 for none. */
  jitter: number;
}

export interface RetryFacts {
  /** Consecutive failures, counted from 1. */
  failures: number;
  /**
   * Requested wait, such as a Retry-After that the parser has capped; null if none. It replaces the growing wait, is
   * never shorter than the first, and jitter only lengthens it. 0 is ignored, or the server would get requests without
   * a pause.
   */
  retryAfterMs?: number | null;
  /** 0 ≤ random < 1; needed only with jitter. */
  random?: number;
}

/** Milliseconds from a failure to the next attempt. */
export function computeRetryWait(
  policy: RetryPolicy,
  { failures, retryAfterMs = null, random = 0.5 }: RetryFacts,
): number {
  const { firstMs, factor, capMs, jitter } = policy;
  if (retryAfterMs !== null && retryAfterMs > 0) return Math.max(retryAfterMs, firstMs) * (1 + random * jitter);
  return Math.min(firstMs * factor ** (failures - 1), capMs) * (1 - jitter + random * 2 * jitter);
}
