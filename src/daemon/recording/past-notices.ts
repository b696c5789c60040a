/**
 * Imports the past notices of a page into the history, once: its lists page by page, then the detail of each notice, at
 * one request a second and after all other requests to the page. Sends no notification. The state of the page records
 * the progress, so that a restart continues.
 */
import {
  isExtendedBy,
  beginImport,
  finishImport,
  listUnreadNotices,
  type PastImport,
  recordBegin,
  addListedNotices,
} from '../../core/history/past-import.ts';
import { toImportedNotice, isSeenToEnd, type PastNotice } from '../../core/history/past-notice.ts';
import type { Miss } from '../../core/observation/listing.ts';
import type { NoticeDetail } from '../../core/page/page-model.ts';
import type { Snapshot } from '../../core/page/snapshot.ts';
import { MINUTE, SECOND } from '../../core/text/duration.ts';
import { computeRetryWait, type RetryPolicy } from '../../core/text/retry.ts';
import type { History } from '../../history/history-writer.ts';
import { readAlertedNotices, readPageRecords, toNoticeRow, toReachRow } from '../../history/past-notices.ts';
import type { Log } from '../../log/log.ts';
import type { PastReader } from '../../pages/page-reader.ts';
import type { Clock } from '../common/clock.ts';

export interface PastImportDeps {
  name: string;
  pastNotices: PastReader;
  /** Months to go back; `Infinity` for all. */
  months: number;
  keepMs: number;
  history: Pick<History, 'ask' | 'noticed' | 'flush'>;
  clock: Clock;
  log: Log;
  /** Progress of the import, and snapshot of the page. */
  known(): { past?: PastImport; snapshot: Snapshot };
  keep(progress: PastImport, isWorthSaving: boolean): Promise<void>;
  /** Wall time of the last complete sweep of the page; after it, a failure concerns only part of the page. */
  readAt(): number | null;
  restMs(): number;
}

/** From the start of a request to the start of the next. */
const PACE_MS = SECOND;
const RETRIES: RetryPolicy = { firstMs: 5 * SECOND, factor: 2, capMs: 5 * MINUTE, jitter: 0 };
/** How often an item is requested that cannot be read while others can. */
const TRIES = 4;
/** The history may open later than the end of the first sweep, and its disk may refuse for a while. */
const HISTORY_RETRY_MS = 5 * SECOND;
/** The progress is committed after this many notices; the notices themselves are in the history earlier. */
const SAVED_EVERY = 10;

/** Resolves when all is read, or the signal is aborted. Never rejects for failures of provider or disk. */
export async function importPastNotices(deps: PastImportDeps, stop: AbortSignal): Promise<void> {
  const { name, months, keepMs, clock, log, known, keep } = deps;
  const before = known().past;
  const goesOn = before !== undefined && !isExtendedBy(before, months);
  if (goesOn && before.finishedAt !== null) return;
  if (!goesOn) await keep(beginImport(months, clock.now(), keepMs), true);
  log.info(goesOn ? 'Reading past notices goes on' : 'Reading past notices begins', { source: name });
  const asking = createAsking(deps, stop);
  const isWhole = await readLists(deps, asking, stop);
  const read = await readDetails(deps, asking, stop);
  const progress = known().past;
  if (read === null || progress === undefined || stop.aborted) return;
  if (isWhole) deps.history.noticed([toReachRow(name, recordBegin(progress, read))]);
  await deps.history.flush();
  await keep(finishImport(progress, clock.now()), true);
  const { total, archived, unreadable } = progress;
  log.info('Past notices are read', { source: name, notices: total, archived: archived.length, unreadable });
}

type Asking = ReturnType<typeof createAsking>;

function createAsking({ clock, restMs, readAt }: PastImportDeps, stop: AbortSignal) {
  let askedAt = -Infinity;
  let failures = 0;
  let answeredAt = -Infinity;
  const tries = new Map<string, { count: number; at: number }>();
  return {
    /** Null if stopped. Waits after a failure before it returns. */
    async one<T extends { kind: string }>(ask: () => Promise<T | Miss>): Promise<T | Miss | null> {
      await clock.sleep(Math.max(0, askedAt + PACE_MS - clock.monotonic()), stop);
      if (stop.aborted) return null;
      askedAt = clock.monotonic();
      const answer = await ask();
      if (stop.aborted) return null;
      if (answer.kind !== 'missed') {
        failures = 0;
        answeredAt = clock.now();
        return answer;
      }
      failures += 1;
      await clock.sleep(computeRetryWait(RETRIES, { failures, retryAfterMs: restMs() }), stop);
      return stop.aborted ? null : answer;
    },
    /** True if this item failed several times while others could be read in between. */
    isHopeless(what: string): boolean {
      const before = tries.get(what);
      const othersAt = Math.max(answeredAt, readAt() ?? -Infinity);
      const count = (before?.count ?? 0) + (before !== undefined && othersAt >= before.at ? 1 : 0);
      tries.set(what, { count, at: clock.now() });
      return count >= TRIES;
    },
  };
}

/** False if a list cannot be read to its end, or if stopped. */
async function readLists(
  { name, pastNotices, known, keep, log }: PastImportDeps,
  asking: Asking,
  stop: AbortSignal,
): Promise<boolean> {
  /** Ids in the list that is being read: a page of it without a new id means a loop. */
  let seen = new Set<string>();
  for (;;) {
    const so = known().past;
    const next = so?.next ?? null;
    if (so === undefined || stop.aborted) return false;
    if (next === null) return true;
    const answer = await asking.one(() => pastNotices.list(next.timeline, next.page, stop));
    if (answer === null) return false;
    if (answer.kind === 'missed') {
      if (!asking.isHopeless(`${next.timeline} ${next.page}`)) continue;
      log.warn('A list of past notices cannot be read; the record of past notices has a gap', {
        source: name,
        ...next,
        why: answer.why,
      });
      return false;
    }
    const { notices, hasNext } = answer.value;
    const isNew = notices.some(({ id }) => !seen.has(id));
    seen = seen.union(new Set(notices.map(({ id }) => id)));
    const after = addListedNotices(so, notices, hasNext && isNew);
    if (after.next?.timeline !== next.timeline) seen = new Set();
    await keep(after, true);
  }
}

/** Resolves to all notices now in the history; null if stopped. */
async function readDetails(
  deps: PastImportDeps,
  asking: Asking,
  stop: AbortSignal,
): Promise<readonly PastNotice[] | null> {
  const { pastNotices, clock } = deps;
  const handed = new Set<string>();
  while (!stop.aborted) {
    const left = await whatIsLeft(deps);
    if (left?.ids.length === 0) return left.written;
    const queue = left?.ids.filter(({ id }) => !handed.has(id)) ?? [];
    if (left === null || queue.length === 0) await clock.sleep(HISTORY_RETRY_MS, stop);
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const { id } = one;
      const answer = await asking.one(() => pastNotices.notice(id, stop));
      if (answer === null) return null;
      if (answer.kind === 'observed') {
        handed.add(id);
        await take(deps, answer.value, left?.alerted.has(id) === true);
      } else if (answer.kind === 'absent') await settle(deps, { archived: [one] });
      else if (asking.isHopeless(id)) await settle(deps, { unreadable: [id] });
      else queue.push(one);
    }
  }
  return null;
}

/** Listed notices not yet in the history; null if that cannot be read now. */
async function whatIsLeft({ name, history, known, keep }: PastImportDeps) {
  await history.flush();
  const found = await history.ask(async (archive) => ({
    alerted: await readAlertedNotices(archive, name),
    written: (await readPageRecords(archive, name))[0]?.notices ?? [],
  }));
  const { past: progress, snapshot } = known();
  if (found === null || progress === undefined) return null;
  const listed = listUnreadNotices(progress, new Set(found.written.map(({ id }) => id)));
  const ids = listed.filter(({ id }) => !isWatchedHere(snapshot, id));
  const settled = progress.total - ids.length;
  if (progress.settled !== settled) await keep({ ...progress, settled }, false);
  return { ...found, ids };
}

async function take(deps: PastImportDeps, detail: NoticeDetail, wasAlerted: boolean): Promise<void> {
  const { name, history, known } = deps;
  // The notice may have been reopened since the list was read.
  if (isWatchedHere(known().snapshot, detail.id)) return await settle(deps, {});
  const notice = toImportedNotice(name, detail);
  history.noticed([toNoticeRow(wasAlerted ? { ...notice, origin: 'watched' } : notice)]);
  await settle(deps, {});
}

/** One more notice is done; its row in the history is the record of it. */
async function settle(
  { known, keep }: PastImportDeps,
  { archived = [], unreadable = [] }: Partial<Pick<PastImport, 'archived' | 'unreadable'>>,
): Promise<void> {
  const { past: progress } = known();
  if (progress === undefined) return;
  const settled = progress.settled + 1;
  const isNews = archived.length + unreadable.length > 0;
  const after = {
    ...progress,
    settled,
    archived: [...progress.archived, ...archived],
    unreadable: [...progress.unreadable, ...unreadable],
  };
  await keep(after, isNews || settled % SAVED_EVERY === 0);
}

/** The notice is open again, or its end was observed here: the regular sweeps write its row. */
function isWatchedHere({ notices }: Snapshot, id: string): boolean {
  const notice = notices?.find((one) => one.id === id);
  return notice !== undefined && (notice.closedAt === null || isSeenToEnd(notice));
}
