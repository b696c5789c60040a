/**
 * What `status` and `check` print of the picture: JSON only, as it crosses a socket. Its names are a promise to
 * programs. A command may ask a daemon of before: what that did not say yet is optional.
 */
import type { ConfigDifference } from '../engine/member-trouble.ts';
import type { HoldReason } from '../alert/decision.ts';
import { ITSELF } from '../engine/itself.ts';
import { ACCOUNT_PARTS, type AccountPart } from '../observation/listing.ts';
import type { Proof } from '../outbox/proof.ts';
import { toTimestamp, type PhoneCount, type Timestamp, type UsualDetails } from '../transition/details.ts';
import type { Severity } from '../transition/kind.ts';
import { offlineBy } from './verdict/alert-order.ts';
import type { CallsView } from './standing/calls-view.ts';
import { type FactsReport, reportFacts } from './story/facts-report.ts';
import { isUnknownPart, isUnknownSource, startingOf, type Starting } from './verdict/known.ts';
import type { PastReading } from './standing/past-reading.ts';
import type {
  AccountView,
  MembersView,
  MemberView,
  OpenAlert,
  PageView,
  Picture,
  ReceiverView,
  SiteView,
  SourceView,
} from './picture.ts';
import { reportVerdict, type VerdictReport } from './verdict/verdict-report.ts';

export interface StatusReport {
  instance: string;
  /** False where it was read from the disk, without a daemon. */
  running: boolean;
  started_at: Timestamp | null;
  /** How many sources were read since the start; absent once the first look at each has come to its end, or is late. */
  starting?: Starting;
  /** Absent where no daemon runs: the present state is unknown then. */
  verdict?: VerdictReport;
  sources: SourceReport[];
  accounts: AccountReport[];
  /** What is open of Linewatch itself, and what of its state the disk refuses. */
  linewatch?: { alerts: AlertReport[]; unsaved: string[] };
  deliveries: DeliveryReport[];
  /** Those that share the database; absent where the state is in files. */
  members?: MembersReport;
}

export interface MembersReport {
  /** The one that was asked. */
  self: string;
  /** Null where nobody leads. */
  leader: string | null;
  /** The database does not answer the one that was asked. */
  cut_off?: boolean;
  /** Why the database does not do what this one asks of it; absent while it does. */
  refusal?: string;
  all: {
    name: string;
    version: string;
    standing: MemberView['standing'];
    epoch: number | null;
    /** Seconds since it last renewed the lease, or said that it stands by. */
    silent_s: number;
    /** Milliseconds the database takes to answer it; null where that is not known. */
    lag_ms?: number | null;
    clock_ahead_s: number;
    /** What it uses of every limit of requests, above 0 and at most 1; absent where it leads nothing. */
    share?: number;
    /** What its configuration has otherwise than that of the one that was asked; absent where it is the same. */
    configuration?: ConfigDifference;
  }[];
  /** Where the sources are divided among them; absent where one watches all. */
  groups?: {
    group: number;
    sources: string[];
    /** Null where nobody leads it. */
    holder: string | null;
    epoch: number;
    /** Seconds since its lease was renewed; null where nobody holds it. */
    renewed_s: number | null;
  }[];
}

/** The part of a source's report that is about what is open. */
export interface OpenReport {
  /** Those whose title is of this source. */
  alerts: AlertReport[];
  /** Those that it takes part in, shown at another source. */
  takes_part_in?: { number: number; shown_at: string }[];
}

/** An alert is reported once, at the source its title is of. What an older daemon did not say yet is optional. */
export interface AlertReport extends Partial<FactsReport> {
  id: string;
  number: number;
  severity: Severity;
  title: string;
  started_at: Timestamp | null;
  /** Why a loss is blamed on what it is blamed on, in a sentence; absent where nothing is blamed. */
  why?: string;
  /** Why people have not been told of it, or not of its latest, by now; absent where they have. */
  not_told?: HoldReason;
  /** When the message that waits will be sent; absent where none waits, or no time is set for it. */
  due_at?: Timestamp | null;
  /** Who has it in hand; absent for nobody. */
  acknowledged?: { by: string; comment: string; at: Timestamp | null };
  /** All sources that take part in it now, that of the title first. */
  sources?: string[];
  /** Numbers of the alerts that have become part of it; absent for none. */
  also?: number[];
  /** Phones offline by it now, over all accounts and for each; absent for none. */
  phones?: { offline: number; accounts: { source: string; offline: number; total: number }[] };
}

interface ReadReport {
  name: string;
  base_url: string;
  /** When it was last read in full; null if never since the start. */
  last_read_at: Timestamp | null;
  /** What the last sweep lacked, a sentence each. */
  blind: string[];
}

export interface SourceReport extends ReadReport, OpenReport {
  /** It was not read within its time: it is shown as it was before. Absent where it was. */
  unread?: true;
  page: PageView['page'];
  components: { total: number; not_operational: PageView['components']['notOperational'] };
  notices: PageView['notices'];
  /** Its past notices are being read; absent where they are not. */
  past_notices?: PastReading;
}

export interface AccountReport extends ReadReport, OpenReport {
  /** What people call it; absent where that is its name. */
  called?: string;
  /** What is shown as it was before: it was not read within its time, or the last look at it failed. */
  unread?: AccountPart[];
  /** Null while the phones were never read. */
  phones: (PhoneCount & { missing: string[]; sites: SiteReport[] }) | null;
  toggles: AccountView['toggles'];
  /** Absent where its calls are not read. */
  calls?: CallsView;
}

/** The phones last seen at one external address, or at those of one name. */
export interface SiteReport extends PhoneCount {
  /** Null for phones whose address is not known. */
  site: string | null;
  missing: { extension: string; name: string | null; since: Timestamp | null }[];
  /** When those that are away usually log off and are back. */
  usual?: UsualDetails;
}

export interface DeliveryReport {
  receiver: string;
  /** It is no longer configured; absent where it is. */
  removed?: true;
  waiting: number;
  oldest_waiting_at: Timestamp | null;
  refused: number;
  failing: { since: Timestamp | null; reason: string } | null;
  /** Outcome of the last message that it did not refuse; absent before the first. */
  last?: { proof: Proof; at: Timestamp | null };
}

/** Times are ISO 8601 in UTC; null where there is none. */
export function reportStatus(picture: Picture): StatusReport {
  const { instance, startedAt, sources, open, receivers, unsaved, members } = picture;
  const starting = startingOf(picture);
  return {
    instance,
    running: startedAt !== null,
    started_at: toTimestamp(startedAt),
    ...(starting !== null && { starting }),
    ...(startedAt !== null && { verdict: reportVerdict(picture) }),
    sources: sources.flatMap((source) => (source.type === 'status page' ? [reportPage(source, open)] : [])),
    accounts: sources.flatMap((source) => (source.type === 'account' ? [reportAccount(source, open)] : [])),
    linewatch: { alerts: reportOpen(open, ITSELF).alerts, unsaved },
    deliveries: receivers.map(reportDelivery),
    ...(members === null ? {} : { members: reportMembers(members) }),
  };
}

function reportMembers({ self, leader, isCutOff, refusal, all, groups }: MembersView): MembersReport {
  return {
    self,
    leader,
    ...(isCutOff && { cut_off: true }),
    ...(refusal !== undefined && { refusal }),
    all: all.map(
      ({ name, version, standing, epoch, silentMs, lagMs, clockAheadMs, share = null, difference = null }) => ({
        name,
        version,
        standing,
        epoch,
        silent_s: inSeconds(silentMs),
        lag_ms: lagMs === null ? null : Math.round(lagMs),
        clock_ahead_s: inSeconds(clockAheadMs),
        ...(share !== null && { share: Math.round(share * 1000) / 1000 }),
        ...(difference !== null && { configuration: difference.parts }),
      }),
    ),
    ...(groups !== undefined && {
      groups: groups.map(({ renewedMs, sources, ...group }) => ({
        ...group,
        sources: [...sources],
        renewed_s: renewedMs === null ? null : inSeconds(renewedMs),
      })),
    }),
  };
}

function inSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

function reportPage(source: SourceView & PageView, open: readonly OpenAlert[]): SourceReport {
  const { page, components, notices, reading } = source;
  return {
    ...reportReading(source),
    ...(isUnknownSource(source) && { unread: true }),
    page,
    components: { total: components.total, not_operational: components.notOperational },
    notices,
    ...(reading !== undefined && { past_notices: reading }),
    ...reportOpen(open, source.name),
  };
}

function reportAccount(source: SourceView & AccountView, open: readonly OpenAlert[]): AccountReport {
  const { phones, toggles } = source;
  return {
    ...reportReading(source),
    ...(source.called !== source.name && { called: source.called }),
    unread: ACCOUNT_PARTS.filter((part) => isUnknownPart(source, part)),
    phones:
      phones === null
        ? null
        : {
            ...phones,
            missing: phones.missing.map(({ extension }) => extension),
            sites: phones.sites.map(reportSite),
          },
    toggles,
    ...(source.calls !== undefined && { calls: source.calls }),
    ...reportOpen(open, source.name),
  };
}

function reportReading({ name, baseUrl, lastReadAt, blind }: SourceView): ReadReport {
  return { name, base_url: baseUrl, last_read_at: toTimestamp(lastReadAt), blind };
}

function reportSite(view: SiteView): SiteReport {
  const { isNamed: _, ...site } = view;
  return {
    ...site,
    missing: site.missing.map(({ extension, name, since }) => ({ extension, name, since: toTimestamp(since) })),
  };
}

function reportOpen(open: readonly OpenAlert[], source: string): OpenReport {
  return {
    alerts: open.filter(({ sources: [first] }) => first === source).map(reportAlert),
    takes_part_in: open.flatMap(({ number, sources: [first = '', ...others] }) =>
      others.includes(source) ? [{ number, shown_at: first }] : [],
    ),
  };
}

/** What is not so is left out, but for times: `why`, `not_told` with `due_at`, `acknowledged`, `also` and `phones`. */
export function reportAlert(alert: OpenAlert): AlertReport {
  const { id, number, severity, title, why, notTold, startedAt, sources, also, acknowledged } = alert;
  const offline = offlineBy(alert);
  return {
    id,
    number,
    severity,
    title,
    started_at: toTimestamp(startedAt),
    ...(why !== null && { why }),
    ...(notTold !== null && { not_told: notTold.reason }),
    ...(notTold !== null && notTold.dueAt !== null && { due_at: toTimestamp(notTold.dueAt) }),
    ...(acknowledged !== null && { acknowledged: { ...acknowledged, at: toTimestamp(acknowledged.at) } }),
    sources: [...sources],
    ...reportFacts(alert.facts),
    ...(also.length > 0 && { also: [...also] }),
    ...(offline > 0 && { phones: { offline, accounts: reportAccounts(alert) } }),
  };
}

/** An account that takes part with several losses is one row. */
function reportAccounts({ parts }: OpenAlert): NonNullable<AlertReport['phones']>['accounts'] {
  const rows = new Map<string, { source: string; offline: number; total: number }>();
  for (const { source, phones } of parts) {
    if (phones === undefined) continue;
    rows.set(source, { source, offline: phones.offline + (rows.get(source)?.offline ?? 0), total: phones.total });
  }
  return [...rows.values()].toSorted((a, b) => b.offline - a.offline || b.total - a.total);
}

function reportDelivery(receiver: ReceiverView): DeliveryReport {
  const { name, isRemoved, waiting, oldestWaitingAt, refused, failing, last } = receiver;
  return {
    receiver: name,
    ...(isRemoved && { removed: true }),
    waiting,
    oldest_waiting_at: toTimestamp(oldestWaitingAt),
    refused,
    failing: failing === null ? null : { since: toTimestamp(failing.since), reason: failing.reason },
    ...(last !== null && { last: { proof: last.proof, at: toTimestamp(last.at) } }),
  };
}
