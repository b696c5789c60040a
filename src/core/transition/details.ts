/** What a transition tells besides from and to, by what it is about: the shapes that leave the house. */
import type { Severity } from './kind.ts';
import type { RecordDetails } from './notice-details.ts';

/** ISO 8601 in UTC with milliseconds. */
export type Timestamp = string;

export interface ComponentName {
  id: string;
  name: string;
}

/** Who took an alert in hand, and what he said. */
export interface AcknowledgementDetails {
  /** The number people know the alert by, and what it was called then. */
  number: number;
  title: string;
  comment: string;
}

export interface PageDetails {
  name: string;
  url: string | null;
}

/** `notice`: the one that explains the state, or the one that ended while the page or component remains in it. */
interface ExplainedDetails {
  name: string;
  /** What the vendor calls the state, where that is another word. */
  word?: string;
  notice: { id: string; subject: string } | null;
}

export interface PageStateDetails extends PageDetails, ExplainedDetails {}

export interface ComponentDetails extends ExplainedDetails {
  parent_id: string | null;
  /** It is a group, which stands for the worst component in it. */
  group?: true;
  /** Names of its ancestors, outermost first. */
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
    /** How bad the vendor says it is; absent where it says nothing of it. */
    impact?: string;
    /** What the vendor calls the state, where that is another word. */
    word?: string;
  };
  /** Whom the provider says it hits; null while its detail could not be read. */
  components: ComponentName[] | null;
  /** The updates that are new with this transition, oldest first. */
  updates: UpdateDetails[];
  /** The provider moved it into the past without a state that ends it. */
  without_resolve?: boolean;
  /** For a reminder, late start or overrun: milliseconds left or over. */
  milliseconds?: number;
  /** How often its window moved, or it was cancelled, withdrawn or opened again: the SEQUENCE of its calendar entry. */
  revision?: number;
  /** How often its components were hit before; absent where there is no record of it. */
  record?: RecordDetails[];
}

export interface WindowDetails {
  begins_at: Timestamp | null;
  ends_at: Timestamp | null;
}

/** One alert that was open when the watch began; its window where it is planned work that has not begun. */
export interface OpenAtBaseline extends Partial<WindowDetails> {
  alert: string;
  number: number;
  severity: Severity;
  title: string;
  subject: string;
  state: string | null;
  /** Null where nobody says since when it lasts: what we see at the first look may be days old. */
  since: Timestamp | null;
  url: string | null;
}

export interface BaselineDetails {
  page: { name: string; state: string; url: string | null } | null;
  components: number;
  notices: number;
  /** Of an account: null for what was not read yet; `extensions` where there are more than known phones. */
  account?: { phones: PhoneCount | null; extensions?: number; toggles: number | null };
  open: OpenAtBaseline[];
}

/** What of a source could not be read. */
export interface Lack {
  /** Null where every part fails alike. */
  part: string | null;
  /** Of what kind the failure is, such as `timeout`; null where that was not kept. */
  code: string | null;
  why: string;
}

export interface SourceDetails {
  base_url: string;
  /** When the trouble began. */
  since: Timestamp | null;
  /** What is wrong, a sentence each. */
  reasons: string[];
  /** Of what cannot be read: the same as facts, one for each reason. */
  lacks?: Lack[];
  /** It is an account; else a status page. */
  account?: true;
  /** Of refused access: nothing was shown that could be refused, as a status page asks for no credentials. */
  keyless?: true;
  /** Of refused access: the collections that are refused where that is not the whole source. */
  parts?: string[];
}

/** Another page answers at the address than before. */
export interface ChangedDetails {
  /** What the pages call themselves. */
  names: { from: string; to: string };
  /** It is the page that is watched again. */
  back: boolean;
}

/** Registered phones among those that should be. */
export interface PhoneCount {
  registered: number;
  total: number;
  /** Logged off at an hour at which they are on most days: not among the total. Absent where there are none. */
  away?: number;
}

/** When phones usually log off and are back: local times of the account. */
export interface UsualDetails {
  off: string;
  back: string;
}

/** One phone: an extension with whatever registers for it. */
export interface PhoneDetails {
  extension: string;
  /** What the account calls the extension; null where its list was not read. */
  name: string | null;
  /** Make, model and firmware as it was last seen, without its MAC address. */
  device: string | null;
  /** The external address it was last seen at, and the site that is. */
  address: string | null;
  site: string | null;
  /** Since when it has been missing. */
  since: Timestamp | null;
  /** It logged off as on most days, and is late. */
  usual?: UsualDetails;
  /** Of the whole account. */
  phones: PhoneCount;
}

/** What lost phones have in common. */
export interface DomainDetails {
  kind: 'site' | 'model' | 'firmware' | 'account';
  /** As people call it: `Richmond`, `203.0.113.7`, `Yealink SIP-T46S 66.86.0.15`. */
  name: string;
  /** Of a site. */
  address: string | null;
}

/** Phones of one fault domain. */
export interface PhonesDetails {
  domain: DomainDetails;
  /** Phones of the domain: how many there are, and how many of them are not registered. */
  total: number;
  down: number;
  /** Those this is about; `more` are not listed. */
  phones: { extension: string; name: string | null }[];
  more: number;
  /** Names of their sites. */
  sites: string[];
  /** All sites of the account where it has several, those that lost most first; absent in older documents. */
  by_site?: SiteCount[];
  since: Timestamp | null;
  /** All of them logged off as on most days, and are late. */
  usual?: UsualDetails;
  /** Other phones of the domain, that are logged off as on most days: not among the total. */
  away?: UsualDetails & { count: number };
  /** Its alert ends while others of the account go on. */
  end?: EndDetails;
}

/** `phones` were offline by the alert at once; `remaining` are other open alerts and the phones that are offline by them. */
export interface EndDetails {
  phones: number;
  remaining: { alert: string; number: number; phones: number }[];
}

/** The numbers behind the domain that is named for a loss. */
export interface WhyDetails {
  down: number;
  total: number;
  /** What else is named for losses of the account meanwhile; absent for nothing. */
  beside?: { domain: DomainDetails; down: number; total: number; together?: true }[];
  /** Phones of the account that are of none of these. */
  elsewhere: { down: number; total: number };
  /** Of an account: at how many sites phones are lost or missing; absent in older documents. */
  sites?: number;
  /** How likely losses scattered over the account were to fall so; null where there was nothing to compare with. */
  chance: number | null;
}

/** Of the phones of one site, how many there are, and how many of them are not registered. */
export interface SiteCount {
  site: string;
  total: number;
  down: number;
  /** Logged off as on most days, and not among the total; absent for none. */
  away?: number;
}

/** An alert of the provider's page that explains a loss; `url` is where the provider's notice can be read. */
export interface CauseDetails {
  alert: string;
  number: number;
  title: string;
  url?: string | null;
  /** The name of the page that publishes it, where that is another than the account's own, or of another vendor. */
  page?: string;
  /** How many minutes after the loss it was published; absent where it may have nothing to do with the loss. */
  minutes_later?: number;
}

export interface MassDetails extends PhonesDetails {
  why?: WhyDetails;
  suspected?: true;
  /** What was named before, where that turned out to be wrong. */
  instead_of?: DomainDetails;
  /** The provider's alert that was open when the phones were lost. */
  explained_by?: CauseDetails;
  /** These are the highest numbers of the account: the provider's list may be cut. */
  may_be_cut?: true;
  /** The list of extensions lacks them, too. */
  unlisted?: true;
}

export interface OutageDetails extends PhonesDetails {
  /** What the provider's page says; null where there is none or it cannot be read. */
  page: { source: string; state: string; vendor?: true } | null;
  /** The provider's alert that turned out to be the cause, and how many minutes after the loss it was published. */
  admitted: (CauseDetails & { minutes_later: number }) | null;
  /** Why it is suspected: its own losses are scattered, or else other accounts lose theirs at the same time. */
  scattered?: boolean;
  /** The alert with which these losses are told from here on, and their end. */
  goes_on_in?: { alert: string; number: number };
  /** Of what is left: the name of the page that explained it, where that is no page of the provider's. */
  ended_at?: string;
  /** Of what is left: the notice is gone, and its page has not said that it is over; absent where the page says so. */
  without_resolve?: true;
}

/** Of Linewatch itself. */
export interface StateDetails {
  reason: string;
  /** Of a monthly report: which month, such as `2026-10`, and the receivers that get it. */
  report?: { month: string; receivers: readonly string[] };
}

export interface ToggleDetails {
  name: string;
}

export interface ExpectationDetails {
  /** As last known where no toggle answers to the expectation any more; null where none ever did, or more than one. */
  name: string | null;
  /** How many toggles answer to it, where that is not one. */
  matches?: number;
  /** The ids of those that do. */
  ids?: string[];
  /** The hours of a week in which it should be as it is not, as the configuration writes them: `Mon-Fri 08:30-17:30`. */
  expected_during?: string[];
  /** The time zone those hours are meant in, by its IANA name; absent in older documents. */
  timezone?: string;
  expectation: { toggle: string; severity: Severity };
  /** Why it cannot be judged. */
  reason: string | null;
  /** Since when it has not been as it should. */
  since: Timestamp | null;
  /** Since when it has been on or off as it is; null where nobody saw it switched. */
  switched_at: Timestamp | null;
}

/** From epoch milliseconds to ISO 8601 in UTC. */
export function toTimestamp(at: number | null): Timestamp | null {
  return at === null ? null : new Date(at).toISOString();
}
