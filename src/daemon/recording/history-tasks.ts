/** Tasks on the history that run in a thread, beside the loops. */
import type { Worker } from 'node:worker_threads';
import type { Span } from '../../core/history/rows.ts';
import type { ReportOptions } from '../../core/report/monthly-report.ts';
import type { ReportFormat } from '../../core/report/printed.ts';
import type { MailedReport } from '../../receivers/receiver.ts';
import type { HistoryExport, WebRefusal } from '../../web/web.ts';
import type { HistoryPlace } from './kept-history.ts';

export interface WrittenReport extends HistoryPlace {
  timezone: string;
  /** Null for a span that is not a month. */
  month: string | null;
  /** Default: that of the month. */
  span?: Span | undefined;
  madeAt: number;
  /** Names of all configured sources: any other source is no longer watched. */
  watched: readonly string[];
  /** Default: all of them. */
  source?: string | undefined;
  heading?: ReportOptions['heading'];
  names?: ReportOptions['names'];
  sources?: ReportOptions['sources'];
}

export interface DocumentAsked extends WrittenReport {
  format: ReportFormat;
}

export interface ChangesAsked extends HistoryPlace {
  since: number;
  sources: readonly string[];
}

/** Tasks with a single answer each. */
export interface HistoryTasks {
  /** The monthly report, as sent by mail. */
  mailed: { asked: WrittenReport; answer: MailedReport };
  /** Damage of a file; null for none. */
  fault: { asked: { path: string }; answer: string | null };
}

/** Exports, each written in pieces. */
export interface HistoryExports {
  /** The report of a month. */
  document: DocumentAsked;
  /** Transitions as CSV. */
  changes: ChangesAsked;
}

/** Messages of an export's thread: the first without a request, each later one in response to a request. */
export type ExportMessage = { refused: WebRefusal } | { begun: true } | { piece: string | null };

/**
 * Megabytes: together with the daemon the thread stays within the memory limit of systemd/linewatch.service. A thread
 * holds at most pages of the history and one report, which has a size limit.
 */
const HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 } as const;

/** Rejects if the history cannot be read. The arguments are copied into the thread without the secrets of a place. */
export async function runInHistoryThread<N extends keyof HistoryTasks>(
  task: N,
  asked: HistoryTasks[N]['asked'],
): Promise<HistoryTasks[N]['answer']> {
  const thread = await startThread(task, asked);
  try {
    return (await thread.next()) as HistoryTasks[N]['answer'];
  } finally {
    await thread.end();
  }
}

/** Pieces are made on request, none ahead of a slow reader. The caller must close the export. */
export async function exportInThread<N extends keyof HistoryExports>(
  task: N,
  asked: HistoryExports[N],
): Promise<HistoryExport> {
  const thread = await startThread(task, asked);
  const close = async (): Promise<void> => await thread.end();
  try {
    const said = (await thread.next()) as ExportMessage;
    if ('refused' in said) {
      await close();
      return said.refused;
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async next() {
      const answer = thread.next();
      thread.ask();
      const said = (await answer) as ExportMessage;
      return 'piece' in said ? said.piece : null;
    },
    close,
  };
}

async function startThread(task: string, asked: object) {
  const { Worker: Thread } = await import('node:worker_threads');
  const thread: Worker = new Thread(new URL(`history-thread${/\.\w+$/.exec(import.meta.url)?.[0]}`, import.meta.url), {
    workerData: { task, asked },
    resourceLimits: HEAP,
  });
  // The end of the process does not wait for the thread.
  thread.unref();
  let waiting: PromiseWithResolvers<unknown> | null = null;
  let failure: Error | null = null;
  const fail = (error: Error): void => {
    failure ??= error;
    waiting?.reject(failure);
  };
  thread.on('message', (said: unknown) => waiting?.resolve(said));
  thread.on('error', fail);
  thread.on('exit', (code) => fail(new Error(`The thread that reads the history ended with ${code}.`)));
  return {
    /** Requests the next message. */
    ask: () => thread.postMessage('next', []),
    /** The next message. Rejects with the error that ended the thread. */
    async next() {
      if (failure !== null) throw failure;
      waiting = Promise.withResolvers();
      return await waiting.promise;
    },
    async end() {
      await thread.terminate();
    },
  };
}
