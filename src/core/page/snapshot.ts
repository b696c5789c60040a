/**
 * What Linewatch remembers of a status page: the last thing it believed about every object, and the
 * small clocks and counters that let it tell a change once.
 */
import type { Draft } from '../transition/transition.ts';
import type { ComponentName } from '../transition/details.ts';
import type { Health, Refused } from '../observation/health.ts';
import type { Crowd } from '../observation/limits.ts';
import type { DefectMemory } from '../observation/listing.ts';
import type { Notice } from './page-model.ts';

export interface PageMemory {
  name: string;
  state: string;
  url: string | null;
  noticeCount: number | null;
  updatedAt: number | null;
  /** When the present state was first observed. */
  since: number;
  /** The notice that explains why it is not operational; absent in documents of before this was remembered. */
  notice?: string | null;
  word?: string;
}

export interface ComponentMemory {
  id: string;
  name: string;
  state: string;
  parentId: string | null;
  updatedAt: number | null;
  since: number;
  /** The notice that explains why it is not operational. */
  notice: string | null;
  word?: string;
  unknown?: true;
  group?: true;
}

export interface UpdateMemory {
  state: string | null;
  content: string;
  createdAt: number | null;
}

export interface NoticeMemory extends Omit<Notice, 'latestUpdate' | 'detailHash' | 'saysNoState'> {
  /** null while its detail was never read. */
  components: ComponentName[] | null;
  /** Oldest first; what was seen of it so far. */
  updates: UpdateMemory[];
  /** Hash of what the list said when the detail was last read; null asks for the detail again. */
  listed: string | null;
  firstSeenAt: number;
  /** When its end was observed; null while it is open. */
  closedAt: number | null;
  withdrawn: boolean;
  /** Withdrawn, and another has taken its place; absent for none. */
  replaced?: true;
  /** It has left the lists of a page that does not say how it went on; absent while it is listed. */
  unlisted?: Unlisted;
  /** An automatic monitor has published the same more than once within a minute: the first of them. */
  twinOf?: string;
  /** Some update or list entry of it was investigating or identified. */
  wasAcute: boolean;
  /** How often its announced window moved, or it was cancelled, withdrawn or opened again: the SEQUENCE of its calendar entry. */
  revision: number;
  /** The one look at its detail after it left the recent past was taken. */
  finalLook: boolean;
  /** When its present window was first seen. */
  windowSince: number;
  /** What the clock has said of this window: `reminder 86400000`, `late`, `overrun`. */
  said: string[];
}

export interface Unlisted {
  /** Milliseconds of complete answers without it; null until the sweep has ended that first lacked it. */
  ms: number | null;
  /** It may be kept where notices are that are over, but that place does not reach back so far. */
  beyond: boolean;
  /** It was told, and stays open. */
  told?: true;
}

/** Which page answers at the address, where all answers come from one document. */
export interface DocumentMemory {
  /** The vendor's id of it; null where it gives none. */
  page: string | null;
  name: string;
  /** Of the newest document that was believed. */
  updatedAt: number | null;
  /** Since when only older documents have come; null while they do not. */
  olderSince: number | null;
  /** Another page answers there, until a person has confirmed it. */
  other: { page: string | null; name: string; since: number } | null;
}

/** An older document than the stored one, held back until it persists. */
export interface HeldBack {
  hash: string;
  sweeps: number;
  lastSweep: number;
}

export interface Snapshot {
  page: PageMemory | null;
  components: ComponentMemory[] | null;
  notices: NoticeMemory[] | null;
  /** Of pages of other vendors only. */
  document?: DocumentMemory;
  /** The summary of the first reading was told. */
  baselineTold: boolean;
  /** An empty listing where many were known, awaiting its confirmation. */
  emptySeen: {
    components: boolean;
    /** The sweep that first saw it; null for none, absent in documents of before this was remembered. */
    notices?: number | null;
  };
  /** Transitions so far by subject: part of their identity. */
  counters: Readonly<Record<string, number>>;
  defects: DefectMemory[];
  unknownStates: string[];
  /** What was told to be so many that no more of it is followed; absent in documents of before this was remembered. */
  crowds?: readonly Crowd[];
  heldBack: Record<string, HeldBack>;
  health: Health;
  /** Absent in documents of before this was remembered. */
  refused?: Refused;
}

/** What a reading means, and what is known after it. */
export interface Read {
  drafts: Draft[];
  after: Snapshot;
  /** There was more that is new than is followed. */
  turnedAway: boolean;
}

/** When it was read. */
export interface ReadAt {
  /** Epoch milliseconds. */
  now: number;
  /** Counts the sweeps of this process: what must persist over sweeps is counted once in each. */
  sweep: number;
}

/** Of a page of which nothing was read yet: null is unknown, not empty. */
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

const NUMERIC = new Intl.Collator('en', { numeric: true });

/** Ids are mostly numbers, written as text. */
export function compareNumbers(a: string, b: string): number {
  return NUMERIC.compare(a, b);
}

export function compareIds(a: { id: string }, b: { id: string }): number {
  return compareNumbers(a.id, b.id);
}

/** A notice as the details of a transition name it. */
export function toNoticeName(notice: NoticeMemory | null): { id: string; subject: string } | null {
  return notice === null ? null : { id: notice.id, subject: notice.subject };
}

/** Null where it is not remembered, and for no id. */
export function findNotice(notices: readonly NoticeMemory[], id: string | null): NoticeMemory | null {
  return notices.find((notice) => notice.id === id) ?? null;
}

export function mapNotices(notices: readonly NoticeMemory[]): ReadonlyMap<string, NoticeMemory> {
  return new Map(notices.map((notice) => [notice.id, notice]));
}

/** Empty where none was read yet as well. */
export function openNotices(snapshot: Snapshot): NoticeMemory[] {
  return (snapshot.notices ?? []).filter((notice) => notice.closedAt === null);
}
