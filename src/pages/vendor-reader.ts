/**
 * Sweeps of another vendor's page: one request, from which all calls are answered. Notices that left it are looked up
 * in the archive. Without an archive this is reported, and the core decides what it means.
 */
import type { Listing, Miss, ReadOrMissed } from '../core/observation/listing.ts';
import type { DetailAnswer, DocumentObservation, Notice, NoticeDetail } from '../core/page/page-model.ts';
import { hashIdentity } from '../core/transition/transition.ts';
import { createMiss, catchMiss } from '../provider/collection.ts';
import type { PageReader } from './page-reader.ts';
import type { KeptDocument, NoticeKind, Shown, VendorPage } from './vendor-page.ts';

const KINDS: readonly NoticeKind[] = ['unplanned', 'planned'];
const NOT_READ: Miss = { kind: 'missed', code: 'unread', why: 'it is yet to be read' };
/** Ids whose kind is remembered: ten times the most ever open at once. */
const KINDS_REMEMBERED = 1000;

/** `document` starts a sweep with a request; other calls answer from its result. */
export function createVendorReader(vendor: VendorPage, restMs: () => number): PageReader {
  let shown: Shown | Miss = NOT_READ;
  /** At most one request per kind and sweep. */
  const kept = new Map<NoticeKind, Promise<KeptDocument | null | Miss>>();
  const kinds = new Map<string, NoticeKind>();
  /** Neither listed nor archived in the last two sweeps: a single miss may be a lagging cache. */
  let [lackedBefore, lacked] = [new Set<string>(), new Set<string>()];

  async function document(signal: AbortSignal): Promise<ReadOrMissed<DocumentObservation>> {
    kept.clear();
    [lackedBefore, lacked] = [lacked, new Set()];
    shown = await catchMiss(() => vendor.look(signal));
    if ('kind' in shown) return shown;
    for (const { id, type } of itemsOf(shown.notices)) rememberKind(id, type === 'planned' ? 'planned' : 'unplanned');
    const { rowsComeAndGo, ...known } = shown.document;
    const rows = rowsComeAndGo === true ? null : allOf(shown.components);
    const components = rows?.map(({ id }) => id) ?? null;
    return { kind: 'observed', value: { kind: 'document', ...known, components, notices: allOf(shown.notices) } };
  }

  function rememberKind(id: string, kind: NoticeKind): void {
    kinds.delete(id);
    kinds.set(id, kind);
    const [oldest] = kinds.keys();
    if (kinds.size > KINDS_REMEMBERED && oldest !== undefined) kinds.delete(oldest);
  }

  async function keptOf(kind: NoticeKind, signal: AbortSignal): Promise<KeptDocument | null | Miss> {
    const known = kept.get(kind);
    if (known !== undefined) return await known;
    const asked = catchMiss(async () => (await vendor.kept?.(kind, signal)) ?? null).then(newEnough);
    kept.set(kind, asked);
    return await asked;
  }

  /** A cached archive that is older than the sweep would make new notices appear deleted. */
  function newEnough(found: KeptDocument | null | Miss): KeptDocument | null | Miss {
    if (found === null || 'kind' in found || 'kind' in shown) return found;
    const { updatedAt } = shown.document;
    const isOlder = updatedAt !== null && found.updatedAt !== null && found.updatedAt < updatedAt;
    return isOlder ? createMiss('older_document', 'what is kept of the past is older than what is shown now') : found;
  }

  async function notice(id: string, signal: AbortSignal): Promise<DetailAnswer> {
    if ('kind' in shown) return shown;
    const listed = itemsOf(shown.notices).find((each) => each.id === id);
    if (listed !== undefined) return { kind: 'observed', value: listed };
    let since: number | null = null;
    let isKept = true;
    let isReadable = true;
    const kind = kinds.get(id);
    for (const each of kind === undefined ? KINDS : [kind]) {
      const found = await keptOf(each, signal);
      if (found !== null && 'kind' in found) return found;
      const own = found === null ? undefined : itemsOf(found.notices).find((one) => one.id === id);
      if (own !== undefined) return { kind: 'observed', value: own };
      if (found === null) isKept = false;
      // An unreadable row may be this notice: its state is unknown.
      else if (!isWhole(found.notices)) isReadable = false;
      else if (found.since !== null) since = Math.max(since ?? found.since, found.since);
    }
    lacked.add(id);
    if (isKept && isReadable && !lackedBefore.has(id)) {
      return createMiss('unread', 'it is looked for once more before it counts as gone');
    }
    return { kind: 'unlisted', kept: isKept ? { since: isReadable ? since : Infinity } : null };
  }

  async function readRecentNotices(signal: AbortSignal): Promise<Listing<Notice>> {
    const found = await keptOf('unplanned', signal);
    if (found === null) return { kind: 'observed', items: [], defects: [], missing: null };
    return 'kind' in found ? found : asListed(found.notices);
  }

  return {
    document,
    page: () => Promise.resolve('kind' in shown ? shown : shown.page),
    components: () => Promise.resolve('kind' in shown ? shown : shown.components),
    async notices(timeline, signal) {
      if (timeline === 'past_recent') return await readRecentNotices(signal);
      if ('kind' in shown) return shown;
      const isFuture = (each: Notice): boolean => each.timeline === 'future';
      return asListed(shown.notices, (each) => isFuture(each) === (timeline === 'future'));
    },
    notice,
    restMs,
  };
}

function isWhole(listing: Listing<NoticeDetail>): boolean {
  return listing.kind === 'observed' && listing.missing === null && listing.defects.length === 0;
}

/** Null if the listing is incomplete. */
function allOf<T>(listing: Listing<T>): readonly T[] | null {
  return listing.kind === 'observed' && listing.missing === null ? listing.items : null;
}

function itemsOf<T>(listing: Listing<T>): readonly T[] {
  return listing.kind === 'missed' ? [] : listing.items;
}

/** As list entries: without components and history, but with a hash that changes with them. */
function asListed(listing: Listing<NoticeDetail>, isMeant?: (notice: NoticeDetail) => boolean): Listing<Notice> {
  if (listing.kind === 'missed') return listing;
  const meant = isMeant === undefined ? listing.items : listing.items.filter(isMeant);
  return { ...listing, items: meant.map(lineOf) };
}

/** Unchanged responses are the same objects, and so are their notices. */
const lines = new WeakMap<NoticeDetail, Notice>();

function lineOf(detail: NoticeDetail): Notice {
  const known = lines.get(detail);
  if (known !== undefined) return known;
  const { components, updates, ...notice } = detail;
  const line = { ...notice, detailHash: hashIdentity(components, updates) };
  lines.set(detail, line);
  return line;
}
