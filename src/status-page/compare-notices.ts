/**
 * The notices of one sweep against what is remembered of them: what changed, and the memory after it.
 * What a listing lacks is unknown, not gone; only its own detail can say that a notice is gone, and only
 * when both listings were complete.
 */
import type { Draft } from './draft.ts';
import { isComplete } from './listing.ts';
import type { Notice } from './model.ts';
import { firstSight, nextSight, withdrawal } from './notice-diff.ts';
import { remembered } from './notice-memory.ts';
import { awaitsItsLastWord, listedNotices, readNotice } from './notice-reading.ts';
import { subjectOf } from './notice-words.ts';
import type { NoticesObservation } from './observation.ts';
import { OlderDocuments } from './older-document.ts';
import type { NoticeMemory, Snapshot } from './snapshot.ts';

const REMEMBERED_FOR_MS = 30 * 24 * 3_600_000;

export interface Compared<T> {
  drafts: Draft[];
  memory: T;
  heldBack: OlderDocuments;
}

export function compareNotices(
  snapshot: Snapshot,
  observation: NoticesObservation,
  now: number,
  sweep: number,
): Compared<NoticeMemory[] | null> {
  const heldBack = new OlderDocuments(snapshot.heldBack, sweep);
  const known = new Map((snapshot.notices ?? []).map((notice) => [notice.id, notice]));
  const listed = listedNotices(observation);
  const complete =
    isComplete(observation.present, 'notices', snapshot.defects) &&
    isComplete(observation.future, 'notices', snapshot.defects);
  const baseline = snapshot.notices === null;
  if (baseline && !complete) return { drafts: [], memory: null, heldBack };

  const drafts: Draft[] = [];
  // Withdrawals come first, so that a notice recreated in the same sweep finds the one it replaces.
  for (const before of known.values()) {
    if (observation.details.get(before.id)?.kind !== 'absent' || listed.has(before.id)) continue;
    if (before.closedAt !== null) known.set(before.id, { ...before, finalLook: true });
    else if (complete) {
      drafts.push(withdrawal(before));
      known.set(before.id, { ...before, closedAt: now, withdrawn: true });
    }
  }
  for (const id of new Set([...listed.keys(), ...observation.details.keys()])) {
    const before = known.get(id);
    const reading = readNotice(id, before, listed.get(id), observation.details.get(id));
    if (reading === null) continue;
    if (before !== undefined && heldBack.holdsBack(subjectOf(id), contentOf(before), contentOf(reading.notice))) continue;
    const after = remembered(before, reading, now);
    if (before !== undefined && awaitsItsLastWord(before, now)) after.finalLook = true;
    if (!baseline) {
      drafts.push(...(before === undefined ? firstSight([...known.values()], after, reading, now) : nextSight(before, after, reading)));
    }
    known.set(id, after);
  }
  const memory = [...known.values()].filter((notice) => !isForgotten(notice, now));
  return { drafts: netOfReplacement(drafts), memory: memory.toSorted(byId), heldBack };
}

/** What a notice says, apart from its history: an older document must differ in this to be held back. */
function contentOf(notice: Omit<Notice, 'latestUpdate'>): { updatedAt: number | null; content: unknown } {
  const { id, type, timeline, state, subject, url, beginsAt, endsAt, beganAt, endedAt, updatedAt } = notice;
  return { updatedAt, content: [id, type, timeline, state, subject, url, beginsAt, endsAt, beganAt, endedAt] };
}

/** Withdrawn and recreated within one sweep: the replacement says it all. */
function netOfReplacement(drafts: readonly Draft[]): Draft[] {
  const replaced = new Set(drafts.flatMap((draft) => (draft.kind === 'notice.replaced' ? [subjectOf(draft.from)] : [])));
  return drafts.filter((draft) => draft.kind !== 'notice.withdrawn' || !replaced.has(draft.subject));
}

function isForgotten(notice: NoticeMemory, now: number): boolean {
  return notice.closedAt !== null && now - notice.closedAt > REMEMBERED_FOR_MS;
}

function byId(a: NoticeMemory, b: NoticeMemory): number {
  return a.id.localeCompare(b.id, 'en', { numeric: true });
}
