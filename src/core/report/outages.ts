/** Outages as the provider told them and as one's own phones felt them, each with the words of its time as evidence. */
import { toEvidence, toInstant, listNoticeUpdates, type OutageEvidence } from './outage-evidence.ts';
import { endWatchAt, type Watch } from './watch.ts';
import { BELOW } from '../history/standing.ts';
import type { TransitionRecord } from '../history/record.ts';
import type { AlertRow, Span } from '../history/rows.ts';
import { findMaximum, findMinimum } from '../transition/collections.ts';
import type { Severity } from '../transition/kind.ts';
import type { NoticeDetails } from '../transition/details.ts';
import type { Transition } from '../transition/transition.ts';

export interface Outage extends Watch {
  number: number;
  source: string;
  id: string;
  /** What the notice is called by the provider; null for trouble without one. */
  notice: string | null;
  title: string;
  severity: Severity;
  /** The provider's word where there is one, else when it was seen. */
  since: number;
  /** Null while it goes on, and where that is not known. */
  until: number | null;
  /** Its source is no longer watched since then: how it went on is unknown. */
  unwatchedSince: number | null;
  /** When it was first seen here. */
  seenAt: number;
  /** Names of components that it hit. */
  components: string[];
  /** Of one's own phones; null where it cost none. */
  phones: Felt | null;
  evidence: OutageEvidence[];
}

/** What it meant for one's own phones. */
export interface Felt {
  accounts: string[];
  lostAt: number;
  /** When the last of them was back; null while some are lost. */
  backAt: number | null;
  /** When the provider first said a word about it, and how long after the loss that was; negative for before it. */
  wordAt: number;
  lagMs: number;
  /** From the provider's "resolved" to the last phone back; null where either is missing. */
  afterResolvedMs: number | null;
  /** The name of the page whose word it was, where that is no page of the provider's. */
  page?: string;
  /** An account is no longer watched since then, with some of its phones lost. */
  unwatchedSince?: number;
}

/** What outages are made of. */
export interface OutageRows {
  alerts: readonly AlertRow[];
  transitions: readonly TransitionRecord[];
  /** How far each of the alerts was watched. */
  watchOf(alert: AlertRow): Watch;
  /** When a source was last read that is no longer watched; null for any other. */
  lastReadOf(source: string): number | null;
  /** IANA name of the zone in which evidence is written. */
  timezone: string;
}

/** Those that were going on at some time of the span, in the order of their beginnings. */
export function listOutages(rows: OutageRows, span: Span): Outage[] {
  const { alerts, timezone, watchOf } = rows;
  const found = foundIn(rows, alerts);
  const isIn = ({ startedAt, resolvedAt }: AlertRow): boolean =>
    startedAt < span.until && (resolvedAt ?? Infinity) >= span.since;
  return alerts
    .filter((alert) => isIn(alert) && isOutage(alert, found.recordsOf(alert)))
    .map((alert) => outageOf(alert, found, watchOf(alert), timezone))
    .toSorted((a, b) => a.since - b.since || a.number - b.number);
}

/** What belongs to an alert. */
interface Found {
  recordsOf(alert: AlertRow): readonly TransitionRecord[];
  /** The alerts of phones that were told with it. */
  feltIn(alert: AlertRow): AlertRow[];
  unwatchedSince(alert: AlertRow): number | null;
}

function foundIn(
  { transitions, lastReadOf }: Pick<OutageRows, 'transitions' | 'lastReadOf'>,
  alerts: readonly AlertRow[],
): Found {
  const byAlert = Map.groupBy(transitions, ({ alert }) => alert?.id ?? '');
  const phones = alerts.filter(({ family }) => family === 'phones');
  const [byId, byCause] = [Map.groupBy(phones, ({ id }) => id), Map.groupBy(phones, ({ cause }) => cause)];
  const recordsOf = ({ id }: AlertRow): TransitionRecord[] => byAlert.get(id) ?? [];
  return {
    recordsOf,
    feltIn: ({ id }) => [...new Set([...(byId.get(id) ?? []), ...(byCause.get(id) ?? [])])],
    unwatchedSince: (alert) =>
      endOfWatch(recordsOf(alert), alert) ?? (alert.resolvedAt === null ? lastReadOf(alert.source) : null),
  };
}

/** When an alert ended because its source is no longer watched, or not at that address; null for any other end. */
function endOfWatch(records: readonly TransitionRecord[], { source, resolvedAt }: AlertRow): number | null {
  const end = records.findLast(
    ({ transition }) => transition.kind === 'linewatch.config' && transition.source !== source,
  );
  const at = end?.transition.at ?? null;
  return at !== null && (resolvedAt === null || resolvedAt >= at) ? at : null;
}

/** Those that had to do with one's own phones, with what these were told under: what `mapFelt` is made of. */
export function selectFeltAlerts(alerts: readonly AlertRow[]): AlertRow[] {
  const phones = alerts.filter(({ family }) => family === 'phones');
  const blamed = new Set(phones.flatMap(({ id, cause }) => [id, cause]));
  const leads = new Set(alerts.flatMap(({ id, family }) => (family !== 'phones' && blamed.has(id) ? [id] : [])));
  return alerts.filter(({ id, cause }) => leads.has(id) || (cause !== null && leads.has(cause)));
}

/** By the id of an outage: what it meant for one's own phones. `transitions`: all that the alerts are made of. */
export function mapFelt(
  alerts: readonly AlertRow[],
  transitions: readonly TransitionRecord[],
): ReadonlyMap<string, Felt> {
  const found = foundIn({ transitions, lastReadOf: () => null }, alerts);
  const outages = alerts.filter((alert) => isOutage(alert, found.recordsOf(alert)));
  return new Map(
    outages
      .toSorted((a, b) => a.startedAt - b.startedAt || a.number - b.number)
      .flatMap((alert) => {
        const felt = alert.family === 'phones' ? null : feltOf(alert, found, recordsWith(alert, found));
        return felt === null ? [] : [[alert.id, felt]];
      }),
  );
}

/** A notice that announces no work, components without a notice, or phones that no notice explains. */
function isOutage({ family, cause, id, source }: AlertRow, records: readonly TransitionRecord[]): boolean {
  if (family === 'trouble') return true;
  const own = records.filter(({ transition }) => transition.source === source);
  if (family === 'notice') return !own.some((record) => findNotice(record)?.type === 'planned');
  return (
    family === 'phones' &&
    cause === null &&
    !records.some((record) => record.alert?.id === id && findNotice(record) !== null)
  );
}

/** Of the alert, and of those that were told with it. */
function recordsWith(alert: AlertRow, { recordsOf, feltIn }: Found): TransitionRecord[] {
  const byId = new Map([alert, ...feltIn(alert)].map((one) => [one.id, one]));
  return [...byId.values()].flatMap((one) => [...recordsOf(one)]).toSorted((a, b) => a.transition.at - b.transition.at);
}

function outageOf(alert: AlertRow, found: Found, watch: Watch, timezone: string): Outage {
  const { number, source, id, title, severity, startedAt, resolvedAt, openedAt, notice, family } = alert;
  const records = recordsWith(alert, found);
  const own = records.filter(({ transition }) => transition.source === source);
  const unwatched = found.unwatchedSince(alert);
  return {
    number,
    source,
    id,
    notice,
    title,
    severity,
    since: startedAt,
    until: unwatched === null ? resolvedAt : null,
    unwatchedSince: unwatched,
    ...(unwatched === null ? watch : endWatchAt(watch, unwatched)),
    seenAt: openedAt,
    components: listComponents(own),
    phones: family === 'phones' ? null : feltOf(alert, found, records),
    evidence: records.map((record) => toEvidence(record, timezone)),
  };
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

/** When the first of these phones was missing. */
function lossAt({ at, details }: Transition): number {
  return ('since' in details ? toInstant(details.since) : null) ?? at;
}

/** Names of components that these are about. */
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
    // Where it changed, too, its path says which of several with this name it is.
    return (components ?? []).map(({ id, name }) => paths.get(`${transition.source} component/${id}`) ?? name);
  });
  return [...new Set([...listed, ...paths.values()])].toSorted();
}

/** The notice that a transition is of; null for any other transition. */
export function findNotice({
  transition: { details },
}: Pick<TransitionRecord, 'transition'>): NoticeDetails['notice'] | null {
  return 'updates' in details ? details.notice : null;
}
