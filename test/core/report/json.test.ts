/** The report for programs: its schema names every field, and its values are as the schema says. */
import { expect, expectTypeOf, test } from 'vitest';
import { toJsonReport, type JsonOf } from '../../../src/core/report/json.ts';
import type { Report } from '../../../src/core/report/monthly-report.ts';
import { report as schema, type ReportJson } from '../../../src/core/report/report-schema.ts';

const AT = Date.parse('2026-10-05T03:00:00Z');
const TIME = '2026-10-05T03:00:00.000Z';
const SPAN = { since: AT, until: AT };
const EVIDENCE = {
  id: 't1',
  at: AT,
  source: 'provider',
  kind: 'notice.opened',
  headline: 'A notice was opened',
  name: null,
  from: null,
  to: 'investigating',
  words: [{ at: AT, state: 'investigating', text: 'We look.' }],
} as const;
const PHONES = { phones: 20, losses: 2, lostMs: 60_000, phonesMs: 72_000_000, percent: 99.9 };

/** Every field has a value. */
const FULL: Report = {
  instance: 'hq',
  timezone: 'UTC',
  month: '2026-10',
  heading: 'Acme',
  called: { provider: 'Provider', up: 'Up Ltd' },
  madeAt: AT,
  ...SPAN,
  historyBeginsAt: AT,
  sources: [{ source: 'provider', gaps: [SPAN], unknownMs: 1, unwatchedSince: AT }],
  uptimes: [
    {
      source: 'provider',
      subject: 'component/1',
      name: 'Hosted PBX',
      up: 1,
      degraded: 2,
      maintenance: 3,
      unknown: 4,
      known: 6,
      percent: 99.5,
      percentBesideMaintenance: 99.9,
    },
  ],
  outages: [
    {
      within: SPAN,
      withinMs: 1,
      unread: [SPAN],
      unreadMs: 1,
      notWatchedBefore: AT,
      number: 1,
      source: 'provider',
      sources: ['provider'],
      id: 'a1',
      notice: 'Calls fail',
      title: 'Hosted PBX outage',
      severity: 'critical',
      ...SPAN,
      unwatchedSince: AT,
      seenAt: AT,
      components: ['Hosted PBX'],
      phones: {
        accounts: ['acme'],
        lostAt: AT,
        backAt: AT,
        wordAt: AT,
        lagMs: -60_000,
        afterResolvedMs: 1,
        page: 'carrier',
        unwatchedSince: AT,
      },
      evidence: [{ ...EVIDENCE, words: [...EVIDENCE.words] }],
    },
  ],
  maintenances: [
    {
      number: 2,
      source: 'provider',
      notice: '7',
      title: 'Router work',
      state: 'complete',
      beginsAt: AT,
      endsAt: AT,
      beganAt: AT,
      endedAt: AT,
      seenAt: AT,
      noticeMs: 1,
      moved: 1,
      lateMs: 1,
      overrunMs: 1,
      outsideMs: 1,
      evidence: [{ ...EVIDENCE, words: [...EVIDENCE.words] }],
    },
  ],
  edits: [{ id: 't2', at: AT, source: 'provider', notice: '7', title: 'Router work', before: 'a', after: 'b' }],
  sites: [{ source: 'acme', site: 'Richmond', mostAtOnce: 3, ...PHONES }],
  customers: [{ customer: 'acme', called: 'Acme Ltd', accounts: ['acme'], ...PHONES }],
  receivers: [{ receiver: 'ops', delivered: 3, late: 1, refused: 1, longestMs: 400 }],
  late: [{ id: 'm1', at: AT, receiver: 'ops', number: 1, dueAt: AT, outcome: 'delivered', lateMs: 1, why: 'busy' }],
  record: [
    {
      source: 'provider',
      told: SPAN,
      notices: [
        {
          id: '7',
          type: 'unplanned',
          state: 'resolved',
          subject: 'Calls fail',
          beganAt: AT,
          endedAt: AT,
          createdAt: AT,
          url: 'https://status.example/7',
          components: ['Hosted PBX'],
          lateness: 'after its end',
        },
      ],
      punctuality: { incidents: 3, late: 1, afterEnd: 1 },
      components: [{ id: '1', name: 'Hosted PBX', incidents: 3, months: 12, since: TIME, median_ms: 60_000 }],
    },
  ],
  leftOut: { alerts: 1, changes: 2, late: 3 },
};

test('every field of a report is in the schema, and the schema has no other', () => {
  expectTypeOf<JsonOf<Report>>().toEqualTypeOf<ReportJson>();
  const answer: unknown = JSON.parse(JSON.stringify(toJsonReport(FULL)));
  // `parse` drops what the schema does not name.
  expect(schema.parse(answer)).toEqual(answer);
  expect(answer).toMatchObject({
    history_begins_at: TIME,
    uptimes: [{ up_ms: 1, known_ms: 6, percent_beside_maintenance: 99.9 }],
    outages: [{ seen_at: TIME, phones: { word_at: TIME, lag_ms: -60_000 }, evidence: [{ at: TIME }] }],
    maintenances: [{ state: 'complete', evidence: [{ words: [{ at: TIME }] }] }],
  });
});

test('a source keeps its name, whatever fields of the report are called', () => {
  expect(toJsonReport(FULL).called).toEqual(FULL.called);
});

test('a field that the schema does not name is found', () => {
  const answer = { ...toJsonReport(FULL), extra: 1 };
  expect(schema.parse(answer)).not.toEqual(answer);
});
