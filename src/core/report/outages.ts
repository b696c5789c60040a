/** Outages as the provider told them and as one's own phones felt them, each with the words of its time as evidence. */
import { BELOW } from '../history/standing.ts';
import type { TransitionRecord } from '../history/record.ts';
import type { AlertRow, Span } from '../history/rows.ts';
import { greatest, least } from '../transition/long-lists.ts';
import type { Severity } from '../transition/kind.ts';
import type { NoticeDetails, Timestamp, WindowDetails } from '../transition/details.ts';
import type { Transition } from '../transition/transition.ts';

export interface Outage {
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

/** What was seen or said, and when. */
export interface OutageEvidence {
  /** Of the transition. */
  id: string;
  at: number;
  source: string;
  kind: Transition['kind'];
  /** What it is about, as it is called; null for the notice itself. */
  name: string | null;
  /** State before and after, as far as there is one. */
  from: string | null;
  to: string | null;
  /** The provider's words at that time, as they were written. */
  words: { at: number | null; state: string | null; text: string }[];
}

/**
 * Those that were going on at some time of the span, in the order of their beginnings. `lastReadOf` says of a source that is
 * no longer watched when it was last read; null for any other.
 */
export function outagesOf(
  alerts: readonly AlertRow[],
  transitions: readonly TransitionRecord[],
  span: Span,
  lastReadOf: (source: string) => number | null = () => null,
): Outage[] {
  const byAlert = Map.groupBy(transitions, ({ alert }) => alert?.id ?? '');
  const phones = alerts.filter(({ family }) => family === 'phones');
  const [byId, byCause] = [Map.groupBy(phones, ({ id }) => id), Map.groupBy(phones, ({ cause }) => cause)];
  const feltIn = ({ id }: AlertRow): AlertRow[] => [...new Set([...(byId.get(id) ?? []), ...(byCause.get(id) ?? [])])];
  const isIn = ({ startedAt, resolvedAt }: AlertRow): boolean =>
    startedAt < span.until && (resolvedAt ?? Infinity) >= span.since;
  const unwatchedSince = (alert: AlertRow): number | null =>
    endOfWatch(byAlert.get(alert.id) ?? [], alert) ?? (alert.resolvedAt === null ? lastReadOf(alert.source) : null);
  return alerts
    .filter((alert) => isIn(alert) && isOutage(alert, byAlert.get(alert.id) ?? []))
    .map((alert) => outageOf(alert, feltIn(alert), byAlert, unwatchedSince))
    .toSorted((a, b) => a.since - b.since || a.number - b.number);
}

/** When an alert ended because its source is no longer watched, or not at that address; null for any other end. */
function endOfWatch(records: readonly TransitionRecord[], { source, resolvedAt }: AlertRow): number | null {
  const end = records.findLast(
    ({ transition }) => transition.kind === 'linewatch.config' && transition.source !== source,
  );
  const at = end?.transition.at ?? null;
  return at !== null && (resolvedAt === null || resolvedAt >= at) ? at : null;
}

/** Those that had to do with one's own phones, with what these were told under: what `feltByAlert` is made of. */
export function alertsFelt(alerts: readonly AlertRow[]): AlertRow[] {
  const phones = alerts.filter(({ family }) => family === 'phones');
  const blamed = new Set(phones.flatMap(({ id, cause }) => [id, cause]));
  const leads = new Set(alerts.flatMap(({ id, family }) => (family !== 'phones' && blamed.has(id) ? [id] : [])));
  return alerts.filter(({ id, cause }) => leads.has(id) || (cause !== null && leads.has(cause)));
}

/** By the id of an outage: what it meant for one's own phones. `transitions`: all that the alerts are made of. */
export function feltByAlert(
  alerts: readonly AlertRow[],
  transitions: readonly TransitionRecord[],
): ReadonlyMap<string, Felt> {
  const outages = outagesOf(alerts, transitions, { since: 0, until: Infinity });
  return new Map(outages.flatMap(({ id, phones }) => (phones === null ? [] : [[id, phones]])));
}

/** A notice that announces no work, components without a notice, or phones that no notice explains. */
function isOutage({ family, cause, id, source }: AlertRow, records: readonly TransitionRecord[]): boolean {
  if (family === 'trouble') return true;
  const own = records.filter(({ transition }) => transition.source === source);
  if (family === 'notice') return !own.some((record) => noticeIn(record)?.type === 'planned');
  return (
    family === 'phones' &&
    cause === null &&
    !records.some((record) => record.alert?.id === id && noticeIn(record) !== null)
  );
}

function outageOf(
  alert: AlertRow,
  felt: readonly AlertRow[],
  byAlert: ReadonlyMap<string, TransitionRecord[]>,
  unwatchedSince: (alert: AlertRow) => number | null,
): Outage {
  const { number, source, id, title, severity, startedAt, resolvedAt, openedAt, notice, family } = alert;
  const records = [...new Set([id, ...felt.map((other) => other.id)])]
    .flatMap((one) => byAlert.get(one) ?? [])
    .toSorted((a, b) => a.transition.at - b.transition.at);
  const own = records.filter(({ transition }) => transition.source === source);
  const unwatched = unwatchedSince(alert);
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
    seenAt: openedAt,
    components: componentsIn(own),
    phones: family === 'phones' ? null : feltOf(alert, felt, records, unwatchedSince),
    evidence: records.map(evidenceOf),
  };
}

function feltOf(
  { source, openedAt, resolvedAt }: AlertRow,
  felt: readonly AlertRow[],
  records: readonly TransitionRecord[],
  unwatchedSince: (alert: AlertRow) => number | null,
): Felt | null {
  const losses = records.flatMap(({ transition }) => (isLoss(transition) ? [lossAt(transition)] : []));
  if (losses.length === 0) return null;
  const lostAt = least(losses);
  const returns = records.flatMap(({ transition: { kind, at } }) => (kind === 'registration.restored' ? [at] : []));
  const unwatched = greatest(felt.map((one) => unwatchedSince(one) ?? -Infinity));
  const isOver = unwatched === -Infinity && felt.every(({ status }) => status === 'resolved');
  const backAt = isOver && returns.length > 0 ? greatest(returns) : null;
  const words = records.flatMap((record) =>
    record.transition.source === source ? noticeUpdates(record).map(({ at }) => at ?? record.transition.at) : [],
  );
  const wordAt = least([openedAt, ...words]);
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
  return ('since' in details ? instant(details.since) : null) ?? at;
}

/** Names of components that these are about. */
export function componentsIn(records: readonly TransitionRecord[]): string[] {
  const names = records.flatMap(({ transition }) => {
    const listed = noticeIn({ transition }) === null ? [] : ((transition.details as NoticeDetails).components ?? []);
    const { subject, details } = transition;
    const own =
      subject.startsWith('component/') && 'path' in details ? [[...details.path, details.name].join(BELOW)] : [];
    return [...listed.map(({ name }) => name), ...own];
  });
  return [...new Set(names)].toSorted();
}

/** The notice that a transition is of; null for any other transition. */
export function noticeIn({
  transition: { details },
}: Pick<TransitionRecord, 'transition'>): NoticeDetails['notice'] | null {
  return 'updates' in details ? details.notice : null;
}

/** What the provider said with it. */
export function noticeUpdates({
  transition: { details },
}: Pick<TransitionRecord, 'transition'>): OutageEvidence['words'] {
  if (!('updates' in details)) return [];
  return details.updates.map(({ state, content, created_at: at }) => ({ at: instant(at), state, text: content }));
}

export function evidenceOf(record: TransitionRecord): OutageEvidence {
  const { id, at, source, kind, from, to, details } = record.transition;
  const named = 'name' in details ? details.name : null;
  const name = named ?? ('extension' in details ? String(details.extension) : null);
  return { id, at, source, kind, name, from: stateText(from), to: stateText(to), words: noticeUpdates(record) };
}

function stateText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (typeof value !== 'object') return String(value);
  const { begins_at: begins, ends_at: ends } = value as Partial<WindowDetails>;
  return `${begins ?? '…'} – ${ends ?? '…'}`;
}

/** Epoch milliseconds; null for null, and for what is no time. */
export function instant(text: Timestamp | null): number | null {
  const at = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
