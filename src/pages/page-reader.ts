/** Common interface for reading status pages of the provider and other vendors. */
import type { Listing, ReadOrMissed } from '../core/observation/listing.ts';
import type { Component, DetailAnswer, DocumentObservation, Notice, Page } from '../core/page/page-model.ts';
import type { PastTimeline } from '../core/history/past-import.ts';

export const TIMELINES = ['present', 'future', 'past_recent'] as const;
export type SweptTimeline = (typeof TIMELINES)[number];

/** One page of the archive. */
export interface PastPage {
  notices: readonly Notice[];
  hasNext: boolean;
}

export interface PastReader {
  /** `page`: from 1. */
  list(timeline: PastTimeline, page: number, signal: AbortSignal): Promise<ReadOrMissed<PastPage>>;
  notice(id: string, signal: AbortSignal): Promise<DetailAnswer>;
}

export interface PageReader {
  page(signal: AbortSignal): Promise<ReadOrMissed<Page>>;
  /** `soFar` receives the rows so far before each further page. */
  components(signal: AbortSignal, soFar?: (listing: Listing<Component>) => void): Promise<Listing<Component>>;
  /** All pages of a listing; only the first of the recent past. */
  notices(timeline: SweptTimeline, signal: AbortSignal): Promise<Listing<Notice>>;
  /** The detail, or the kind of absence. */
  notice(id: string, signal: AbortSignal): Promise<DetailAnswer>;
  /**
   * For pages with a single document: requests and identifies it. It answers all other calls of a sweep, except for the
   * archive.
   */
  document?(signal: AbortSignal): Promise<ReadOrMissed<DocumentObservation>>;
  /** For pages with a long archive: each call is one request at lowest priority. */
  pastNotices?: PastReader;
  /** Milliseconds left of a 429's Retry-After; 0 if none. */
  restMs(): number;
}
