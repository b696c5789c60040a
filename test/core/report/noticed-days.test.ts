/** Days before the watch are told by the notices of the page, and are called so. */
import { describe, expect, it } from 'vitest';
import type { PageRecord, PastNotice } from '../../../src/core/history/past-notice.ts';
import { NO_TIME, type DayRow } from '../../../src/core/report/days.ts';
import { listNoticeRecords } from '../../../src/core/report/notice-records.ts';
import { withNotices } from '../../../src/core/report/noticed-days.ts';
import type { Report } from '../../../src/core/report/monthly-report.ts';
import { createReader, formatRecordLines, formatRemarks } from '../../../src/core/report/report-words.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST = Date.parse('2026-03-01T00:00:00Z');
const DAYS = [0, 1, 2].map((day) => ({ since: FIRST + day * DAY, until: FIRST + (day + 1) * DAY }));
const WATCHED = FIRST + 2 * DAY + 6 * HOUR;

function notice(more: Partial<PastNotice>): PastNotice {
  return {
    source: 'provider',
    id: '1',
    origin: 'imported',
    type: 'unplanned',
    state: 'resolved',
    subject: 'Calls fail',
    url: null,
    beginsAt: null,
    endsAt: null,
    beganAt: FIRST + DAY - HOUR,
    endedAt: FIRST + DAY + 2 * HOUR,
    createdAt: FIRST + DAY - HOUR,
    components: [{ id: '1', name: 'Trunks' }],
    ...more,
  };
}

const work = notice({ id: '2', type: 'planned', beganAt: FIRST + DAY + HOUR, endedAt: FIRST + DAY + 4 * HOUR });

function page(more: Partial<PageRecord> = {}): PageRecord {
  return { source: 'provider', since: 0, watchedSince: WATCHED, notices: [notice({}), work], ...more };
}

function row(subject: string): DayRow {
  const unknown = { ...NO_TIME, unknown: DAY };
  const last = { ...NO_TIME, up: 18 * HOUR, unknown: 6 * HOUR };
  return { source: 'provider', subject, name: 'Trunks', days: [unknown, unknown, last] };
}

describe('days before the watch', () => {
  it('are as the notices say, and say that nobody watched', () => {
    const [told] = withNotices([row('component/1')], DAYS, [page()]);
    expect(told?.days).toEqual([
      { ...NO_TIME, up: 23 * HOUR, degraded: HOUR, noticed: DAY },
      { ...NO_TIME, up: 20 * HOUR, degraded: 2 * HOUR, maintenance: 2 * HOUR, noticed: DAY },
      { ...NO_TIME, up: DAY, noticed: 6 * HOUR },
    ]);
  });

  it('are as well as can be for a component that no notice names', () => {
    const [told] = withNotices([row('component/2')], DAYS, [page()]);
    expect(told?.days[0]).toEqual({ ...NO_TIME, up: DAY, noticed: DAY });
  });

  it('stay unknown before the record begins, where there is none, and for phones', () => {
    const [later] = withNotices([row('component/1')], DAYS, [page({ since: FIRST + DAY })]);
    expect(later?.days[0]).toEqual({ ...NO_TIME, unknown: DAY });
    const site = row('site/Richmond');
    expect(withNotices([row('component/1'), site], DAYS, [page({ since: null })])).toEqual([row('component/1'), site]);
    expect(withNotices([site], DAYS, [page()])).toEqual([site]);
  });
});

const REPORT = {
  timezone: 'UTC',
  since: FIRST,
  until: FIRST + 3 * DAY,
  called: { provider: 'The carrier' },
} as unknown as Report;

describe('the section of a report', () => {
  const span = { since: FIRST, until: FIRST + 3 * DAY };

  it('says which days were not watched, what went on in them, and how late the provider said so', () => {
    const late = notice({ id: '3', createdAt: FIRST + DAY + 5 * HOUR, subject: 'Portal\ndown' });
    const watched = notice({ id: '4', origin: 'watched' });
    const records = listNoticeRecords([page({ notices: [notice({}), late, work, watched] })], span, FIRST + 3 * DAY);
    expect(formatRecordLines(records, createReader(REPORT), 'UTC')).toEqual([
      'The carrier: Sun 1 Mar 00:00 to Tue 3 Mar 06:00 is known from the notices of the page alone: it was not watched, and uptime does not count it',
      '  notice 3: Portal down',
      '    Sun 1 Mar 23:00 to Mon 2 Mar 02:00 (3 h)',
      '    resolved; Trunks; published 3 h after it was over',
      '  notice 1: Calls fail',
      '    Sun 1 Mar 23:00 to Mon 2 Mar 02:00 (3 h)',
      '    resolved; Trunks',
      '  notice 2: Calls fail',
      '    Mon 2 Mar 01:00 to Mon 2 Mar 04:00 (3 h)',
      '    planned work; resolved; Trunks',
      'The carrier: 3 incidents in 12 months, of which 1 published after the end',
      '  Trunks: 3 incidents in 12 months, median 3 h',
    ]);
  });

  it('is not there where no past was read, and tells nothing of a span that was watched', () => {
    expect(listNoticeRecords([page({ since: null })], span, FIRST + 3 * DAY)).toEqual([]);
    const [later] = listNoticeRecords([page()], { since: WATCHED, until: WATCHED + DAY }, WATCHED + DAY);
    expect(later).toMatchObject({ told: null, notices: [] });
  });

  it('does not call unknown what is known from notices', () => {
    const leftOut = { alerts: 0, changes: 0, late: 0 };
    const remarks = (pages: PageRecord[]): string[] => {
      const record = listNoticeRecords(pages, span, FIRST + 3 * DAY);
      return formatRemarks({ ...REPORT, historyBeginsAt: WATCHED, leftOut, record });
    };
    expect(remarks([page()])).toEqual([
      'The history begins Tue 3 Mar 06:00: what was before it was not watched, and is known from notices alone.',
    ]);
    expect(remarks([page({ since: null })])).toEqual([
      'The history begins Tue 3 Mar 06:00: of what was before it nothing is known.',
    ]);
  });
});
