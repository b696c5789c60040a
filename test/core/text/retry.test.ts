import { describe, expect, it } from 'vitest';

import { BACKOFF } from '../../../src/core/outbox/retry-schedule.ts';
import { computeRetryWait } from '../../../src/core/text/retry.ts';

const STEADY = { firstMs: 5_000, factor: 1, capMs: 5_000, jitter: 0 };
const LATER = { firstMs: 60_000, factor: 5, capMs: 300_000, jitter: 0 };

describe('the wait before a retry', () => {
  it('grows by the factor up to the cap, and not with a factor of 1', () => {
    const [deliveries, steady, later] = [BACKOFF, STEADY, LATER].map((policy) =>
      [1, 2, 3, 20, 5_000].map((failures) => computeRetryWait(policy, { failures })),
    );
    expect(deliveries).toEqual([1_000, 2_000, 4_000, 300_000, 300_000]);
    expect(steady).toEqual([5_000, 5_000, 5_000, 5_000, 5_000]);
    expect(later).toEqual([60_000, 300_000, 300_000, 300_000, 300_000]);
  });

  it('never ends where a failure is final after the second', () => {
    const final = { firstMs: 5_000, factor: Infinity, capMs: Infinity, jitter: 0 };
    expect([1, 2, 3].map((failures) => computeRetryWait(final, { failures }))).toEqual([5_000, Infinity, Infinity]);
  });

  it('is up to a fifth shorter or longer, and exact without jitter', () => {
    const waits = [0, 0.5, 1].map((random) => Math.round(computeRetryWait(BACKOFF, { failures: 3, random })));
    expect(waits).toEqual([3_200, 4_000, 4_800]);
    expect([0, 0.5, 1].map((random) => computeRetryWait(LATER, { failures: 1, random }))).toEqual([
      60_000, 60_000, 60_000,
    ]);
  });

  it('is the requested one, which jitter only lengthens, but never below the first', () => {
    const ask = (retryAfterMs: number, random: number): number =>
      computeRetryWait(BACKOFF, { failures: 1, retryAfterMs, random });
    expect([ask(30_000, 0), ask(30_000, 1)]).toEqual([30_000, 36_000]);
    expect(ask(86_400_000, 0)).toBe(86_400_000);
    expect(ask(10, 0)).toBe(1_000);
  });

  it('grows all the same if the requested one is 0 or absent', () => {
    const waits = [0, null].map((retryAfterMs) => computeRetryWait(LATER, { failures: 2, retryAfterMs }));
    expect(waits).toEqual([300_000, 300_000]);
  });
});
