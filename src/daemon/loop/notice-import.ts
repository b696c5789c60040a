/** Reads the record of a page from before the watch, once; it is used for every new notice. */
import { countComponentRecords } from '../../core/history/notice-record.ts';
import type { PageRecord } from '../../core/history/past-notice.ts';
import type { RecordDetails } from '../../core/transition/notice-details.ts';
import { MINUTE, SECOND } from '../../core/text/duration.ts';
import type { History } from '../../history/history-writer.ts';
import { readPageRecords } from '../../history/past-notices.ts';
import type { Log } from '../../log/log.ts';
import type { Clock } from '../common/clock.ts';
import type { NoticeImportOptions, WatchedPage } from './options.ts';
import { importPastNotices } from '../recording/past-notices.ts';
import type { PageSource } from './sources.ts';

/** Delay until ended incidents are in the record. */
const LOOKED_UP_EVERY_MS = 10 * MINUTE;
/** Waits for the first sweep; also the delay of a retry if the history cannot be read. */
const NOT_YET_MS = 5 * SECOND;

export type NoticeRecords = ReturnType<typeof createNoticeRecords>;

export function createNoticeRecords(now: () => number) {
  const known = new Map<string, readonly RecordDetails[]>();
  return {
    /** How often the components of a page were affected; empty if unknown. */
    of: (source: string) => known.get(source) ?? [],
    learn(source: string, record: PageRecord | null) {
      if (record === null) known.delete(source);
      else known.set(source, countComponentRecords(record, now()));
    },
  };
}

export interface NoticeImportDeps {
  options: NoticeImportOptions;
  history: History;
  clock: Clock;
  log: Log;
  records: NoticeRecords;
}

/** Does nothing for a page that does not list its past. */
export async function runNoticeImport(
  { name, reader }: WatchedPage,
  source: PageSource,
  { options, history, clock, log, records }: NoticeImportDeps,
  stop: AbortSignal,
): Promise<void> {
  const { pastNotices } = reader;
  if (pastNotices === undefined) return;
  while (source.lastSweptAt === null && !stop.aborted) await clock.sleep(NOT_YET_MS, stop);
  if (options.months > 0 && !stop.aborted) {
    const deps = { name, pastNotices, ...options, history, clock, log, restMs: () => reader.restMs() };
    await importPastNotices(
      {
        ...deps,
        known: () => source.state,
        keep: async (kept, isWorthSaving) => await source.keep((state) => ({ ...state, past: kept }), isWorthSaving),
        readAt: () => source.lastReadAt,
      },
      stop,
    );
  }
  while (!stop.aborted) {
    const found = await history.ask((archive) => readPageRecords(archive, name));
    if (found !== null) records.learn(name, found[0] ?? null);
    await clock.sleep(found === null ? NOT_YET_MS : LOOKED_UP_EVERY_MS, stop);
  }
}
