/**
 * How everything stands, as of one instant: plain values. `status`, `check`, the page, the metrics, readiness and the
 * daily digest print this and collect nothing of their own. Text of the provider's is as it came; whoever shows it
 * makes it harmless. Times are epoch milliseconds, durations are milliseconds.
 */
import type { AlertFacts } from '../alert/alert-facts.ts';
import type { Held } from '../alert/decision.ts';
import type { ConfigDifference } from '../engine/member-trouble.ts';
import type { Acknowledgement, Alert } from '../alert/alert.ts';
import type { AccountPart } from '../observation/listing.ts';
import type { PhoneCount, UsualDetails } from '../transition/details.ts';
import type { Severity } from '../transition/kind.ts';
import type { OfVendor } from '../transition/transition.ts';
import type { CallsView } from './standing/calls-view.ts';
import type { ShardView } from './group-view.ts';
import type { PartPhones } from './story/part-phones.ts';
import type { PastReading } from './standing/past-reading.ts';
import type { ReceiverStanding } from './standing/receiver-standing.ts';

export interface Picture {
  instance: string;
  /** IANA name of the zone people read times in. */
  timezone: string;
  now: number;
  /** Null where it was drawn from the disk, without a daemon. */
  startedAt: number | null;
  /** Status pages first, as they are configured. */
  sources: SourceView[];
  /** Open alerts, each once, sorted by `sortUpdates`, without those that are left out of the watch. */
  open: OpenAlert[];
  /** Planned maintenance: to come, under way, and what has ended as far as it is remembered. */
  maintenance: MaintenanceView[];
  /** Alerts of the last 24 hours that are over, the latest first. */
  ended: EndedAlert[];
  /** Those that are removed from the configuration come last, as long as something waits for them. */
  receivers: ReceiverView[];
  /** Those that are active or yet to come. */
  silences: SilenceView[];
  /** Documents the disk refused: what is in them may be told again after a restart. */
  unsaved: string[];
  /** Those that share the database; null where the state is in files. */
  members: MembersView | null;
}

/** The members that share a database, one of which watches. */
export interface MembersView {
  /** The one that draws this picture. */
  self: string;
  /** Null where nobody leads, or where that is not known. */
  leader: string | null;
  /** The database has not answered this one for a lease: how the others stand is not known. */
  isCutOff: boolean;
  /** Why the database does not do what this one asks of it, as of its last try; absent while it does. */
  refusal?: string;
  all: MemberView[];
  /** Where the sources are divided among them; absent where one watches all. */
  groups?: ShardView[];
  /** This one divides them otherwise than those that lead, and waits for them. */
  isOtherwise?: true;
}

export interface MemberView {
  name: string;
  version: string;
  standing: 'leading' | 'from memory' | 'paused' | 'standing by' | 'too old' | 'stopped' | 'silent';
  /** Which it leads with; null where it does not. */
  epoch: number | null;
  /** Milliseconds since it last renewed the lease, or said that it stands by. */
  silentMs: number;
  /** Milliseconds the database takes to answer it; null where that is not known. */
  lagMs: number | null;
  /** How far its clock is ahead of the database's, in milliseconds. */
  clockAheadMs: number;
  /** What it uses of every limit of requests, above 0 and at most 1; null where it leads nothing. */
  share?: number | null;
  /** What its configuration has otherwise than that of `than`; null where it is the same, or not known. */
  difference?: { than: string; parts: ConfigDifference } | null;
}

export type SourceView = SourceBase & (PageView | AccountView);

export interface SourceReading {
  /** When a sweep last lacked nothing; null if none has since the start. */
  lastReadAt: number | null;
  /** Since then, or since the start: by a clock that does not jump. */
  unreadMs: number;
  /** Since a sweep came to its end, whatever it lacked; absent where only `unreadMs` is known. */
  unsweptMs?: number | undefined;
  /** How long that may be before it counts as not read. */
  unreadAfterMs: number;
}

interface SourceBase extends OfVendor, SourceReading {
  name: string;
  /** What people call it: the customer of an account, what a page calls itself. */
  called: string;
  /** Label `customer` of an account; absent where it has none. */
  customer?: string;
  baseUrl: string;
  /** What the other side calls itself, its own words for how it is, and where people can look; null if unknown. */
  title: string | null;
  state: string | null;
  isWell: boolean;
  url: string | null;
  unreachable: boolean;
  /** The other side refuses the credentials for it or for a part of it; absent where it does not. */
  isRefused?: true;
  /** What the last sweep lacked, a sentence each. */
  blind: string[];
  /** What is watched, in a few words each. */
  facts: string[];
  /** Parts of it that are not as they should be. */
  troubled: { name: string; state: string }[];
}

/** What there is to be said of a status page alone, in the provider's own states. */
export interface PageView {
  type: 'status page';
  page: { name: string; state: string } | null;
  components: {
    total: number;
    notOperational: { id: string; name: string; state: string }[];
    /** In the provider's order, with the groups that `total` and `notOperational` leave out. */
    all: ComponentView[];
  };
  /** Those that are open. */
  notices: { id: string; subject: string; type: string; state: string | null; url: string | null }[];
  /** Its past notices are being read; absent where they are not. */
  reading?: PastReading;
}

/** A part of the provider's service, in its own words. */
export interface ComponentView {
  id: string;
  name: string;
  state: string;
  /** Null at the top, and where what it belongs to is not known. */
  parentId: string | null;
  isOperational: boolean;
  /** When its present state was first observed. */
  since: number;
}

/** What there is to be said of an account alone. */
export interface AccountView {
  type: 'account';
  /** What is shown as it was before: the last look at it failed. */
  unread: AccountPart[];
  /** Null while the phones were never read. */
  phones: (PhoneCount & { missing: MissingPhone[]; sites: SiteView[] }) | null;
  toggles: ToggleView[] | null;
  /** How many of the toggles that have hours follow them. */
  schedule: Record<ScheduleState, number>;
  /** Absent where its calls are not read. */
  calls?: CallsView;
}

/** `late`: it differs from its hours, but not yet for long enough to be told. */
export const SCHEDULE_STATES = ['on_schedule', 'late', 'off_schedule', 'missing'] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

/** The phones last seen at one external address, or at those of one name. */
export interface SiteView extends PhoneCount {
  /** Null for phones whose address is not known. */
  site: string | null;
  /** The configuration gives its address this name; else it is called by its address. */
  isNamed: boolean;
  missing: MissingPhone[];
  /** When those that are away usually log off and are back. */
  usual?: UsualDetails;
}

/** Lost, or not seen when last looked for at an hour at which it should be there. */
export interface MissingPhone {
  extension: string;
  /** What the account calls the extension; null where its list was not read. */
  name: string | null;
  since: number | null;
  /** False while it may yet be a phone that one answer has left out. */
  isLost: boolean;
}

export interface ToggleView {
  id: string;
  name: string;
  status: boolean | null;
  /** What its hours said when it was last read; null where nothing is expected of it. */
  expected: boolean | null;
  /** When its hours next say otherwise; absent where that is not known. */
  changesAt?: number;
}

export interface OpenAlert {
  id: string;
  number: number;
  /** Numbers of those that have become part of it. */
  also: readonly number[];
  severity: Severity;
  title: string;
  /** Why a loss is blamed on what it is blamed on, in a sentence; null where nothing is blamed. */
  why: string | null;
  /** Why people have not been told of it, or not of its latest, by now; null where they have. */
  notTold: Held | null;
  /** Who has it in hand; null for nobody. */
  acknowledged: Acknowledgement | null;
  startedAt: number;
  /** Planned work that is announced and has not begun: it is shown as maintenance. */
  isToCome: boolean;
  /** Where it stands: in the provider's words, and by the phones that it costs. */
  state: string | null;
  /** What to do about it, where its own facts say so. */
  advice?: string;
  /** Whom or what it hits. */
  affected: string[];
  words: WordsView | null;
  /** What it is to programs. */
  facts: AlertFacts;
  /** Provider's own title of its notice; absent where there is none. */
  subject?: string;
  /** Everything the provider has said about it, oldest first. */
  said: SaidByProvider[];
  /** Receivers that were told of it, and when last; null where that is not known. */
  told: { receiver: string; at: number | null }[];
  url: string | null;
  /** All that take part in it now, that of the title first. */
  sources: readonly string[];
  /** One for each source, and for each loss, that takes part in it; that of the title comes first. */
  parts: [PartView, ...PartView[]];
}

/** What is muted by itself. */
export interface PartView {
  source: string;
  affected: string[];
  /** What of its source it is about, as a matcher asks for it; null where the source or its components say it. */
  narrower: { key: string; values: string[] } | null;
  /** The silence that mutes it now; null for none. */
  silencedBy: string | null;
  /** Absent where it costs none, and where the phones are not known now. */
  phones?: PartPhones;
}

/** An update of the provider's, or of another vendor's page, as it stands there now. */
export interface SaidByProvider extends WordsView, OfVendor {
  source: string;
  state: string | null;
}

export interface WordsView {
  at: number | null;
  text: string;
}

export interface MaintenanceView {
  /** Identity of the alert: what the calendar entry's UID is made of. */
  alert: string;
  number: number;
  source: string;
  severity: Severity;
  subject: string;
  /** `ended` is over as planned, `cancelled` was called off. */
  phase: 'to come' | 'under way' | 'ended' | 'cancelled';
  beginsAt: number | null;
  endsAt: number | null;
  /** How often the announced window moved: the SEQUENCE of the calendar entry. */
  revision: number;
  changedAt: number;
  affected: string[];
  words: WordsView | null;
  url: string | null;
}

export interface EndedAlert {
  number: number;
  sources: readonly string[];
  severity: Severity;
  title: string;
  startedAt: number;
  endedAt: number;
  /** How it ended, in the provider's words. */
  state: string | null;
  url: string | null;
}

export interface ReceiverView extends ReceiverStanding {
  name: string;
  type: string;
  /** No longer configured: what waits for it goes out should it return in time. */
  isRemoved: boolean;
}

export interface SilenceView {
  id: string;
  matchers: Readonly<Record<string, readonly string[]>>;
  from: number;
  until: number;
  comment: string;
  active: boolean;
}

/** How one source and its alerts stand, whatever the source is. */
export interface SourceStanding {
  /** What is said of a source besides how well it is read. */
  source: Pick<SourceView, 'title' | 'state' | 'isWell' | 'url' | 'facts' | 'troubled'> & (PageView | AccountView);
  alerts: AlertStanding[];
}

export interface AlertStanding {
  alert: Alert;
  /** Where it stands, or how it ended. */
  shown: Pick<OpenAlert, 'state' | 'affected' | 'words' | 'url' | 'subject' | 'advice'> & Pick<PartView, 'phones'>;
  /** Null for what was not planned. */
  planned: PlannedWork | null;
}

export type PlannedWork = Omit<MaintenanceView, 'alert' | 'number' | 'source' | 'severity'>;
