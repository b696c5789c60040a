/** What the page answers with, made of what is known of the world. */
import { timestamp } from '../clock.ts';
import type { ComponentDocument, NoticeBase, StatusDocuments, UpdateDocument } from './document.ts';
import type { NoticeRecord, UpdateRecord } from './notices.ts';
import { timelineState } from './state.ts';

/** Times are epoch milliseconds. */
export interface PageRecord {
  name: string;
  state: string;
  url: string;
  createdAt: number;
  updatedAt: number;
}

/** The documents as they stand at `now`, epoch milliseconds. */
export function composeDocuments(
  page: PageRecord,
  components: ComponentDocument[],
  records: readonly NoticeRecord[],
  now: number,
): StatusDocuments {
  const byId = new Map(components.map((component) => [component.id, component]));
  const base = (record: NoticeRecord): NoticeBase => noticeBase(record, page.url, now);
  return {
    page: {
      name: page.name,
      state: page.state,
      url: page.url,
      created_at: timestamp(page.createdAt),
      updated_at: timestamp(page.updatedAt),
    },
    components,
    notices: records
      .filter((record) => record.listed)
      .map((record) => ({ ...base(record), latest_update: updateDocument(record.updates.at(-1)) })),
    details: new Map(
      records
        .filter((record) => record.answers === 'detail')
        .map((record) => [record.id, { ...base(record), ...impactAndUpdates(record, byId) }]),
    ),
    gone: new Set(records.filter((record) => record.answers === 'gone').map((record) => record.id)),
  };
}

function noticeBase(record: NoticeRecord, pageUrl: string, now: number): NoticeBase {
  return {
    id: record.id,
    type: record.type,
    timeline_state: timelineState(record, now),
    state: record.state,
    subject: record.subject,
    url: `${pageUrl}/notices/${record.id}`,
    ...(record.type === 'planned' && { begins_at: maybe(record.beginsAt), ends_at: maybe(record.endsAt) }),
    began_at: maybe(record.beganAt),
    ended_at: maybe(record.endedAt),
    created_at: timestamp(record.createdAt),
    updated_at: timestamp(record.updatedAt),
  };
}

function maybe(milliseconds: number | null): string | null {
  return milliseconds === null ? null : timestamp(milliseconds);
}

function updateDocument(record: UpdateRecord): UpdateDocument;
function updateDocument(record: UpdateRecord | undefined): UpdateDocument | null;
function updateDocument(record: UpdateRecord | undefined): UpdateDocument | null {
  if (record === undefined) return null;
  return {
    state: record.state,
    content: record.content,
    created_at: timestamp(record.createdAt),
    updated_at: timestamp(record.updatedAt),
  };
}

function impactAndUpdates(
  record: NoticeRecord,
  components: ReadonlyMap<number, ComponentDocument>,
): { components: ComponentDocument[]; updates: UpdateDocument[] } {
  return {
    components: record.componentIds.flatMap((id) => components.get(id) ?? []),
    updates: record.updates.map((update) => updateDocument(update)),
  };
}
