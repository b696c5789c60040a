/**
 * A status page after parsing, in the provider's terms. Ids are strings, states are normalised (lower case, `-` → `_`),
 * times are epoch milliseconds or null if absent or unreadable. Also the observation of one sweep.
 */
import type { Listing, Miss, ReadOrMissed } from '../observation/listing.ts';
import type { ComponentName } from '../transition/details.ts';

/** The page itself. `noticeCount` is `links.notices.count`, which includes notices that no filter shows. */
export interface Page {
  name: string;
  state: string;
  url: string | null;
  noticeCount: number | null;
  updatedAt: number | null;
  /** The vendor's word for the state, if it differs. */
  word?: string;
}

export interface Component {
  id: string;
  name: string;
  state: string;
  /** Null at the top level, and if the parent is unknown. */
  parentId: string | null;
  updatedAt: number | null;
  /** The vendor's word for the state, if it differs. */
  word?: string;
  /** No state is known, because nothing monitors it or it is only a container. Neither an outage nor operational. */
  unknown?: true;
  /** A group listed as a row of its own, in the state of its worst component. */
  group?: true;
}

/** One entry of a notice's history. `content` is the provider's text: untrusted, limited in length. */
export interface Update {
  state: string | null;
  content: string;
  createdAt: number | null;
  updatedAt: number | null;
}

/** A notice as listed. */
export interface Notice {
  id: string;
  /** `planned`, `unplanned`, or a value outside the specification such as `general`. */
  type: string;
  /** `future`, `present`, `past_recent`, `past_distant`; null when absent. */
  timeline: string | null;
  state: string | null;
  subject: string;
  url: string | null;
  /** Announced window; null for unplanned notices. */
  beginsAt: number | null;
  endsAt: number | null;
  /** Actual start and end; null until then. */
  beganAt: number | null;
  endedAt: number | null;
  /** Time of publication by the provider. */
  createdAt: number | null;
  updatedAt: number | null;
  latestUpdate: Update | null;
  /** The vendor's rating: `critical`, `major`, `minor` or `none`; absent if it gives none. */
  impact?: string;
  /** The vendor's word for the state, if it differs. */
  word?: string;
  /** The page's notices never name components: any component that is not operational may be affected. */
  namesNoComponents?: true;
  /** The page states the notice's state in texts only, and this text has none: the state is unchanged. */
  saysNoState?: true;
  /**
   * Hash of the detail, for pages that show list and detail at once and whose list entries may not change otherwise.
   */
  detailHash?: string;
}

/** Adds affected components and the full history, oldest first. */
export interface NoticeDetail extends Notice {
  components: ComponentName[];
  updates: Update[];
}

export const END_STATES = ['resolved', 'false_alarm', 'complete', 'cancelled'] as const;
export const ACUTE_STATES = ['investigating', 'identified'] as const;

/** States of the specification; others are shown unchanged and reported once. */
export const KNOWN_STATES = {
  page: ['operational', 'degraded', 'under_maintenance'],
  component: ['operational', 'degraded', 'under_maintenance'],
  unplanned: ['investigating', 'identified', 'recovering', 'resolved', 'false_alarm', 'cancelled'],
  planned: ['scheduled', 'underway', 'complete', 'cancelled'],
  timeline: ['future', 'present', 'past_recent', 'past_distant'],
  type: ['planned', 'unplanned', 'general'],
} as const;

/** False for states outside the specification. */
export function isOperational(state: string): boolean {
  return state === 'operational';
}

/** False if the page does not say. */
export function isPast(timeline: string | null): boolean {
  return timeline !== null && timeline.startsWith('past');
}

/**
 * Result of reading one notice: its detail; none (404, 410); left a complete list without appearing elsewhere; or
 * nothing. `kept` describes the archive of closed notices: null without one; `since` is its start, null if it has
 * everything.
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
  /** Page 1 of the recent past, if it was due; never evidence of absence. */
  recent: Listing<Notice> | null;
  /** By notice id, for those that were requested. */
  details: ReadonlyMap<string, DetailAnswer>;
  /** The vendor's monitors may publish one incident several times. */
  monitored?: true;
}

/** Identifies a notice independently of its id. */
export type ShownNotice = Pick<Notice, 'id' | 'type' | 'subject' | 'createdAt'>;

/** The document behind all responses of a sweep, if there is one: another page must not pass for the watched one. */
export interface DocumentObservation {
  kind: 'document';
  /** The vendor's id of the page; null if there is none. */
  page: string | null;
  /** The id is an address, which may change. A page that lists known rows is still the same page. */
  isAddress?: true;
  name: string;
  updatedAt: number | null;
  /** Listed components; null if the list is incomplete, or if rows come and go with incidents. */
  components: readonly string[] | null;
  /** Listed notices; null if the list is incomplete. */
  notices: readonly ShownNotice[] | null;
}

export interface PageObservation {
  kind: 'page';
  /** The notices of this sweep could not be read in full. */
  noticesUnread?: true;
  page: ReadOrMissed<Page>;
  components: Listing<Component>;
}
