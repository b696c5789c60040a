/**
 * Notices that have left complete lists, on a page that does not say how they went on. Absence is no end: where a place
 * keeps what is over and has no trace of one, it was deleted; where that place does not reach back so far, or there is
 * none, it is unlisted. That is told after a while, and it is over only where all that the page shows is well.
 */
import type { Parts } from '../observation/listing.ts';
import type { UnlistedDetails } from '../transition/notice-details.ts';
import type { Draft } from '../transition/transition.ts';
import { isActive } from './fold.ts';
import { isOperational, type DetailAnswer } from './page-model.ts';
import { toSubject, toNoticeDetails } from './notice.ts';
import { openNotices, type NoticeMemory, type Snapshot } from './snapshot.ts';

type KeptDetail = Extract<DetailAnswer, { kind: 'unlisted' }>['kept'];

/** True where what is over is kept, back to before this was created: it would be there. */
export function isDeleted({ createdAt }: Pick<NoticeMemory, 'createdAt'>, kept: KeptDetail): boolean {
  if (kept === null) return false;
  return kept.since === null || (createdAt !== null && createdAt > kept.since);
}

/** Not null where what is over is kept and does not reach back to it: then nobody can say how it went on. */
export function markUnlisted(before: NoticeMemory, kept: KeptDetail): NoticeMemory {
  return { ...before, unlisted: before.unlisted ?? { ms: null, beyond: kept !== null } };
}

/** It is listed again, as it was. */
export function markListed(before: NoticeMemory): NoticeMemory {
  const { unlisted: _, ...listed } = before;
  return listed;
}

/** Nothing is asked for faster on its account: it is open for want of a better word. */
export function isGivenUp({ unlisted }: NoticeMemory): boolean {
  return unlisted?.told === true;
}

interface SweepOver {
  parts: Parts;
  elapsedMs: number;
  missingAfterMs: number;
  now: number;
}

/** At the end of a sweep: what has been absent long enough is told, once; and its end as soon as nothing speaks against it. */
export function judgeUnlisted(
  snapshot: Snapshot,
  { parts, elapsedMs, missingAfterMs, now }: SweepOver,
): { drafts: Draft[]; after: Snapshot } {
  const isWhole = Object.values(parts).every((miss) => miss === null);
  if (!isWhole || snapshot.notices?.some(isWaiting) !== true) return { drafts: [], after: snapshot };
  const drafts: Draft[] = [];
  const notices = snapshot.notices.map((notice): NoticeMemory => {
    const { unlisted } = notice;
    if (unlisted === undefined || !isWaiting(notice)) return notice;
    const ms = unlisted.ms === null ? 0 : unlisted.ms + Math.max(0, elapsedMs);
    const counted = { ...notice, unlisted: { ...unlisted, ms } };
    if (ms < missingAfterMs) return counted;
    const verdict = unlisted.beyond ? 'unknown' : isWell(snapshot, notice) ? 'over' : 'open';
    if (verdict !== 'over' && unlisted.told === true) return notice;
    drafts.push(draftOf(notice, { verdict, milliseconds: ms }));
    if (verdict !== 'over') return { ...counted, unlisted: { ...counted.unlisted, told: true } };
    // Should it come back, it is news whatever its line in the list says.
    return { ...notice, closedAt: now, listed: null };
  });
  return { drafts, after: { ...snapshot, notices } };
}

function isWaiting({ closedAt, unlisted }: NoticeMemory): boolean {
  return closedAt === null && unlisted !== undefined && !(unlisted.told === true && unlisted.beyond);
}

/**
 * Page and components agree that all is well, as far as they are shown, and nothing else is open. What it explained
 * counts as well as what it names now: the list of what it hits may have changed under way.
 */
function isWell(snapshot: Snapshot, { id, components: hit }: NoticeMemory): boolean {
  const { page, components } = snapshot;
  if (page === null || components === null || !isOperational(page.state)) return false;
  const named = new Set((hit ?? []).map((component) => component.id));
  const concerned = components.filter(
    (component) => named.size === 0 || named.has(component.id) || component.notice === id,
  );
  const others = openNotices(snapshot).filter((other) => other.id !== id && other.unlisted === undefined);
  // Where it names what it hits, all of that has to be known; else what is known speaks for the rest.
  const known = concerned.filter(({ unknown }) => unknown !== true);
  const isKnown = named.size === 0 ? known.length > 0 || concerned.length === 0 : known.length === concerned.length;
  return isKnown && known.every(({ state }) => isOperational(state)) && !others.some(isActive);
}

function draftOf(notice: NoticeMemory, unlisted: UnlistedDetails): Draft {
  const details = { ...toNoticeDetails(notice, []), ...unlisted };
  return { subject: toSubject(notice.id), kind: 'notice.unlisted', from: notice.state, to: null, details };
}
