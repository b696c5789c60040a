/** How sweeps look at what they watch: at a status page and at an account, each through a client that can only read. */
import type { Extension, Registered, Toggle } from '../core/account/model.ts';
import type { Listing, Seen } from '../core/observation/listing.ts';
import type { WatchClient } from '../provider/account-asking.ts';
import { observeExtensions, observeRegistrations, observeToggles } from '../provider/observe-account.ts';
import { observeComponents, observeNotice, observeNotices, observePage } from '../provider/observe.ts';
import type { StatusClient } from '../provider/status-client.ts';
import type { Component, DetailAnswer, Notice, Page } from '../core/page/model.ts';

export const TIMELINES = ['present', 'future', 'past_recent'] as const;
export type SweptTimeline = (typeof TIMELINES)[number];

interface Restful {
  /** Milliseconds the provider wants to be left alone after a 429; 0 if it may be asked at once. */
  restMs(): number;
}

export interface PageReader extends Restful {
  page(signal: AbortSignal): Promise<Seen<Page>>;
  /** `soFar` hears what was read of them, each time before a further page is asked for. */
  components(signal: AbortSignal, soFar?: (listing: Listing<Component>) => void): Promise<Listing<Component>>;
  /** All pages, but of the recent past only the first. */
  notices(timeline: SweptTimeline, signal: AbortSignal): Promise<Listing<Notice>>;
  notice(id: string, signal: AbortSignal): Promise<DetailAnswer>;
}

export interface AccountReader extends Restful {
  registrations(signal: AbortSignal): Promise<Listing<Registered>>;
  extensions(signal: AbortSignal): Promise<Listing<Extension>>;
  toggles(signal: AbortSignal): Promise<Listing<Toggle>>;
}

export function pageReader(client: StatusClient): PageReader {
  return {
    page: (signal) => observePage(client, { signal }),
    components: (signal, soFar) => observeComponents(client, { signal, ...(soFar && { soFar }) }),
    notices: (timeline, signal) =>
      observeNotices(client, timeline, { signal, urgency: 'urgent', firstPageOnly: timeline === 'past_recent' }),
    notice: (id, signal) => observeNotice(client, id, { signal, urgency: 'urgent' }),
    restMs: () => client.waitMs(),
  };
}

export function accountReader(reader: Pick<WatchClient, 'look' | 'waitMs'>): AccountReader {
  return {
    registrations: (signal) => observeRegistrations(reader, { signal, urgency: 'urgent' }),
    extensions: (signal) => observeExtensions(reader, { signal, urgency: 'background' }),
    toggles: (signal) => observeToggles(reader, { signal }),
    restMs: () => reader.waitMs(),
  };
}
