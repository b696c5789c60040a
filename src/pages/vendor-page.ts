/** Interface of another vendor's page: its content in our terms, and the limits of its type. */
import type { Listing, ReadOrMissed } from '../core/observation/listing.ts';
import type { Component, NoticeDetail, Page, DocumentObservation } from '../core/page/page-model.ts';
import type { InterfaceOrigin } from '../provider/http.ts';
import { ProviderError } from '../provider/errors.ts';
import type { Form } from '../provider/reply.ts';

/** Program and contact. */
export function formatUserAgent(program: string, contact: string | null): string {
  return contact === null ? program : `${program} (+${contact})`;
}

/** Abilities of a type of page. Anything it cannot show is unknown, never operational. */
export interface PageLimits {
  /** With an article: `a Statuspage`. */
  called: string;
  /** Evidence for the end of a notice: an archive, its own state or time, or only its absence. */
  ends: 'kept' | 'told' | 'absence';
  /** Length of the archive in words; null without one. */
  history: string | null;
  /** True if the page has components, texts, and so on. */
  components: boolean;
  maintenance: boolean;
  /** Texts of notices; affected components. */
  texts: boolean;
  hits: boolean;
  /** Its rows cover many regions or products, so a selection is required. */
  needsChoice?: string;
  /** Size limit of a response in bytes. */
  answerBytes: number;
}

/** Result of one request. */
export interface Shown {
  document: Omit<DocumentObservation, 'kind' | 'components' | 'notices'> & {
    /** Rows appear only while affected, so a complete exchange of rows means nothing. */
    rowsComeAndGo?: true;
  };
  page: ReadOrMissed<Page>;
  components: Listing<Component>;
  /** Open, running and announced notices, and closed ones if the same document has them. */
  notices: Listing<NoticeDetail>;
}

export type NoticeKind = 'unplanned' | 'planned';

/** Closed notices from an archive. */
export interface KeptDocument {
  notices: Listing<NoticeDetail>;
  /** Creation of the oldest one; null if the archive is complete. */
  since: number | null;
  updatedAt: number | null;
}

export interface VendorPage {
  /** One request if a single document has everything. Throws `ProviderError`. */
  look(signal: AbortSignal): Promise<Shown>;
  /** Null if there is no archive of this kind. Throws `ProviderError`. */
  kept?(kind: NoticeKind, signal: AbortSignal): Promise<KeptDocument | null>;
}

/** One request, parsed by `read`: always the same function, because its result is cached. */
export type AskDocument = <T>(
  path: string,
  read: (value: unknown, origin: InterfaceOrigin) => T,
  options: { signal: AbortSignal; form?: Form },
) => Promise<T>;

export interface PageType {
  limits: PageLimits;
  /** Derives the requested address from the one entered; default: without `/api` and below. */
  base?(typed: URL): URL;
  /** Accepted media types; default: JSON. */
  accept?: string;
  /** `now`: epoch milliseconds, for time-dependent states; `typed`: the address as entered. */
  open(base: URL, ask: AskDocument, now: () => number, typed: URL): VendorPage;
}

/** A response that is not of this type. `why` continues "the answer of …". */
export function refuseOtherDocument({ url }: InterfaceOrigin, why: string): ProviderError {
  return new ProviderError('contract_broken', { operation: 'page', url }, ({ of }) => `the answer${of} ${why}`);
}
