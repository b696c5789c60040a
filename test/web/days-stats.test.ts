/** Figures over ninety days: what is not known is counted from the beginning of the watch, and not in its first day. */
import { expect, test } from 'vitest';
import { NO_TIME, sumUnknown, type DayRow, type DaysView } from '../../src/core/report/days.ts';
import { renderDaysFigures } from '../../src/web/days/days-stats.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MIDNIGHT = Date.parse('2026-03-24T00:00:00.000Z');

/** Watched from noon of the first day on: before that, and for an hour of each day, nothing is known. */
function rowOf(dayCount: number, lastHours: number): { row: DayRow; view: DaysView; now: number } {
  const now = MIDNIGHT + (dayCount - 1) * DAY + lastHours * HOUR;
  const days = Array.from({ length: dayCount }, (_, index) => {
    const since = MIDNIGHT + index * DAY;
    return { since, until: Math.min(since + DAY, now), date: '' };
  });
  const times = days.map(({ since, until }, index) => {
    const unknown = (index === 0 ? 12 : 0) * HOUR + HOUR;
    return { ...NO_TIME, unknown, up: until - since - unknown };
  });
  const row: DayRow = { source: 'provider', subject: 'component/1', name: 'SMS', days: times };
  const view: DaysView = {
    days,
    keptSince: MIDNIGHT + 12 * HOUR,
    rows: [row],
    alerts: [],
    gaps: [],
    alertsOf: new Map(),
    records: new Map(),
    notices: [],
    works: [],
    hours: null,
  };
  return { row, view, now };
}

async function figuresOf(dayCount: number, lastHours: number): Promise<string> {
  const { row, view, now } = rowOf(dayCount, lastHours);
  const figures = String(await renderDaysFigures([row], view, now, [{ source: 'provider', rows: [row] }]));
  return figures.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('within the first day nothing is said of what is not known', async () => {
  expect(await figuresOf(1, 23)).not.toContain('Not known');
  expect(await figuresOf(2, 11)).not.toContain('Not known');
});

test('after it only what came after the beginning counts', async () => {
  // Two hours of the thirty-six since the beginning.
  expect(await figuresOf(2, 24)).toContain('Not known 5.6 % of the time since the watch began');
});

test('of a row that was known all the time since, nothing is left', () => {
  const { row, view } = rowOf(1, 23);
  const [time = NO_TIME] = row.days;
  expect(sumUnknown(row, view.days, view.keptSince ?? 0)).toBe(HOUR);
  const known = { ...row, days: [{ ...time, unknown: 12 * HOUR }] };
  expect(sumUnknown(known, view.days, view.keptSince ?? 0)).toBe(0);
  expect(sumUnknown({ ...row, days: [NO_TIME] }, view.days, view.keptSince ?? 0)).toBe(0);
});
