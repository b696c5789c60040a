/**
 * The status of everything at one instant, as plain values, for `status`, `check`, page, metrics, readiness and daily
 * digest, which collect nothing themselves. Texts of the provider are as received; each output escapes them. Times are
 * epoch milliseconds, durations are milliseconds.
 */
import type { Notice } from '../page/page-model.ts';
import type { AlertFacts } from '../correlation/alert-facts.ts';
import type { HeldReason } from '../correlation/notify-decision.ts';
import type { ConfigDifference } from '../engine/member-trouble.ts';
import type { Alert } from '../alert/alert.ts';
import type { JoinedAlert } from '../alert/joined-alert.ts';
import type { Silence } from '../alert/silence.ts';
import type { AccountPart } from '../observation/listing.ts';
import type { ComponentMemory } from '../page/snapshot.ts';
import type { PhoneCount, UsualDetails } from '../transition/details.ts';
import type { OfVendor } from '../transition/transition.ts';
import type { ShardView } from './shard-view.ts';
import type { CallsView, MemberPart, SourceReport, ToggleReport } from './status-schema.ts';
import type { PartPhones } from './story/part-phones.ts';
import type { ImportProgress } from './standing/import-progress.ts';
import type { ProofStanding, ReceiverStanding } from './standing/receiver-standing.ts';

export interface SystemStatus {
  instance: string;
  /** IANA name of the zone for people. */
  timezone: string;
  now: number;
  /** Null if it was read from disk, without a daemon. */
  startedAt: number | null;
  /** Status pages first, in the order of the configuration. */
  sources: SourceView[];
  /** Open alerts, each once, sorted by `sortUpdates`, without unwatched ones. */
  open: OpenAlert[];
  /** Planned maintenance: future, running, and recently ended. */
  maintenance: MaintenanceView[];
  /** Alerts resolved within the last 24 hours, latest first. */
  ended: EndedAlert[];
  /** Receivers removed from the configuration come last, while messages for them wait. */
  receivers: ReceiverView[];
  /** Active and future silences. */
  silences: SilenceView[];
  /** Silences that ended within 30 days, latest first; at most ten. */
  endedSilences: SilenceView[];
  /** Documents that the disk refused: their messages may be sent again after a restart. */
  unsaved: string[];
  /** Members that share the database; null if the state is in files. */
  members: MembersView | null;
}

/** Members that share a database; one of them watches. */
export interface MembersView {
  /** The member that computed this status. */
  self: string;
  /** Null without a leader, or if it is unknown. */
  leader: string | null;
  /** This member has had no response of the database for a lease: the state of the others is unknown. */
  isCutOff: boolean;
  /** Reason why the database refused this member's last request; absent while it works. */
  refusal?: string;
  all: MemberView[];
  /** Shards of the sources; absent if one member watches all. */
  shards?: ShardView[];
  /** This member has another number of shards than the leaders, and waits for them. */
  isOtherwise?: true;
}

export interface MemberView {
  name: string;
  version: string;
  standing: MemberPart;
  /** Epoch of its lead; null if it does not lead. */
  epoch: number | null;
  /** Milliseconds since it last renewed the lease, or reported itself. */
  silentMs: number;
  /** Milliseconds of the database's response time; null if unknown. */
  lagMs: number | null;
  /** Milliseconds by which its clock is ahead of the database's. */
  clockAheadMs: number;
  /** Its share of every limit of requests, above 0 and at most 1; null if it does not lead. */
  share?: number | null;
  /** Difference of its configuration from that of `than`; null if it is the same, or unknown. */
  difference?: { than: string; parts: ConfigDifference } | null;
}

export type SourceView = SourceBase & (PageView | AccountView);

export interface SourceReading {
  /** Time of the last complete sweep; null if none has completed since the start. */
  lastReadAt: number | null;
  /** Milliseconds since then, or since the start, on a clock that does not jump. */
  unreadMs: number;
  /** Milliseconds since the end of a sweep, complete or not; absent if only `unreadMs` is known. */
  unsweptMs?: number | undefined;
  /** Threshold of `unreadMs` above which it counts as unread. */
  unreadAfterMs: number;
}

interface SourceBase extends OfVendor, SourceReading {
  name: string;
  /** Name for people: customer of an account, or title of a page. */
  called: string;
  /** Label `customer` of an account; absent without one. */
  customer?: string;
  baseUrl: string;
  /** Title of the page or account, its state in its own terms, and an address for people; null if unknown. */
  title: string | null;
  state: string | null;
  isWell: boolean;
  url: string | null;
  unreachable: boolean;
  /** The other side refuses the credentials for all or a part of it; absent otherwise. */
  isRefused?: true;
  /** Misses of the last sweep, a sentence each. */
  blind: string[];
  /** Numbers of watched things, in a few words each. */
  facts: string[];
  /** Its parts with problems. */
  troubled: { name: string; state: string }[];
}

/** Fields of a status page, with states in the provider's terms. */
export interface PageView {
  type: 'status page';
  page: SourceReport['page'];
  components: {
    total: number;
    notOperational: SourceReport['components']['not_operational'];
    /** In the provider's order, including the groups that `total` and `notOperational` exclude. */
    all: ComponentView[];
  };
  /** Open notices. */
  notices: SourceReport['notices'];
  /** Progress of the import of past notices; absent if there is none. */
  reading?: ImportProgress;
}

/** A component of the provider's service, in the provider's terms. */
export interface ComponentView extends Pick<ComponentMemory, 'id' | 'name' | 'state' | 'parentId' | 'since'> {
  isOperational: boolean;
}

/** Fields of an account. */
export interface AccountView {
  type: 'account';
  /** Parts whose last reading failed: they show the previous state. */
  unread: AccountPart[];
  /** Null before the first reading of the phones. */
  phones: (PhoneCount & { missing: MissingPhone[]; sites: SiteView[] }) | null;
  toggles: ToggleView[] | null;
  /** Number of toggles with expected hours, by state. */
  schedule: Record<ScheduleState, number>;
  /** Absent if its calls are not watched. */
  calls?: CallsView;
  /** Status pages of the lines of its sites, by the site's name; absent where none is named. */
  sitePages?: ReadonlyMap<string, readonly string[]>;
  /** Status pages of the account as a whole; absent where none is named. */
  statusPages?: readonly string[];
}

export interface ToggleView extends Omit<ToggleReport, 'changes_at'> {
  /** Next change of its expected status; absent if unknown. */
  changesAt?: number;
}

/** `late`: it deviates from its hours, but not long enough for an alert. */
export const SCHEDULE_STATES = ['on_schedule', 'late', 'off_schedule', 'missing'] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

/** Phones last seen at one external address, or at the addresses of one name. */
export interface SiteView extends PhoneCount {
  /** Null for phones of unknown address. */
  site: string | null;
  /** The configuration names its address; otherwise the address is its name. */
  isNamed: boolean;
  missing: MissingPhone[];
  /** Usual times at which phones that are away leave and return. */
  usual?: UsualDetails;
}

/** Lost, or absent from the last sweep at an hour when it is expected. */
export interface MissingPhone {
  extension: string;
  /** Name of the extension in the account; null if the list was not read. */
  name: string | null;
  since: number | null;
  /** False while it may be a phone that one response has omitted. */
  isLost: boolean;
}

export interface OpenAlert extends Pick<
  JoinedAlert,
  'id' | 'number' | 'also' | 'severity' | 'title' | 'acknowledged' | 'startedAt' | 'sources'
> {
  /** Evidence for the cause of a loss, in a sentence; null without a cause. */
  why: string | null;
  /** Reason why people were not notified of it, or of its latest change; null if they were. */
  notTold: HeldReason | null;
  /** Announced maintenance that has not begun: shown as maintenance. */
  isToCome: boolean;
  /** Its state: in the provider's terms, and by lost phones. */
  state: string | null;
  /** Advice that follows from its own facts. */
  advice?: string;
  /** Names of affected components, sites or phones. */
  affected: string[];
  words: WordsView | null;
  /** Its facts for programs. */
  facts: AlertFacts;
  /** The provider's own title of its notice; absent without a notice. */
  subject?: string;
  /** All texts of the provider about it, oldest first. */
  said: SaidByProvider[];
  /** Receivers notified of it, with the last time; null if unknown. */
  notified: { receiver: string; at: number | null }[];
  url: string | null;
  /** One for each source and loss in it, that of the title first. */
  parts: [PartView, ...PartView[]];
}

/** The smallest unit that a silence can mute. */
export interface PartView {
  source: string;
  affected: string[];
  /** Subjects of the part as a matcher; null if the source or its components suffice. */
  narrower: { key: string; values: string[] } | null;
  /** The silence that mutes it now; null for none. */
  silencedBy: string | null;
  /** Absent if it has no lost phones, or they are unknown now. */
  phones?: PartPhones;
}

/** An update on the provider's page or another vendor's, in its current wording. */
export interface SaidByProvider extends WordsView, OfVendor {
  source: string;
  state: string | null;
}

export interface WordsView {
  at: number | null;
  text: string;
}

export interface MaintenanceView
  extends
    Pick<OpenAlert, 'number' | 'severity' | 'affected' | 'words' | 'url'>,
    Pick<Notice, 'subject' | 'beginsAt' | 'endsAt' | 'beganAt' | 'endedAt'> {
  /** Id of the alert: the base of the calendar entry's UID. */
  alert: string;
  source: string;
  /** `ended` as planned; `cancelled` beforehand. */
  phase: 'to come' | 'under way' | 'ended' | 'cancelled';
  /** Number of changes of the announced window: the SEQUENCE of the calendar entry. */
  revision: number;
  changedAt: number;
}

/** `state`: the final one. */
export interface EndedAlert extends Pick<
  OpenAlert,
  'number' | 'sources' | 'severity' | 'title' | 'startedAt' | 'state' | 'url'
> {
  endedAt: number;
}

export interface ReceiverView extends ReceiverStanding {
  /** Its weekly proof; absent if it is not asked for one. */
  weekly?: ProofStanding;
  name: string;
  type: string;
  /** No longer configured: waiting messages are sent if it returns in time. */
  isRemoved: boolean;
}

export interface SilenceView extends Omit<Silence, 'createdAt' | 'expiredAt'> {
  active: boolean;
}

/** Status of one source of any kind, with its alerts. */
export interface SourceStanding {
  /** Fields of a source other than those about its reading. */
  source: Pick<SourceView, 'title' | 'state' | 'isWell' | 'url' | 'facts' | 'troubled'> & (PageView | AccountView);
  alerts: AlertStanding[];
}

export interface AlertStanding {
  alert: Alert;
  /** Its current state, or how it ended. */
  shown: Pick<OpenAlert, 'state' | 'affected' | 'words' | 'url' | 'subject' | 'advice'> & Pick<PartView, 'phones'>;
  /** Null for an unplanned alert. */
  planned: PlannedWork | null;
}

export type PlannedWork = Omit<MaintenanceView, 'alert' | 'number' | 'source' | 'severity'>;
