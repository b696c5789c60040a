/**
 * What a vendor's page shows of the provider's world, before it is put into the words and the shape of one vendor. States
 * are the provider's; times are epoch milliseconds.
 */
import type {
  ComponentDocument,
  NoticeDetailDocument,
  NoticeItemDocument,
  StatusDocuments,
} from '../status/page-documents.ts';

export interface VendorComponent {
  id: string;
  name: string;
  state: string;
  parentId: string | null;
}

interface VendorUpdate {
  state: string | null;
  content: string;
  createdAt: number;
  updatedAt: number;
}

export interface VendorNotice {
  id: string;
  kind: 'incident' | 'work' | 'news';
  state: string;
  subject: string;
  /** Where what is open is listed; what is not is nowhere but where the past is kept. */
  listed: boolean;
  hits: readonly { id: string; name: string }[];
  beginsAt: number | null;
  endsAt: number | null;
  beganAt: number | null;
  endedAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** Oldest first. */
  updates: readonly VendorUpdate[];
}

export interface VendorWorld {
  name: string;
  /** Of the page as a whole. */
  state: string;
  /** Changes with whatever is shown. */
  updatedAt: number;
  components: readonly VendorComponent[];
  /** What is open or announced, and what is over, the newest last. */
  notices: readonly VendorNotice[];
}

/** An answer: JSON, or text of another type. */
export type VendorAnswer = { json: unknown } | { body: string | Uint8Array<ArrayBuffer>; type: string };

/** What a vendor answers under each path: always the same paths. */
export type VendorPages = (world: VendorWorld) => ReadonlyMap<string, VendorAnswer>;

const OVER: readonly string[] = ['resolved', 'false_alarm', 'complete', 'cancelled'];

/** By its state alone. */
export function isOver({ state }: Pick<VendorNotice, 'state'>): boolean {
  return OVER.includes(state);
}

/** What the provider still shows, oldest first; what it archived or deleted is not among it. */
export function listNotices({ notices }: VendorWorld, kinds: readonly VendorNotice['kind'][]): VendorNotice[] {
  return notices.filter(({ listed, kind }) => listed && kinds.includes(kind));
}

export function openOf(world: VendorWorld, kinds: readonly VendorNotice['kind'][]): VendorNotice[] {
  return listNotices(world, kinds).filter((each) => !isOver(each));
}

/** For those who have no state but that of the last update: a change without a word stands there. */
export function listSpokenUpdates({ state, updates }: VendorNotice): VendorUpdate[] {
  return updates.map((update, index) => (index === updates.length - 1 ? { ...update, state } : update));
}

/** Null stays null. */
export function toIsoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

export function toVendorWorld({ page, components, notices, details }: StatusDocuments): VendorWorld {
  const listed = new Set(notices.map(({ id }) => id));
  const unlisted = [...details.values()].filter(({ id }) => !listed.has(id));
  const all = [...notices.map((notice) => details.get(notice.id) ?? notice), ...unlisted];
  const changes = [page, ...components, ...all].map(({ updated_at: at }) => Date.parse(at));
  return {
    name: page.name,
    state: normal(page.state),
    updatedAt: changes.reduce((latest, at) => Math.max(latest, at), 0),
    components: components.map(componentOf),
    notices: all
      .map((notice) => noticeOf(notice, listed.has(notice.id)))
      .toSorted((one, other) => one.createdAt - other.createdAt || Number(one.id) - Number(other.id)),
  };
}

function componentOf({ id, name, state, parent_id: parent }: ComponentDocument): VendorComponent {
  return { id: String(id), name, state: normal(state), parentId: parent === null ? null : String(parent) };
}

function noticeOf(notice: NoticeItemDocument | NoticeDetailDocument, listed: boolean): VendorNotice {
  const { id, type, state, subject, created_at: createdAt, updated_at: updatedAt } = notice;
  const updates = 'updates' in notice ? notice.updates : notice.latest_update === null ? [] : [notice.latest_update];
  const hits = 'components' in notice ? notice.components : [];
  return {
    id: String(id),
    kind: type === 'planned' ? 'work' : state === null ? 'news' : 'incident',
    state: normal(state ?? (type === 'planned' ? 'scheduled' : 'news')),
    subject,
    listed,
    hits: hits.map((hit) => ({ id: String(hit.id), name: hit.name })),
    beginsAt: at(notice.begins_at),
    endsAt: at(notice.ends_at),
    beganAt: at(notice.began_at),
    endedAt: at(notice.ended_at),
    createdAt: Date.parse(createdAt),
    updatedAt: Date.parse(updatedAt),
    updates: updates
      .map((update) => ({
        state: update.state === null ? null : normal(update.state),
        content: update.content,
        createdAt: Date.parse(update.created_at),
        updatedAt: Date.parse(update.updated_at),
      }))
      .toSorted((one, other) => one.createdAt - other.createdAt),
  };
}

function at(time: string | null | undefined): number | null {
  return time === null || time === undefined ? null : Date.parse(time);
}

function normal(state: string): string {
  return state.replaceAll('-', '_');
}
