/**
 * How far the reading of a page's past notices has got. It is kept with the state of the page, so that a start goes on
 * where the one before was interrupted, and none begins again.
 */
import { append, findMaximum, findMinimum } from '../transition/collections.ts';
import { overAt, type PastNotice } from './past-notice.ts';
import type { Notice } from '../page/page-model.ts';

/** What leaves the recent past while the lists are read has been seen there. */
export const PAST_TIMELINES = ['past_recent', 'past_distant'] as const;
export type PastTimeline = (typeof PAST_TIMELINES)[number];

/** A notice that is listed. */
export interface ListedNotice {
  id: string;
  /** When it was over; epoch milliseconds. */
  at: number;
}

export interface PastImport {
  /** How many months back were asked for; null for all of it. */
  months: number | null;
  /** What ended before is left out; epoch milliseconds. */
  since: number;
  /** The page to be listed next; null once all are. */
  next: { timeline: PastTimeline; page: number } | null;
  /** Those to be read; empty once all are. */
  listed: readonly ListedNotice[];
  /** Of them, those that the provider has archived, and those whose detail makes no sense. */
  archived: readonly ListedNotice[];
  unreadable: readonly string[];
  /** How many are listed, and how many of them are settled. */
  total: number;
  settled: number;
  finishedAt: number | null;
}

/** `months`: `Infinity` for all. What is older than `keepMs` would be taken away at once. */
export function beginImport(months: number, now: number, keepMs: number): PastImport {
  const isAll = !Number.isFinite(months);
  return {
    months: isAll ? null : months,
    since: Math.max(0, now - keepMs, isAll ? 0 : monthsBefore(now, months)),
    next: { timeline: PAST_TIMELINES[0], page: 1 },
    listed: [],
    archived: [],
    unreadable: [],
    total: 0,
    settled: 0,
    finishedAt: null,
  };
}

/** More is asked for now than was read. */
export function asksForMore({ months: known }: PastImport, months: number): boolean {
  return known !== null && months > known;
}

export function monthsBefore(at: number, months: number): number {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, last));
}

/** What a page of a list adds; `hasNext`: there is another page of it. */
export function withListed(known: PastImport, notices: readonly Notice[], hasNext: boolean): PastImport {
  if (known.next === null) return known;
  const ids = new Set(known.listed.map(({ id }) => id));
  const added = notices.flatMap((notice): ListedNotice[] => {
    const at = overAt(notice);
    return at === null || at < known.since || ids.has(notice.id) ? [] : [{ id: notice.id, at }];
  });
  const listed = [...known.listed];
  append(listed, added);
  return { ...known, listed, total: listed.length, next: pageAfter(known.next, hasNext) };
}

function pageAfter({ timeline, page }: NonNullable<PastImport['next']>, hasNext: boolean): PastImport['next'] {
  if (hasNext) return { timeline, page: page + 1 };
  const next = PAST_TIMELINES[PAST_TIMELINES.indexOf(timeline) + 1];
  return next === undefined ? null : { timeline: next, page: 1 };
}

/** Those still to be read: the latest first, as they are what a new notice is compared with. */
export function leftToRead({ listed, archived, unreadable }: PastImport, read: ReadonlySet<string>): ListedNotice[] {
  const settled = new Set([...archived.map(({ id }) => id), ...unreadable]);
  return listed.filter(({ id }) => !settled.has(id) && !read.has(id)).toSorted((a, b) => b.at - a.at);
}

/**
 * What the record is whole since. What the provider has archived is where it begins; one that is gone amid others that
 * are there was taken down, and cuts nothing off.
 */
export function recordBegin({ since, archived }: PastImport, read: readonly PastNotice[]): number {
  const oldest = findMinimum(read.map((notice) => overAt(notice) ?? Infinity));
  const cut = archived.flatMap(({ at }) => (at < oldest ? [at] : []));
  return cut.length === 0 ? since : Math.max(since, findMaximum(cut));
}

/** What is kept of an import that is over: that it is, and in numbers what became of it. */
export function finishedImport(known: PastImport, now: number): PastImport {
  return { ...known, next: null, listed: [], settled: known.total, finishedAt: now };
}
