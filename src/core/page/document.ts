/**
 * Which document the answers of a sweep come from, on a page that shows everything in one. Its answers count only where
 * it is the page that is watched, and no older than what was seen: an address may come to show another page, a vendor
 * may move to another system and give everything a new id, and a cache may answer with what was true an hour ago.
 */
import type { Miss } from '../observation/listing.ts';
import { MINUTE } from '../text/duration.ts';
import { timestamp } from '../transition/details.ts';
import type { DraftOf, Source } from '../transition/transition.ts';
import type { DocumentObservation } from './model.ts';
import type { DocumentMemory, Snapshot } from './snapshot.ts';

/** Caches answer for an hour while the vendor's own server fails; what is older for longer is how it stands. */
const OLDER_BELIEVED_AFTER_MS = 65 * MINUTE;
/** So many ids have to change at once to be another page's: one or two rows may be renewed by hand. */
const LEAST_MIGRATED = 3;

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
export function unbelieved({ document }: Snapshot): Miss | null {
  if (document === undefined) return null;
  if (document.other !== null) {
    const why = `another page answers there: “${document.other.name}”, and “${document.name}” is watched`;
    return { kind: 'missed', code: 'other_page', why };
  }
  if (document.olderSince === null) return null;
  const known = document.updatedAt === null ? '' : ` of ${timestamp(document.updatedAt)}`;
  return { kind: 'missed', code: 'older_document', why: `it answers with an older document than the one${known}` };
}

function isOther(
  { components }: Snapshot,
  before: DocumentMemory,
  { page, components: seen }: DocumentObservation,
): boolean {
  if (before.page !== null && page !== null && before.page !== page) return true;
  const known = components ?? [];
  if (seen === null || known.length < LEAST_MIGRATED || seen.length < LEAST_MIGRATED) return false;
  const ids = new Set(seen);
  return !known.some(({ id }) => ids.has(id));
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
      since: timestamp(stranger?.since ?? now),
      reasons: [],
      names: { from: from.name, to: to.name },
      back: other === null,
    },
  };
}
