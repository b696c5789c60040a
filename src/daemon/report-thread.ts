/**
 * A thread that makes the report of a month and ends. Reading and counting a month takes a second of processor, in which
 * no sweep is to wait.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { htmlReport } from '../core/report/html-report.ts';
import { spanOfMonth } from '../core/report/month.ts';
import { reportOf, rowsOf } from '../core/report/monthly-report.ts';
import { textReport } from '../core/report/text-report.ts';
import type { MailedReport } from '../receivers/receiver.ts';
import { keptHistory, type HistoryPlace } from './kept-history.ts';

/** What the thread is started with, and answers with a `MailedReport`. */
export interface ReportAsked extends HistoryPlace {
  timezone: string;
  month: string;
  madeAt: number;
}

async function made({ month, madeAt, timezone, ...place }: ReportAsked): Promise<MailedReport> {
  const span = spanOfMonth(month, timezone);
  const kept = keptHistory(place);
  try {
    const rows = span === null ? null : await kept.read((reader) => rowsOf(reader, span));
    if (rows === null || span === null) throw new Error(`There is no history of ${month} in ${kept.place}.`);
    const report = reportOf(rows, { instance: place.instance, timezone, month, span, madeAt });
    return { name: `linewatch-report-${month}.html`, html: htmlReport(report), text: textReport(report) };
  } finally {
    await kept.close();
  }
}

/** What it throws is an error of the thread, for whoever started it. */
async function answer(asked: ReportAsked): Promise<void> {
  parentPort?.postMessage(await made(asked), []);
}

void answer(workerData as ReportAsked);
