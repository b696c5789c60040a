/** What a report says of the time before the watch: it was read from the provider's notices, and watched by nobody. */
import {
  componentRecords,
  isIncident,
  punctualityOf,
  RECORD_MONTHS,
  type Punctuality,
} from '../history/notice-record.ts';
import { latenessOf, type Lateness, type PageRecord, type PastNotice } from '../history/past-notice.ts';
import { monthsBefore } from '../history/past-import.ts';
import type { Span } from '../history/rows.ts';
import type { RecordDetails } from '../transition/notice-details.ts';
import { listNoticed, findNoticedSpan } from './noticed-days.ts';

/** Of one page. */
export interface NoticeRecord {
  source: string;
  /** The part of the span that is known from notices alone; null where all of it was watched, or is not known at all. */
  told: Span | null;
  /** What went on in it, the earliest first. */
  notices: RecordedNotice[];
  /** How the provider published the incidents of the last twelve months. */
  punctuality: Punctuality;
  /** How often each component was hit in them. */
  components: RecordDetails[];
}

export interface RecordedNotice extends Pick<
  PastNotice,
  'id' | 'type' | 'state' | 'subject' | 'beganAt' | 'endedAt' | 'createdAt' | 'url'
> {
  components: string[];
  lateness: Lateness['kind'];
}

/** Nothing of a page whose past was never read. */
export function listNoticeRecords(pages: readonly PageRecord[], span: Span, madeAt: number): NoticeRecord[] {
  return pages.flatMap((page): NoticeRecord[] => {
    if (page.since === null) return [];
    const told = findNoticedSpan(page, span);
    const year = monthsBefore(madeAt, RECORD_MONTHS);
    const lately = page.notices.filter((notice) => (notice.beganAt ?? notice.createdAt ?? 0) >= year);
    return [
      {
        source: page.source,
        told,
        notices: told === null ? [] : listNoticed([page], told).toReversed().map(toldNotice),
        punctuality: punctualityOf(lately.filter(isIncident)),
        components: componentRecords(page, madeAt),
      },
    ];
  });
}

function toldNotice(notice: PastNotice): RecordedNotice {
  const { id, type, state, subject, beganAt, endedAt, createdAt, url, components } = notice;
  const times = { beganAt, endedAt, createdAt };
  const names = components.map(({ name }) => name);
  return { id, type, state, subject, ...times, url, components: names, lateness: latenessOf(notice).kind };
}
