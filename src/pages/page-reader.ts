/**
 * How a sweep looks at a status page, whoever publishes it: the provider's and every other vendor's are read through
 * this.
 */
import type { Listing, Seen } from '../core/observation/listing.ts';
import type { Component, DetailAnswer, DocumentObservation, Notice, Page } from '../core/page/page-model.ts';
import type { PastTimeline } from '../core/history/past-import.ts';

export const TIMELINES = ['present', 'future', 'past_recent'] as const;
export type SweptTimeline = (typeof TIMELINES)[number];

/** One page of what is over. */
export interface PastPage {
  notices: readonly Notice[];
  hasNext: boolean;
}

export interface PastReader {
  /** `page`: from 1. */
  list(timeline: PastTimeline, page: number, signal: AbortSignal): Promise<Seen<PastPage>>;
  notice(id: string, signal: AbortSignal): Promise<DetailAnswer>;
}

export interface PageReader {
  page(signal: AbortSignal): Promise<Seen<Page>>;
  /** `soFar` hears what was read of them, each time before a further page is asked for. */
  components(signal: AbortSignal, soFar?: (listing: Listing<Component>) => void): Promise<Listing<Component>>;
  /** All pages of a listing; of the recent past only the first. */
  notices(timeline: SweptTimeline, signal: AbortSignal): Promise<Listing<Notice>>;
  /** What its detail says now; where there is none, how it is missing. */
  notice(id: string, signal: AbortSignal): Promise<DetailAnswer>;
  /**
   * For pages that show everything in one document: asks for it, and says which one it is. It answers all other
   * questions of a sweep; only what is kept of the past takes a request of its own.
   */
  document?(signal: AbortSignal): Promise<Seen<DocumentObservation>>;
  /** For pages that list what is long over: each question is one request, behind everything else. */
  past?: PastReader;
  /** Milliseconds it wants to be left alone after a 429; 0 if it may be asked at once. */
  restMs(): number;
}
