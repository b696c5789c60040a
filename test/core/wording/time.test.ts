import { describe, expect, it } from 'vitest';
import { parseInstant, formatElapsed, formatTime, formatTimeWindow } from '../../../src/core/wording/time.ts';

const NOW = Date.UTC(2026, 2, 24, 3, 43);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a time', () => {
  it.each([
    ['Australia/Melbourne', 'Tue 24 Mar 14:43 AEDT'],
    ['Australia/Brisbane', 'Tue 24 Mar 13:43 AEST'],
    ['Pacific/Auckland', 'Tue 24 Mar 16:43 NZDT'],
    ['Europe/London', 'Tue 24 Mar 03:43 GMT'],
    ['Europe/Berlin', 'Tue 24 Mar 04:43 CET'],
    ['America/New_York', 'Mon 23 Mar 23:43 EDT'],
    ['Asia/Kolkata', 'Tue 24 Mar 09:13 IST'],
    ['UTC', 'Tue 24 Mar 03:43 UTC'],
    ['Asia/Kathmandu', 'Tue 24 Mar 09:28 UTC+5:45'],
  ])('in %s is %s', (timezone, text) => expect(formatTime(NOW, timezone, NOW)).toBe(text));

  it('names the year when it is another one', () => {
    expect(formatTime(NOW - 365 * 24 * HOUR, 'UTC', NOW)).toBe('Mon 24 Mar 2025 03:43 UTC');
  });

  it('writes September with three letters and midnight as 00:00', () => {
    expect(formatTime(Date.UTC(2026, 8, 1), 'UTC', NOW)).toBe('Tue 1 Sep 00:00 UTC');
  });

  it('that cannot be read is none', () => {
    expect([parseInstant('yesterday'), parseInstant(null), parseInstant('2026-03-24T03:43:00.000Z')]).toEqual([
      null,
      null,
      NOW,
    ]);
  });
});

describe('a window', () => {
  it.each([
    [NOW, NOW + 2 * HOUR, 'Tue 24 Mar 03:43–05:43 UTC'],
    [NOW, NOW + 24 * HOUR, 'Tue 24 Mar 03:43 UTC – Wed 25 Mar 03:43 UTC'],
    [NOW, null, 'from Tue 24 Mar 03:43 UTC'],
    [null, NOW, 'until Tue 24 Mar 03:43 UTC'],
    [null, null, 'no time given'],
  ])('%j to %j', (from, to, text) => expect(formatTimeWindow(from, to, 'UTC', NOW)).toBe(text));

  it('shows both zones when the clocks change within it', () => {
    const from = Date.UTC(2026, 3, 4, 15);
    expect(formatTimeWindow(from, from + 2 * HOUR, 'Australia/Melbourne', NOW)).toBe(
      'Sun 5 Apr 02:00 AEDT – Sun 5 Apr 03:00 AEST',
    );
  });
});

describe('a duration', () => {
  it.each([
    [-5000, '0 s'],
    [40_400, '40 s'],
    [59_400, '59 s'],
    [59_999, '1 min'],
    [47 * MINUTE, '47 min'],
    [60 * MINUTE, '1 h'],
    [72 * MINUTE, '1 h 12 min'],
    [47 * HOUR + 59 * MINUTE, '47 h 59 min'],
    [51 * HOUR, '2 days 3 h'],
    [72 * HOUR, '3 days'],
  ])('%i ms is %s', (ms, text) => expect(formatElapsed(ms)).toBe(text));
});
