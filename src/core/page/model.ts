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
}

export interface Component {
  id: string;
  name: string;
  state: string;
  parentId: string | null;
  updatedAt: number | null;
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

export function isOperational(state: string): boolean {
  return state === 'operational';
}

export function isPast(timeline: string | null): boolean {
  return timeline !== null && timeline.startsWith('past');
}

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
