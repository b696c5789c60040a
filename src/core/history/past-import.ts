/**
 * Progress of reading a page's past notices. It is saved with the state of the page, so a restart resumes the import.
 */
import { append, findMaximum, findMinimum } from '../transition/collections.ts';
import { findNoticeEnd, type PastNotice } from './past-notice.ts';
import type { Notice } from '../page/page-model.ts';

/**
 * Recent notices come first: a notice that moves from the recent to the distant list meanwhile has been read by then.
 */
const PAST_TIMELINES = ['past_recent', 'past_distant'] as const;
export type PastTimeline = (typeof PAST_TIMELINES)[number];

/** A notice found in a list and not yet read. */
export interface ListedNotice {
  id: string;
  /** End of the notice; epoch milliseconds. */
  at: number;
}

export interface PastImport {
  /** Requested span in months; null for all. */
  months: number | null;
  /** Notices that ended earlier are skipped; epoch milliseconds. */
  since: number;
  /** Next page to list; null once all pages are listed. */
  next: { timeline: PastTimeline; page: number } | null;
  /** Notices whose details are to be read; empty once all are read. */
  listed: readonly ListedNotice[];
  /** Listed notices that the provider has archived, and ids of those whose details cannot be parsed. */
  archived: readonly ListedNotice[];
  unreadable: readonly string[];
  /** Counts: listed notices, and those already read, archived or unreadable. */
  total: number;
  settled: number;
  finishedAt: number | null;
}

/**
 * `months` may be `Infinity` for all. Notices older than `keepMs` are skipped, because pruning would delete them at
 * once.
 */
export function beginImport(months: number, now: number, keepMs: number): PastImport {
  const isAll = !Number.isFinite(months);
  return {
    months: isAll ? null : months,
    since: Math.max(0, now - keepMs, isAll ? 0 : subtractMonths(now, months)),
    next: { timeline: PAST_TIMELINES[0], page: 1 },
    listed: [],
    archived: [],
    unreadable: [],
    total: 0,
    settled: 0,
    finishedAt: null,
  };
}

/** The configuration now asks for more months than were imported. */
export function isExtendedBy({ months: known }: PastImport, months: number): boolean {
  return known !== null && months > known;
}

export function subtractMonths(at: number, months: number): number {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, last));
}

/** Adds the notices of one page of a list; `hasNext`: the list has another page. */
export function addListedNotices(known: PastImport, notices: readonly Notice[], hasNext: boolean): PastImport {
  if (known.next === null) return known;
  const ids = new Set(known.listed.map(({ id }) => id));
  const added = notices.flatMap((notice): ListedNotice[] => {
    const at = findNoticeEnd(notice);
    return at === null || at < known.since || ids.has(notice.id) ? [] : [{ id: notice.id, at }];
  });
  const listed = [...known.listed];
  append(listed, added);
  return { ...known, listed, total: listed.length, next: findNextPage(known.next, hasNext) };
}

function findNextPage({ timeline, page }: NonNullable<PastImport['next']>, hasNext: boolean): PastImport['next'] {
  if (hasNext) return { timeline, page: page + 1 };
  const next = PAST_TIMELINES[PAST_TIMELINES.indexOf(timeline) + 1];
  return next === undefined ? null : { timeline: next, page: 1 };
}

/** Notices still to be read, the latest first: new notices are compared with the latest. */
export function listUnreadNotices(
  { listed, archived, unreadable }: PastImport,
  read: ReadonlySet<string>,
): ListedNotice[] {
  const settled = new Set([...archived.map(({ id }) => id), ...unreadable]);
  return listed.filter(({ id }) => !settled.has(id) && !read.has(id)).toSorted((a, b) => b.at - a.at);
}

/**
 * Time since which the record is complete. It begins after the last archived notice that is older than all notices
 * read. An archived notice among readable ones was taken down and does not shorten the record.
 */
export function recordBegin({ since, archived }: PastImport, read: readonly PastNotice[]): number {
  const oldest = findMinimum(read.map((notice) => findNoticeEnd(notice) ?? Infinity));
  const cut = archived.flatMap(({ at }) => (at < oldest ? [at] : []));
  return cut.length === 0 ? since : Math.max(since, findMaximum(cut));
}

/** Reduces a finished import to its counts. */
export function finishImport(known: PastImport, now: number): PastImport {
  return { ...known, next: null, listed: [], settled: known.total, finishedAt: now };
}
