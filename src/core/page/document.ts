/**
 * Which document the answers of a sweep come from, on a page that shows everything in one. Its answers count only where
 * it is the page that is watched, and no older than what was seen: an address may come to show another page, a vendor
 * may move to another system and give everything a new id, and a cache may answer with what was true an hour ago.
 */
import type { Listing, Miss } from '../observation/listing.ts';
import { MINUTE } from '../text/duration.ts';
import { toTimestamp } from '../transition/details.ts';
import type { DraftOf, Source } from '../transition/transition.ts';
import type { DocumentObservation, Notice, ShownNotice } from './page-model.ts';
import { openNotices, type DocumentMemory, type Snapshot } from './snapshot.ts';

/**
 * Caches answer for an hour at most while the vendor's own server fails. What stays older for longer is taken as it
 * is.
 */
const OLDER_BELIEVED_AFTER_MS = 65 * MINUTE;
/** So many ids have to change at once to be another page's: one or two rows may be renewed by hand. */
const LEAST_MIGRATED = 3;
/**
 * So many notices have to be the same under other ids: one alone may be one of several that a monitor published at
 * once.
 */
const LEAST_COPIES = 2;

/**
 * The first document seen is the page's own. A draft tells once that the address shows another page, and once that it
 * is back.
 */
export function judgeDocument(
  snapshot: Snapshot,
  seen: DocumentObservation,
  { now, source }: { now: number; source: Source },
): { drafts: DraftOf<'source.changed'>[]; after: Snapshot } {
  const before = snapshot.document;
  const { page, name, updatedAt } = seen;
  if (before === undefined) {
    return { drafts: [], after: { ...snapshot, document: { page, name, updatedAt, olderSince: null, other: null } } };
  }
  if (isOther(snapshot, before, seen)) {
    const other = { page, name, since: before.other?.since ?? now };
    const drafts = before.other === null ? [changed(before, other, source, now)] : [];
    return { drafts, after: { ...snapshot, document: { ...before, other } } };
  }
  const drafts = before.other === null ? [] : [changed(before, null, source, now)];
  const isOlder = updatedAt !== null && before.updatedAt !== null && updatedAt < before.updatedAt;
  const olderSince = isOlder ? Math.min(before.olderSince ?? now, now) : null;
  const isHeldBack = olderSince !== null && now - olderSince < OLDER_BELIEVED_AFTER_MS;
  const document: DocumentMemory = isHeldBack
    ? { ...before, olderSince, other: null }
    : { page: page ?? before.page, name, updatedAt: updatedAt ?? before.updatedAt, olderSince: null, other: null };
  return { drafts, after: { ...snapshot, document } };
}

/** Why nothing of the document counts; null where it does. */
export function toMiss({ document }: Snapshot): Miss | null {
  if (document === undefined) return null;
  if (document.other !== null) {
    const { name, other } = document;
    const isNamesake = other.name === name;
    const why = isNamesake
      ? `the page there has other ids than the “${name}” that is watched`
      : `another page answers there: “${other.name}”, and “${name}” is watched`;
    return { kind: 'missed', code: 'other_page', why };
  }
  if (document.olderSince === null) return null;
  const known = document.updatedAt === null ? '' : ` of ${toTimestamp(document.updatedAt)}`;
  return { kind: 'missed', code: 'older_document', why: `it answers with an older document than the one${known}` };
}

/**
 * The document with what the page keeps of the past: where all that is open has changed at once, only that tells whether
 * notices have come and gone, or have got other ids.
 */
export function withPast(seen: DocumentObservation, past: Listing<Notice>): DocumentObservation {
  if (past.kind === 'missed' || seen.notices === null) return seen;
  return { ...seen, notices: [...seen.notices, ...past.items] };
}

/** All that was open is gone, and all that is listed is new: an ordinary day may bring that, and so may a migration. */
export function isAllNew(snapshot: Snapshot, seen: DocumentObservation): boolean {
  const open = openNotices(snapshot).filter(({ unlisted }) => unlisted === undefined);
  return open.length > 0 && (seen.notices ?? []).length > 0 && !isNoticeListed(snapshot, seen);
}

function isOther(snapshot: Snapshot, before: DocumentMemory, seen: DocumentObservation): boolean {
  const { page } = seen;
  if (before.page !== null && page !== null && before.page !== page) {
    return seen.isAddress !== true || !isFamiliar(snapshot, seen);
  }
  // Once its ids were others, or another page has answered, it is the one that is watched as soon as it says so.
  const saysItself = page !== null && before.page === page && before.other?.page !== page;
  if (before.other !== null && !saysItself) return !isFamiliar(snapshot, seen);
  return haveComponentsMoved(snapshot, seen) || haveNoticesMoved(snapshot, seen);
}

/** Something is listed that is known: of its components, which stay, or else of its notices. */
function isFamiliar(snapshot: Snapshot, seen: DocumentObservation): boolean {
  const hasBoth = (snapshot.components ?? []).length > 0 && (seen.components ?? []).length > 0;
  return hasBoth ? isComponentListed(snapshot, seen) : isNoticeListed(snapshot, seen);
}

function isNoticeListed({ notices }: Snapshot, seen: DocumentObservation): boolean {
  const known = new Set((notices ?? []).map(({ id }) => id));
  return (seen.notices ?? []).some(({ id }) => known.has(id));
}

function isComponentListed({ components }: Snapshot, seen: DocumentObservation): boolean {
  const known = new Set((components ?? []).map(({ id }) => id));
  return (seen.components ?? []).some((id) => known.has(id));
}

function haveComponentsMoved(snapshot: Snapshot, seen: DocumentObservation): boolean {
  const [known, listed] = [snapshot.components ?? [], seen.components ?? []];
  return known.length >= LEAST_MIGRATED && listed.length >= LEAST_MIGRATED && !isComponentListed(snapshot, seen);
}

/**
 * None that is known is listed, and several of those that are have the kind, the subject and the time of creation of
 * others that are known. What is published anew by hand has another time.
 */
function haveNoticesMoved(snapshot: Snapshot, seen: DocumentObservation): boolean {
  if (isNoticeListed(snapshot, seen)) return false;
  const known = new Set((snapshot.notices ?? []).flatMap(whateverItsId));
  const copies = new Set((seen.notices ?? []).flatMap(whateverItsId)).intersection(known);
  return copies.size >= LEAST_COPIES;
}

function whateverItsId({ type, subject, createdAt }: ShownNotice): string[] {
  return createdAt === null ? [] : [JSON.stringify([type, subject, Math.trunc(createdAt / 1000)])];
}

/** `other` is null where the page that is watched answers again. */
function changed(
  before: DocumentMemory,
  other: DocumentMemory['other'],
  { baseUrl }: Source,
  now: number,
): DraftOf<'source.changed'> {
  const watched = { id: before.page ?? before.name, name: before.name };
  const stranger = other ?? before.other;
  const strange = { id: stranger?.page ?? stranger?.name ?? '', name: stranger?.name ?? '' };
  const [from, to] = other === null ? [strange, watched] : [watched, strange];
  return {
    subject: 'source',
    kind: 'source.changed',
    from: from.id,
    to: to.id,
    details: {
      base_url: baseUrl,
      since: toTimestamp(stranger?.since ?? now),
      reasons: [],
      names: { from: from.name, to: to.name },
      back: other === null,
    },
  };
}
