/** What is done with the history in a thread of its own, beside the watch. */
import type { MailedReport } from '../receivers/receiver.ts';
import type { ReportFormat } from '../core/report/printed.ts';
import type { Paper } from '../web/web.ts';
import type { HistoryPlace } from './kept-history.ts';

export interface WrittenReport extends HistoryPlace {
  timezone: string;
  month: string;
  madeAt: number;
  /** Default: all of them. */
  source?: string | undefined;
}

export interface DocumentAsked extends WrittenReport {
  format: ReportFormat;
}

export interface ChangesAsked extends HistoryPlace {
  since: number;
  sources: readonly string[];
}

export interface HistoryTasks {
  /** The report of a month, as mail brings it. */
  mailed: { asked: WrittenReport; answer: MailedReport };
  /** The report of a month. */
  document: { asked: DocumentAsked; answer: Paper };
  /** What happened, as CSV. */
  changes: { asked: ChangesAsked; answer: Paper };
  /** What is wrong with a file; null for nothing. */
  fault: { asked: { path: string }; answer: string | null };
}

export type TaskName = keyof HistoryTasks;

/** Where a thread is not to grow without bounds beside the watch; a year of 20 accounts takes a fraction of it. */
const MOST_MEGABYTES = 512;

/** Rejects where that cannot be read. What was asked is copied: secrets of a place stay in this process. */
export async function inHistoryThread<N extends TaskName>(
  task: N,
  asked: HistoryTasks[N]['asked'],
): Promise<HistoryTasks[N]['answer']> {
  const { Worker } = await import('node:worker_threads');
  const thread = new Worker(new URL(`history-thread${/\.\w+$/.exec(import.meta.url)?.[0]}`, import.meta.url), {
    workerData: { task, asked },
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  });
  // Whoever ends does not wait for it.
  thread.unref();
  try {
    return await new Promise<HistoryTasks[N]['answer']>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', (code) => reject(new Error(`The thread that reads the history ended with ${code}.`)));
    });
  } finally {
    await thread.terminate();
  }
}
