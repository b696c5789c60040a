import { describe, expect, it } from 'vitest';
import { readRetryAfter, RETRY_AFTER_CAP_MS } from '../../src/net/retry-after.ts';

const NOW = Date.UTC(2026, 2, 24, 3, 43);

describe.each(['reading', 'sending'] as const)('Retry-After when %s', (direction) => {
  const cap = RETRY_AFTER_CAP_MS[direction];
  const read = (value: string | null | undefined, sent?: string): number | null =>
    readRetryAfter({ value, sent, now: NOW, direction });

  it.each([
    ['30', 30_000],
    [' 30 ', 30_000],
    ['0', 0],
    ['1.5', 1500],
    ['86400', cap],
    ['9'.repeat(400), cap],
    ['Tue, 24 Mar 2026 03:44:00 GMT', 60_000],
    ['Tue, 24 Mar 2026 03:00:00 GMT', 0],
    ['Wed, 25 Mar 2026 03:44:00 GMT', cap],
    ['later', null],
    ['', null],
    ['-5', null],
    ['5 May 2094', null],
    [null, null],
    [undefined, null],
  ])('%j is %j ms', (value, ms) => {
    expect(read(value)).toBe(ms);
  });

  it('compares a date with the date of the answer, not with a clock that may be wrong', () => {
    const until = 'Tue, 24 Mar 2026 04:44:00 GMT';
    expect(read(until, 'Tue, 24 Mar 2026 04:43:30 GMT')).toBe(30_000);
    expect(read('Tue, 24 Mar 2026 03:44:00 GMT', 'soon')).toBe(60_000);
  });
});

it('has one cap for each direction', () => {
  expect(RETRY_AFTER_CAP_MS).toEqual({ reading: 300_000, sending: 900_000 });
});
