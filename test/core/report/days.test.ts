/** Days against a count of their own, minute by minute; and what a day is drawn as. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertRow, PhonesRow, ReadingRow, StateRow } from '../../../src/core/history/rows.ts';
import {
  listDayAlerts,
  computeDayRows,
  shareEqualDays,
  listGaps,
  mergeGaps,
  countMerges,
  NO_TIME,
  computePercentUp,
  toDayState,
  type DayTime,
} from '../../../src/core/report/days.ts';
import { formatChangeValues } from '../../../src/core/wording/change-words.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';
import { listDays } from '../../../src/core/report/month.ts';
import { runs } from '../../support/runs.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Three days in Melbourne, of which the second has 23 hours. */
const DAYS = listDays(
  { since: Date.parse('2026-10-03T00:00+10:00'), until: Date.parse('2026-10-06T00:00+11:00') },
  'Australia/Melbourne',
);
const SINCE = DAYS[0]?.since ?? 0;
const UNTIL = DAYS.at(-1)?.until ?? 0;
const MINUTES = (UNTIL - SINCE) / MINUTE;

const minute = fc.integer({ min: -600, max: MINUTES + 600 });
const distinct = <T>(value: fc.Arbitrary<T>) =>
  fc
    .uniqueArray(fc.record({ minute, value }), { selector: (one) => one.minute, minLength: 1, maxLength: 8 })
    .map((all) =>
      all.toSorted((a, b) => a.minute - b.minute).map((one) => ({ at: SINCE + one.minute * MINUTE, value: one.value })),
    );
const edges = fc
  .uniqueArray(minute, { maxLength: 8 })
  .map((all) => all.toSorted((a, b) => a - b).map((one) => SINCE + one * MINUTE));

function readingsOf(times: readonly number[], source: string, part: string): ReadingRow[] {
  return times.flatMap((since, index) => {
    const until = times[index + 1];
    return index % 2 === 0 && until !== undefined ? [{ source, part, since, until }] : [];
  });
}

/** What somebody counts who looks at every minute. */
function counted<R extends { at: number }>(
  rows: readonly R[],
  readings: readonly ReadingRow[],
  put: (time: DayTime, row: R) => void,
  isThere: (row: R) => boolean,
): DayTime[] {
  return DAYS.map((day) => {
    const time = { ...NO_TIME };
    for (let at = day.since; at < day.until; at += MINUTE) {
      const isRead = readings.some(({ since, until }) => since <= at && at < until);
      const row = rows.findLast((one) => one.at <= at);
      if (row === undefined ? !isRead : isThere(row) && !isRead) time.unknown += MINUTE;
      else if (row !== undefined && isThere(row)) put(time, row);
    }
    return time;
  });
}

describe('a day', () => {
  it('that is like the day before is kept as the same object', () => {
    const [well, lost] = [
      { ...NO_TIME, up: 24 },
      { ...NO_TIME, up: 20, degraded: 4, lostMs: 4 },
    ];
    const noticed = { ...well, noticed: 1 };
    const days = [{ ...NO_TIME }, { ...well }, { ...well }, lost, { ...well }, noticed];
    const shared = shareEqualDays(days);
    expect(shared).toEqual(days);
    expect(new Set(shared).size).toBe(5);
    expect([shared[0] === NO_TIME, shared[1] === shared[2], shared[2] === shared[4]]).toEqual([true, true, false]);
  });

  it('of a component is what a count of its minutes says', () => {
    fc.assert(
      fc.property(
        distinct(fc.constantFrom('operational', 'degraded', 'under_maintenance', null)),
        edges,
        (changes, times) => {
          const states: StateRow[] = changes.map(({ at, value }) => ({
            source: 'p',
            subject: 'component/1',
            name: 'SMS',
            at,
            state: value,
          }));
          const readings = readingsOf(times, 'p', 'components');
          const [row] = computeDayRows({ states, phones: [], readings }, DAYS);
          const put = (time: DayTime, { state }: StateRow): void => {
            time[state === 'operational' ? 'up' : state === 'degraded' ? 'degraded' : 'maintenance'] += MINUTE;
          };
          expect(row?.days).toEqual(counted(states, readings, put, ({ state }) => state !== null));
        },
      ),
      runs(1_000),
    );
  });

  it('of a site is what a count of its minutes says', () => {
    fc.assert(
      fc.property(
        distinct(fc.record({ total: fc.constantFrom(0, 5, 9), lost: fc.integer({ min: 0, max: 5 }) })),
        edges,
        (changes, times) => {
          const phones: PhonesRow[] = changes.map(({ at, value: { total, lost } }) => ({
            source: 'a',
            site: 'Richmond',
            at,
            total,
            registered: total - Math.min(lost, total),
            away: 0,
            lost: Math.min(lost, total),
          }));
          const readings = readingsOf(times, 'a', 'registrations');
          const [row] = computeDayRows({ states: [], phones, readings }, DAYS);
          const put = (time: DayTime, { total, lost }: PhonesRow): void => {
            time[lost > 0 ? 'degraded' : 'up'] += MINUTE;
            time.lostMs += lost * MINUTE;
            time.phonesMs += total * MINUTE;
            time.mostLost = Math.max(time.mostLost, lost);
          };
          expect(row?.days).toEqual(counted(phones, readings, put, ({ total }) => total > 0));
        },
      ),
      runs(1_000),
    );
  });

  it.each([
    [{}, 'none'],
    [{ up: 24 }, 'well'],
    [{ up: 23.9, unknown: 0.1 }, 'well'],
    [{ up: 20, unknown: 4 }, 'in part'],
    [{ up: 10, unknown: 14 }, 'unknown'],
    [{ unknown: 24 }, 'unknown'],
    [{ up: 1, degraded: 1, unknown: 22 }, 'trouble'],
    [{ up: 23, maintenance: 1 }, 'maintenance'],
    [{ up: 22, maintenance: 1, degraded: 1 }, 'trouble'],
  ] as const)('of %j is drawn as %s', (hours, state) => {
    const time = Object.fromEntries(Object.entries(hours).map(([key, count]) => [key, count * HOUR]));
    expect(toDayState({ ...NO_TIME, ...time })).toBe(state);
  });
});

describe('uptime', () => {
  it('is of the known time without planned work, and never rounded up', () => {
    expect(
      computePercentUp({ ...NO_TIME, up: 90 * HOUR, degraded: 10 * HOUR, unknown: 50 * HOUR, maintenance: 9 }),
    ).toBe(90);
    expect(computePercentUp({ ...NO_TIME, up: 1_000_000, degraded: 1 })).toBe(99.99);
    expect(computePercentUp({ ...NO_TIME, unknown: HOUR })).toBeNull();
  });

  it('of a site is the share of its phones that were registered', () => {
    expect(computePercentUp({ ...NO_TIME, up: 50, degraded: 50, lostMs: 100, phonesMs: 1000 })).toBe(90);
  });
});

describe('what is told of the days', () => {
  const alert: AlertRow = {
    source: 'p',
    id: 'x',
    number: 3,
    severity: 'critical',
    title: 'Calls fail',
    family: 'notice',
    notice: '7',
    status: 'resolved',
    cause: null,
    startedAt: 5,
    openedAt: 6,
    resolvedAt: 9,
  };

  it('counts an alert once, whoever takes part in it, until the last part of it is over', () => {
    const loss: AlertRow = {
      ...alert,
      source: 'a',
      family: 'phones',
      title: '3 phones',
      startedAt: 4,
      resolvedAt: null,
    };
    expect(listDayAlerts([loss, alert, { ...alert, id: 'y', number: 4, startedAt: 8 }], new Map())).toMatchObject([
      { number: 4, until: 9 },
      { number: 3, title: 'Calls fail', sources: ['p', 'a'], since: 4, until: null },
    ]);
  });

  it('says of an alert that goes on in another one which that is, and of no other', () => {
    const [change] = createSampleMessage('outage.suspected', 'ops', 6).changes;
    if (change?.transition.kind !== 'outage.suspected') throw new Error('an outage');
    const { transition } = change;
    const about = { id: alert.id, number: alert.number, severity: alert.severity, title: alert.title };
    const goesOn = { ...transition, details: { ...transition.details, goes_on_in: { alert: 'y', number: 4 } } };
    const records = [
      { transition: goesOn, status: 'update', alert: about },
      { transition, status: 'update', alert: { ...about, id: 'y', number: 4 } },
    ] as const;
    const merged = countMerges(records);
    const [other, own] = listDayAlerts([alert, { ...alert, id: 'y', number: 4, startedAt: 8 }], new Map(), merged);
    expect([own?.mergedInto, other?.mergedInto]).toEqual([4, undefined]);
    expect(formatChangeValues(goesOn, { timezone: 'UTC', now: 6, names: () => null, customer: () => null })).toContain(
      'merged into #4',
    );
  });

  it('names what was not read, and what was not read together once', () => {
    const read = (source: string, shift: number): ReadingRow[] => [
      { source, part: 'page', since: 0, until: HOUR + shift },
      { source, part: 'page', since: 3 * HOUR + shift, until: 9 * HOUR },
      { source, part: 'notices', since: 0, until: 9 * HOUR },
    ];
    expect(mergeGaps([...listGaps(read('p', 0)), ...listGaps(read('a', MINUTE))])).toEqual([
      { sources: ['p', 'a'], since: HOUR, until: 3 * HOUR },
    ]);
    expect(listGaps([{ source: 'p', part: 'page', since: 0, until: HOUR }])).toEqual([]);
  });
});
