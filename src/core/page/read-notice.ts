/** Reads the notices of one sweep: selects details to request, merges list and detail, and updates the memory. */
import type { ComponentName } from '../transition/details.ts';
import type { Listing } from '../observation/listing.ts';
import { LIMITS, REMEMBERED } from '../observation/limits.ts';
import { DAY } from '../text/duration.ts';
import { hashIdentity } from '../transition/transition.ts';
import type { DetailAnswer, Notice, NoticeDetail, NoticesObservation, Update } from './page-model.ts';
import { compareUpdates, isEndedRecently, sortUpdates, isAcute, isOver, remember } from './notice.ts';
import { openNotices, type NoticeMemory, type Snapshot, type UpdateMemory } from './snapshot.ts';

/** One notice in a sweep. `listed` is null while its detail is still missing. */
export interface NoticeReading {
  notice: Notice;
  components: ComponentName[] | null;
  /** The full history if `whole`, else only the latest update. */
  updates: Update[];
  whole: boolean;
  listed: string | null;
}

/** Listings read so far; null if not read. */
type Listings = Pick<NoticesObservation, 'present' | 'recent'> & { future: NoticesObservation['future'] | null };

/** Closed notices move from `past_recent` to `past_distant` after this. */
const WEEK_MS = 7 * DAY;

/** Everything the list shows of a notice. If unchanged, the detail is unchanged too. */
function fingerprint(notice: Notice): string {
  return hashIdentity(notice);
}

function itemsOf(listing: Listing<Notice> | null): Notice[] {
  return listing === null || listing.kind === 'missed' ? [] : listing.items;
}

/** Every listed notice once, in its newest version; the recent past yields to other lists. */
export function collectNotices(observation: Listings): Map<string, Notice> {
  const listed = new Map<string, Notice>();
  for (const notice of [
    ...itemsOf(observation.present),
    ...itemsOf(observation.future),
    ...itemsOf(observation.recent),
  ]) {
    const known = listed.get(notice.id);
    if (known === undefined || (notice.updatedAt ?? 0) > (known.updatedAt ?? 0)) listed.set(notice.id, notice);
  }
  return listed;
}

/**
 * Ids whose detail to request, most urgent first: new, changed or no longer listed. A closed notice is read once more
 * when it leaves the recent past, because a review may have been appended.
 */
export function listWantedDetails(snapshot: Snapshot, listings: Listings, now: number): string[] {
  const listed = collectNotices(listings);
  const current = collectNotices({ ...listings, recent: null });
  const known = new Map((snapshot.notices ?? []).map((notice) => [notice.id, notice]));
  const baseline = snapshot.notices === null;
  const isFull = openNotices(snapshot).length >= REMEMBERED.openNotices;
  const changed: string[] = [];
  for (const notice of listed.values()) {
    const memory = known.get(notice.id);
    const over = isOver(notice);
    if (memory === undefined) {
      const worthTelling = (!over && !isFull) || (!baseline && isEndedRecently(notice, latestOf(notice), now));
      if (worthTelling || (current.has(notice.id) && isReadWithoutRequest(notice, now))) changed.push(notice.id);
    } else if (memory.listed !== fingerprint(notice) && !isOlder(notice, memory)) {
      changed.push(notice.id);
    }
  }
  const bothSeen = listings.present.kind === 'observed' && listings.future?.kind === 'observed';
  const gone = bothSeen ? openNotices(snapshot).filter((notice) => !listed.has(notice.id)) : [];
  const leaving =
    listings.recent?.kind === 'observed'
      ? [...known.values()].filter((notice) => isAwaitingLastUpdate(notice, now) && !listed.has(notice.id))
      : [];
  return [...new Set([...changed, ...gone.map((notice) => notice.id), ...leaving.map((notice) => notice.id)])];
}

/** Closed under watch, and long enough ago to have left the recent past. */
export function isAwaitingLastUpdate(notice: NoticeMemory, now: number): boolean {
  if (notice.closedAt === null || notice.withdrawn || notice.finalLook || notice.components === null) return false;
  return now - (notice.endedAt ?? notice.closedAt) >= WEEK_MS;
}

/**
 * A page that shows list and detail at once. The whole history is remembered even if the notice is over, because only
 * then is a later edit of an old update recognised. Archives of years are not: they would swell the snapshot.
 */
function isReadWithoutRequest({ detailHash, updatedAt }: Notice, now: number): boolean {
  return detailHash !== undefined && updatedAt !== null && now - updatedAt <= REMEMBERED.overForMs;
}

function isOlder(notice: Notice, memory: NoticeMemory): boolean {
  return notice.updatedAt !== null && memory.updatedAt !== null && notice.updatedAt < memory.updatedAt;
}

function latestOf(notice: Notice): Update[] {
  return notice.latestUpdate === null ? [] : [notice.latestUpdate];
}

/**
 * Merges list entry and detail; the detail wins unless it is stale. Null if the list entry has not changed since the
 * last detail.
 */
export function readNotice(
  id: string,
  before: NoticeMemory | undefined,
  listed: Notice | undefined,
  answer: DetailAnswer | undefined,
): NoticeReading | null {
  const detail = answer?.kind === 'observed' && answer.value.id === id ? answer.value : undefined;
  if (detail === undefined) {
    if (listed === undefined) return null;
    const print = fingerprint(listed);
    if (answer === undefined && before?.listed === print) return null;
    // A requested detail that failed is still owed, unless the notice is unneeded or gone.
    const owed = answer === undefined ? before !== undefined : answer.kind === 'missed';
    return { notice: listed, components: null, updates: latestOf(listed), whole: false, listed: owed ? null : print };
  }
  const { components, updates, ...notice } = detail;
  // A cached detail may be older than the list entry that triggered the request. Then the entry counts and the detail
  // is requested again.
  const stale = listed !== undefined && isStale(detail, listed);
  if (stale) {
    return {
      notice: listed,
      components,
      updates: [...updates, ...missingFrom(updates, listed)],
      whole: false,
      listed: null,
    };
  }
  const timeline = notice.timeline ?? listed?.timeline ?? null;
  return {
    notice: { ...notice, timeline },
    components,
    updates,
    whole: true,
    listed: listed === undefined ? '' : fingerprint(listed),
  };
}

/** Keeps the known state if the new text names none. */
export function withKnownState(before: NoticeMemory | undefined, reading: NoticeReading): NoticeReading {
  if (reading.notice.saysNoState !== true || before === undefined || before.state === null) return reading;
  const { type, timeline, state, beginsAt, endsAt, beganAt, endedAt, word } = before;
  const known = { type, timeline, state, beginsAt, endsAt, beganAt, endedAt, ...(word !== undefined && { word }) };
  return { ...reading, notice: { ...reading.notice, ...known } };
}

/** Older by `updated_at`, and lacking something the list shows: some pages differ in `updated_at` alone. */
function isStale(detail: NoticeDetail, listed: Notice): boolean {
  if ((listed.updatedAt ?? 0) <= (detail.updatedAt ?? 0)) return false;
  return detail.state !== listed.state || missingFrom(detail.updates, listed).length > 0;
}

function missingFrom(updates: readonly Update[], listed: Notice): Update[] {
  const latest = listed.latestUpdate;
  if (latest === null) return [];
  return updates.some((update) => update.createdAt === latest.createdAt) ? [] : [latest];
}

/** `before` is undefined for a new notice. `now` (wall time) becomes the time first seen or closed. */
export function toNoticeMemory(before: NoticeMemory | undefined, reading: NoticeReading, now: number): NoticeMemory {
  const { latestUpdate: _, detailHash: __, saysNoState: ___, ...notice } = reading.notice;
  const over = isOver(notice);
  const updates = mergedUpdates(before?.updates ?? [], reading);
  const cancelled = notice.state === 'cancelled';
  const moved = before !== undefined && (before.beginsAt !== notice.beginsAt || before.endsAt !== notice.endsAt);
  const newlyCancelled = before !== undefined && before.state !== notice.state && cancelled;
  const isBack = before !== undefined && before.closedAt !== null && !over;
  return {
    ...notice,
    components: reading.components ?? before?.components ?? null,
    updates,
    listed: reading.listed,
    firstSeenAt: before?.firstSeenAt ?? now,
    closedAt: over ? (before?.closedAt ?? now) : null,
    withdrawn: false,
    wasAcute:
      (before?.wasAcute ?? false) ||
      isAcute(notice.type, notice.state) ||
      updates.some((update) => isAcute(notice.type, update.state)),
    revision: (before?.revision ?? 0) + (moved || newlyCancelled || isBack ? 1 : 0),
    finalLook: before?.finalLook ?? false,
    windowSince: before === undefined || moved ? now : before.windowSince,
    said: moved ? [] : (before?.said ?? []),
    ...(before?.twinOf !== undefined && { twinOf: before.twinOf }),
  };
}

/** A full history replaces the memory; a partial one adds its latest update. */
function mergedUpdates(known: readonly UpdateMemory[], reading: NoticeReading): UpdateMemory[] {
  if (reading.whole) return sortUpdates(reading.updates).map(remember);
  const { fresh, edited } = compareUpdates(known, reading.updates);
  const kept = known.map((update) => {
    const edit = edited.find(({ from }) => from === update);
    return edit === undefined ? update : remember(edit.to);
  });
  return latest(sortUpdates([...kept, ...fresh.map(remember)]));
}

/** Keeps the newest updates within the limit of one history. */
function latest(updates: readonly UpdateMemory[]): UpdateMemory[] {
  let size = 0;
  const from = updates.findLastIndex(({ content }) => (size += content.length + 1) > LIMITS.history);
  return updates.slice(from + 1);
}
