/** Declared hours over ten years of clock changes, against an oracle that knows time zones by another way. */
import { describe, expect, it } from 'vitest';
import { findQuietEnd, type Hours, isWithin, findNextChange, readCalendarRange } from '../../../src/core/text/hours.ts';
import { cases } from '../../support/runs.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const STEP = 15 * MINUTE;
/** One with an hour, one of half an hour, one that changes at midnight, one in the west, one that never changes. */
const ZONES = [
  'Australia/Melbourne',
  'Australia/Lord_Howe',
  'America/Havana',
  'Europe/London',
  'America/St_Johns',
  'Asia/Kolkata',
];
const FIRST_YEAR = 2024;
const YEARS = 10;

function hours(ranges: readonly string[], timezone: string, except: Hours['except'] = []): Hours {
  return { ranges: ranges.map(range), except, timezone };
}

function range(text: string) {
  const reading = readCalendarRange(text);
  if ('advice' in reading) throw new Error(reading.advice);
  return reading.range;
}

/** Local wall time of an instant, as milliseconds of a day that has no clock changes. */
function wallReader(timezone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  return (at) => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(part['year'] ?? 0, (part['month'] ?? 1) - 1, part['day'], part['hour'], part['minute']);
  };
}

/** Hours at whose end the distance between wall time and universal time is another one. */
function changes(timezone: string): number[] {
  const wall = wallReader(timezone);
  const found: number[] = [];
  let offset: number | null = null;
  for (let day = Date.UTC(FIRST_YEAR, 0, 1); day < Date.UTC(FIRST_YEAR + YEARS, 0, 1); day += DAY) {
    const now = wall(day) - day;
    if (offset !== null && now !== offset) found.push(day);
    offset = now;
  }
  return found;
}

type LocalClock = (local: number) => number;

/**
 * Walks the minutes one after the other and notes for every wall time its first instant. A wall time that never
 * comes is as much later as the clock skipped.
 */
function localClock(timezone: string, from: number, to: number): LocalClock {
  const wall = wallReader(timezone);
  const first = new Map<number, number>();
  const skipped: { after: number; until: number }[] = [];
  let last: number | null = null;
  for (let at = from; at <= to; at += STEP) {
    const local = wall(at);
    if (!first.has(local)) first.set(local, at);
    if (last !== null && local - last > STEP) skipped.push({ after: last, until: local });
    last = local;
  }
  return function instant(local) {
    const known = first.get(local);
    if (known !== undefined) return known;
    const gap = skipped.find(({ after, until }) => local > after && local < until);
    if (gap === undefined) throw new Error(`no wall time ${new Date(local).toISOString()}`);
    return instant(local + gap.until - gap.after - STEP);
  };
}

/** The oracle: every span of every range, spelled out. */
function oracle(texts: readonly string[], clock: LocalClock, from: number, to: number): (at: number) => boolean {
  const spans: [number, number][] = [];
  for (let day = from - 5 * DAY; day <= to + DAY; day += DAY) {
    const weekday = new Date(day).getUTCDay() === 0 ? 7 : new Date(day).getUTCDay();
    for (const { days, start, endDay, end } of texts.map(range)) {
      if (days.includes(weekday)) spans.push([clock(day + start * MINUTE), clock(day + endDay * DAY + end * MINUTE)]);
    }
  }
  return (at) => spans.some(([start, end]) => start <= at && at < end);
}

const SCHEDULES = [
  ['Mon-Thu 17:30-08:30', 'Fri 17:30-Mon 08:30'],
  ['00:00-24:00'],
  ['Sat 22:00-Sun 02:30', 'Sun 02:15-02:45', 'Sun 01:30-03:15'],
  ['Sun 00:30-01:30', 'Sat,Sun 01:00-02:00'],
];

describe.each(ZONES)('in %s', (zone) => {
  const around = changes(zone);
  const places = cases(around.length === 0 ? [Date.UTC(2026, 2, 29)] : around).map((change) => ({
    from: change - 2 * DAY,
    to: change + 2 * DAY,
    clock: localClock(zone, change - 9 * DAY, change + 9 * DAY),
  }));

  it('knows where the clock changes', () => {
    expect(around.length).toBe(zone === 'Asia/Kolkata' ? 0 : 2 * YEARS);
  });

  it.each(SCHEDULES.map((texts) => [texts.join('; '), texts] as const))('%s agrees with the oracle', (_, texts) => {
    for (const { from, to, clock } of places) {
      const expected = oracle(texts, clock, from, to);
      const given = hours(texts, zone);
      const wrong: string[] = [];
      for (let at = from; at < to; at += STEP) {
        if (isWithin(given, at) !== expected(at)) wrong.push(new Date(at).toISOString());
      }
      expect(wrong).toEqual([]);
    }
  });
});

describe('exceptions', () => {
  const zone = 'Australia/Melbourne';
  const at = (local: string): number => Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
  const usual = ['Mon-Thu 17:30-08:30', 'Fri 17:30-Mon 08:30'];

  it('have hours of their own', () => {
    const given = hours(usual, zone, [{ dates: ['2026-12-25', '2026-12-26'], ranges: [range('00:00-24:00')] }]);
    expect(
      ['2026-12-24T12:00', '2026-12-25T12:00', '2026-12-26T12:00', '2026-12-28T12:00'].map((when) =>
        isWithin(given, at(when)),
      ),
    ).toEqual([false, true, true, false]);
  });

  it('are over with their last date: what is usual then goes on, though it would have begun on one of them', () => {
    const given = hours(usual, zone, [
      { dates: ['2026-12-25', '2026-12-26'], ranges: [range('00:00-24:00')] },
      { dates: ['2026-12-30'], ranges: [] },
    ]);
    expect(
      [
        // The Sunday after, and the Monday morning: the weekend that began on the Friday.
        '2026-12-27T12:00',
        '2026-12-28T08:29',
        '2026-12-28T08:30',
        // A Wednesday with no hours, and the night after it.
        '2026-12-30T07:00',
        '2026-12-30T23:59',
        '2026-12-31T07:00',
        '2026-12-31T08:30',
      ].map((when) => isWithin(given, at(when))),
    ).toEqual([true, true, false, false, false, true, false]);
  });

  it('with no hours are off all day, though a range before them would reach in, which goes on after them', () => {
    const given = hours(usual, zone, [{ dates: ['2026-12-05'], ranges: [] }]);
    expect(
      ['2026-12-04T23:59', '2026-12-05T00:00', '2026-12-05T23:59', '2026-12-06T00:00'].map((when) =>
        isWithin(given, at(when)),
      ),
    ).toEqual([true, false, false, true]);
  });

  it('may reach into an ordinary day', () => {
    const given = hours(['Mon-Fri 09:00-17:00'], zone, [{ dates: ['2026-12-02'], ranges: [range('20:00-06:00')] }]);
    expect(
      ['2026-12-02T10:00', '2026-12-02T21:00', '2026-12-03T05:59', '2026-12-03T06:00'].map((when) =>
        isWithin(given, at(when)),
      ),
    ).toEqual([false, true, true, false]);
  });
});

it('ends before the minute it names', () => {
  const given = hours(['Mon 08:30-09:00'], 'UTC');
  const monday = Date.UTC(2026, 2, 2);
  expect([510, 539.99, 540, 509.99].map((minutes) => isWithin(given, monday + minutes * MINUTE))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe('quiet hours', () => {
  const monday = Date.UTC(2026, 2, 2);
  const endsAt = (texts: string[], minutes: number): number =>
    (findQuietEnd(hours(texts, 'UTC'), monday + minutes * MINUTE) - monday) / MINUTE;

  it('with a pause of less than a quarter of an hour in them are one, wherever one asks', () => {
    const night = ['Mon-Sun 22:00-23:59', 'Mon-Sun 00:00-07:00'];
    const asked = [1320, 1321, 1327.5, 1334, 1438.5, 1439, 1439.5, 1440, 1500];
    expect(asked.map((minutes) => endsAt(night, minutes))).toEqual(asked.map(() => 1440 + 420));
    const lunch = ['Mon-Sun 12:00-12:30', 'Mon-Sun 12:44-13:00'];
    expect([720, 749, 750, 763.9, 764].map((minutes) => endsAt(lunch, minutes))).toEqual([780, 780, 780, 780, 780]);
  });

  it('with a longer pause end where it begins, and begin again', () => {
    const lunch = ['Mon-Sun 12:00-12:30', 'Mon-Sun 12:45-13:00'];
    expect([719, 720, 727, 749.5, 750, 764.5, 765].map((minutes) => endsAt(lunch, minutes))).toEqual([
      719, 750, 750, 750, 750, 764.5, 780,
    ]);
  });
});

describe('the next change of declared hours', () => {
  it.each(ZONES)('is when they begin or end, and nothing changes before it, in %s', (timezone) => {
    const declared = [
      hours(['Mon-Thu 17:30-08:30', 'Fri 17:30-Mon 08:30'], timezone),
      hours(['00:00-24:00'], timezone, [{ dates: ['2026-04-06'], ranges: [range('10:00-12:00')] }]),
      hours(['Sun 00:30-03:15'], timezone),
    ];
    for (const each of declared) {
      let at = Date.parse('2026-03-27T05:00:00Z');
      for (let count = 0; count < 24; count += 1) {
        const next = findNextChange(each, at);
        const end = next ?? at + 8 * DAY;
        const isOn = isWithin(each, at);
        const others: number[] = [];
        for (let step = at; step < end; step += STEP) if (isWithin(each, step) !== isOn) others.push(step);
        expect(others).toEqual([]);
        if (next !== null) expect(isWithin(each, next)).toBe(!isOn);
        at = end;
      }
    }
  });

  it('is none where they never do', () => {
    expect(findNextChange(hours(['00:00-24:00'], 'UTC'), 0)).toBeNull();
    expect(findNextChange(hours([], 'UTC'), 0)).toBeNull();
  });

  it('is told once it comes near, however often it was asked for before', () => {
    const given = hours([], 'UTC', [{ dates: ['2026-03-30'], ranges: [range('10:00-12:00')] }]);
    const begins = Date.parse('2026-03-30T10:00:00Z');
    expect(findNextChange(given, begins - 20 * DAY)).toBeNull();
    expect([8 * DAY, DAY, MINUTE].map((before) => findNextChange(given, begins - before))).toEqual([
      begins,
      begins,
      begins,
    ]);
    expect(findNextChange(given, begins)).toBe(begins + 120 * MINUTE);
    // A clock that was set back asks of what was before.
    expect(findNextChange(given, begins - MINUTE)).toBe(begins);
  });
});
