/**
 * The provider's status page in the provider's own words, after reading: ids are strings, states are
 * normalised (lower case, `-` → `_`), times are epoch milliseconds or null when absent or unreadable. And what one look at
 * it brought back.
 */
import type { Listing, Miss, Seen } from '../observation/listing.ts';
import type { ComponentName } from '../transition/details.ts';

/** The page as a whole. `noticeCount` is `links.notices.count`: it betrays notices no filter shows. */
export interface Page {
  name: string;
  state: string;
  url: string | null;
  noticeCount: number | null;
  updatedAt: number | null;
  /** What the vendor calls the state, where that is another word. */
  word?: string;
}

export interface Component {
  id: string;
  name: string;
  state: string;
  parentId: string | null;
  updatedAt: number | null;
  /** What the vendor calls the state, where that is another word. */
  word?: string;
  /** Nothing says how it is: nobody monitors it, or it only holds others. It is no trouble, and not known to be well. */
  unknown?: true;
  /** A group that the page shows as a row of its own, in the state of the worst component in it. */
  group?: true;
}

/** One entry of a notice's history. `content` is the provider's text, untrusted and capped in length. */
export interface Update {
  state: string | null;
  content: string;
  createdAt: number | null;
  updatedAt: number | null;
}

/** What the list of notices says of one notice. */
export interface Notice {
  id: string;
  /** `planned`, `unplanned`, or a value outside the specification such as `general`. */
  type: string;
  /** `future`, `present`, `past_recent`, `past_distant`; null when absent. */
  timeline: string | null;
  state: string | null;
  subject: string;
  url: string | null;
  /** The announced window; null for unplanned notices. */
  beginsAt: number | null;
  endsAt: number | null;
  /** When it really began and ended; null while it has not. */
  beganAt: number | null;
  endedAt: number | null;
  createdAt: number | null;
  updatedAt: number | null;
  latestUpdate: Update | null;
  /** How bad the vendor says it is: `critical`, `major`, `minor` or `none`; absent where it says nothing of it. */
  impact?: string;
  /** What the vendor calls the state, where that is another word. */
  word?: string;
  /** This page's notices never say whom they hit: whatever is not well meanwhile may be theirs. */
  namesNobody?: true;
  /** The page has the state in its texts, and this one names none: it is as it was. */
  saysNoState?: true;
  /** Changes with whatever the detail shows: of pages that show both at once, where nothing else in the list may change. */
  detailHash?: string;
}

/** What the detail of a notice adds: the components it hits and its whole history, oldest first. */
export interface NoticeDetail extends Notice {
  components: ComponentName[];
  updates: Update[];
}

export const END_STATES = ['resolved', 'false_alarm', 'complete', 'cancelled'] as const;
export const ACUTE_STATES = ['investigating', 'identified'] as const;

/** States the specification lists; anything else is shown raw and reported once. */
export const KNOWN_STATES = {
  page: ['operational', 'degraded', 'under_maintenance'],
  component: ['operational', 'degraded', 'under_maintenance'],
  unplanned: ['investigating', 'identified', 'recovering', 'resolved', 'false_alarm', 'cancelled'],
  planned: ['scheduled', 'underway', 'complete', 'cancelled'],
  timeline: ['future', 'present', 'past_recent', 'past_distant'],
  type: ['planned', 'unplanned', 'general'],
} as const;

/** False for a state outside the specification: it is not confirmed to be operational. */
export function isOperational(state: string): boolean {
  return state === 'operational';
}

/** False where the page does not say. */
export function isPast(timeline: string | null): boolean {
  return timeline !== null && timeline.startsWith('past');
}

/**
 * The answer to a question about one notice: its detail, that there is none (404, 410), that it left a complete list and
 * no other place has it, or nothing. `kept` is how far back the place reaches where notices are kept that are over: null
 * where there is none, `since` null where it holds all there ever were.
 */
export type DetailAnswer =
  | { kind: 'observed'; value: NoticeDetail }
  | { kind: 'absent'; status: number }
  | { kind: 'unlisted'; kept: { since: number | null } | null }
  | Miss;

export interface NoticesObservation {
  kind: 'notices';
  present: Listing<Notice>;
  future: Listing<Notice>;
  /** Page 1 of the recent past, when it was due; never grounds for absence. */
  recent: Listing<Notice> | null;
  /** By notice id, for those that were asked for. */
  details: ReadonlyMap<string, DetailAnswer>;
  /** The vendor's own monitors may publish one trouble several times. */
  monitored?: true;
}

/** What tells a notice from others, whatever its id. */
export type ShownNotice = Pick<Notice, 'id' | 'type' | 'subject' | 'createdAt'>;

/** Which document all answers of a sweep come from, where one has them all: another page's must not pass for this one's. */
export interface DocumentObservation {
  kind: 'document';
  /** The vendor's id of the page; null where it gives none. */
  page: string | null;
  /** That id is an address, which may change: where rows are listed that are known, it is the same page. */
  isAddress?: true;
  name: string;
  updatedAt: number | null;
  /** Of the components in it; null where the list is not complete, or rows come and go with what happens. */
  components: readonly string[] | null;
  /** Of the notices in it; null where the list is not complete. */
  notices: readonly ShownNotice[] | null;
}

export interface PageObservation {
  kind: 'page';
  page: Seen<Page>;
  components: Listing<Component>;
}
