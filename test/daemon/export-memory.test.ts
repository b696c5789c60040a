/** An export of a history that is larger than all the memory its thread has. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportInThread } from '../../src/daemon/recording/history-tasks.ts';
import type { HistoryExport } from '../../src/web/web.ts';
import { fillHistory } from '../support/full-history.ts';

const UNTIL = Date.parse('2026-10-31T00:00:00Z');
const PLACE = { instance: 'hq', database: null };
let stateDir: string;
let changes: number;

beforeAll(async () => {
  stateDir = mkdtempSync(join(tmpdir(), 'linewatch-full-history-'));
  changes = await fillHistory({ directory: stateDir, until: UNTIL, bytes: 120_000_000 });
});
afterAll(() => rmSync(stateDir, { recursive: true }));

function begun(paper: HistoryExport): Exclude<HistoryExport, { cause: unknown }> {
  if ('cause' in paper) throw new Error(paper.why);
  return paper;
}

test('has every change, piece by piece', async () => {
  const paper = begun(await exportInThread('changes', { ...PLACE, stateDir, since: 0, sources: ['provider'] }));
  let [lines, longest] = [0, 0];
  for (let piece = await paper.next(); piece !== null; piece = await paper.next()) {
    lines += piece.split('\r\n').length - 1;
    longest = Math.max(longest, piece.length);
  }
  await paper.close();
  expect(lines).toBe(1 + changes);
  expect(longest).toBeLessThan(100_000);
});

test('is not made any further for a client that has gone', async () => {
  const paper = begun(await exportInThread('changes', { ...PLACE, stateDir, since: 0, sources: ['provider'] }));
  expect(await paper.next()).toContain('"at","source"');
  await paper.close();
  await expect(paper.next()).rejects.toThrow('ended');
});

test('as the report of a month has what there is room for, and says what is left out', async () => {
  const asked = { ...PLACE, stateDir, timezone: 'UTC', month: '2026-10', madeAt: UNTIL, watched: ['provider'] };
  const paper = begun(await exportInThread('document', { ...asked, format: 'json' }));
  let text = '';
  for (let piece = await paper.next(); piece !== null; piece = await paper.next()) text += piece;
  await paper.close();
  const report = JSON.parse(text) as { outages: { evidence: unknown[] }[]; left_out: { changes: number } };
  expect(report.outages).toHaveLength(500);
  expect(report.outages.every(({ evidence }) => evidence.length > 1)).toBe(true);
  expect(report.left_out.changes).toBeGreaterThan(0);
});
