/**
 * Identity of the document behind a page that shows everything in one response. Responses count only if they come from
 * the watched page and are not outdated. An address may come to show another page, a vendor may migrate and change all
 * ids, and a cache may return hour-old data.
 */
import type { Listing, Miss } from '../observation/listing.ts';
import { MINUTE } from '../text/duration.ts';
import { toTimestamp } from '../transition/details.ts';
import type { DraftOf, Source } from '../transition/transition.ts';
import type { DocumentObservation, Notice, ShownNotice } from './page-model.ts';
import { openNotices, type DocumentMemory, type Snapshot } from './snapshot.ts';

/**
 * Caches serve stale data for an hour at most while the vendor's server fails. An older document that is served for
 * longer is accepted.
 */
const OLDER_BELIEVED_AFTER_MS = 65 * MINUTE;
/** Number of ids that must change at once to indicate another page: one or two rows may be renewed by hand. */
const LEAST_MIGRATED = 3;
/** Number of notices that must recur under other ids: a single one may be a duplicate that a monitor published. */
const LEAST_COPIES = 2;

/** The first document seen defines the page. Reports a change of page once, and its return once. */
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
  if (isOtherPage(snapshot, before, seen)) {
    const other = { page, name, since: before.other?.since ?? now };
    const drafts = before.other === null ? [draftChange(before, other, source, now)] : [];
    return { drafts, after: { ...snapshot, document: { ...before, other } } };
  }
  const drafts = before.other === null ? [] : [draftChange(before, null, source, now)];
  const isOlder = updatedAt !== null && before.updatedAt !== null && updatedAt < before.updatedAt;
  const olderSince = isOlder ? Math.min(before.olderSince ?? now, now) : null;
  const isHeldBack = olderSince !== null && now - olderSince < OLDER_BELIEVED_AFTER_MS;
  const document: DocumentMemory = isHeldBack
    ? { ...before, olderSince, other: null }
    : { page: page ?? before.page, name, updatedAt: updatedAt ?? before.updatedAt, olderSince: null, other: null };
  return { drafts, after: { ...snapshot, document } };
}

/** Reason for ignoring the document; null if it counts. */
export function findDocumentMiss({ document }: Snapshot): Miss | null {
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
 * Adds the page's archive of closed notices. If everything open changed at once, the archive shows whether these are
 * new notices or known ones under new ids.
 */
export function withPastNotices(seen: DocumentObservation, listing: Listing<Notice>): DocumentObservation {
  if (listing.kind === 'missed' || seen.notices === null) return seen;
  return { ...seen, notices: [...seen.notices, ...listing.items] };
}

/** Everything open is gone and everything listed is new: either an ordinary day or a migration. */
export function isAllNew(snapshot: Snapshot, seen: DocumentObservation): boolean {
  const open = openNotices(snapshot).filter(({ unlisted }) => unlisted === undefined);
  return open.length > 0 && (seen.notices ?? []).length > 0 && !isNoticeListed(snapshot, seen);
}

function isOtherPage(snapshot: Snapshot, before: DocumentMemory, seen: DocumentObservation): boolean {
  const { page } = seen;
  if (before.page !== null && page !== null && before.page !== page) {
    return seen.isAddress !== true || !isFamiliar(snapshot, seen);
  }
  // After a change of ids, or another page, the watched page is accepted again once it identifies itself.
  const showsOwnPage = page !== null && before.page === page && before.other?.page !== page;
  if (before.other !== null && !showsOwnPage) return !isFamiliar(snapshot, seen);
  return haveComponentsMoved(snapshot, seen) || haveNoticesMoved(snapshot, seen);
}

/** True if a known component, or else a known notice, is listed. */
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
 * True if no known id is listed, but several listed notices equal known ones in kind, subject and time of creation. A
 * notice republished by hand has another time.
 */
function haveNoticesMoved(snapshot: Snapshot, seen: DocumentObservation): boolean {
  if (isNoticeListed(snapshot, seen)) return false;
  const known = new Set((snapshot.notices ?? []).flatMap(keyWithoutId));
  const copies = new Set((seen.notices ?? []).flatMap(keyWithoutId)).intersection(known);
  return copies.size >= LEAST_COPIES;
}

function keyWithoutId({ type, subject, createdAt }: ShownNotice): string[] {
  return createdAt === null ? [] : [JSON.stringify([type, subject, Math.trunc(createdAt / 1000)])];
}

/** `other` is null if the watched page answers again. */
function draftChange(
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
