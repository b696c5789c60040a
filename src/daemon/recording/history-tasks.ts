/** What is done with the history in a thread of its own, beside the watch. */
import type { Worker } from 'node:worker_threads';
import type { Span } from '../../core/history/rows.ts';
import type { ReportOptions } from '../../core/report/monthly-report.ts';
import type { ReportFormat } from '../../core/report/printed.ts';
import type { MailedReport } from '../../receivers/receiver.ts';
import type { HistoryExport, Refusal } from '../../web/web.ts';
import type { HistoryPlace } from './kept-history.ts';

export interface WrittenReport extends HistoryPlace {
  timezone: string;
  /** Null where the span is no month. */
  month: string | null;
  /** Default: that of the month. */
  span?: Span | undefined;
  madeAt: number;
  /** Names of all that is configured: any other source is no longer watched. */
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

/** Each has one answer. */
export interface HistoryTasks {
  /** The report of a month, as mail brings it. */
  mailed: { asked: WrittenReport; answer: MailedReport };
  /** What is wrong with a file; null for nothing. */
  fault: { asked: { path: string }; answer: string | null };
}

/** Each is written piece by piece. */
export interface HistoryExports {
  /** The report of a month. */
  document: DocumentAsked;
  /** What happened, as CSV. */
  changes: ChangesAsked;
}

/** A thread says each of an export after it was asked for the next piece; the first of them by itself. */
export type ExportMessage = { refused: Refusal } | { begun: true } | { piece: string | null };

/**
 * Megabytes: together with the watch it has to stay within what systemd/linewatch.service leaves to the unit. Nothing that
 * a thread does keeps more than pages of the history and one report, which has bounds.
 */
const HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 } as const;

/** Rejects where that cannot be read. What was asked is copied: secrets of a place stay in this process. */
export async function inHistoryThread<N extends keyof HistoryTasks>(
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

/** Its pieces are made as they are asked for, none ahead of a slow reader. Whoever has the export has to close it. */
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

interface HistoryThread {
  /** Asks for the next message. */
  ask(): void;
  /** The next message. Rejects with what ended the thread. */
  next(): Promise<unknown>;
  end(): Promise<void>;
}

async function startThread(task: string, asked: object): Promise<HistoryThread> {
  const { Worker: Thread } = await import('node:worker_threads');
  const thread: Worker = new Thread(new URL(`history-thread${/\.\w+$/.exec(import.meta.url)?.[0]}`, import.meta.url), {
    workerData: { task, asked },
    resourceLimits: HEAP,
  });
  // Whoever ends does not wait for it.
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
    ask: () => thread.postMessage('next', []),
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
