/**
 * A year of history: a page with two notices a day and 20 accounts of 50 phones at three sites, of which some come and go
 * every day. What it takes on the disk, how long one write keeps everything else waiting, and what a report of it takes.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderHtml } from '../../src/core/report/html-report.ts';
import { toMonth, toSpan } from '../../src/core/report/month.ts';
import { makeReport } from '../../src/core/report/made-report.ts';
import { openHistoryFile } from '../../src/history/sqlite.ts';
import { createReader } from '../../src/history/history-reader.ts';
import { figure, type Row } from './figures.ts';
import { DAY, START, writeDays } from './year.ts';

const DAYS = 365;

export async function measureHistory(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'linewatch-bench-history-'));
  try {
    const writes = await writeDays({ directory, days: DAYS });
    const megabytes = statSync(join(directory, 'history.db')).size / 1_000_000;
    const reports: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) reports.push(await reportIn(directory));
    const row = { bare: null };
    return [
      {
        ...row,
        what: 'a year of a page and 20 accounts',
        linewatch: figure([megabytes]),
        unit: 'MB',
        wanted: { always: 200 },
      },
      {
        ...row,
        what: 'one write into it, while nothing else runs',
        linewatch: figure(writes),
        unit: 'ms',
        wanted: { most: 5 },
      },
      {
        ...row,
        what: 'a report of a month of it as HTML',
        linewatch: figure(reports),
        unit: 's',
        wanted: { always: 2 },
      },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Seconds. */
async function reportIn(directory: string): Promise<number> {
  const began = performance.now();
  const file = openHistoryFile(directory);
  const month = toMonth(START + 200 * DAY, 'UTC');
  const span = toSpan(month, 'UTC');
  if (file === null || span === null) throw new Error('there is no history');
  renderHtml(
    await makeReport(createReader(file), {
      instance: 'bench',
      timezone: 'UTC',
      month,
      span,
      madeAt: START + DAYS * DAY,
    }),
  );
  file.close();
  return (performance.now() - began) / 1000;
}
