/**
 * Output of `status` and `check`: JSON only, as it crosses a socket. Its names are an API for programs. Fields that an
 * older daemon does not send are optional.
 */
import { SELF_NAME } from '../engine/self-source.ts';
import { ACCOUNT_PARTS } from '../observation/listing.ts';
import { toTimestamp } from '../transition/details.ts';
import { countOfflineBy } from './verdict/alert-order.ts';
import { reportFacts } from './story/facts-report.ts';
import { isUnknownPart, isUnknownSource, findStarting } from './verdict/known.ts';
import type {
  AccountView,
  MembersView,
  OpenAlert,
  PageView,
  SystemStatus,
  ReceiverView,
  SiteView,
  SourceView,
  ToggleView,
} from './system-status.ts';
import type {
  AccountReport,
  DeliveryReport,
  MembersReport,
  OpenReport,
  PublishedStatus,
  SiteReport,
  SourceReport,
  ToggleReport,
} from './status-schema.ts';
import type { AlertReport, Late } from './story/alert-schema.ts';
import { reportVerdict } from './verdict/verdict-report.ts';

export type StatusReport = Late<PublishedStatus, 'linewatch'>;

/** Times are ISO 8601 in UTC; null without one. */
export function reportStatus(status: SystemStatus): StatusReport {
  const { instance, startedAt, sources, open, receivers, unsaved, members } = status;
  const starting = findStarting(status);
  return {
    instance,
    running: startedAt !== null,
    started_at: toTimestamp(startedAt),
    ...(starting !== null && { starting }),
    ...(startedAt !== null && { verdict: reportVerdict(status) }),
    sources: sources.flatMap((source) => (source.type === 'status page' ? [reportPage(source, open)] : [])),
    accounts: sources.flatMap((source) => (source.type === 'account' ? [reportAccount(source, open)] : [])),
    linewatch: { alerts: reportOpen(open, SELF_NAME).alerts, unsaved },
    deliveries: receivers.map(reportDelivery),
    ...(members === null ? {} : { members: reportMembers(members) }),
  };
}

function reportMembers({ self, leader, isCutOff, refusal, all, shards }: MembersView): MembersReport {
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
    ...(shards !== undefined && {
      groups: shards.map(({ shard, renewedMs, sources, ...lease }) => ({
        group: shard,
        ...lease,
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
    toggles: toggles?.map(reportToggle) ?? null,
    ...(source.calls !== undefined && { calls: source.calls }),
    ...reportOpen(open, source.name),
  };
}

function reportReading({
  name,
  baseUrl,
  lastReadAt,
  blind,
}: SourceView): Pick<SourceReport, 'name' | 'base_url' | 'last_read_at' | 'blind'> {
  return { name, base_url: baseUrl, last_read_at: toTimestamp(lastReadAt), blind };
}

function reportSite(view: SiteView): SiteReport {
  const { isNamed: _, ...site } = view;
  return {
    ...site,
    missing: site.missing.map(({ extension, name, since }) => ({ extension, name, since: toTimestamp(since) })),
  };
}

function reportToggle({ changesAt, ...toggle }: ToggleView): ToggleReport {
  return { ...toggle, ...(changesAt !== undefined && { changes_at: toTimestamp(changesAt) }) };
}

function reportOpen(open: readonly OpenAlert[], source: string): OpenReport {
  return {
    alerts: open.filter(({ sources: [first] }) => first === source).map(reportAlert),
    takes_part_in: open.flatMap(({ number, sources: [first = '', ...others] }) =>
      others.includes(source) ? [{ number, shown_at: first }] : [],
    ),
  };
}

/**
 * Fields without a value are omitted, except times: `why`, `not_told` with `due_at`, `acknowledged`, `also` and
 * `phones`.
 */
export function reportAlert(alert: OpenAlert): AlertReport {
  const { id, number, severity, title, why, notTold, startedAt, sources, also, acknowledged } = alert;
  const offline = countOfflineBy(alert);
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

/** An account with several losses in the alert is one row. */
function reportAccounts({ parts }: OpenAlert): NonNullable<AlertReport['phones']>['accounts'] {
  const rows = new Map<string, { source: string; offline: number; total: number }>();
  for (const { source, phones } of parts) {
    if (phones === undefined) continue;
    rows.set(source, { source, offline: phones.offline + (rows.get(source)?.offline ?? 0), total: phones.total });
  }
  return [...rows.values()].toSorted((a, b) => b.offline - a.offline || b.total - a.total);
}

function reportDelivery(receiver: ReceiverView): DeliveryReport {
  const { name, isRemoved, waiting, oldestWaitingAt, refused, failing, last, weekly } = receiver;
  return {
    receiver: name,
    ...(isRemoved && { removed: true }),
    waiting,
    oldest_waiting_at: toTimestamp(oldestWaitingAt),
    refused,
    failing: failing === null ? null : { since: toTimestamp(failing.since), reason: failing.reason },
    ...(last !== null && { last: { proof: last.proof, at: toTimestamp(last.at) } }),
    ...(weekly !== undefined && {
      weekly: { state: weekly.state, asked_at: toTimestamp(weekly.askedAt), seen_at: toTimestamp(weekly.seenAt) },
    }),
  };
}
