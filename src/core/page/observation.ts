/** What one look at the status page brought back. */
import type { Listing, Miss, Seen } from '../observation/listing.ts';
import type { Component, Notice, NoticeDetail, Page } from './model.ts';

export type { Defect, Listing, Miss, Seen } from '../observation/listing.ts';

/** The answer to a question about one notice: its detail, that there is none (404, 410), or nothing. */
export type DetailAnswer = { kind: 'observed'; value: NoticeDetail } | { kind: 'absent'; status: number } | Miss;

export interface NoticesObservation {
  kind: 'notices';
  present: Listing<Notice>;
  future: Listing<Notice>;
  /** Page 1 of the recent past, when it was due; never grounds for absence. */
  recent: Listing<Notice> | null;
  /** By notice id, for those that were asked for. */
  details: ReadonlyMap<string, DetailAnswer>;
}

export interface PageObservation {
  kind: 'page';
  page: Seen<Page>;
  components: Listing<Component>;
}
