import { describe, expect, it } from 'vitest';
import { LONGEST_RETRY_AFTER_MS, retryAfterMs } from '../../src/receivers/retry-after.ts';

const NOW = Date.UTC(2026, 2, 24, 3, 43);

describe('Retry-After', () => {
  it.each([
    ['30', 30_000],
    [' 30 ', 30_000],
    ['0', 0],
    ['1.5', 1500],
    ['86400', LONGEST_RETRY_AFTER_MS],
    ['Tue, 24 Mar 2026 03:44:00 GMT', 60_000],
    ['Tue, 24 Mar 2026 03:00:00 GMT', 0],
    ['Wed, 25 Mar 2026 03:44:00 GMT', LONGEST_RETRY_AFTER_MS],
    ['later', null],
    ['', null],
    ['-5', 0],
    [null, null],
  ])('%j is %j ms', (header, ms) => {
    const waited = retryAfterMs(header, NOW);
    // V8 reads "-5" as a month; whatever it reads, nobody waits because of it for long or into the past.
    if (header === '-5') expect(waited === null || waited === 0).toBe(true);
    else expect(waited).toBe(ms);
  });
});
