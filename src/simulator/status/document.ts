/**
 * What the status interface says on the wire, in the provider's words. Everything the routes answer is cut
 * from one `StatusDocuments`; it is computed from the world, or it is one step of a replay.
 * Types and not interfaces where the catalogue's open shapes must accept them.
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

export interface UpdateDocument {
  state: string | null;
  content: string;
  created_at: string;
  updated_at: string;
}

/** What list and detail of a notice have in common. `begins_at` and `ends_at` exist on planned ones only. */
export interface NoticeBase {
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

/** The whole status interface at one moment, all pages of it, before links and pagination. */
export interface StatusDocuments {
  page: PageDocument;
  components: readonly ComponentDocument[];
  notices: readonly NoticeItemDocument[];
  /** By notice id. A notice may have a detail and be in no list: the real interface does that too. */
  details: ReadonlyMap<number, NoticeDetailDocument>;
  /** Ids whose detail answers 410 rather than 404. */
  gone: ReadonlySet<number>;
}
