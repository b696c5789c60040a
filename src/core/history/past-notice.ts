/** Notices that are over, as the history keeps them: those that were watched here, and those read on the page afterwards. */
import type { DetailAnswer, Notice } from '../page/page-model.ts';
import type { NoticeMemory, Snapshot } from '../page/snapshot.ts';
import { MINUTE } from '../text/duration.ts';
import type { ComponentName } from '../transition/details.ts';

/** Times are epoch milliseconds, null where the provider gives none. */
export interface PastNotice {
  source: string;
  id: string;
  /** `watched`: seen here while it was open. `imported`: read when it was over; nobody watched it. */
  origin: 'watched' | 'imported';
  type: string;
  state: string | null;
  subject: string;
  url: string | null;
  /** The announced window of planned work. */
  beginsAt: number | null;
  endsAt: number | null;
  beganAt: number | null;
  endedAt: number | null;
  /** When the provider published it. */
  createdAt: number | null;
  components: readonly ComponentName[];
}

/** The record of one page. */
export interface PageRecord {
  source: string;
  /** It holds every notice that ended since then; null while the import is under way, and where there was none. */
  since: number | null;
  /** When its components were first read here; null where they never were. */
  watchedSince: number | null;
  notices: readonly PastNotice[];
}

/** Automatic monitors publish within minutes. */
const PUBLISHED_WITHIN_MS = 15 * MINUTE;

/** How late the provider published an incident. Planned work is announced ahead and never late. */
export type Lateness = { kind: 'in time' } | { kind: 'late' | 'after its end'; ms: number };

export function latenessOf({
  type,
  beganAt,
  endedAt,
  createdAt,
}: Pick<PastNotice, 'type' | 'beganAt' | 'endedAt' | 'createdAt'>): Lateness {
  if (type !== 'unplanned' || createdAt === null) return { kind: 'in time' };
  if (endedAt !== null && createdAt > endedAt) return { kind: 'after its end', ms: createdAt - endedAt };
  const ms = beganAt === null ? 0 : createdAt - beganAt;
  return ms > PUBLISHED_WITHIN_MS ? { kind: 'late', ms } : { kind: 'in time' };
}

/** Of a page, what was open here and is over. What was withdrawn says nothing of how long it lasted. */
export function watchedNotices(source: string, { notices }: Pick<Snapshot, 'notices'>): PastNotice[] {
  return (notices ?? []).flatMap((notice): PastNotice[] => {
    const { closedAt, firstSeenAt, components } = notice;
    if (!isSeenToEnd(notice) || components === null) return [];
    const { id, type, state, subject, url, beginsAt, endsAt, createdAt } = notice;
    const beganAt = notice.beganAt ?? (type === 'unplanned' ? (createdAt ?? firstSeenAt) : null);
    const endedAt = notice.endedAt ?? closedAt;
    const times = { beginsAt, endsAt, beganAt, endedAt, createdAt };
    return [{ source, id, origin: 'watched', type, state, subject, url, ...times, components }];
  });
}

/** What was over when it was first seen was not. */
export function isSeenToEnd({ closedAt, firstSeenAt, withdrawn, components }: NoticeMemory): boolean {
  return closedAt !== null && closedAt > firstSeenAt && !withdrawn && components !== null;
}

/** From the answer to a question about it. */
export function importedNotice(
  source: string,
  detail: Extract<DetailAnswer, { kind: 'observed' }>['value'],
): PastNotice {
  const { id, type, state, subject, url, beginsAt, endsAt, beganAt, endedAt, createdAt, components } = detail;
  const times = { beginsAt, endsAt, beganAt, endedAt, createdAt };
  return { source, id, origin: 'imported', type, state, subject, url, ...times, components };
}

/** When it was over, as far as its times can tell. */
export function overAt({
  endedAt,
  endsAt,
  beganAt,
  createdAt,
}: Pick<Notice, 'endedAt' | 'endsAt' | 'beganAt' | 'createdAt'>): number | null {
  return endedAt ?? endsAt ?? beganAt ?? createdAt;
}
