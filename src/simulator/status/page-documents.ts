import { formatTimestamp } from '../simulator-clock.ts';
import type { SimulatedNotice, UpdateRecord } from './notices.ts';
import { computeTimelineState } from './state.ts';

/**
 * Wire format of the status interface. All responses are slices of one `StatusDocuments`, computed from the world or
 * taken from a replay. Types instead of interfaces where the catalogue's open shapes require it.
 */
export type PageDocument = {
  name: string;
  state: string;
  url: string;
  created_at: string;
  updated_at: string;
};

export type ComponentDocument = {
  id: number;
  state: string;
  name: string;
  description: string;
  parent_id: number | null;
  created_at: string;
  updated_at: string;
};

interface UpdateDocument {
  state: string | null;
  content: string;
  created_at: string;
  updated_at: string;
}

/** Fields common to list and detail of a notice. Only planned ones have `begins_at` and `ends_at`. */
interface NoticeBase {
  id: number;
  type: string;
  timeline_state: string;
  state: string | null;
  subject: string;
  url: string;
  begins_at?: string | null;
  ends_at?: string | null;
  began_at: string | null;
  ended_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface NoticeItemDocument extends NoticeBase {
  latest_update: UpdateDocument | null;
}

export interface NoticeDetailDocument extends NoticeBase {
  components: ComponentDocument[];
  updates: UpdateDocument[];
}

/** The complete status interface at one moment, before links and pagination. */
export interface StatusDocuments {
  page: PageDocument;
  components: readonly ComponentDocument[];
  notices: readonly NoticeItemDocument[];
  /** By notice id. A notice may have a detail without being listed, as in the real interface. */
  details: ReadonlyMap<number, NoticeDetailDocument>;
  /** Ids whose detail answers 410 instead of 404. */
  gone: ReadonlySet<number>;
}

/** Times are epoch milliseconds. */
interface StatusDocument {
  name: string;
  state: string;
  url: string;
  createdAt: number;
  updatedAt: number;
}

/** `now`: epoch milliseconds. */
export function composeDocuments(
  page: StatusDocument,
  components: ComponentDocument[],
  records: readonly SimulatedNotice[],
  now: number,
): StatusDocuments {
  const byId = new Map(components.map((component) => [component.id, component]));
  const bases = new Map(records.map((record) => [record, noticeBase(record, page.url, now)]));
  const base = (record: SimulatedNotice): NoticeBase => bases.get(record) ?? noticeBase(record, page.url, now);
  return {
    page: {
      name: page.name,
      state: page.state,
      url: page.url,
      created_at: formatTimestamp(page.createdAt),
      updated_at: formatTimestamp(page.updatedAt),
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

function noticeBase(record: SimulatedNotice, pageUrl: string, now: number): NoticeBase {
  return {
    id: record.id,
    type: record.type,
    timeline_state: computeTimelineState(record, now),
    state: record.state,
    subject: record.subject,
    url: `${pageUrl}/notices/${record.id}`,
    ...(record.type === 'planned' && { begins_at: maybe(record.beginsAt), ends_at: maybe(record.endsAt) }),
    began_at: maybe(record.beganAt),
    ended_at: maybe(record.endedAt),
    created_at: formatTimestamp(record.createdAt),
    updated_at: formatTimestamp(record.updatedAt),
  };
}

function maybe(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatTimestamp(milliseconds);
}

function updateDocument(record: UpdateRecord): UpdateDocument;
function updateDocument(record: UpdateRecord | undefined): UpdateDocument | null;
function updateDocument(record: UpdateRecord | undefined): UpdateDocument | null {
  if (record === undefined) return null;
  return {
    state: record.state,
    content: record.content,
    created_at: formatTimestamp(record.createdAt),
    updated_at: formatTimestamp(record.updatedAt),
  };
}

function impactAndUpdates(
  record: SimulatedNotice,
  components: ReadonlyMap<number, ComponentDocument>,
): { components: ComponentDocument[]; updates: UpdateDocument[] } {
  return {
    components: record.componentIds.flatMap((id) => components.get(id) ?? []),
    updates: record.updates.map((update) => updateDocument(update)),
  };
}
