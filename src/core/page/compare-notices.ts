/**
 * The notices of one sweep against what is remembered of them: what changed, and the memory after it.
 * What a listing lacks is unknown, not gone; only its own detail can say that a notice is gone, and only
 * when both listings were complete. Where both are empty over open notices a second sweep has to say so too.
 */
import { REMEMBERED } from '../observation/remembered.ts';
import type { Draft } from '../transition/draft.ts';
import { isComplete } from '../observation/defects.ts';
import type { Notice, Update } from './model.ts';
import { componentKey, replaceable } from './notice-life.ts';
import { firstSight, nextSight, withdrawal } from './notice-diff.ts';
import { remembered } from './notice-memory.ts';
import { awaitsItsLastWord, listedNotices, readNotice, type Reading } from './notice-reading.ts';
import { subjectOf } from './notice-words.ts';
import type { NoticesObservation } from './observation.ts';
import { believedTime, OlderDocuments, type Dated } from './older-document.ts';
import { byId, byNumber, openNotices, type NoticeMemory, type Snapshot } from './snapshot.ts';
import { inOrder } from './updates.ts';
import { append } from '../transition/long-lists.ts';
import { DAY } from '../text/duration.ts';

const REMEMBERED_FOR_MS = 30 * DAY;

export interface Compared<T> {
  drafts: Draft[];
  memory: T;
  heldBack: OlderDocuments;
}

export interface ComparedNotices extends Compared<NoticeMemory[] | null> {
  /** The sweep that first found both listings empty over open notices; null where they are not. */
  emptySeen: number | null;
  /** More were open than are followed: what was new among them was not taken up. */
  turnedAway: boolean;
}

export function compareNotices(
  snapshot: Snapshot,
  observation: NoticesObservation,
  now: number,
  sweep: number,
): ComparedNotices {
  const heldBack = new OlderDocuments(snapshot.heldBack, sweep);
  const known = new Map((snapshot.notices ?? []).map((notice) => [notice.id, notice]));
  const listed = listedNotices(observation);
  const complete =
    isComplete(observation.present, 'notices', snapshot.defects) &&
    isComplete(observation.future, 'notices', snapshot.defects);
  const baseline = snapshot.notices === null;
  const emptySeen = seenEmpty(snapshot, observation, complete, sweep);
  if (baseline && !complete) return { drafts: [], memory: null, heldBack, emptySeen, turnedAway: false };
  const tellsWhatIsGone = complete && (emptySeen === null || emptySeen !== sweep);

  const drafts: Draft[] = [];
  // Withdrawals come first, so that a notice recreated in the same sweep finds the one it replaces.
  for (const before of known.values()) {
    if (observation.details.get(before.id)?.kind !== 'absent' || listed.has(before.id)) continue;
    heldBack.release(subjectOf(before.id));
    if (before.closedAt !== null) known.set(before.id, { ...before, finalLook: true });
    else if (tellsWhatIsGone) {
      drafts.push(withdrawal(before));
      // Should it come back, it is news whatever its line in the list says.
      known.set(before.id, { ...before, closedAt: now, withdrawn: true, listed: null });
    }
  }
  let room = REMEMBERED.openNotices - [...known.values()].filter(({ closedAt }) => closedAt === null).length;
  let turnedAway = false;
  const replacedBy = replaceable([...known.values()], now);
  // Lists come in any order, often the newest first; what happened first is told and numbered first.
  const seen = [...new Set([...listed.keys(), ...observation.details.keys()])].toSorted(byNumber);
  for (const id of seen) {
    const before = known.get(id);
    const reading = readNotice(id, before, listed.get(id), observation.details.get(id));
    if (reading === null) {
      if (listed.has(id)) heldBack.release(subjectOf(id));
      continue;
    }
    const pair = before === undefined ? null : documents(before, reading);
    if (pair !== null && (isOldNews(pair, reading) || heldBack.holdsBack(subjectOf(id), pair.stored, pair.said))) {
      continue;
    }
    const after = remembered(before, reading, now);
    if (before === undefined && after.closedAt === null) {
      turnedAway ||= room <= 0;
      if (room <= 0) continue;
      room -= 1;
    }
    if (pair !== null) after.updatedAt = believedTime(pair.stored, pair.said);
    if (before !== undefined && awaitsItsLastWord(before, now)) after.finalLook = true;
    if (!baseline && before !== undefined) append(drafts, nextSight(before, after, reading));
    if (!baseline && before === undefined) {
      const replaced = after.closedAt === null ? replacedBy(after, (old) => known.get(old.id) === old) : null;
      // Its calendar entry is the old one's: the withdrawal has moved that on by one already.
      if (replaced !== null) {
        after.revision = replaced.revision + 2;
        known.set(replaced.id, { ...replaced, replaced: true });
      }
      append(drafts, firstSight(replaced, after, reading, now));
    }
    known.set(id, after);
  }
  const memory = stillRemembered([...known.values()], now);
  const kept = new Set(memory);
  for (const notice of known.values()) if (!kept.has(notice)) heldBack.release(subjectOf(notice.id));
  return { drafts: netOfReplacement(drafts), memory: memory.toSorted(byId), heldBack, emptySeen, turnedAway };
}

/** An answer that is not complete says nothing of it, one way or the other. */
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

/**
 * What is remembered of a notice and what was read, to be compared by age: history and impact only where
 * both were read in full.
 */
function documents(
  before: NoticeMemory,
  { notice, components, updates, whole }: Reading,
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
  return [componentKey(components), inOrder(updates).map(({ content }) => content)];
}

/** A line of a stale list that says what is known: the latest update it shows is not the latest. */
function isOldNews({ stored, said }: { stored: Dated; said: Dated }, { whole }: Reading): boolean {
  if (whole || stored.updatedAt === null || said.updatedAt === null || said.updatedAt >= stored.updatedAt) return false;
  return JSON.stringify(stored.content) === JSON.stringify(said.content);
}

/** Withdrawn and recreated within one sweep: the replacement says it all. */
function netOfReplacement(drafts: readonly Draft[]): Draft[] {
  const replaced = new Set(
    drafts.flatMap((draft) => (draft.kind === 'notice.replaced' ? [subjectOf(draft.from)] : [])),
  );
  return drafts.filter((draft) => draft.kind !== 'notice.withdrawn' || !replaced.has(draft.subject));
}

/** Those that are open, and of those that are over the latest. */
function stillRemembered(notices: readonly NoticeMemory[], now: number): NoticeMemory[] {
  const fresh = notices.filter(({ closedAt }) => closedAt === null || now - closedAt <= REMEMBERED_FOR_MS);
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
