/** What a page of another vendor is, to whoever reads it: what it answers, in our own words, and what it cannot show. */
import type { Listing, Seen } from '../core/observation/listing.ts';
import type { Component, NoticeDetail, Page } from '../core/page/page-model.ts';
import type { Origin } from '../provider/http.ts';
import { ProviderError } from '../provider/errors.ts';
import type { Form } from '../provider/reply.ts';

/** Who asks, and whom to ask about it. */
export function formatUserAgent(program: string, contact: string | null): string {
  return contact === null ? program : `${program} (+${contact})`;
}

/** What a type of page can show, and what not: what it cannot is unknown, and never taken for well. */
export interface PageLimits {
  /** As people call it: `a Statuspage`. */
  called: string;
  /** How notices are known to be over: from a place that keeps them, from their own state or time, or only by their absence. */
  ends: 'kept' | 'told' | 'absence';
  /** How far back notices are shown that are over, for people; null where none are. */
  history: string | null;
  /** Whether the page shows each of these. */
  components: boolean;
  maintenance: boolean;
  /** The texts of notices; and the components they hit. */
  texts: boolean;
  hits: boolean;
  /** Its rows are of many regions or products, of which nobody needs all. */
  needsChoice?: string;
  /** The largest answer that is taken, in bytes. */
  answerBytes: number;
}

/** What one look brought back. */
export interface Shown {
  document: {
    /** The vendor's id of the page; null where it gives none. */
    page: string | null;
    /** That id is an address, which may change. */
    isAddress?: true;
    name: string;
    updatedAt: number | null;
    /** Rows come and go with what happens: that all of them are others says nothing. */
    rowsComeAndGo?: true;
  };
  page: Seen<Page>;
  components: Listing<Component>;
  /** What is open, underway or announced, and, where the same document has it, what is over. */
  notices: Listing<NoticeDetail>;
}

export type NoticeKind = 'unplanned' | 'planned';

/** Notices that are over, from where they are kept. */
export interface KeptDocument {
  notices: Listing<NoticeDetail>;
  /** When the oldest of them was created; null where they are all there ever were. */
  since: number | null;
  updatedAt: number | null;
}

export interface VendorPage {
  /** One request where one document has all. Throws `ProviderError`. */
  look(signal: AbortSignal): Promise<Shown>;
  /** Null where none of this kind are kept. Throws `ProviderError`. */
  kept?(kind: NoticeKind, signal: AbortSignal): Promise<KeptDocument | null>;
}

/** One question, its answer read by `read`: the same function each time, for what it made is used again. */
export type AskDocument = <T>(
  path: string,
  read: (value: unknown, origin: Origin) => T,
  options: { signal: AbortSignal; form?: Form },
) => Promise<T>;

export interface PageType {
  limits: PageLimits;
  /** Where it is really asked, from the address as a person types it; default: there, without what follows `/api`. */
  base?(typed: URL): URL;
  /** Media types that are asked for; default: JSON. */
  accept?: string;
  /** `now`: epoch milliseconds, for what the clock alone says; `typed`: the address as a person types it. */
  open(base: URL, ask: AskDocument, now: () => number, typed: URL): VendorPage;
}

/** An answer that is not what this type of page gives. `why` goes on "the answer of …". */
export function refuseOtherDocument({ url }: Origin, why: string): ProviderError {
  return new ProviderError('contract_broken', { operation: 'page', url }, ({ of }) => `the answer${of} ${why}`);
}
