/** What a report keeps of changes that are more than it has room for. */
import { expect, test } from 'vitest';
import type { TransitionRecord } from '../../../src/core/history/record.ts';
import { gatherEvidence } from '../../../src/core/report/evidence.ts';
import { makeReport } from '../../../src/core/report/made-report.ts';
import { formatTextReport } from '../../../src/core/report/text-report.ts';
import { readerOfRows } from '../../support/rows-reader.ts';
import { recordedFall } from '../../support/recorded-history.ts';

/** What a change without texts counts for. */
const ONE = 400;

function change(alert: string | null, at: number): TransitionRecord {
  const record = recordedFall(`${alert} ${at}`, at);
  return alert === null
    ? { ...record, alert: null }
    : { ...record, alert: { id: alert, number: 1, severity: 'warning', title: 'Trunks' } };
}

async function* pagesOf(records: readonly TransitionRecord[]): AsyncGenerator<readonly TransitionRecord[]> {
  for (let from = 0; from < records.length; from += 10) {
    yield await Promise.resolve(records.slice(from, from + 10));
  }
}

const times = (records: readonly TransitionRecord[]): number[] => records.map(({ transition }) => transition.at);

test('all of it stays where there is room, and nothing that no report shows', async () => {
  const records = Array.from({ length: 50 }, (_, at) => change(['a', 'b', null, 'gone'][at % 4] ?? null, at));
  const { transitions, leftOut } = await gatherEvidence(pagesOf(records), new Set(['a', 'b']));
  expect(times(transitions)).toEqual(times(records.filter(({ alert }) => alert?.id === 'a' || alert?.id === 'b')));
  expect(leftOut).toBe(0);
});

test('of each alert the first and the last stay, and what is left out is counted', async () => {
  const records = Array.from({ length: 1_000 }, (_, at) => change(at % 100 === 50 ? 'short' : 'long', at));
  const { transitions, leftOut } = await gatherEvidence(pagesOf(records), new Set(['long', 'short']), 100 * ONE);
  expect(transitions.length).toBeLessThanOrEqual(100);
  expect(transitions.length + leftOut).toBe(1_000);
  const [long, short] = ['long', 'short'].map((id) => times(transitions.filter(({ alert }) => alert?.id === id)));
  expect([long?.[0], long?.at(-1)]).toEqual([0, 999]);
  expect(short).toEqual([50, 150, 250, 350, 450, 550, 650, 750, 850, 950]);
  expect(times(transitions)).toEqual(times(transitions).toSorted((a, b) => a - b));
});

test('however many alerts there are, no more stays than there is room for', async () => {
  const ids = Array.from({ length: 500 }, (_, index) => `alert ${index}`);
  const records = [0, 1, 2].flatMap((round) => ids.map((id, index) => change(id, round * 500 + index)));
  const { transitions, leftOut } = await gatherEvidence(pagesOf(records), new Set(ids), 100 * ONE);
  expect(transitions.length).toBeLessThanOrEqual(100);
  expect(transitions.length).toBeGreaterThan(50);
  expect(transitions.length + leftOut).toBe(1_500);
});

test('a report that leaves something out says so, and one that is whole does not', async () => {
  const span = { since: 0, until: 1_000_000 };
  const options = { instance: 'hq', timezone: 'UTC', month: '1970-01', madeAt: span.until, span };
  const alerts = Array.from({ length: 10_050 }, (_, index) => ({
    source: 'provider',
    id: `a${index}`,
    number: index,
    severity: 'warning' as const,
    title: 'Trunks',
    family: 'trouble' as const,
    notice: null,
    status: 'resolved' as const,
    cause: null,
    startedAt: index,
    openedAt: index,
    resolvedAt: index + 1,
  }));
  const rows = { states: [], readings: [], phones: [], transitions: [], deliveries: [] };
  const full = await makeReport(readerOfRows({ ...rows, alerts }), options);
  expect(full.leftOut).toEqual({ alerts: 50, changes: 0, late: 0 });
  expect(formatTextReport(full)).toContain('50 alerts are left out of this report for want of room');
  const small = await makeReport(readerOfRows({ ...rows, alerts: alerts.slice(0, 5) }), options);
  expect(formatTextReport(small)).not.toContain('left out');
});
