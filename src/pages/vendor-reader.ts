/**
 * Sweeps of another vendor's page: one look brings everything, and all that is asked afterwards is answered from it. What
 * has left it is looked up where notices are kept that are over; where nothing keeps them, that is said, and the core
 * judges what it means.
 */
import type { Listing, Miss, Seen } from '../core/observation/listing.ts';
import type { DetailAnswer, DocumentObservation, Notice, NoticeDetail } from '../core/page/page-model.ts';
import { hashIdentity } from '../core/transition/transition.ts';
import { createMiss, catchMiss } from '../provider/collection.ts';
import type { PageReader } from './page-reader.ts';
import type { KeptDocument, NoticeKind, Shown, VendorPage } from './vendor-page.ts';

const KINDS: readonly NoticeKind[] = ['unplanned', 'planned'];
const NOT_READ: Miss = { kind: 'missed', code: 'unread', why: 'it is yet to be read' };
/** How many ids have their kind remembered: ten times the most that was ever open at once. */
const KINDS_REMEMBERED = 1000;

/** Only `document` asks for everything, and begins a sweep: the others answer from what it brought. */
export function createVendorReader(vendor: VendorPage, restMs: () => number): PageReader {
  let shown: Shown | Miss = NOT_READ;
  /** Asked for at most once in a sweep. */
  const kept = new Map<NoticeKind, Promise<KeptDocument | null | Miss>>();
  const kinds = new Map<string, NoticeKind>();
  /** What was neither listed nor kept at the last two looks: one alone may be a cache that lags behind. */
  let [lackedBefore, lacked] = [new Set<string>(), new Set<string>()];

  async function document(signal: AbortSignal): Promise<Seen<DocumentObservation>> {
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

  /** An answer from a cache older than the look would make the newest notices seem deleted. */
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
      // A row that cannot be read may be this notice: nobody knows how it went on.
      else if (!isWhole(found.notices)) isReadable = false;
      else if (found.since !== null) since = Math.max(since ?? found.since, found.since);
    }
    lacked.add(id);
    if (isKept && isReadable && !lackedBefore.has(id)) {
      return createMiss('unread', 'it is looked for once more before it counts as gone');
    }
    return { kind: 'unlisted', kept: isKept ? { since: isReadable ? since : Infinity } : null };
  }

  async function recentPast(signal: AbortSignal): Promise<Listing<Notice>> {
    const found = await keptOf('unplanned', signal);
    if (found === null) return { kind: 'observed', items: [], defects: [], missing: null };
    return 'kind' in found ? found : asListed(found.notices);
  }

  return {
    document,
    page: () => Promise.resolve('kind' in shown ? shown : shown.page),
    components: () => Promise.resolve('kind' in shown ? shown : shown.components),
    async notices(timeline, signal) {
      if (timeline === 'past_recent') return await recentPast(signal);
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

/** Null where some are missing. */
function allOf<T>(listing: Listing<T>): readonly T[] | null {
  return listing.kind === 'observed' && listing.missing === null ? listing.items : null;
}

function itemsOf<T>(listing: Listing<T>): readonly T[] {
  return listing.kind === 'missed' ? [] : listing.items;
}

/** As a list would show them: without components and history, but with a mark that changes when these do. */
function asListed(listing: Listing<NoticeDetail>, isMeant?: (notice: NoticeDetail) => boolean): Listing<Notice> {
  if (listing.kind === 'missed') return listing;
  const meant = isMeant === undefined ? listing.items : listing.items.filter(isMeant);
  return { ...listing, items: meant.map(lineOf) };
}

/** An answer that is as it was before is the same object again, and so are its notices. */
const lines = new WeakMap<NoticeDetail, Notice>();

function lineOf(detail: NoticeDetail): Notice {
  const known = lines.get(detail);
  if (known !== undefined) return known;
  const { components, updates, ...notice } = detail;
  const line = { ...notice, detailHash: hashIdentity(components, updates) };
  lines.set(detail, line);
  return line;
}
