/** What the page shows of the history, which is loaded when somebody asks for the first time. */
import type { ReportNames } from '../../config/report-names.ts';
import type { Log } from '../../log/log.ts';
import type { HistoryExport, ExportRequest, Past } from '../../web/web.ts';
import { createExports, SYSTEM, type ExportsClock } from './exports.ts';
import { UnreadableHistory, type HistoryPlace, type KeptHistory } from './kept-history.ts';
import { MINUTE, SECOND } from '../../core/text/duration.ts';
import type { DaysView } from '../../core/report/days.ts';
import type { RecentHours } from '../../core/view/recent.ts';
import type { createNinetyDays } from '../../history/ninety-days.ts';
import type { createRecentDeliveries } from '../../history/recent-deliveries.ts';
import type { createRecentHours } from '../../history/recent-hours.ts';
import { toSentence } from '../../core/text/plain.ts';

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
/** The page of now waits no longer for its history; it is shown as it was last read. */
const SOON_MS = 500;
/** Ninety days on the page of now are as old as this at most. */
const COUNTED_FOR_MS = 10 * MINUTE;
const TOO_LATE = 'The database with the history does not answer; ask again in a moment.';

/** None rejects for a history that cannot be read: each resolves to a sentence that says so, `paper` to why there is none. */
export function createPast(wiring: PastWiring): Past {
  const { history, timezone, now, log, place, doubted, clock = SYSTEM } = wiring;
  const { stateDir, instance, database } = place;
  let count: ReturnType<typeof createNinetyDays> | null = null;
  let isCounting = false;

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

  let recent: ReturnType<typeof createRecentHours> | null = null;
  let sent: ReturnType<typeof createRecentDeliveries> | null = null;
  let lastHours: RecentHours | null = null;
  /** Ninety days as they were last counted, for pages that must not wait for them. */
  let lastDays: { at: number; view: DaysView } | null = null;

  async function days(): Promise<DaysView | string> {
    const { createNinetyDays } = await import('../../history/ninety-days.ts');
    count ??= createNinetyDays({ read: history.read, timezone, now });
    const view = await inTime(count());
    if (typeof view !== 'string') lastDays = { at: now(), view };
    return view;
  }

  /** In the background, where what was counted is old. */
  function countAgain(): void {
    if (isCounting || (lastDays !== null && Math.abs(now() - lastDays.at) < COUNTED_FOR_MS)) return;
    isCounting = true;
    void days()
      .catch((error: unknown) => log.warn('Ninety days cannot be counted', { error }))
      .finally(() => (isCounting = false));
  }

  return {
    async paper(asked) {
      const paper = await exported(asked);
      if ('cause' in paper && paper.cause === 'damaged') doubted?.();
      return paper;
    },
    days,
    async now() {
      const { createRecentHours } = await import('../../history/recent-hours.ts');
      recent ??= createRecentHours({ read: history.read, now });
      countAgain();
      const reading = recent().then(
        (hours) => void (lastHours = hours),
        (error: unknown) => void troubleWith(error),
      );
      const late = Promise.withResolvers<void>();
      const callOff = clock.after(SOON_MS, () => late.resolve());
      await Promise.race([reading, late.promise]);
      callOff();
      return { recent: lastHours, days: lastDays?.view ?? null };
    },
    async deliveries() {
      const { createRecentDeliveries } = await import('../../history/recent-deliveries.ts');
      sent ??= createRecentDeliveries({ read: history.read, now });
      const answer = await inTime(sent());
      return typeof answer === 'string' ? null : answer;
    },
    trouble: () => inTime(history.read((reader) => reader.mark()).then(() => null)),
    story: (number, alert) => inTime(history.read((reader) => reader.story(number, alert))),
  };
}
