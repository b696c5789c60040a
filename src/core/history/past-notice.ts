/** Past notices as the history stores them: observed while open, or imported from the page's archive. */
import type { DetailAnswer, Notice } from '../page/page-model.ts';
import type { NoticeMemory, Snapshot } from '../page/snapshot.ts';
import { MINUTE } from '../text/duration.ts';
import type { ComponentName } from '../transition/details.ts';

/** Times are epoch milliseconds; null if the provider gives none. */
export interface PastNotice extends Pick<
  Notice,
  'id' | 'type' | 'state' | 'subject' | 'url' | 'beginsAt' | 'endsAt' | 'beganAt' | 'endedAt' | 'createdAt'
> {
  source: string;
  /** `watched`: observed while it was open. `imported`: read after its end. */
  origin: 'watched' | 'imported';
  components: readonly ComponentName[];
}

/** Past notices of one page. */
export interface PageRecord {
  source: string;
  /** The record holds every notice that ended since then. Null without an import, and while it is running. */
  since: number | null;
  /** First sweep that read the components of the page; null if there was none. */
  watchedSince: number | null;
  notices: readonly PastNotice[];
}

/** Automatic monitors publish within minutes. */
const PUBLISHED_WITHIN_MS = 15 * MINUTE;

/** Delay between the start of an incident and its publication. Planned work is announced ahead and never late. */
export type Lateness = { kind: 'in time' } | { kind: 'late' | 'after its end'; ms: number };

export function measureLateness({
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

/** Notices of a page that were observed until their end. A withdrawn notice is left out: its length is unknown. */
export function listWatchedNotices(source: string, { notices }: Pick<Snapshot, 'notices'>): PastNotice[] {
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

/** A notice that was already over when it was first seen was not observed until its end. */
export function isSeenToEnd({ closedAt, firstSeenAt, withdrawn, components }: NoticeMemory): boolean {
  return closedAt !== null && closedAt > firstSeenAt && !withdrawn && components !== null;
}

/** Converts the detail of a notice that is over. */
export function toImportedNotice(
  source: string,
  detail: Extract<DetailAnswer, { kind: 'observed' }>['value'],
): PastNotice {
  const { id, type, state, subject, url, beginsAt, endsAt, beganAt, endedAt, createdAt, components } = detail;
  const times = { beginsAt, endsAt, beganAt, endedAt, createdAt };
  return { source, id, origin: 'imported', type, state, subject, url, ...times, components };
}

/** Best known end of a notice. */
export function findNoticeEnd({
  endedAt,
  endsAt,
  beganAt,
  createdAt,
}: Pick<Notice, 'endedAt' | 'endsAt' | 'beganAt' | 'createdAt'>): number | null {
  return endedAt ?? endsAt ?? beganAt ?? createdAt;
}
