/**
 * Plan of one sweep over a status page, in the order of urgency:
 *
 * 1. Present and future notices, with the first page of the recent past every ten minutes.
 * 2. The detail of each notice that is new, changed or absent from the lists; then the observation is committed and its
 *    messages enqueued.
 * 3. Page and components, concurrently.
 * 4. The recent past after all, if the page counts other notices than were seen to start and end.
 * 5. The present notices again if a component changed that none of them explains: the change and its notice are one
 *    event, but may be published a moment apart. Page and components again if a notice has ended meanwhile. On a page
 *    of many components this happens as soon as some of them show such a change.
 * 6. The observation of page and components is committed and its messages enqueued; the sweep ends with its misses.
 *
 * Refused parts are retried later, all others at their usual pace.
 */
import type { Observation } from '../../core/page/compare.ts';
import { listWantedDetails } from '../../core/page/read-notice.ts';
import type {
  Component,
  DetailAnswer,
  DocumentObservation,
  Notice,
  NoticesObservation,
  PageObservation,
} from '../../core/page/page-model.ts';
import { findUnexplainedFlips, isMissingNotices } from '../../core/page/compare-page.ts';
import { isAllNew, findDocumentMiss, withPastNotices } from '../../core/page/document.ts';
import type { Snapshot } from '../../core/page/snapshot.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import { NOT_SHOWN, type Listing, type Miss, type MissedParts } from '../../core/observation/listing.ts';
import { MINUTE } from '../../core/text/duration.ts';
import type { PageReader, SweptTimeline } from '../../pages/page-reader.ts';
import { createAccessBackoff, findMiss, type AccessBackoff, type Sweeper } from './sweep.ts';

const NOT_NOW: DetailAnswer = {
  kind: 'missed',
  code: 'too_large',
  why: `more than ${LIMITS.detailsOfASweep} notices are to be looked at in one sweep`,
};
const NOT_YET: Miss = { kind: 'missed', code: 'unread', why: 'it is yet to be read' };
/** Only this list shows incidents shorter than an interval, historic entries, and reviews appended after the end. */
const RECENT_PAST_EVERY_MS = 10 * MINUTE;
/** A sweep may start a little early and still be the one due after ten minutes. */
const RECENT_PAST_SLACK_MS = 5_000;

type PagePartName = SweptTimeline | 'page' | 'components' | 'document';

const LISTED = ['present', 'page', 'components'] as const;

/** Parts of the page that the provider refuses now; a page of one document has none. */
function refusedParts({ document }: PageReader, { isRefused }: AccessBackoff<PagePartName>): string[] {
  return document === undefined ? LISTED.filter((part) => isRefused(part)) : [];
}

async function readPage(
  reader: PageReader,
  backoff: AccessBackoff<PagePartName>,
  signal: AbortSignal,
  soFar?: (listing: Listing<Component>) => void,
): Promise<PageObservation> {
  const [page, components] = await Promise.all([
    backoff.ask('page', () => reader.page(signal)),
    backoff.ask('components', () => reader.components(signal, soFar)),
  ]);
  return { kind: 'page', page, components };
}

/** Collaborators of a sweep. */
export interface PageSweepDeps {
  reader: PageReader;
  now(): number;
  monotonic(): number;
  /** The last snapshot, and the step that advances it. */
  snapshot(): Snapshot;
  step(observation: Observation): Promise<void>;
}

type Lookable = Miss | { kind: 'observed'; value: DocumentObservation | null };
type SecondLook = 'taken' | 'ended meanwhile' | 'aborted' | Miss;

/**
 * The first sweep reads every part. A failed request is observed as a miss; `sweep` rejects only for unexpected errors.
 */
export function createPageSweeper(deps: PageSweepDeps): Sweeper {
  const { reader, monotonic, snapshot, step } = deps;
  let recentAt: number | null = null;
  let endedAt: number | null = null;
  const backoff = createAccessBackoff<PagePartName>(
    reader.document === undefined ? ['present', 'future', 'page', 'components'] : ['document'],
    monotonic,
  );
  /** Counts of notices that a reading of the recent past has explained since the last regular one. */
  const counted = new Set<number>();

  function noticesOf(timeline: SweptTimeline, signal: AbortSignal): Promise<Listing<Notice>> {
    return backoff.ask(timeline, () => reader.notices(timeline, signal));
  }

  async function readRecentNotices(signal: AbortSignal): Promise<Listing<Notice>> {
    const listing = await noticesOf('past_recent', signal);
    if (listing.kind === 'observed') recentAt = monotonic();
    return listing;
  }

  /** `known`: future notices, if they were read a moment ago. */
  async function readNotices(
    withRecent: boolean,
    signal: AbortSignal,
    known: Listing<Notice> | null = null,
  ): Promise<NoticesObservation> {
    const details = createDetails(deps, signal);
    const [present, future, recent] = await Promise.all([
      noticesOf('present', signal).then((listing) => {
        // Details of present notices do not wait for the other lists.
        details.ask({ present: listing, future: null, recent: null });
        return listing;
      }),
      known ?? noticesOf('future', signal),
      withRecent ? readRecentNotices(signal) : null,
    ]);
    details.ask({ present, future, recent });
    const answers = await details.answers();
    const seen: NoticesObservation = { kind: 'notices', present, future, recent, details: answers };
    return reader.document === undefined ? seen : { ...seen, monitored: true };
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    const refused = refusedParts(reader, backoff);
    const looked = await backoff.ask('document', () => lookAtDocument(deps, signal));
    if (signal.aborted) return;
    if (looked.kind === 'missed') return await judge(nothingOf(looked));
    const recentDue = recentAt === null || monotonic() - recentAt >= RECENT_PAST_EVERY_MS - RECENT_PAST_SLACK_MS;
    const before = snapshot();
    // An observation from one document does not wait for the past, which is requested seconds later. Only the baseline
    // needs both.
    const { value: document } = looked;
    const mayHaveMoved = document !== null && isAllNew(before, document);
    const recentLater = recentDue && document !== null && before.notices !== null && !mayHaveMoved;
    const notices = await readNotices(mayHaveMoved || (recentDue && !recentLater), signal);
    if (signal.aborted) return;
    const moved = await take(deps, notices, document);
    if (moved !== null) return await judge(nothingOf(moved));

    let latest = notices;
    const keepLatest = async (reading: Promise<NoticesObservation>): Promise<NoticesObservation> =>
      (latest = await reading);
    const again = (reading: Promise<NoticesObservation>): Promise<SecondLook> =>
      lookAgain(deps, keepLatest(reading), document, signal);
    const stepPage = (read: PageObservation): Promise<void> => step(markUnread(read, latest));
    const early = createEarlyLook(snapshot, stepPage, () => again(readNotices(false, signal, notices.future)));
    let seen: PageObservation;
    try {
      seen = await readPage(reader, backoff, signal, early.hear);
    } finally {
      await early.ended();
    }
    if (signal.aborted) return;
    const { page } = seen;
    if (recentDue) counted.clear();
    const count = page.kind === 'observed' ? page.value.noticeCount : null;
    // A count that oscillates, as between two caches, is examined once and not at every change.
    const missing =
      recentLater ||
      (!recentDue && isMissingNotices(before, snapshot(), page) && count !== null && !counted.has(count));
    if (count !== null) counted.add(count);
    const flips = findUnexplainedFlips(snapshot(), seen);
    if (missing || flips.length > 0) {
      // On a small page this would be the fifth request of the second. Incidents are in the present list; only
      // maintenance can come from the future one.
      const mayBePlanned = missing || flips.includes('under_maintenance');
      const look = await again(readNotices(missing, signal, mayBePlanned ? null : notices.future));
      if (typeof look === 'object') return await judge(nothingOf(look));
      if (look === 'ended meanwhile') seen = await readPage(reader, backoff, signal);
      if (signal.aborted) return;
    }
    let last = notices;
    // Access may have been withdrawn during the sweep: parts read earlier are tried again, so that all refusals are one
    // event.
    if (refusedParts(reader, backoff).some((part) => !refused.includes(part))) {
      if (!backoff.isRefused('present')) latest = last = await readNotices(false, signal);
      seen = await readPage(reader, backoff, signal);
      if (signal.aborted) return;
    }
    await stepPage(seen);

    await judge(partsOf(last, seen));
  }

  async function judge(parts: MissedParts): Promise<void> {
    const ended = monotonic();
    await step({ kind: 'end', parts, elapsedMs: endedAt === null ? 0 : ended - endedAt });
    endedAt = ended;
  }

  return { sweep, intervalMs: backoff.intervalMs };
}

/** For a page that shows everything in one document: the document, or the reason why it is not used. */
async function lookAtDocument({ reader, step, snapshot }: PageSweepDeps, signal: AbortSignal): Promise<Lookable> {
  if (reader.document === undefined) return { kind: 'observed', value: null };
  const seen = await reader.document(signal);
  if (signal.aborted || seen.kind === 'missed') return seen;
  await step(seen.value);
  return findDocumentMiss(snapshot()) ?? seen;
}

/** Returns the reason if the observation is rejected, as its past shows that another page answers. */
async function take(
  { step, snapshot }: PageSweepDeps,
  notices: NoticesObservation,
  document: DocumentObservation | null,
): Promise<Miss | null> {
  if (document !== null && notices.recent !== null) {
    await step(withPastNotices(document, notices.recent));
    const other = findDocumentMiss(snapshot());
    if (other !== null) return other;
  }
  await step(notices);
  return null;
}

/**
 * Applies the notices that were read again. A component that changed with a notice ended meanwhile may have recovered,
 * and must not look like an incident without a notice: it is read again, too.
 */
async function lookAgain(
  deps: PageSweepDeps,
  reading: Promise<NoticesObservation>,
  document: DocumentObservation | null,
  signal: AbortSignal,
): Promise<SecondLook> {
  const before = closedNotices(deps.snapshot());
  const notices = await reading;
  if (signal.aborted) return 'aborted';
  const moved = await take(deps, notices, document);
  if (moved !== null) return moved;
  if (signal.aborted) return 'aborted';
  return closedNotices(deps.snapshot()).some((id) => !before.includes(id)) ? 'ended meanwhile' : 'taken';
}

function nothingOf(miss: Miss): MissedParts {
  return { notices: miss, page: miss, components: miss };
}

function findNoticesMiss({ present, future }: NoticesObservation): Miss | null {
  return findMiss(present) ?? findMiss(future);
}

/** A notice that was not read may explain the state. */
function markUnread(seen: PageObservation, notices: NoticesObservation): PageObservation {
  return findNoticesMiss(notices) === null ? seen : { ...seen, noticesUnread: true };
}

function partsOf(notices: NoticesObservation, { page, components }: PageObservation): MissedParts {
  return {
    notices: findNoticesMiss(notices),
    page: page.kind === 'missed' && page.code !== NOT_SHOWN ? page : null,
    components: findMiss(components),
  };
}

/** Details of one reading of the lists; each is requested once, as soon as a list requires it. */
function createDetails(
  { reader, snapshot, now }: Pick<PageSweepDeps, 'reader' | 'snapshot' | 'now'>,
  signal: AbortSignal,
) {
  const asked = new Map<string, Promise<DetailAnswer>>();
  return {
    ask(listings: Parameters<typeof listWantedDetails>[1]): void {
      for (const id of listWantedDetails(snapshot(), listings, now())) {
        if (asked.has(id)) continue;
        // Details over the limit remain due: the next sweep requests them.
        const isTooMany = asked.size >= LIMITS.detailsOfASweep;
        const answer = isTooMany ? Promise.resolve(NOT_NOW) : reader.notice(id, signal);
        // The later await reports a failure; if a list failed first, none follows.
        answer.catch(() => null);
        asked.set(id, answer);
      }
    },
    async answers(): Promise<Map<string, DetailAnswer>> {
      return new Map(await Promise.all([...asked].map(async ([id, answer]) => [id, await answer] as const)));
    },
  };
}

/**
 * On a page that takes seconds to read, a change without a notice is reported before the rest is read: present notices
 * are requested ahead of the next page of components, once in a sweep.
 */
function createEarlyLook(
  snapshot: PageSweepDeps['snapshot'],
  step: (seen: PageObservation) => Promise<void>,
  lookAgain: () => Promise<SecondLook>,
) {
  let look: Promise<void> | null = null;

  async function tell(seen: PageObservation): Promise<void> {
    if ((await lookAgain()) === 'taken') await step(seen);
  }

  return {
    hear(components: Listing<Component>): void {
      if (look !== null || snapshot().components === null) return;
      const seen: PageObservation = { kind: 'page', page: NOT_YET, components };
      const flips = findUnexplainedFlips(snapshot(), seen);
      // Maintenance may have been in the future list until now, which requires the full second reading.
      if (flips.length === 0 || flips.includes('under_maintenance')) return;
      look = tell(seen);
      // The await of its end reports a failure.
      look.catch(() => null);
    },
    /** Resolves when its requests have ended. */
    ended: async () => await look,
  };
}

function closedNotices({ notices }: Snapshot): string[] {
  return (notices ?? []).flatMap(({ id, closedAt }) => (closedAt === null ? [] : [id]));
}
