/** How often a component was hit, and for how long: one sum for page, report and messages. */
import { describe, expect, it } from 'vitest';
import { countComponentRecords, countLateNotices } from '../../../src/core/history/notice-record.ts';
import { measureLateness, type PageRecord, type PastNotice } from '../../../src/core/history/past-notice.ts';
import { formatRecord } from '../../../src/core/wording/notices/record-wording.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function notice(id: string, daysAgo: number, lasted: number | null, more: Partial<PastNotice> = {}): PastNotice {
  const beganAt = NOW - daysAgo * DAY;
  return {
    source: 'provider',
    id,
    origin: 'imported',
    type: 'unplanned',
    state: 'resolved',
    subject: 'Calls fail',
    url: null,
    beginsAt: null,
    endsAt: null,
    beganAt,
    endedAt: lasted === null ? null : beganAt + lasted,
    createdAt: beganAt,
    components: [{ id: '1', name: 'SIP Trunks' }],
    ...more,
  };
}

function page(notices: PastNotice[], since: number | null = 0): PageRecord {
  return { source: 'provider', since, watchedSince: NOW, notices };
}

describe('the record of a component', () => {
  it('counts incidents of twelve months, with the median of how long they lasted', () => {
    const lengths = [HOUR, 2 * HOUR, 2 * HOUR + 10 * MINUTE, 3 * HOUR, 20 * HOUR, 30 * MINUTE, 4 * HOUR];
    const records = countComponentRecords(page(lengths.map((ms, index) => notice(String(index), 10 + index, ms))), NOW);
    expect(records).toHaveLength(1);
    expect(records[0] && formatRecord(records[0], 'UTC')).toBe(
      'SIP Trunks: 7 incidents in 12 months, median 2 h 10 min',
    );
  });

  it('leaves out planned work, false alarms, and what is older', () => {
    const records = countComponentRecords(
      page([
        notice('1', 1, HOUR),
        notice('2', 2, HOUR, { type: 'planned', state: 'complete' }),
        notice('3', 3, HOUR, { state: 'false_alarm' }),
        notice('4', 400, HOUR),
      ]),
      NOW,
    );
    expect(records.map((record) => formatRecord(record, 'UTC'))).toEqual([
      'SIP Trunks: 1 incident in 12 months, it lasted 1 h',
    ]);
  });

  it('says since when where it begins later, and nothing where nobody knows', () => {
    const notices = [notice('1', 1, null), notice('2', 2, null)];
    const records = countComponentRecords(page(notices, Date.parse('2026-01-12T00:00:00Z')), NOW);
    expect(records.map((record) => formatRecord(record, 'UTC'))).toEqual(['SIP Trunks: 2 incidents since 12 Jan 2026']);
    expect(countComponentRecords(page(notices, null), NOW)).toEqual([]);
  });

  it('begins with the component that was hit most often', () => {
    const sms = { components: [{ id: '2', name: 'SMS' }] };
    const records = countComponentRecords(
      page([notice('1', 1, 1), notice('2', 2, 1, sms), notice('3', 3, 1, sms)]),
      NOW,
    );
    expect(records.map(({ name, incidents }) => [name, incidents])).toEqual([
      ['SMS', 2],
      ['SIP Trunks', 1],
    ]);
  });
});

describe('how late an incident was published', () => {
  it.each([
    ['in time', {}, { kind: 'in time' }],
    ['a quarter of an hour is in time', { createdAt: NOW - DAY + 15 * MINUTE }, { kind: 'in time' }],
    ['much after it began', { createdAt: NOW - DAY + HOUR }, { kind: 'late', ms: HOUR }],
    ['after it was over', { createdAt: NOW - DAY + 5 * HOUR }, { kind: 'after its end', ms: 3 * HOUR }],
    ['planned work never is', { type: 'planned', createdAt: NOW }, { kind: 'in time' }],
    ['without a time nobody knows', { createdAt: null }, { kind: 'in time' }],
  ])('%s', (_, more, expected) => {
    expect(measureLateness(notice('1', 1, 2 * HOUR, more))).toEqual(expected);
  });

  it('is counted', () => {
    const late = { createdAt: NOW };
    const all = [notice('1', 1, HOUR, late), notice('2', 1, 2 * DAY, late), notice('3', 1, HOUR)];
    expect(countLateNotices(all)).toEqual({ incidents: 3, late: 1, afterEnd: 1 });
  });
});
