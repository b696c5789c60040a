/** What the page shows of the history, which is loaded when somebody asks for the first time. */
import type { ReportNames } from '../config/report-names.ts';
import type { Log } from '../log/log.ts';
import type { HistoryExport, ExportRequest, Past } from '../web/web.ts';
import { createExports, SYSTEM, type ExportsClock } from './exports.ts';
import { UnreadableHistory, type HistoryPlace, type KeptHistory } from './kept-history.ts';
import { SECOND } from '../core/text/duration.ts';
import { toSentence } from '../core/text/plain.ts';

export interface PastWiring {
  history: Pick<KeptHistory, 'read'>;
  timezone(): string;
  /** Epoch milliseconds. */
  now(): number;
  log: Log;
  /** Where it is kept: papers are made in a thread, which opens it anew. */
  place: HistoryPlace;
  /** Resolves when what waits to be in the history is there; default: nothing waits. */
  record?(): Promise<void>;
  /** Whose a report is, of one customer or of all; null for a customer that nobody knows. Default: it is the instance's. */
  reportNames?(customer: string | undefined): ReportNames | null;
  /** Somebody has read a part of it that is damaged. */
  doubted?(): void;
  clock?: ExportsClock;
}

/** Beside the hang of a database, which shows as its connection times out, others may wait for the same connections. */
const ANSWERS_WITHIN_MS = 8 * SECOND;
const TOO_LATE = 'The database with the history does not answer; ask again in a moment.';

/** None rejects for a history that cannot be read: each resolves to a sentence that says so, `paper` to why there is none. */
export function createPast(wiring: PastWiring): Past {
  const { history, timezone, now, log, place, doubted, clock = SYSTEM } = wiring;
  const { stateDir, instance, database } = place;
  let count: (() => ReturnType<Past['days']>) | null = null;

  function troubleWith(error: unknown): string {
    if (!(error instanceof UnreadableHistory)) throw error;
    log.warn('The page cannot show the history', { reason: error.message });
    if (error.isDamaged) doubted?.();
    return toSentence(error.message);
  }

  /** A file answers as fast as it is read, however long that takes. */
  async function inTime<T>(answer: Promise<T>): Promise<T | string> {
    const late = Promise.withResolvers<string>();
    const callOff = database === null ? () => undefined : clock.after(ANSWERS_WITHIN_MS, () => late.resolve(TOO_LATE));
    try {
      return await Promise.race([answer.catch(troubleWith), late.promise]);
    } finally {
      callOff();
    }
  }

  async function start(asked: ExportRequest): Promise<HistoryExport> {
    const { exportInThread } = await import('./history-tasks.ts');
    const at = { stateDir, instance, database };
    await wiring.record?.();
    if (asked.paper === 'changes') {
      const { since, sources } = asked;
      return await exportInThread('changes', { ...at, since, sources });
    }
    const { month, span, format, source, customer, watched } = asked;
    const names = wiring.reportNames?.(customer);
    if (names === null) return { cause: 'nothing kept', why: `There is no customer '${customer ?? ''}'.` };
    const report = { timezone: timezone(), month, span, source, madeAt: now(), watched, ...names };
    return await exportInThread('document', { ...at, format, ...report });
  }

  const exported = createExports({ start, clock });

  return {
    async paper(asked) {
      const paper = await exported(asked);
      if ('cause' in paper && paper.cause === 'damaged') doubted?.();
      return paper;
    },
    async days() {
      const { createNinetyDays } = await import('../history/ninety-days.ts');
      count ??= createNinetyDays({ read: history.read, timezone, now });
      return await inTime(count());
    },
    trouble: () => inTime(history.read((reader) => reader.mark()).then(() => null)),
    story: (number, alert) => inTime(history.read((reader) => reader.story(number, alert))),
  };
}
