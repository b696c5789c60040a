/**
 * A transition is a change of meaning between two observations. Programs receive it as an event and every message is
 * built from it. Its details already have the public shape: snake_case, ISO 8601 in UTC, JSON only.
 *
 * A draft has no id. The id is derived from the content, so that a crash, a retry and a second receiver all refer to
 * the same transition.
 */
import type {
  AcknowledgementDetails,
  BaselineDetails,
  ChangedDetails,
  ComponentDetails,
  ExpectationDetails,
  MassDetails,
  NoticeDetails,
  OutageDetails,
  PageDetails,
  PageStateDetails,
  PhoneDetails,
  PhonesDetails,
  SourceDetails,
  ProofDetails,
  StateDetails,
  Timestamp,
  ToggleDetails,
  WindowDetails,
} from './details.ts';
import type {
  AgentsDetails,
  ForecastDetails,
  FraudDetails,
  MissedDetails,
  RouteDetails,
  SpendDetails,
  StaleDetails,
} from './call-details.ts';
import { SECOND } from '../text/duration.ts';
import type { Kind } from './kind.ts';
import type { UnlistedDetails } from './notice-details.ts';
import type { FlappingDetails, MovedDetails } from './phone-details.ts';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Limit of counted subjects; the one unchanged longest is evicted first. */
const MOST_COUNTED = 5_000;
/** Evictions per batch. */
const FORGOTTEN_AT_ONCE = 500;
/** Reserved key: the number at which evicted subjects continue, so that none is reused. */
const FLOOR = '*';
/** Reserved key: time of the first counted transition, in seconds; absent in older documents. */
const BEGUN = '+';

interface ContentByKind {
  'page.state': { from: string; to: string; details: PageStateDetails };
  'page.remains': { from: null; to: string; details: PageStateDetails };
  'page.renamed': { from: string; to: string; details: PageDetails };
  'component.state': { from: string; to: string; details: ComponentDetails };
  'component.remains': { from: null; to: string; details: ComponentDetails };
  'component.added': { from: null; to: string; details: ComponentDetails & { state: string } };
  'component.removed': { from: string; to: null; details: ComponentDetails & { state: string } };
  'component.renamed': { from: string; to: string; details: ComponentDetails };
  'component.moved': { from: string | null; to: string | null; details: ComponentDetails };
  'notice.opened': { from: null; to: string | null; details: NoticeDetails };
  'notice.state': { from: string | null; to: string | null; details: NoticeDetails };
  'notice.update': { from: string | null; to: string | null; details: NoticeDetails };
  'notice.reopened': { from: string | null; to: string | null; details: NoticeDetails };
  'notice.closed': { from: string | null; to: string | null; details: NoticeDetails };
  'notice.withdrawn': { from: string | null; to: null; details: NoticeDetails };
  'notice.unlisted': { from: string | null; to: null; details: NoticeDetails & UnlistedDetails };
  'notice.replaced': { from: string; to: string; details: NoticeDetails };
  'notice.rescheduled': { from: WindowDetails; to: WindowDetails; details: NoticeDetails };
  'notice.impact': { from: string[] | null; to: string[]; details: NoticeDetails };
  'notice.subject': { from: string; to: string; details: NoticeDetails };
  'notice.type': { from: string; to: string; details: NoticeDetails };
  'notice.edited': { from: string; to: string; details: NoticeDetails };
  /** Seconds left (reminder) or past (late, overrun); the details have milliseconds. */
  'maintenance.reminder': { from: null; to: number; details: NoticeDetails };
  'maintenance.late': { from: null; to: number; details: NoticeDetails };
  'maintenance.overrun': { from: null; to: number; details: NoticeDetails };
  'source.baseline': { from: null; to: string; details: BaselineDetails };
  'source.schema': { from: null; to: string; details: SourceDetails };
  'source.unreachable': { from: null; to: string; details: SourceDetails };
  'source.recovered': { from: string; to: null; details: SourceDetails };
  'source.credentials': { from: null; to: string; details: SourceDetails };
  'source.accepted': { from: string; to: null; details: SourceDetails };
  /** Ids of the pages, or their names without ids. */
  'source.changed': { from: string; to: string; details: SourceDetails & ChangedDetails };
  'registration.lost': { from: 'registered'; to: 'unregistered'; details: PhoneDetails };
  'registration.restored':
    | { from: 'unregistered'; to: 'registered'; details: PhoneDetails }
    | { from: number; to: number; details: PhonesDetails };
  'registration.mass': { from: number; to: number; details: MassDetails };
  'registration.removed': { from: 'unregistered'; to: null; details: PhoneDetails };
  'registration.device': { from: string | null; to: string; details: PhoneDetails };
  'registration.network': { from: string | null; to: string; details: PhoneDetails };
  /** Addresses of the site. */
  'registration.moved': { from: string; to: string; details: MovedDetails };
  'registration.flapping': { from: number | null; to: number | null; details: PhoneDetails | FlappingDetails };
  'outage.suspected': { from: null; to: number; details: OutageDetails };
  'outage.residual': { from: null; to: number; details: OutageDetails };
  'toggle.state': { from: boolean | null; to: boolean | null; details: ToggleDetails };
  'toggle.renamed': { from: string; to: string; details: ToggleDetails };
  'toggle.added': { from: null; to: string; details: ToggleDetails & { status: boolean | null } };
  'toggle.removed': { from: string; to: null; details: ToggleDetails & { status: boolean | null } };
  'toggle.off_schedule': { from: boolean; to: boolean; details: ExpectationDetails };
  'toggle.on_schedule': { from: boolean; to: boolean; details: ExpectationDetails };
  'toggle.missing': { from: null; to: boolean; details: ExpectationDetails };
  /** Callers who still wait. */
  'calls.missed': { from: null; to: number; details: MissedDetails };
  /** Percent of the limit; null for none any more. */
  'spend.limit': { from: number | null; to: number | null; details: SpendDetails };
  /** Most that the month will reach, whole units. */
  'spend.forecast': { from: null; to: number; details: ForecastDetails };
  /** Hours in which a report of calls has shown no call, although it usually does. */
  'calls.stale': { from: null; to: number; details: StaleDetails };
  /** Calls of the episode; null after a quiet hour. */
  'fraud.suspected': { from: number | null; to: number | null; details: FraudDetails };
  /** Callers who reached no phone; null once one was reached. */
  'route.dead': { from: number | null; to: number | null; details: RouteDetails };
  /** Agents who can take calls; null once there are enough. */
  'agents.none': { from: number | null; to: number | null; details: AgentsDetails };
  'alert.acknowledged': { from: string | null; to: string | null; details: AcknowledgementDetails };
  'receiver.failed': { from: null; to: string; details: { receiver: string; since: Timestamp | null } };
  'receiver.recovered': { from: string; to: null; details: { receiver: string; since: Timestamp | null } };
  /** Since when a line to its people has no answer; null once it has one. */
  'receiver.unproved': { from: null; to: Timestamp | null; details: ProofDetails };
  'receiver.proved': { from: Timestamp | null; to: null; details: ProofDetails };
  'linewatch.state': { from: null; to: string; details: StateDetails };
  'linewatch.config': { from: null; to: string; details: { reason: string } };
  'linewatch.leader': { from: string; to: string; details: { reason: string } };
}

export type ContentOf<K extends Kind> = ContentByKind[K];

export type TransitionOf<K extends Kind> = {
  /** The same on every retry, for every receiver, and after a crash. */
  id: string;
  /** Name of the observed source. */
  source: string;
  /** `page`, `component/ID`, `notice/ID`, `source`, `receiver/NAME`, … */
  subject: string;
  kind: K;
  /** Time of observation, epoch milliseconds. */
  at: number;
} & OfVendor &
  ContentByKind[K];

export type Transition = { [K in Kind]: TransitionOf<K> }[Kind];

export type DraftOf<K extends Kind> = { subject: string; kind: K } & ContentOf<K>;
export type Draft = { [K in Kind]: DraftOf<K> }[Kind];

export interface Source extends OfVendor {
  name: string;
  baseUrl: string;
}

export interface OfVendor {
  /** The source is a page of another vendor; absent otherwise, and in older documents. */
  vendor?: true;
}

/**
 * Numbers the drafts of each subject and derives ids from source, subject, kind, from, to and that number. A repeated
 * change keeps its id; a second failure of a component gets another. An evicted subject continues at the time of its
 * new start, which is above its old numbers.
 */
export function identify(
  source: Source,
  counters: Readonly<Record<string, number>>,
  drafts: readonly Draft[],
  at: number,
): { transitions: Transition[]; counters: Readonly<Record<string, number>> } {
  if (drafts.length === 0) return { transitions: [], counters };
  const isNew = Object.keys(counters).length === 0;
  const begun = isNew ? Math.max(0, Math.floor(at / SECOND)) : (counters[BEGUN] ?? 0);
  const next: Record<string, number> = { ...counters, ...(isNew && { [BEGUN]: begun }) };
  const transitions = drafts.map((draft): Transition => {
    const count = (next[draft.subject] ?? next[FLOOR] ?? 0) + 1;
    // Move the subject to the end: the order is by last change.
    delete next[draft.subject];
    next[draft.subject] = count;
    const id = hashIdentity(
      source.name,
      source.baseUrl,
      draft.subject,
      draft.kind,
      draft.from,
      draft.to,
      begun + count,
    );
    return { ...draft, id, source: source.name, at, ...pickVendor(source) };
  });
  return { transitions, counters: bounded(next) };
}

/** Copies the vendor flag from a source to everything derived from it. */
export function pickVendor({ vendor }: OfVendor): OfVendor {
  return vendor === true ? { vendor } : {};
}

function bounded(counters: Record<string, number>): Readonly<Record<string, number>> {
  const count = Object.keys(counters).length;
  if (count <= MOST_COUNTED) return counters;
  const still = Object.entries(counters).filter(([subject]) => subject !== FLOOR && subject !== BEGUN);
  const forgotten = still.slice(0, count - MOST_COUNTED + FORGOTTEN_AT_ONCE);
  const floor = forgotten.reduce((most, [, number]) => Math.max(most, number), counters[FLOOR] ?? 0);
  const begun = counters[BEGUN];
  return Object.fromEntries([
    ...(begun === undefined ? [] : [[BEGUN, begun] as const]),
    [FLOOR, floor],
    ...still.slice(forgotten.length),
  ]);
}

/** The first 128 bits of SHA-256 over the JSON of the parts, in lower-case hex. */
export function hashIdentity(...parts: readonly unknown[]): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts)))).slice(0, 32);
}

/** A person acknowledged an alert; not the end of an acknowledgement. */
export function isAcknowledgement({ kind, to }: Pick<Transition, 'kind' | 'to'>): boolean {
  return kind === 'alert.acknowledged' && to !== null;
}
