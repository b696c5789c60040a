/** Charges by day and month, their limits, the forecast, and the zone of the bill. */
import { describe, expect, test } from 'vitest';
import { findChargeOffset } from '../../../src/core/calls/charge-zone.ts';
import { judgeSpend } from '../../../src/core/calls/judge-calls.ts';
import { compareCalls, NO_CALLS } from '../../../src/core/calls/call-findings.ts';
import { estimateMonth, summarizeSpend, type DaySums } from '../../../src/core/calls/spend.ts';
import type { Charge } from '../../../src/core/calls/call-model.ts';
import { callOf, NOON } from './call-stories.ts';

const settings = { daily: 50, monthly: 600, currency: 'AUD', alarm: 10, hotline: null, premium: ['19*'], allow: [] };

function sumsOf(days: Record<string, number>): ReadonlyMap<string, DaySums> {
  return new Map(Object.entries(days).map(([day, amount]) => [day, { National: Math.round(amount * 10_000) }]));
}

describe('a limit', () => {
  const judged = (spent: number) =>
    judgeSpend({ sums: sumsOf({ '2026-03-24': spent }), firstKnown: null }, '2026-03-24', NOON * 1000, settings);

  test('of the day warns at 80 percent and is critical at 100', () => {
    expect(judged(39.99)).toEqual([]);
    expect(judged(40)).toMatchObject([{ subject: 'spend/day', to: 80, details: { spent: 40, severity: 'warning' } }]);
    expect(judged(50)).toMatchObject([{ to: 100, details: { severity: 'critical' } }]);
  });

  test('of the month warns at both', () => {
    const sums = sumsOf({ '2026-03-02': 300, '2026-03-09': 310 });
    const [found] = judgeSpend({ sums, firstKnown: null }, '2026-03-24', NOON * 1000, settings);
    expect(found).toMatchObject({ subject: 'spend/month', to: 100, details: { severity: 'warning', spent: 610 } });
  });

  test('is told once for each step, and is over with its day', () => {
    const observe = (findings: ReturnType<typeof judged>) => ({ kind: 'calls' as const, findings, judged: ['spend/'] });
    const first = compareCalls(NO_CALLS, observe(judged(41)), 0);
    expect(first.drafts.map(({ draft }) => [draft.from, draft.to])).toEqual([[null, 80]]);
    const again = compareCalls(first.memory, observe(judged(45)), 0);
    expect(again.drafts).toEqual([]);
    const full = compareCalls(again.memory, observe(judged(51)), 0);
    expect(full.drafts.map(({ draft }) => [draft.from, draft.to])).toEqual([[80, 100]]);
    const unread = compareCalls(full.memory, { kind: 'calls', findings: [], judged: [] }, 0);
    expect(unread.drafts).toEqual([]);
    const over = compareCalls(full.memory, observe([]), 0);
    expect(over.drafts.map(({ draft }) => [draft.from, draft.to])).toEqual([[100, null]]);
  });
});

test('a forecast resamples weekdays, and needs two of each', () => {
  const days = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const day = Temporal.PlainDate.from('2026-02-12').add({ days: index });
      return [day.toString(), day.dayOfWeek > 5 ? 0 : 20];
    }),
  );
  const sums = sumsOf(days);
  const spend = summarizeSpend(sums, '2026-03-24', '2026-02-12');
  const forecast = estimateMonth(sums, spend, '2026-02-12');
  // 16 weekdays are charged until the 23rd, and six remain.
  expect([forecast?.low, forecast?.high]).toEqual([(16 + 6) * 200_000, (16 + 6) * 200_000]);
  expect(estimateMonth(sums, spend, '2026-03-11')).toBeNull();
  expect(estimateMonth(sums, spend, null)).toBeNull();
});

describe('the zone of the bill', () => {
  const rows = (offset: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const call = callOf('outgoing', index * 100);
      const charge: Charge = {
        list: 'outgoing',
        id: `${index}`,
        uuid: call.uuid,
        amount: 1,
        start: call.ended - call.talk + offset,
        rate: '',
      };
      return { call, charge };
    });
  const offsetOf = (all: ReturnType<typeof rows>) =>
    findChargeOffset(
      all.map(({ charge }) => charge),
      (uuid) => all.find(({ call }) => call.uuid === uuid)?.call ?? null,
    );

  test('is the offset that five rows share, in quarter hours', () => {
    expect(offsetOf(rows(39_600, 5))).toBe(39_600);
    expect(offsetOf(rows(20_700, 6))).toBe(20_700);
    expect(offsetOf(rows(39_600, 4))).toBeNull();
  });
});
