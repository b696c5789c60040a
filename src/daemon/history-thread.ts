/**
 * A thread that does one thing with the history and ends. Reading and counting a month, or looking all of a file through,
 * takes seconds of processor, in which no sweep is to wait.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { HistoryReader } from '../core/history/rows.ts';
import { csvHistory } from '../core/report/csv.ts';
import { htmlReport } from '../core/report/html-report.ts';
import { spanOfMonth } from '../core/report/month.ts';
import { reportOf, rowsOf, type Report } from '../core/report/monthly-report.ts';
import { printedReport, reportFileName } from '../core/report/printed.ts';
import { textReport } from '../core/report/text-report.ts';
import { sentence } from '../core/text/plain.ts';
import { faultInFile } from '../history/in-file.ts';
import { ForeseenError } from '../net/failure.ts';
import type { MailedReport } from '../receivers/receiver.ts';
import type { Paper } from '../web/web.ts';
import type { ChangesAsked, DocumentAsked, HistoryTasks, TaskName, WrittenReport } from './history-tasks.ts';
import { keptHistory, UnreadableHistory, type HistoryPlace } from './kept-history.ts';

/** In how many characters a document comes, about: nobody waits for long while one is taken on. */
const PIECE = 65_536;

/** What was asked for cannot be had; the message says why in words for people. */
class NotToBeHad extends ForeseenError {
  override readonly name = 'NotToBeHad';
}

/** Rejects with `NotToBeHad` where there is no history, and with `UnreadableHistory`. */
async function read<T>(place: HistoryPlace, question: (reader: HistoryReader) => Promise<T>): Promise<T> {
  const kept = keptHistory(place);
  try {
    const answer = await kept.read(question);
    if (answer === null) throw new NotToBeHad(`There is no history in ${kept.place}.`);
    return answer;
  } finally {
    await kept.close();
  }
}

async function reportFrom({ month, madeAt, timezone, source, ...place }: WrittenReport): Promise<Report> {
  const span = spanOfMonth(month, timezone);
  if (span === null) throw new NotToBeHad(`${month} is no month.`);
  const rows = await read(place, async (reader) => {
    if (source !== undefined && !(await reader.sources()).includes(source)) {
      throw new NotToBeHad(`The history has nothing of ${source}.`);
    }
    return await rowsOf(reader, span);
  });
  return reportOf(rows, { instance: place.instance, timezone, month, span, madeAt, source });
}

async function mailed(asked: WrittenReport): Promise<MailedReport> {
  const report = await reportFrom(asked);
  return { name: reportFileName(asked.month, 'html'), html: htmlReport(report), text: textReport(report) };
}

async function document({ format, ...asked }: DocumentAsked): Promise<Paper> {
  return await paper(async () => printedReport(await reportFrom(asked), format));
}

async function changes({ since, sources, ...place }: ChangesAsked): Promise<Paper> {
  return await paper(async () => csvHistory(await read(place, (reader) => reader.transitions({ since, sources }))));
}

async function paper(write: () => Promise<string>): Promise<Paper> {
  try {
    return inPieces(await write());
  } catch (error) {
    if (error instanceof NotToBeHad) return { cause: 'nothing kept', why: sentence(error.message) };
    if (!(error instanceof UnreadableHistory)) throw error;
    return { cause: error.isDamaged ? 'damaged' : 'unreadable', why: sentence(error.message) };
  }
}

/** Parted at ends of lines, so that nothing within one is. */
function inPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from + PIECE);
    const to = end === -1 ? text.length : end + 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

const TASKS: { readonly [N in TaskName]: (asked: HistoryTasks[N]['asked']) => Promise<HistoryTasks[N]['answer']> } = {
  mailed,
  document,
  changes,
  fault: ({ path }) => Promise.resolve(faultInFile(path)),
};

/** What it throws is an error of the thread, for whoever started it. */
async function answer<N extends TaskName>({
  task,
  asked,
}: {
  task: N;
  asked: HistoryTasks[N]['asked'];
}): Promise<void> {
  parentPort?.postMessage(await TASKS[task](asked), []);
}

void answer(workerData as { task: TaskName; asked: HistoryTasks[TaskName]['asked'] });
