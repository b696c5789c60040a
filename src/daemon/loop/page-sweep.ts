/**
 * The plan of one round over a status page, in the order of urgency:
 *
 * 1. notices, present and future, with the first page of the recent past every ten minutes;
 * 2. the detail of each that is new, changed or gone from the list; then what they mean is committed and told;
 * 3. page and components, at once;
 * 4. the recent past after all, when the page counts other notices than were seen to come and go;
 * 5. the present notices once more, when something flipped that none of them explains: the flip and its notice are
 *    one event, and the provider may have published them a moment apart; and page and components once more, when
 *    a notice has ended meanwhile;
 *    On a page of many components this comes as soon as a part of them shows such a flip, ahead of the others;
 * 6. what page and components mean is committed and told, and the sweep is judged by what it lacked.
 *
 * What is refused is left alone for a while, and everything else is asked for at its usual pace.
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
import { isAllNew, toMiss, withPast } from '../../core/page/document.ts';
import type { Snapshot } from '../../core/page/snapshot.ts';
import { LIMITS } from '../../core/observation/limits.ts';
import { NOT_SHOWN, type Listing, type Miss, type Parts } from '../../core/observation/listing.ts';
import { MINUTE } from '../../core/text/duration.ts';
import type { PageReader, SweptTimeline } from '../../pages/page-reader.ts';
import { createAccessBackoff, lacking, type Sweeper } from './sweep.ts';

const NOT_NOW: DetailAnswer = {
  kind: 'missed',
  code: 'too_large',
  why: `more than ${LIMITS.detailsOfASweep} notices are to be looked at in one sweep`,
};
const NOT_YET: Miss = { kind: 'missed', code: 'unread', why: 'it is yet to be read' };
/** Incidents shorter than an interval, historic entries and reviews appended after the end are seen there alone. */
const RECENT_PAST_EVERY_MS = 10 * MINUTE;
/** Allows a round to come a little early and still be the one of its ten minutes. */
const RECENT_PAST_SLACK_MS = 5_000;

const LISTED = ['present', 'page', 'components'] as const;

/** Parts of the page that the provider refuses now; a page of one document has none. */
function refusedParts({ document }: PageReader, { isRefused }: ReturnType<typeof createAccessBackoff>): string[] {
  return document === undefined ? LISTED.filter((part) => isRefused(part)) : [];
}

/** What a sweep needs of the source it looks at. */
export interface PageSweepDeps {
  reader: PageReader;
  now(): number;
  monotonic(): number;
  /** The last snapshot, and the step that takes it further. */
  snapshot(): Snapshot;
  step(observation: Observation): Promise<void>;
}

type Lookable = Miss | { kind: 'observed'; value: DocumentObservation | null };
type SecondLook = 'taken' | 'ended meanwhile' | 'aborted' | Miss;
type PagePartName = SweptTimeline | 'page' | 'components' | 'document';

/**
 * The first round reads every part. What cannot be read is observed as missed; `sweep` rejects only for what nobody
 * foresaw.
 */
export function createPageSweeper(deps: PageSweepDeps): Sweeper {
  const { reader, monotonic, snapshot, step } = deps;
  let recentAt: number | null = null;
  let endedAt: number | null = null;
  const backoff = createAccessBackoff<PagePartName>(
    reader.document === undefined ? ['present', 'future', 'page', 'components'] : ['document'],
    monotonic,
  );
  /** Counts of notices that a look at the recent past has answered for since the last one that was due. */
  const counted = new Set<number>();

  function noticesOf(timeline: SweptTimeline, signal: AbortSignal): Promise<Listing<Notice>> {
    return backoff.ask(timeline, () => reader.notices(timeline, signal));
  }

  async function recentPast(signal: AbortSignal): Promise<Listing<Notice>> {
    const listing = await noticesOf('past_recent', signal);
    if (listing.kind === 'observed') recentAt = monotonic();
    return listing;
  }

  /** `known`: what is planned, where it was read a moment ago. */
  async function readNotices(
    withRecent: boolean,
    signal: AbortSignal,
    known: Listing<Notice> | null = null,
  ): Promise<NoticesObservation> {
    const details = createDetails(deps, signal);
    const [present, future, recent] = await Promise.all([
      noticesOf('present', signal).then((listing) => {
        // What is present is news: its details do not wait for the other lists.
        details.ask({ present: listing, future: null, recent: null });
        return listing;
      }),
      known ?? noticesOf('future', signal),
      withRecent ? recentPast(signal) : null,
    ]);
    details.ask({ present, future, recent });
    const answers = await details.answers();
    const seen: NoticesObservation = { kind: 'notices', present, future, recent, details: answers };
    return reader.document === undefined ? seen : { ...seen, monitored: true };
  }

  async function readPage(
    signal: AbortSignal,
    soFar?: (listing: Listing<Component>) => void,
  ): Promise<PageObservation> {
    const [page, components] = await Promise.all([
      backoff.ask('page', () => reader.page(signal)),
      backoff.ask('components', () => reader.components(signal, soFar)),
    ]);
    return { kind: 'page', page, components };
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    const refused = refusedParts(reader, backoff);
    const looked = await backoff.ask('document', () => lookAtDocument(deps, signal));
    if (signal.aborted) return;
    if (looked.kind === 'missed') return await judge(nothingOf(looked));
    const recentDue = recentAt === null || monotonic() - recentAt >= RECENT_PAST_EVERY_MS - RECENT_PAST_SLACK_MS;
    const before = snapshot();
    // What comes from one document is not held up by the past, which is asked for seconds later; but it is part of a baseline.
    const { value: document } = looked;
    const mayHaveMoved = document !== null && isAllNew(before, document);
    const recentLater = recentDue && document !== null && before.notices !== null && !mayHaveMoved;
    const notices = await readNotices(mayHaveMoved || (recentDue && !recentLater), signal);
    if (signal.aborted) return;
    const moved = await take(deps, notices, document);
    if (moved !== null) return await judge(nothingOf(moved));

    const again = (reading: Promise<NoticesObservation>): Promise<SecondLook> =>
      lookAgain(deps, reading, document, signal);
    const early = createEarlyLook(deps, () => again(readNotices(false, signal, notices.future)));
    let seen: PageObservation;
    try {
      seen = await readPage(signal, early.hear);
    } finally {
      await early.ended();
    }
    if (signal.aborted) return;
    const { page } = seen;
    if (recentDue) counted.clear();
    const count = page.kind === 'observed' ? page.value.noticeCount : null;
    // A count that swings to and fro, as between two caches, is looked into once and not at every swing.
    const missing =
      recentLater ||
      (!recentDue && isMissingNotices(before, snapshot(), page) && count !== null && !counted.has(count));
    if (count !== null) counted.add(count);
    const flips = findUnexplainedFlips(snapshot(), seen);
    if (missing || flips.length > 0) {
      // The fifth request of a second on a small page: trouble is present, and only work may have been planned before.
      const mayBePlanned = missing || flips.includes('under_maintenance');
      const look = await again(readNotices(missing, signal, mayBePlanned ? null : notices.future));
      if (typeof look === 'object') return await judge(nothingOf(look));
      if (look === 'ended meanwhile') seen = await readPage(signal);
      if (signal.aborted) return;
    }
    let last = notices;
    // Access may have been withdrawn amid the sweep: what was read before is tried once more, and it is one event.
    if (refusedParts(reader, backoff).some((part) => !refused.includes(part))) {
      if (!backoff.isRefused('present')) last = await readNotices(false, signal);
      seen = await readPage(signal);
      if (signal.aborted) return;
    }
    await step(seen);

    await judge(partsOf(last, seen));
  }

  async function judge(parts: Parts): Promise<void> {
    const ended = monotonic();
    await step({ kind: 'end', parts, elapsedMs: endedAt === null ? 0 : ended - endedAt });
    endedAt = ended;
  }

  return { sweep, intervalMs: backoff.intervalMs };
}

/** Of a page that shows everything in one document: whether anything of it counts now, and why not. */
async function lookAtDocument({ reader, step, snapshot }: PageSweepDeps, signal: AbortSignal): Promise<Lookable> {
  if (reader.document === undefined) return { kind: 'observed', value: null };
  const seen = await reader.document(signal);
  if (signal.aborted || seen.kind === 'missed') return seen;
  await step(seen.value);
  return toMiss(snapshot()) ?? seen;
}

/** Says why they are not believed, where the past that came with them shows that another page answers. */
async function take(
  { step, snapshot }: PageSweepDeps,
  notices: NoticesObservation,
  document: DocumentObservation | null,
): Promise<Miss | null> {
  if (document !== null && notices.recent !== null) {
    await step(withPast(document, notices.recent));
    const other = toMiss(snapshot());
    if (other !== null) return other;
  }
  await step(notices);
  return null;
}

/**
 * Takes the notices that were read once more. What flipped with one that has ended meanwhile may be well again, and must
 * not look like trouble without a notice: it has to be read again, too.
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

function nothingOf(miss: Miss): Parts {
  return { notices: miss, page: miss, components: miss };
}

function partsOf({ present, future }: NoticesObservation, { page, components }: PageObservation): Parts {
  return {
    notices: lacking(present) ?? lacking(future),
    page: page.kind === 'missed' && page.code !== NOT_SHOWN ? page : null,
    components: lacking(components),
  };
}

/** The details of one reading of the lists; each is asked for once, as soon as a list calls for it. */
function createDetails(
  { reader, snapshot, now }: Pick<PageSweepDeps, 'reader' | 'snapshot' | 'now'>,
  signal: AbortSignal,
) {
  const asked = new Map<string, Promise<DetailAnswer>>();
  return {
    ask(listings: Parameters<typeof listWantedDetails>[1]): void {
      for (const id of listWantedDetails(snapshot(), listings, now())) {
        if (asked.has(id)) continue;
        // What is not asked for now is still owed: the next sweep asks for it.
        const isTooMany = asked.size >= LIMITS.detailsOfASweep;
        const answer = isTooMany ? Promise.resolve(NOT_NOW) : reader.notice(id, signal);
        // Whoever waits for the answers hears of a failure; where a list failed before, nobody does.
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
 * On a page that takes seconds to read, what flips without a notice is told before the rest is read: what is present is
 * asked for ahead of the next page of components, once in a sweep.
 */
function createEarlyLook(
  { snapshot, step }: Pick<PageSweepDeps, 'snapshot' | 'step'>,
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
      // Work may have been planned until now: that takes the whole second look.
      if (flips.length === 0 || flips.includes('under_maintenance')) return;
      look = tell(seen);
      // Whoever waits for its end hears of a failure.
      look.catch(() => null);
    },
    /** Resolves when nothing of it is under way any more. */
    ended: async () => await look,
  };
}

function closedNotices({ notices }: Snapshot): string[] {
  return (notices ?? []).flatMap(({ id, closedAt }) => (closedAt === null ? [] : [id]));
}
