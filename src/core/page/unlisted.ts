/**
 * Notices that left complete lists of a page without a final state. Absence is not an end. If the archive of closed
 * notices covers its time and lacks it, the notice was deleted. Otherwise it is unlisted: this is reported after a
 * while, and it closes only when everything the page shows is operational.
 */
import type { MissedParts } from '../observation/listing.ts';
import type { UnlistedDetails } from '../transition/notice-details.ts';
import type { Draft } from '../transition/transition.ts';
import { isActive } from './fold.ts';
import { isOperational, type DetailAnswer } from './page-model.ts';
import { toSubject, toNoticeDetails } from './notice.ts';
import { openNotices, type NoticeMemory, type Snapshot } from './snapshot.ts';

type KeptDetail = Extract<DetailAnswer, { kind: 'unlisted' }>['kept'];

/** True if the archive covers the time of creation: a closed notice would be in it. */
export function isDeleted({ createdAt }: Pick<NoticeMemory, 'createdAt'>, kept: KeptDetail): boolean {
  if (kept === null) return false;
  return kept.since === null || (createdAt !== null && createdAt > kept.since);
}

/** `kept` is not null if an archive exists that does not reach back far enough: the outcome is then unknown. */
export function markUnlisted(before: NoticeMemory, kept: KeptDetail): NoticeMemory {
  return { ...before, unlisted: before.unlisted ?? { ms: null, beyond: kept !== null } };
}

export function markListed(before: NoticeMemory): NoticeMemory {
  const { unlisted: _, ...listed } = before;
  return listed;
}

/** Unlisted notices do not speed up polling: they are open only because their end is unknown. */
export function isGivenUp({ unlisted }: NoticeMemory): boolean {
  return unlisted?.told === true;
}

interface SweepOver {
  parts: MissedParts;
  elapsedMs: number;
  missingAfterMs: number;
  now: number;
}

/** At the end of a sweep: reports notices absent long enough, once, and closes those that nothing keeps open. */
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
    const { toldAt = now } = unlisted;
    const milliseconds = Math.max(ms, (unlisted.ms ?? 0) + now - toldAt);
    drafts.push(draftOf(notice, { verdict, milliseconds }));
    if (verdict !== 'over') return { ...counted, unlisted: { ...counted.unlisted, told: true, toldAt: now } };
    // If it returns, it is new whatever its list entry says.
    return { ...notice, closedAt: now, listed: null };
  });
  return { drafts, after: { ...snapshot, notices } };
}

function isWaiting({ closedAt, unlisted }: NoticeMemory): boolean {
  return closedAt === null && unlisted !== undefined && !(unlisted.told === true && unlisted.beyond);
}

/**
 * True if page and components are operational as far as shown, and no other notice is open. Includes the components it
 * explained, because its list may have changed meanwhile.
 */
function isWell(snapshot: Snapshot, { id, components: hit }: NoticeMemory): boolean {
  const { page, components } = snapshot;
  if (page === null || components === null || !isOperational(page.state)) return false;
  const named = new Set((hit ?? []).map((component) => component.id));
  const concerned = components.filter(
    (component) => named.size === 0 || named.has(component.id) || component.notice === id,
  );
  const others = openNotices(snapshot).filter((other) => other.id !== id && other.unlisted === undefined);
  // If it names components, all of them must be known; otherwise the known ones suffice.
  const known = concerned.filter(({ unknown }) => unknown !== true);
  const isKnown = named.size === 0 ? known.length > 0 || concerned.length === 0 : known.length === concerned.length;
  return isKnown && known.every(({ state }) => isOperational(state)) && !others.some(isActive);
}

function draftOf(notice: NoticeMemory, unlisted: UnlistedDetails): Draft {
  const details = { ...toNoticeDetails(notice, []), ...unlisted };
  return { subject: toSubject(notice.id), kind: 'notice.unlisted', from: notice.state, to: null, details };
}
