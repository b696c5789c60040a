/**
 * Performs one task on the history in a thread and ends. A monthly report or an integrity check takes seconds of
 * processor time, which must not delay a sweep.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { HistoryReader } from '../../core/history/rows.ts';
import { formatHistoryCsv } from '../../core/report/csv.ts';
import { renderHtml } from '../../core/report/html-report.ts';
import { makeReport } from '../../core/report/made-report.ts';
import { toSpan } from '../../core/report/month.ts';
import type { Report } from '../../core/report/monthly-report.ts';
import { printReport, nameReportFile } from '../../core/report/printed.ts';
import { formatTextReport } from '../../core/report/text-report.ts';
import { toSentence } from '../../core/text/plain.ts';
import { findFault } from '../../history/sqlite.ts';
import { ForeseenError } from '../../net/failure.ts';
import type { MailedReport } from '../../receivers/receiver.ts';
import type { WebRefusal } from '../../web/web.ts';
import type { ExportMessage, HistoryExports, HistoryTasks, WrittenReport } from './history-tasks.ts';
import { openKeptHistory, UnreadableHistory, type HistoryPlace } from './kept-history.ts';

/** Characters of a piece, approximately: small enough that writing one delays other work little. */
const PIECE = 65_536;

/** The request cannot be fulfilled; the message tells people why. */
class NotToBeHad extends ForeseenError {
  override readonly name = 'NotToBeHad';
}

/** Rejects with `NotToBeHad` without a history, and with `UnreadableHistory`. */
async function read<T extends object>(
  place: HistoryPlace,
  question: (reader: HistoryReader) => Promise<T>,
): Promise<T> {
  const kept = openKeptHistory(place);
  try {
    const answer = await kept.read(question);
    if (answer === null) throw new NotToBeHad(`There is no history in ${kept.place}.`);
    return answer;
  } finally {
    await kept.close();
  }
}

async function reportFrom(asked: WrittenReport): Promise<Report> {
  const { month, madeAt, timezone, source, watched, heading, names, sources, ...place } = asked;
  const span = asked.span ?? toSpan(month ?? '', timezone);
  if (span === null) throw new NotToBeHad(`${month ?? 'nothing'} is no month.`);
  const options = { instance: place.instance, timezone, month, span, madeAt, source, watched, heading, names, sources };
  return await read(place, async (reader) => {
    if (source !== undefined && !(await reader.sources()).includes(source)) {
      throw new NotToBeHad(`The history has nothing of ${source}.`);
    }
    return await makeReport(reader, options);
  });
}

async function mailed(asked: WrittenReport): Promise<MailedReport> {
  const report = await reportFrom(asked);
  return { name: nameReportFile(report, 'html'), html: renderHtml(report), text: formatTextReport(report) };
}

const TASKS: { readonly [N in keyof HistoryTasks]: (asked: never) => Promise<unknown> } = {
  mailed,
  fault: ({ path }: HistoryTasks['fault']['asked']) => Promise.resolve(findFault(path)),
};

/** Passes the text on as it is requested. */
type Emit = (text: string) => Promise<void>;

const EXPORTS: {
  readonly [N in keyof HistoryExports]: (asked: HistoryExports[N], emit: Emit) => Promise<unknown>;
} = {
  document: async ({ format, ...asked }, emit) => await emit(printReport(await reportFrom(asked), format)),
  changes: async ({ since, sources, ...place }, emit) =>
    await read(place, async (reader) => {
      for await (const text of formatHistoryCsv(reader.transitionPages({ since, sources }))) await emit(text);
      return {};
    }),
};

function send(message: ExportMessage): void {
  parentPort?.postMessage(message, []);
}

/** An error before the first piece refuses the export; a later one is an error of the thread. */
async function sendExport(write: (emit: Emit) => Promise<unknown>): Promise<void> {
  let demand = Promise.withResolvers<void>();
  let hasBegun = false;
  parentPort?.on('message', () => demand.resolve());

  async function sendPiece(piece: string | null): Promise<void> {
    if (!hasBegun) send({ begun: true });
    hasBegun = true;
    await demand.promise;
    demand = Promise.withResolvers();
    send({ piece });
  }

  try {
    await write(async (text) => {
      for (const piece of inPieces(text)) await sendPiece(piece);
    });
  } catch (error) {
    const refused = hasBegun ? null : refusalOf(error);
    if (refused === null) throw error;
    return send({ refused });
  }
  await sendPiece(null);
}

function refusalOf(error: unknown): WebRefusal | null {
  if (error instanceof NotToBeHad) return { cause: 'nothing kept', why: toSentence(error.message) };
  if (!(error instanceof UnreadableHistory)) return null;
  return { cause: error.isDamaged ? 'damaged' : 'unreadable', why: toSentence(error.message) };
}

/** Splits only at ends of lines. */
function* inPieces(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from + PIECE);
    const to = end === -1 ? text.length : end + 1;
    yield text.slice(from, to);
    from = to;
  }
}

/** An error of the task is an error of the thread, for its starter. */
async function answer({ task, asked }: { task: string; asked: never }): Promise<void> {
  if (isExport(task)) return await sendExport((emit) => EXPORTS[task](asked, emit));
  parentPort?.postMessage(await TASKS[task as keyof HistoryTasks](asked), []);
}

function isExport(task: string): task is keyof HistoryExports {
  return task in EXPORTS;
}

void answer(workerData as { task: string; asked: never });
