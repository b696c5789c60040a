/** History for the page, loaded on the first request. */
import type { ReportNames } from '../../config/report-names.ts';
import type { Log } from '../../log/log.ts';
import type { HistoryExport, ExportRequest, PageHistory } from '../../web/web.ts';
import { createExports, SYSTEM, type ExportsClock } from './exports.ts';
import { UnreadableHistory, type HistoryPlace, type KeptHistory } from './kept-history.ts';
import { MINUTE, SECOND } from '../../core/text/duration.ts';
import type { DaysView } from '../../core/report/days.ts';
import type { RecentHours } from '../../core/view/recent.ts';
import type { createNinetyDays } from '../../history/ninety-days.ts';
import type { createRecentDeliveries } from '../../history/recent-deliveries.ts';
import type { createRecentHours } from '../../history/recent-hours.ts';
import { toSentence } from '../../core/text/plain.ts';

export interface PageHistoryDeps {
  history: Pick<KeptHistory, 'read'>;
  timezone(): string;
  /** Epoch milliseconds. */
  now(): number;
  log: Log;
  /** Location of the history, which a thread opens for exports. */
  place: HistoryPlace;
  /** Resolves when pending records are in the history; default: none are pending. */
  record?(): Promise<void>;
  /** Names for a report of one customer or of all; null for an unknown customer. Default: the instance's name. */
  reportNames?(customer: string | undefined): ReportNames | null;
  /** Called when a read finds damage. */
  doubted?(): void;
  clock?: ExportsClock;
}

/** A hanging database shows as a connection timeout, and others may wait for the same connections. */
const ANSWERS_WITHIN_MS = 8 * SECOND;
/** The status page waits no longer for its history, and then shows the last one read. */
const SOON_MS = 500;
/** The page is shown meanwhile: both read the same rows of what may be thousands of sources. */
const COUNTED_AFTER_MS = 100;
/** Maximum age of the ninety days on the status page. */
const COUNTED_FOR_MS = 10 * MINUTE;
const TOO_LATE = 'The database with the history does not answer; ask again in a moment.';

/** No method rejects if the history cannot be read: each resolves to a sentence that says so, `export` to the reason. */
export function createPageHistory(wiring: PageHistoryDeps): PageHistory {
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

  /** A file has no time limit: it answers as fast as it can be read. */
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
    if (asked.what === 'changes') {
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
  /** The last ninety days that were counted, for pages that must not wait. */
  let lastDays: { at: number; view: DaysView } | null = null;

  async function days(): Promise<DaysView | string> {
    const { createNinetyDays } = await import('../../history/ninety-days.ts');
    count ??= createNinetyDays({ read: history.read, timezone, now });
    const view = await inTime(count());
    if (typeof view !== 'string') lastDays = { at: now(), view };
    return view;
  }

  /** Counts again in the background if the last result is old. */
  function countAgain(): void {
    if (isCounting || (lastDays !== null && Math.abs(now() - lastDays.at) < COUNTED_FOR_MS)) return;
    isCounting = true;
    void days()
      .catch((error: unknown) => log.warn('Ninety days cannot be counted', { error }))
      .finally(() => (isCounting = false));
  }

  return {
    async export(asked) {
      const made = await exported(asked);
      if ('cause' in made && made.cause === 'damaged') doubted?.();
      return made;
    },
    days,
    async now() {
      const { createRecentHours } = await import('../../history/recent-hours.ts');
      recent ??= createRecentHours({ read: history.read, now });
      const reading = recent().then(
        (hours) => void (lastHours = hours),
        (error: unknown) => void troubleWith(error),
      );
      const late = Promise.withResolvers<void>();
      const callOff = clock.after(SOON_MS, () => late.resolve());
      await Promise.race([reading, late.promise]);
      callOff();
      clock.after(COUNTED_AFTER_MS, countAgain);
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
