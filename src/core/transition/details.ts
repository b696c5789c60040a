/** Public payloads of transitions, by subject: everything besides from and to. */
import type { Severity } from './kind.ts';
import type { RecordDetails } from './notice-details.ts';

/** ISO 8601 in UTC with milliseconds. */
export type Timestamp = string;

export interface ComponentName {
  id: string;
  name: string;
}

/** A person's acknowledgement of an alert, or its end, and their note. */
export interface AcknowledgementDetails {
  /** Number of the alert, and its title at that time. */
  number: number;
  title: string;
  comment: string;
  /** The person who ended the acknowledgement: `to` is null. */
  releasedBy?: string;
}

export interface PageDetails {
  name: string;
  url: string | null;
}

/** `notice`: explains the state, or has ended while the page or component keeps its state. */
interface ExplainedDetails {
  name: string;
  /** The vendor's word for the state, if it differs. */
  word?: string;
  notice: { id: string; subject: string } | null;
  /** Without a known notice: the notices could not be read, so there may be one. */
  notices_unread?: true;
  /** Without a known notice: an open one that names no components, so that it may be about it. */
  unnamed?: { id: string; subject: string };
}

export interface PageStateDetails extends PageDetails, ExplainedDetails {}

export interface ComponentDetails extends ExplainedDetails {
  parent_id: string | null;
  /** A group; its state is the worst of its components. */
  group?: true;
  /** Names of the ancestors, outermost first. */
  path: string[];
}

export interface UpdateDetails {
  state: string | null;
  content: string;
  created_at: Timestamp | null;
}

export interface NoticeDetails {
  notice: {
    id: string;
    type: string;
    state: string | null;
    timeline_state: string | null;
    subject: string;
    url: string | null;
    begins_at: Timestamp | null;
    ends_at: Timestamp | null;
    began_at: Timestamp | null;
    ended_at: Timestamp | null;
    /** The vendor's own rating; absent if it gives none. */
    impact?: string;
    /** The vendor's word for the state, if it differs. */
    word?: string;
  };
  /** Affected components; null while the detail could not be read. */
  components: ComponentName[] | null;
  /** `notice.impact`: components it affected before and no longer does, where they have names. */
  no_longer?: ComponentName[];
  /** Updates new in this transition, oldest first. */
  updates: UpdateDetails[];
  /** The provider archived the notice without a final state. */
  without_resolve?: boolean;
  /** Reminder: milliseconds until the start. Late start or overrun: milliseconds past it. */
  milliseconds?: number;
  /** Number of moved windows, cancellations, withdrawals and reopenings: the SEQUENCE of the calendar entry. */
  revision?: number;
  /** Earlier outages of the affected components; absent without a record. */
  record?: RecordDetails[];
}

export interface WindowDetails {
  begins_at: Timestamp | null;
  ends_at: Timestamp | null;
}

/** An alert that was already open at the baseline, with its window if it is planned work that has not begun. */
export interface OpenAtBaseline extends Partial<WindowDetails> {
  alert: string;
  number: number;
  severity: Severity;
  title: string;
  subject: string;
  state: string | null;
  /** Null if the start is unknown: a state seen at the first sweep may be days old. */
  since: Timestamp | null;
  url: string | null;
}

export interface BaselineDetails {
  page: { name: string; state: string; url: string | null } | null;
  components: number;
  notices: number;
  /** Present for accounts. Null: not read yet. `extensions` is present if it exceeds the known phones. */
  account?: { phones: PhoneCount | null; extensions?: number; toggles: number | null };
  open: OpenAtBaseline[];
}

/** A part of a source that could not be read. */
export interface Lack {
  /** Null if all parts fail alike. */
  part: string | null;
  /** Failure code such as `timeout`; null if it was not kept. */
  code: string | null;
  why: string;
}

export interface SourceDetails {
  base_url: string;
  /** Start of the trouble. */
  since: Timestamp | null;
  /** One sentence per reason. */
  reasons: string[];
  /** The reasons as codes, one per unreadable part. */
  lacks?: Lack[];
  /** True for an account; absent for a status page. */
  account?: true;
  /** Access refused without credentials, as on a status page. */
  keyless?: true;
  /** Refused collections, if not all are refused. */
  parts?: string[];
}

/** A different page answers at the address. */
export interface ChangedDetails {
  /** Titles of the two pages. */
  names: { from: string; to: string };
  /** The page that was watched before is back. */
  back: boolean;
}

/** Registered phones of those expected. */
export interface PhoneCount {
  registered: number;
  total: number;
  /** Habitually offline now and not in the total; absent if none. */
  away?: number;
}

/** Usual logout and return of phones, in local time of the account. */
export interface UsualDetails {
  off: string;
  back: string;
}

/** One phone: an extension with all its registrations. */
export interface PhoneDetails {
  extension: string;
  /** Name of the extension; null if the extension list was not read. */
  name: string | null;
  /** Last seen make, model and firmware, without the MAC address. */
  device: string | null;
  /** Last seen external address and its site. */
  address: string | null;
  site: string | null;
  /** Start of the loss. */
  since: Timestamp | null;
  /** Logged off as usual but overdue. */
  usual?: UsualDetails;
  /** How often it was lost alone within an hour, this time included; absent for once. */
  times?: number;
  /** Planned work with phones that was under way at the provider when it was lost; absent for none. */
  work?: CauseDetails;
  /** Totals of the account. */
  phones: PhoneCount;
}

/** The common property of lost phones. */
export interface DomainDetails {
  kind: 'site' | 'model' | 'firmware' | 'account';
  /** Display name: `Richmond`, `203.0.113.7`, `Yealink SIP-T46S 66.86.0.15`. */
  name: string;
  /** Present for a site. */
  address: string | null;
}

/** Phones of one fault domain. */
export interface PhonesDetails {
  domain: DomainDetails;
  /** Phones in the domain, and how many of them are not registered. */
  total: number;
  down: number;
  /** The first affected phones; `more` counts the rest. */
  phones: { extension: string; name: string | null }[];
  more: number;
  /** Names of their sites. */
  sites: string[];
  /** Losses by site, largest first, if the account has several sites; absent in older documents. */
  by_site?: SiteCount[];
  since: Timestamp | null;
  /** All of them logged off as usual but are overdue. */
  usual?: UsualDetails;
  /** Other phones of the domain that are habitually offline and not in the total. */
  away?: UsualDetails & { count: number };
  /** Offline phones of the domain that other open alerts report, included in `down`; absent if there are none. */
  others?: ReportedPhones[];
  /** Phones of the domain that were absent from the last answers and are not offline yet; absent for none. */
  not_seen?: number;
  /** Present if this alert ends while others of the account stay open. */
  end?: EndDetails;
  /** Present if this alert had ended before and opened again. */
  again?: RepeatDetails;
}

/** Number of times the phones of an alert were lost, this time included, and since when the first of these. */
export interface RepeatDetails {
  count: number;
  since: Timestamp | null;
}

/**
 * `phones`: the most that were offline at once in this alert. `remaining`: open alerts and offline phones that are
 * left.
 */
export interface EndDetails {
  phones: number;
  remaining: ReportedPhones[];
}

/** An open alert, and the number of offline phones that it reports. */
export interface ReportedPhones {
  alert: string;
  number: number;
  phones: number;
}

/** Evidence for the fault domain. */
export interface WhyDetails {
  down: number;
  total: number;
  /** Another domain named at the same time; absent if there is none. */
  beside?: { domain: DomainDetails; down: number; total: number; together?: true }[];
  /** Phones of the account outside these domains. */
  elsewhere: { down: number; total: number };
  /** Number of sites with missing phones; absent in older documents. */
  sites?: number;
  /** Probability that scattered losses fall like this by chance; null without a comparison. */
  chance: number | null;
}

/** Phones of a site, and how many of them are not registered. */
export interface SiteCount {
  site: string;
  total: number;
  down: number;
  /** Habitually offline and not in the total; absent if none. */
  away?: number;
  /** Offline phones that other open alerts report, included in `down`; absent if there are none. */
  others?: number;
}

/** The provider's alert that explains a loss; `url` links to its notice. */
export interface CauseDetails {
  alert: string;
  number: number;
  title: string;
  url?: string | null;
  /** Name of the page, if it is not the account's own or belongs to another vendor. */
  page?: string;
  /** Minutes from loss to publication; absent if the two may be unrelated. */
  minutes_later?: number;
  /** It is planned work; absent for anything else. */
  planned?: true;
}

export interface MassDetails extends PhonesDetails {
  why?: WhyDetails;
  suspected?: true;
  /** The domain named earlier, now known to be wrong. */
  instead_of?: DomainDetails;
  /** The provider's alert that was open when the phones were lost. */
  explained_by?: CauseDetails;
  /** Planned work with phones that is under way at the provider and does not explain the loss; absent for none. */
  work?: CauseDetails;
  /** The affected numbers are the highest of the account: the provider's list may be truncated. */
  may_be_cut?: true;
  /** The extensions are missing from the list of extensions too. */
  unlisted?: true;
}

export interface OutageDetails extends PhonesDetails {
  /** State of the provider's page; null if there is none or it is unreadable. */
  page: { source: string; state: string; vendor?: true } | null;
  /** The provider's alert that turned out to be the cause, and its delay in minutes. */
  admitted: (CauseDetails & { minutes_later: number }) | null;
  /** The suspicion: scattered losses, or losses in other accounts at the same time. */
  scattered?: boolean;
  /** The alert that continues with these losses. */
  goes_on_in?: { alert: string; number: number };
  /** Name of the page that explained the loss, if it is not the provider's. */
  ended_at?: string;
  /** The explaining notice disappeared without a final state. */
  without_resolve?: true;
}

/** Linewatch's own state. */
export interface StateDetails {
  reason: string;
  /** A monthly report: its month (`2026-10`) and its receivers. */
  report?: { month: string; receivers: readonly string[] };
  /** A line whose link proves that people read what this receiver is sent. */
  proof?: { receiver: string; url: string };
  /** Alerts that share one message, the worst first. */
  folded?: readonly FoldedAlert[];
}

/** A receiver whose people were asked to open a link. */
export interface ProofDetails {
  receiver: string;
  /** People last opened a link or acknowledged an alert; null for never. */
  seen: Timestamp | null;
}

/** An alert that shares one message with others. */
export interface FoldedAlert {
  number: number;
  severity: Severity;
  title: string;
  source: string;
  /** Epoch milliseconds. */
  startedAt: number;
  resolvedAt: number | null;
}

export interface ToggleDetails {
  name: string;
}

export interface ExpectationDetails {
  /** Last known name if no toggle matches any more; null if none ever did, or more than one. */
  name: string | null;
  /** Number of matching toggles, if it is not one. */
  matches?: number;
  /** Ids of the matching toggles. */
  ids?: string[];
  /** Weekly hours of the expected state, as configured: `Mon-Fri 08:30-17:30`. */
  expected_during?: string[];
  /** IANA time zone of those hours; absent in older documents. */
  timezone?: string;
  expectation: { toggle: string; severity: Severity };
  /** Reason why the expectation cannot be checked. */
  reason: string | null;
  /** Start of the deviation. */
  since: Timestamp | null;
  /** Time of the last switch; null if it was not observed. */
  switched_at: Timestamp | null;
  /** The deviation ended because other hours began, not because the toggle was switched; absent otherwise. */
  by_hours?: true;
}

export function toTimestamp(at: number | null): Timestamp | null {
  return at === null ? null : new Date(at).toISOString();
}
