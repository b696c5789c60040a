/** The time before the watch, as known from the provider's notices. */
import {
  countComponentRecords,
  isIncident,
  countLateNotices,
  RECORD_MONTHS,
  type Punctuality,
} from '../history/notice-record.ts';
import { measureLateness, type Lateness, type PageRecord, type PastNotice } from '../history/past-notice.ts';
import { subtractMonths } from '../history/past-import.ts';
import type { Span } from '../history/rows.ts';
import type { RecordDetails } from '../transition/notice-details.ts';
import { listNoticed, findNoticedSpan } from './noticed-days.ts';

/** Record of one page. */
export interface NoticeRecord {
  source: string;
  /** The part of the span known from notices only; null if all of it was watched or is unknown. */
  told: Span | null;
  /** Incidents in that part, earliest first. */
  notices: RecordedNotice[];
  /** Punctuality of the provider's notices over twelve months. */
  punctuality: Punctuality;
  /** Outages per component in that time. */
  components: RecordDetails[];
}

export interface RecordedNotice extends Pick<
  PastNotice,
  'id' | 'type' | 'state' | 'subject' | 'beganAt' | 'endedAt' | 'createdAt' | 'url'
> {
  components: string[];
  lateness: Lateness['kind'];
}

/** Excludes pages without past notices. */
export function listNoticeRecords(pages: readonly PageRecord[], span: Span, madeAt: number): NoticeRecord[] {
  return pages.flatMap((page): NoticeRecord[] => {
    if (page.since === null) return [];
    const told = findNoticedSpan(page, span);
    const year = subtractMonths(madeAt, RECORD_MONTHS);
    const lately = page.notices.filter((notice) => (notice.beganAt ?? notice.createdAt ?? 0) >= year);
    return [
      {
        source: page.source,
        told,
        notices: told === null ? [] : listNoticed([page], told).toReversed().map(toldNotice),
        punctuality: countLateNotices(lately.filter(isIncident)),
        components: countComponentRecords(page, madeAt),
      },
    ];
  });
}

function toldNotice(notice: PastNotice): RecordedNotice {
  const { id, type, state, subject, beganAt, endedAt, createdAt, url, components } = notice;
  const times = { beganAt, endedAt, createdAt };
  const names = components.map(({ name }) => name);
  return { id, type, state, subject, ...times, url, components: names, lateness: measureLateness(notice).kind };
}
