/** Outages as published by the provider and as seen on the account's phones, with evidence. */
import { toEvidence, toInstant, listNoticeUpdates, type OutageEvidence } from './outage-evidence.ts';
import { endWatchAt, joinWatches, type WatchRecord } from './watch.ts';
import { BELOW } from '../history/standing.ts';
import type { TransitionRecord } from '../history/record.ts';
import type { AlertRow, Span } from '../history/rows.ts';
import { formatCount } from '../text/plain.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import { findWorst, type Severity } from '../transition/kind.ts';
import type { NoticeDetails } from '../transition/details.ts';
import type { Transition } from '../transition/transition.ts';

export interface Outage extends WatchRecord {
  number: number;
  /** The first of its sources. */
  source: string;
  /** Several for one alert of several accounts. */
  sources: string[];
  id: string;
  /** Title of the provider's notice; null without one. */
  notice: string | null;
  title: string;
  severity: Severity;
  /** As published by the provider, else as observed. */
  since: number;
  /** Null while it lasts, and if its end is unknown. */
  until: number | null;
  /** Removal of its source: the end of the outage is unknown. */
  unwatchedSince: number | null;
  /** Time first observed. */
  seenAt: number;
  /** Names of affected components. */
  components: string[];
  /** Effect on the account's phones; null if there was none. */
  phones: Felt | null;
  evidence: OutageEvidence[];
}

/** Effect of an outage on the account's phones. */
export interface Felt {
  accounts: string[];
  lostAt: number;
  /** Return of the last phone; null while some are lost. */
  backAt: number | null;
  /** First statement of the provider, and its delay after the loss; negative if it came before. */
  wordAt: number;
  lagMs: number;
  /** From the provider's "resolved" to the last phone back; null if either is missing. */
  afterResolvedMs: number | null;
  /** Name of the page that published it, if it is not the provider's. */
  page?: string;
  /** Removal of the account while phones were lost. */
  unwatchedSince?: number;
}

/** Input for the list of outages. */
export interface OutageRows {
  alerts: readonly AlertRow[];
  transitions: readonly TransitionRecord[];
  /** Coverage of an alert. */
  watchOf(alert: AlertRow): WatchRecord;
  /** Last reading of a removed source; null for others. */
  lastReadOf(source: string): number | null;
  /** IANA time zone of the evidence. */
  timezone: string;
  /** Display name of an account in a report on several; null for pages, and in a report on one account. */
  customer(source: string): string | null;
}

/** Outages overlapping the span, in order of their start; one for each alert, in however many accounts. */
export function listOutages(rows: OutageRows, span: Span): Outage[] {
  const { alerts } = rows;
  const found = foundIn(rows, alerts);
  const isIn = ({ startedAt, resolvedAt }: AlertRow): boolean =>
    startedAt < span.until && (resolvedAt ?? Infinity) >= span.since;
  const counted = alerts.filter((alert) => isOutage(alert, found));
  return [...Map.groupBy(counted, ({ id }) => id).values()]
    .filter((parts) => parts.some(isIn))
    .flatMap(([first, ...others]) => (first === undefined ? [] : [outageOf([first, ...others], found, rows)]))
    .toSorted((a, b) => a.since - b.since || a.number - b.number);
}

/** Lookups by alert. */
interface Found {
  recordsOf(alert: AlertRow): readonly TransitionRecord[];
  /** Alerts of phones that were reported with it. */
  feltIn(alert: AlertRow): AlertRow[];
  unwatchedSince(alert: AlertRow): number | null;
  /** Alert that explains the phones of this one, in any of its accounts; null for none. */
  causeOf(alert: AlertRow): string | null;
}

function foundIn(
  { transitions, lastReadOf }: Pick<OutageRows, 'transitions' | 'lastReadOf'>,
  alerts: readonly AlertRow[],
): Found {
  const byAlert = Map.groupBy(transitions, ({ alert }) => alert?.id ?? '');
  const phones = alerts.filter(({ family }) => family === 'phones');
  const causes = new Map(phones.flatMap(({ id, cause }) => (cause === null ? [] : [[id, cause] as const])));
  const causeOf = ({ id }: AlertRow): string | null => causes.get(id) ?? null;
  const [byId, byCause] = [Map.groupBy(phones, ({ id }) => id), Map.groupBy(phones, causeOf)];
  const recordsOf = ({ id }: AlertRow): TransitionRecord[] => byAlert.get(id) ?? [];
  return {
    recordsOf,
    causeOf,
    feltIn: ({ id }) => [...new Set([...(byId.get(id) ?? []), ...(byCause.get(id) ?? [])])],
    unwatchedSince: (alert) =>
      endOfWatch(recordsOf(alert), alert) ?? (alert.resolvedAt === null ? lastReadOf(alert.source) : null),
  };
}

/** Time at which an alert ended because its source or its address was removed; null for any other end. */
function endOfWatch(records: readonly TransitionRecord[], { source, resolvedAt }: AlertRow): number | null {
  const end = records.findLast(
    ({ transition }) => transition.kind === 'linewatch.config' && transition.source !== source,
  );
  const at = end?.transition.at ?? null;
  return at !== null && (resolvedAt === null || resolvedAt >= at) ? at : null;
}

/** Alerts that concern phones, and those they were reported with: the input of `mapFelt`. */
export function selectFeltAlerts(alerts: readonly AlertRow[]): AlertRow[] {
  const phones = alerts.filter(({ family }) => family === 'phones');
  const blamed = new Set(phones.flatMap(({ id, cause }) => [id, cause]));
  const leads = new Set(alerts.flatMap(({ id, family }) => (family !== 'phones' && blamed.has(id) ? [id] : [])));
  return alerts.filter(({ id, cause }) => leads.has(id) || (cause !== null && leads.has(cause)));
}

/** Effect on phones by outage id. `transitions`: all those of the alerts. */
export function mapFelt(
  alerts: readonly AlertRow[],
  transitions: readonly TransitionRecord[],
): ReadonlyMap<string, Felt> {
  const found = foundIn({ transitions, lastReadOf: () => null }, alerts);
  const outages = alerts.filter((alert) => isOutage(alert, found));
  return new Map(
    outages
      .toSorted((a, b) => a.startedAt - b.startedAt || a.number - b.number)
      .flatMap((alert) => {
        const felt = alert.family === 'phones' ? null : feltOf(alert, found, recordsWith(alert, found));
        return felt === null ? [] : [[alert.id, felt]];
      }),
  );
}

/** A notice that is no planned work, components without a notice, or phones without an explaining notice. */
function isOutage(alert: AlertRow, { recordsOf, causeOf }: Pick<Found, 'recordsOf' | 'causeOf'>): boolean {
  const { family, id, source } = alert;
  if (family === 'trouble') return true;
  const records = recordsOf(alert);
  const own = records.filter(({ transition }) => transition.source === source);
  if (family === 'notice') return !own.some((record) => findNotice(record)?.type === 'planned');
  return (
    family === 'phones' &&
    causeOf(alert) === null &&
    !records.some((record) => record.alert?.id === id && findNotice(record) !== null)
  );
}

/** Transitions of the alert and of those reported with it. */
function recordsWith(alert: AlertRow, { recordsOf, feltIn }: Found): TransitionRecord[] {
  const byId = new Map([alert, ...feltIn(alert)].map((one) => [one.id, one]));
  return [...byId.values()].flatMap((one) => [...recordsOf(one)]).toSorted((a, b) => a.transition.at - b.transition.at);
}

/** `parts`: rows of one alert, one for each source. */
function outageOf(
  parts: readonly [AlertRow, ...AlertRow[]],
  found: Found,
  { watchOf, timezone, customer }: Pick<OutageRows, 'watchOf' | 'timezone' | 'customer'>,
): Outage {
  const [lead] = parts;
  const { number, source, id, notice, family } = lead;
  const sources = parts.map((part) => part.source);
  const records = recordsWith(lead, found);
  const own = records.filter(({ transition }) => sources.includes(transition.source));
  const ends = parts.map((part) => ({ unwatched: found.unwatchedSince(part), resolvedAt: part.resolvedAt }));
  const isOpen = ends.some(({ unwatched, resolvedAt }) => unwatched === null && resolvedAt === null);
  const unwatched = isOpen ? null : findLast(ends.map((end) => end.unwatched));
  const watches = parts.map((part, index) => {
    const at = ends[index]?.unwatched ?? null;
    return at === null ? watchOf(part) : endWatchAt(watchOf(part), at);
  });
  return {
    number,
    source,
    sources,
    id,
    notice,
    title: titleOf(parts, records, customer),
    severity: findWorst(parts),
    since: findMinimum(parts.map(({ startedAt }) => startedAt)),
    until: isOpen || unwatched !== null ? null : findLast(ends.map(({ resolvedAt }) => resolvedAt)),
    unwatchedSince: unwatched,
    ...joinWatches(watches),
    seenAt: findMinimum(parts.map(({ openedAt }) => openedAt)),
    components: listComponents(own),
    phones: family === 'phones' ? null : feltOf(lead, found, records),
    evidence: records.map((record) => toEvidence(record, timezone, customer)),
  };
}

/** Null where no time is known. */
function findLast(times: readonly (number | null)[]): number | null {
  const known = times.filter((at) => at !== null);
  return known.length === 0 ? null : findMaximum(known);
}

/** `59 phones offline at 10 customers` for an alert of several accounts. */
function titleOf(
  parts: readonly [AlertRow, ...AlertRow[]],
  records: readonly TransitionRecord[],
  customer: OutageRows['customer'],
): string {
  const [lead] = parts;
  if (parts.length === 1) return lead.title;
  const names = new Set(parts.map(({ source }) => customer(source)));
  const isOfCustomers = names.size > 1 && !names.has(null);
  const places = isOfCustomers ? formatCount(names.size, 'customer') : formatCount(parts.length, 'account');
  const phones = parts.reduce((sum, { source }) => sum + countLost(source, records), 0);
  const isOpen = parts.some(({ status }) => status === 'open');
  return `${formatCount(phones, 'phone')} ${isOpen ? 'offline ' : ''}at ${places}`;
}

/** Phones of an account that the alert was about. */
function countLost(source: string, records: readonly TransitionRecord[]): number {
  const single = new Set<string>();
  let together = 0;
  for (const { transition } of records) {
    if (transition.source !== source || !isLoss(transition)) continue;
    const { details, subject } = transition;
    if ('domain' in details) together = Math.max(together, details.phones.length + details.more);
    else single.add(subject);
  }
  return Math.max(together, single.size);
}

function feltOf(alert: AlertRow, { feltIn, unwatchedSince }: Found, records: readonly TransitionRecord[]): Felt | null {
  const { source, openedAt, resolvedAt } = alert;
  const felt = feltIn(alert);
  const losses = records.flatMap(({ transition }) => (isLoss(transition) ? [lossAt(transition)] : []));
  if (losses.length === 0) return null;
  const lostAt = findMinimum(losses);
  const returns = records.flatMap(({ transition: { kind, at } }) => (kind === 'registration.restored' ? [at] : []));
  const unwatched = findMaximum(felt.map((one) => unwatchedSince(one) ?? -Infinity));
  const isOver = unwatched === -Infinity && felt.every(({ status }) => status === 'resolved');
  const backAt = isOver && returns.length > 0 ? findMaximum(returns) : null;
  const words = records.flatMap((record) =>
    record.transition.source === source ? listNoticeUpdates(record).map(({ at }) => at ?? record.transition.at) : [],
  );
  const wordAt = findMinimum([openedAt, ...words]);
  const isOfVendor = records.some(({ transition }) => transition.source === source && transition.vendor === true);
  return {
    accounts: [
      ...new Set(records.flatMap(({ transition }) => (isLoss(transition) ? [transition.source] : []))),
    ].toSorted(),
    lostAt,
    backAt,
    wordAt,
    lagMs: wordAt - lostAt,
    afterResolvedMs: resolvedAt === null || backAt === null ? null : backAt - resolvedAt,
    ...(isOfVendor && { page: source }),
    ...(unwatched !== -Infinity && { unwatchedSince: unwatched }),
  };
}

const LOSSES: readonly Transition['kind'][] = ['registration.lost', 'registration.mass', 'outage.suspected'];

function isLoss({ kind }: Transition): boolean {
  return LOSSES.includes(kind);
}

/** Time of the first missing phone. */
function lossAt({ at, details }: Transition): number {
  return ('since' in details ? toInstant(details.since) : null) ?? at;
}

export function listComponents(records: readonly TransitionRecord[]): string[] {
  const paths = new Map(
    records.flatMap(({ transition: { source, subject, details } }) =>
      subject.startsWith('component/') && 'path' in details
        ? [[`${source} ${subject}`, [...details.path, details.name].join(BELOW)] as const]
        : [],
    ),
  );
  const listed = records.flatMap(({ transition }) => {
    const components = findNotice({ transition }) === null ? [] : (transition.details as NoticeDetails).components;
    // If it changed too, use its path, which tells components of equal name apart.
    return (components ?? []).map(({ id, name }) => paths.get(`${transition.source} component/${id}`) ?? name);
  });
  return [...new Set([...listed, ...paths.values()])].toSorted();
}

/** Null for transitions of other subjects. */
export function findNotice({
  transition: { details },
}: Pick<TransitionRecord, 'transition'>): NoticeDetails['notice'] | null {
  return 'updates' in details ? details.notice : null;
}
