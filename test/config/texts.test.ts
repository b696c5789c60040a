/** Durations, calendar ranges and places to listen: small texts with a meaning. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseListen } from '../../src/config/address.ts';
import { readCalendarRange } from '../../src/core/text/hours.ts';
import { explainDuration, formatDuration, parseDuration } from '../../src/core/text/duration.ts';

describe('durations', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['0s', 0],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
    expect(explainDuration(text)).toBeNull();
  });

  test.each(['', '5', '-5s', '5 s', '5S', '1.5h', '5 minutes', '1h30m', 's', '٣s', '5s\n', '1e3s', '99999999999s'])(
    '%j is none',
    (text) => {
      expect(parseDuration(text)).toBeNull();
      expect(explainDuration(text)).not.toBeNull();
    },
  );

  test.each([
    ['5', 'write 5s for seconds or 5m for minutes'],
    ['5 minutes', 'write 5m '],
    ['1h30m', 'write 90m '],
    ['1.5h', 'write 90m '],
    ['2 hrs', 'write 2h '],
    ['1 week', 'write 7d '],
  ])('for %j the advice is to %s', (text, advice) => {
    expect(explainDuration(text)).toContain(advice);
  });

  test('what is written reads as what was meant', () => {
    fc.assert(
      fc.property(fc.nat({ max: 999_999_999 }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });
});

describe('calendar ranges', () => {
  test.each([
    ['Mon-Thu 17:30-08:30', { days: [1, 2, 3, 4], start: 1_050, endDay: 1, end: 510 }],
    ['Fri 17:30-Mon 08:30', { days: [5], start: 1_050, endDay: 3, end: 510 }],
    ['00:00-24:00', { days: [1, 2, 3, 4, 5, 6, 7], start: 0, endDay: 0, end: 1_440 }],
    ['Sat-Mon 09:00-12:00', { days: [1, 6, 7], start: 540, endDay: 0, end: 720 }],
    ['Mon,Wed, Fri-Sat 22:00-00:00', { days: [1, 3, 5, 6], start: 1_320, endDay: 1, end: 0 }],
    ['Sun 23:00-Mon 01:00', { days: [7], start: 1_380, endDay: 1, end: 60 }],
  ])('%s', (text, range) => {
    expect(readCalendarRange(text)).toEqual({ range });
  });

  test.each([
    '',
    'Mon',
    '8-18',
    'Mon-Fri 8:00-18:00',
    'mon 08:00-09:00',
    'Mon 08:60-09:00',
    'Mon 08:00-25:00',
    'Mon 10:00-Mon 09:00',
    'Mon- 08:00-09:00',
  ])('%j is none', (text) => {
    expect(readCalendarRange(text)).toHaveProperty('advice');
  });
});

test.each([
  ['127.0.0.1:8469', { host: '127.0.0.1', port: 8_469 }],
  ['[::1]:0', { host: '::1', port: 0 }],
  ['localhost:80', { host: 'localhost', port: 80 }],
  ['8469', null],
  [':8469', null],
  ['::1:80', null],
  ['host:65536', null],
  ['http://host:80', null],
])('listen on %s', (text, place) => {
  expect(parseListen(text)).toEqual(place);
});
