/**
 * Compares the notices of one sweep with the remembered ones. A notice missing from a listing is unknown, not gone.
 * Only its own detail can say that it is gone, and only if both listings were complete. If both become empty while
 * notices are open, a second sweep must confirm it.
 */
import { REMEMBERED } from '../observation/limits.ts';
import { isComplete, findUnreadIds } from '../observation/listing.ts';
import { toTimestamp, type NoticeDetails, type WindowDetails } from '../transition/details.ts';
import { toReadableLine } from '../text/markup.ts';
import { compareNames } from '../text/plain.ts';
import { append } from '../transition/collections.ts';
import type { Draft } from '../transition/transition.ts';
import type { Notice, NoticesObservation, Update } from './page-model.ts';
import {
  compareUpdates,
  toComponentKey,
  isEndedRecently,
  sortUpdates,
  isOverWithoutResolve,
  createReplacementFinder,
  toSubject,
  toNoticeDetails,
  findTwin,
} from './notice.ts';
import {
  isAwaitingLastUpdate,
  collectNotices,
  readNotice,
  toNoticeMemory,
  withKnownState,
  type NoticeReading,
} from './read-notice.ts';
import { computeBelievedTime, OlderDocuments, type Dated } from './older-document.ts';
import { compareIds, openNotices, type NoticeMemory, type Read, type ReadAt, type Snapshot } from './snapshot.ts';
import { findExplained } from './fold.ts';
import { isDeleted, markUnlisted, markListed } from './unlisted.ts';

/** A first sweep counts only if both lists are complete. Drafts are ordered by notice id, withdrawals first. */
export function compareNotices(snapshot: Snapshot, observation: NoticesObservation, { now, sweep }: ReadAt): Read {
  const heldBack = new OlderDocuments(snapshot.heldBack, sweep);
  const known = new Map((snapshot.notices ?? []).map((notice) => [notice.id, notice]));
  const listed = collectNotices(observation);
  const complete =
    isComplete(observation.present, 'notices', snapshot.defects) &&
    isComplete(observation.future, 'notices', snapshot.defects);
  const baseline = snapshot.notices === null;
  const emptySeen = seenEmpty(snapshot, observation, complete, sweep);
  const seenBefore = { ...snapshot, emptySeen: { ...snapshot.emptySeen, notices: emptySeen } };
  if (baseline && !complete) return { drafts: [], after: seenBefore, turnedAway: false };
  const tellsWhatIsGone = complete && (emptySeen === null || emptySeen !== sweep);

  // A malformed row is still in the list.
  const unread = findUnreadIds(observation.present).union(findUnreadIds(observation.future));
  const drafts: Draft[] = [];
  // Withdrawals first, so that a notice recreated in the same sweep finds the one it replaces.
  for (const before of known.values()) {
    const answer = observation.details.get(before.id);
    if (listed.has(before.id) || unread.has(before.id)) {
      if (before.unlisted !== undefined) known.set(before.id, markListed(before));
      continue;
    }
    if (answer?.kind === 'unlisted' && before.closedAt === null && !isDeleted(before, answer.kept)) {
      if (complete) known.set(before.id, markUnlisted(before, answer.kept));
      continue;
    }
    if (answer?.kind !== 'absent' && answer?.kind !== 'unlisted') continue;
    heldBack.release(toSubject(before.id));
    if (before.closedAt !== null) known.set(before.id, { ...before, finalLook: true });
    else if (tellsWhatIsGone) {
      const revision = before.revision + 1;
      drafts.push(withdrawal({ ...before, revision }));
      // If it returns, it is new whatever its list entry says.
      known.set(before.id, { ...before, revision, closedAt: now, withdrawn: true, listed: null });
    }
  }
  let room = REMEMBERED.openNotices - [...known.values()].filter(({ closedAt }) => closedAt === null).length;
  let turnedAway = false;
  const replacedBy = createReplacementFinder([...known.values()], now);
  // Lists come in any order, often newest first; report and number events in the order they happened.
  const seen = [...new Set([...listed.keys(), ...observation.details.keys()])].toSorted(compareNames);
  for (const id of seen) {
    const before = known.get(id);
    const read = readNotice(id, before, listed.get(id), observation.details.get(id));
    if (read === null) {
      if (listed.has(id)) heldBack.release(toSubject(id));
      continue;
    }
    const reading = withKnownState(before, read);
    const pair = before === undefined ? null : documents(before, reading);
    if (pair !== null && (isOldNews(pair, reading) || heldBack.holdsBack(toSubject(id), pair.stored, pair.said))) {
      continue;
    }
    const after = toNoticeMemory(before, reading, now);
    if (before === undefined && after.closedAt === null) {
      turnedAway ||= room <= 0;
      if (room <= 0) continue;
      room -= 1;
    }
    if (pair !== null) after.updatedAt = computeBelievedTime(pair.stored, pair.said);
    if (before !== undefined && isAwaitingLastUpdate(before, now)) after.finalLook = true;
    if (before === undefined && observation.monitored === true) {
      const first = findTwin(known.values(), after);
      if (first !== null) after.twinOf = first;
    }
    if (!baseline && before !== undefined) append(drafts, nextSight(before, after, reading));
    if (!baseline && before === undefined) {
      const replaced = after.closedAt === null ? replacedBy(after, (old) => known.get(old.id) === old) : null;
      // The replacement continues the calendar entry of the old notice.
      if (replaced !== null) {
        after.revision = replaced.revision + 1;
        known.set(replaced.id, { ...replaced, replaced: true });
      }
      append(drafts, firstSight(replaced, after, reading, now));
    }
    known.set(id, after);
  }
  const memory = stillRemembered([...known.values()], now);
  const kept = new Set(memory);
  for (const notice of known.values()) if (!kept.has(notice)) heldBack.release(toSubject(notice.id));
  const after = { ...seenBefore, notices: memory.toSorted(compareIds), heldBack: heldBack.after };
  return { drafts: netOfReplacement(drafts), after: { ...after, components: findExplained(after) }, turnedAway };
}

/** Only complete listings can be empty or not empty. */
function seenEmpty(
  snapshot: Snapshot,
  { present, future }: NoticesObservation,
  complete: boolean,
  sweep: number,
): number | null {
  const known = snapshot.emptySeen.notices ?? null;
  if (!complete || present.kind === 'missed' || future.kind === 'missed') return known;
  if (present.items.length > 0 || future.items.length > 0 || openNotices(snapshot).length === 0) return null;
  return known ?? sweep;
}

/** Compares memory and reading by age; history and affected components only if both were read in full. */
function documents(
  before: NoticeMemory,
  { notice, components, updates, whole }: NoticeReading,
): { stored: Dated; said: Dated } {
  const full = whole && before.components !== null;
  return {
    stored: {
      updatedAt: before.updatedAt,
      content: [plainContent(before), full ? historyOf(before.components, before.updates) : null],
    },
    said: {
      updatedAt: notice.updatedAt,
      content: [plainContent(notice), full ? historyOf(components, updates) : null],
    },
  };
}

function plainContent(notice: Omit<Notice, 'latestUpdate'>): unknown {
  const { id, type, timeline, state, subject, url, beginsAt, endsAt, beganAt, endedAt } = notice;
  return [id, type, timeline, state, subject, url, beginsAt, endsAt, beganAt, endedAt];
}

function historyOf(
  components: readonly { id: string }[] | null,
  updates: readonly Pick<Update, 'content' | 'createdAt'>[],
): unknown {
  return [toComponentKey(components), sortUpdates(updates).map(({ content }) => content)];
}

/** A stale list entry whose latest update is not the latest known. */
function isOldNews({ stored, said }: { stored: Dated; said: Dated }, { whole }: NoticeReading): boolean {
  if (whole || stored.updatedAt === null || said.updatedAt === null || said.updatedAt >= stored.updatedAt) return false;
  return JSON.stringify(stored.content) === JSON.stringify(said.content);
}

/** Withdrawn and recreated within one sweep: only the replacement is reported. */
function netOfReplacement(drafts: readonly Draft[]): Draft[] {
  const replaced = new Set(
    drafts.flatMap((draft) => (draft.kind === 'notice.replaced' ? [toSubject(draft.from)] : [])),
  );
  return drafts.filter((draft) => draft.kind !== 'notice.withdrawn' || !replaced.has(draft.subject));
}

/** All open notices and the most recent closed ones. */
function stillRemembered(notices: readonly NoticeMemory[], now: number): NoticeMemory[] {
  const fresh = notices.filter(({ closedAt }) => closedAt === null || now - closedAt <= REMEMBERED.overForMs);
  const over = fresh.filter(({ closedAt }) => closedAt !== null);
  let texts = 0;
  const latest = over.toSorted((a, b) => (b.closedAt ?? now) - (a.closedAt ?? now));
  const kept = latest.slice(0, REMEMBERED.closedNotices).filter(({ updates }) => {
    texts += updates.reduce((sum, { content }) => sum + content.length, 0);
    return texts <= REMEMBERED.closedTexts;
  });
  const forgotten = new Set(over).difference(new Set(kept));
  return forgotten.size === 0 ? fresh : fresh.filter((notice) => !forgotten.has(notice));
}

/** A new notice: opened, replacing a withdrawn one, or already closed when first seen. */
function firstSight(replaced: NoticeMemory | null, after: NoticeMemory, reading: NoticeReading, now: number): Draft[] {
  const subject = toSubject(after.id);
  const details = toNoticeDetails(after, sortUpdates(reading.updates));
  if (after.closedAt !== null) {
    if (!isEndedRecently(after, reading.updates, now)) return [];
    return [{ subject, kind: 'notice.closed', from: null, to: after.state, details: ending(after, details) }];
  }
  if (replaced !== null) return [{ subject, kind: 'notice.replaced', from: replaced.id, to: after.id, details }];
  return [{ subject, kind: 'notice.opened', from: null, to: after.state, details }];
}

/** A known notice read again. Changes of subject, components and window come first, the state last. */
function nextSight(before: NoticeMemory, after: NoticeMemory, reading: NoticeReading): Draft[] {
  const subject = toSubject(after.id);
  const { fresh, edited } = compareUpdates(before.updates, reading.updates, { isWhole: reading.whole });
  const isFirstWord = fresh.length === 0 && after.closedAt === null && wasNeverTold(before);
  const news = isFirstWord ? sortUpdates(reading.updates).slice(-1) : unseen(before, fresh);
  const details = (updates: readonly Update[] = []): NoticeDetails => toNoticeDetails(after, updates);
  const drafts: Draft[] = [];
  if (before.type !== after.type) {
    drafts.push({ subject, kind: 'notice.type', from: before.type, to: after.type, details: details() });
  }
  if (before.subject !== after.subject && toReadableLine(before.subject) !== toReadableLine(after.subject)) {
    drafts.push({ subject, kind: 'notice.subject', from: before.subject, to: after.subject, details: details() });
  }
  const window = windowOf(after);
  if (before.beginsAt !== after.beginsAt || before.endsAt !== after.endsAt) {
    drafts.push({ subject, kind: 'notice.rescheduled', from: windowOf(before), to: window, details: details() });
  }
  const impactIsNews = before.components !== null || before.closedAt === null;
  if (
    impactIsNews &&
    after.components !== null &&
    toComponentKey(before.components) !== toComponentKey(after.components)
  ) {
    const from = before.components?.map((component) => component.id) ?? null;
    const to = after.components.map((component) => component.id);
    const gone = (before.components ?? []).filter(({ id }) => !to.includes(id));
    const lost = gone.length === 0 ? {} : { no_longer: gone };
    drafts.push({ subject, kind: 'notice.impact', from, to, details: { ...details(), ...lost } });
  }
  for (const { from, to } of edited) {
    drafts.push({ subject, kind: 'notice.edited', from: from.content, to: to.content, details: details([to]) });
  }
  return [...drafts, ...stateChange(before, after, news, details(news))];
}

function stateChange(before: NoticeMemory, after: NoticeMemory, news: Update[], details: NoticeDetails): Draft[] {
  const change = { subject: toSubject(after.id), from: before.withdrawn ? null : before.state, to: after.state };
  const wasOpen = before.closedAt === null;
  const isOpen = after.closedAt === null;
  if (wasOpen && !isOpen) return [{ ...change, kind: 'notice.closed', details: ending(after, details) }];
  if (!wasOpen && isOpen) return [{ ...change, kind: 'notice.reopened', details }];
  if (before.state !== after.state) return [{ ...change, kind: 'notice.state', details }];
  return news.length > 0 ? [{ ...change, kind: 'notice.update', details }] : [];
}

/**
 * Closed notices from before the watch have no known history. When one gets a new update, only updates later than the
 * last known one are new.
 */
function unseen(before: NoticeMemory, fresh: readonly Update[]): Update[] {
  if (before.components !== null) return [...fresh];
  const last = before.updates.at(-1)?.createdAt ?? null;
  return last === null ? fresh.slice(-1) : fresh.filter((update) => (update.createdAt ?? last) > last);
}

/** Closed long before it was first seen, hence never reported. If reopened, report it with its last update. */
function wasNeverTold(before: NoticeMemory): boolean {
  const { closedAt, firstSeenAt, updates } = before;
  return closedAt === firstSeenAt && !isEndedRecently(before, updates, firstSeenAt);
}

function withdrawal(before: NoticeMemory): Draft {
  return {
    subject: toSubject(before.id),
    kind: 'notice.withdrawn',
    from: before.state,
    to: null,
    details: toNoticeDetails(before, []),
  };
}

function ending(after: NoticeMemory, details: NoticeDetails): NoticeDetails {
  return isOverWithoutResolve(after) ? { ...details, without_resolve: true } : details;
}

function windowOf(notice: NoticeMemory): WindowDetails {
  return { begins_at: toTimestamp(notice.beginsAt), ends_at: toTimestamp(notice.endsAt) };
}
