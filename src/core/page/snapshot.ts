/**
 * Memory of a status page: the last accepted state of every object, and the timers and counters that prevent duplicate
 * reports.
 */
import type { Draft } from '../transition/transition.ts';
import type { ComponentName } from '../transition/details.ts';
import type { Refused, SourceMemory } from '../observation/health.ts';
import { compareNames } from '../text/plain.ts';
import type { Component, Notice, Page, Update } from './page-model.ts';

export interface PageMemory extends Page {
  /** When this state was first observed. */
  since: number;
  /** The notice that explains the state; absent in older documents. */
  notice?: string | null;
}

export interface ComponentMemory extends Component {
  /** When this state was first observed. */
  since: number;
  /** The notice that explains the state. */
  notice: string | null;
}

export type UpdateMemory = Omit<Update, 'updatedAt'>;

export interface NoticeMemory extends Omit<Notice, 'latestUpdate' | 'detailHash' | 'saysNoState'> {
  /** Null until the detail was read. */
  components: ComponentName[] | null;
  /** Known updates, oldest first. */
  updates: UpdateMemory[];
  /** Hash of the list entry at the last reading of the detail; null requests the detail again. */
  listed: string | null;
  firstSeenAt: number;
  /** When its end was observed; null while open. */
  closedAt: number | null;
  withdrawn: boolean;
  /** Withdrawn and replaced by another notice; absent otherwise. */
  replaced?: true;
  /** Left the lists of a page without a final state; absent while listed. */
  unlisted?: Unlisted;
  /** Id of the first of several equal notices that a monitor published within a minute. */
  twinOf?: string;
  /** Some update or list entry was investigating or identified. */
  wasAcute: boolean;
  /** Number of moved windows, cancellations, withdrawals and reopenings: the SEQUENCE of the calendar entry. */
  revision: number;
  /** The final reading of the detail, after it left the recent past, is done. */
  finalLook: boolean;
  /** When the current window was first seen. */
  windowSince: number;
  /** Time-based events reported for this window: `reminder 86400000`, `late`, `overrun`. */
  said: string[];
}

export interface Unlisted {
  /** Milliseconds of absence from complete responses; null until the first sweep without it has ended. */
  ms: number | null;
  /** The archive of closed notices does not reach back far enough to have it. */
  beyond: boolean;
  /** Reported, and still open. */
  told?: true;
  /** When it was reported; absent in older documents. From then on `ms` is not counted up, so that a sweep writes nothing. */
  toldAt?: number;
}

/** Identity of the page at the address, if one document has all responses. */
export interface DocumentMemory {
  /** The vendor's id; null if there is none. */
  page: string | null;
  name: string;
  /** Time of the newest accepted document. */
  updatedAt: number | null;
  /** Start of a period with outdated documents only; null outside one. */
  olderSince: number | null;
  /** Another page answers there, until a person confirms it. */
  other: { page: string | null; name: string; since: number } | null;
}

/** An outdated document that is ignored until it persists. */
export interface HeldBack {
  hash: string;
  sweeps: number;
  lastSweep: number;
}

export interface Snapshot extends SourceMemory {
  page: PageMemory | null;
  components: ComponentMemory[] | null;
  notices: NoticeMemory[] | null;
  /** Only for pages of other vendors. */
  document?: DocumentMemory;
  /** An unexpectedly empty listing that needs confirmation. */
  emptySeen: {
    components: boolean;
    /** Sweep that first saw it; null for none, absent in older documents. */
    notices?: number | null;
  };
  unknownStates: string[];
  heldBack: Record<string, HeldBack>;
  /** Absent in older documents. */
  refused?: Refused;
}

/** Result of comparing one reading. */
export interface Read {
  drafts: Draft[];
  after: Snapshot;
  /** New objects were ignored because the limit is reached. */
  turnedAway: boolean;
}

export interface ReadAt {
  /** Epoch milliseconds. */
  now: number;
  /** Sweep number of this process: a condition over several sweeps counts once per sweep. */
  sweep: number;
}

/** A page not read yet: null means unknown, not empty. */
export function createSnapshot(): Snapshot {
  return {
    page: null,
    components: null,
    notices: null,
    baselineTold: false,
    emptySeen: { components: false },
    counters: {},
    defects: [],
    unknownStates: [],
    heldBack: {},
    health: { blind: {}, unreachable: false },
    refused: null,
  };
}

/** Ids are mostly numbers in text form. */
export function compareIds(a: { id: string }, b: { id: string }): number {
  return compareNames(a.id, b.id);
}

/** Reference to a notice in the details of a transition. */
export function toNoticeName(notice: NoticeMemory | null): { id: string; subject: string } | null {
  return notice === null ? null : { id: notice.id, subject: notice.subject };
}

/** `noticesUnread`: the notices could not be read in full, so there may be one that is not known. */
export function toExplanation(
  notice: NoticeMemory | null,
  noticesUnread: boolean,
): { notice: ReturnType<typeof toNoticeName>; notices_unread?: true } {
  return { notice: toNoticeName(notice), ...(notice === null && noticesUnread && { notices_unread: true }) };
}

/** Null if it is not remembered, or if `id` is null. */
export function findNotice(notices: readonly NoticeMemory[], id: string | null): NoticeMemory | null {
  return notices.find((notice) => notice.id === id) ?? null;
}

export function mapNotices(notices: readonly NoticeMemory[]): ReadonlyMap<string, NoticeMemory> {
  return new Map(notices.map((notice) => [notice.id, notice]));
}

/** Also empty before the first reading. */
export function openNotices(snapshot: Snapshot): NoticeMemory[] {
  return (snapshot.notices ?? []).filter((notice) => notice.closedAt === null);
}
