/** How a sweep looks at a status page; the wiring puts the provider's client behind it. */
import type { Component, Notice, Page } from '../status-page/model.ts';
import type { DetailAnswer, Listing, Seen } from '../status-page/observation.ts';

export const TIMELINES = ['present', 'future', 'past_recent'] as const;
export type Timeline = (typeof TIMELINES)[number];

export interface Looker {
  page(signal: AbortSignal): Promise<Seen<Page>>;
  components(signal: AbortSignal): Promise<Listing<Component>>;
  /** All pages, but of the recent past only the first. */
  notices(timeline: Timeline, signal: AbortSignal): Promise<Listing<Notice>>;
  notice(id: string, signal: AbortSignal): Promise<DetailAnswer>;
  /** Milliseconds the provider wants to be left alone after a 429; 0 if it may be asked at once. */
  restMs(): number;
}
