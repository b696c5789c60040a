/**
 * The world in a neutral form, before it is converted to a vendor's format. States are the provider's; times are epoch
 * milliseconds.
 */
import type { Component } from '../../core/page/page-model.ts';
import type { SimulatedNotice, UpdateRecord } from '../status/notices.ts';
import type {
  ComponentDocument,
  NoticeDetailDocument,
  NoticeItemDocument,
  StatusDocuments,
} from '../status/page-documents.ts';

export type VendorComponent = Pick<Component, 'id' | 'name' | 'state' | 'parentId'>;

export interface VendorNotice extends Pick<
  SimulatedNotice,
  'subject' | 'beginsAt' | 'endsAt' | 'beganAt' | 'endedAt' | 'createdAt' | 'updatedAt'
> {
  id: string;
  kind: 'incident' | 'work' | 'news';
  state: string;
  /** True if it appears in the list of open notices; others appear only in an archive. */
  listed: boolean;
  hits: readonly { id: string; name: string }[];
  /** Oldest first. */
  updates: readonly UpdateRecord[];
}

export interface VendorWorld {
  name: string;
  /** State of the page as a whole. */
  state: string;
  /** Changes with everything shown. */
  updatedAt: number;
  components: readonly VendorComponent[];
  /** Open, announced and closed notices, newest last. */
  notices: readonly VendorNotice[];
}

/** JSON, or text of another type. */
export type VendorAnswer = { json: unknown } | { body: string | Uint8Array<ArrayBuffer>; type: string };

/** Answers by path; the set of paths never changes. */
export type VendorPages = (world: VendorWorld) => ReadonlyMap<string, VendorAnswer>;

const OVER: readonly string[] = ['resolved', 'false_alarm', 'complete', 'cancelled'];

/** Judged by the state alone. */
export function isOver({ state }: Pick<VendorNotice, 'state'>): boolean {
  return OVER.includes(state);
}

/** Notices still shown, oldest first, without archived and deleted ones. */
export function listNotices({ notices }: VendorWorld, kinds: readonly VendorNotice['kind'][]): VendorNotice[] {
  return notices.filter(({ listed, kind }) => listed && kinds.includes(kind));
}

export function openOf(world: VendorWorld, kinds: readonly VendorNotice['kind'][]): VendorNotice[] {
  return listNotices(world, kinds).filter((each) => !isOver(each));
}

/** For vendors without a state of their own: an update without text also counts. */
export function listSpokenUpdates({ state, updates }: VendorNotice): UpdateRecord[] {
  return updates.map((update, index) => (index === updates.length - 1 ? { ...update, state } : update));
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
