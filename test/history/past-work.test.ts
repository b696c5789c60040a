/** Planned work of ninety days: the phones lost meanwhile, measured once. */
import { expect, test } from 'vitest';
import type { PastNotice } from '../../src/core/history/past-notice.ts';
import type { AlertRow, HistoryReader, PhonesRow, ReadingRow } from '../../src/core/history/rows.ts';
import { measureWorkLosses } from '../../src/core/report/past-work.ts';
import { createPastWork } from '../../src/history/past-work.ts';
import { readerOfRows } from '../support/rows-reader.ts';

const NOW = Date.parse('2026-11-24T03:47:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SPAN = { since: NOW - 90 * DAY, until: NOW };

function phonesAt(at: number, lost: number, more: Partial<PhonesRow> = {}): PhonesRow {
  return { source: 'acme', site: 'Richmond', at, total: 20, registered: 20 - lost, away: 0, lost, ...more };
}

function readFrom(since: number, until: number, source = 'acme', part = 'registrations'): ReadingRow {
  return { source, part, since, until };
}

function workAt(beginsAt: number, more: Partial<PastNotice> = {}): PastNotice {
  return {
    source: 'provider',
    id: '7',
    origin: 'watched',
    type: 'planned',
    state: 'complete',
    subject: 'Storage',
    url: null,
    beginsAt,
    endsAt: beginsAt + HOUR,
    beganAt: beginsAt,
    endedAt: beginsAt + HOUR,
    createdAt: null,
    components: [],
    ...more,
  };
}

test('phones count as lost during work by site, beyond those lost before it', () => {
  const since = NOW - DAY;
  const span = { since, until: since + HOUR };
  const rows = [
    phonesAt(since - HOUR, 2),
    phonesAt(since + MINUTE, 5),
    phonesAt(since + 2 * MINUTE, 4),
    phonesAt(since + 2 * HOUR, 20),
    phonesAt(since - HOUR, 0, { site: 'Carlton' }),
    phonesAt(since + MINUTE, 6, { site: 'Carlton' }),
    // Lost before, and back during the work.
    phonesAt(since - HOUR, 9, { site: 'Kew' }),
    phonesAt(since + MINUTE, 0, { site: 'Kew' }),
    phonesAt(since + MINUTE, 8, { source: 'unread' }),
  ];
  const readings = [readFrom(since - DAY, NOW), readFrom(since - DAY, NOW, 'unread', 'toggles')];
  expect(measureWorkLosses(span, rows, readings)).toEqual({
    losses: [
      { account: 'acme', site: 'Carlton', phones: 6 },
      { account: 'acme', site: 'Richmond', phones: 3 },
    ],
    measured: ['acme'],
  });
  // Phones of that time were not read at all.
  expect(measureWorkLosses(span, rows, [readFrom(since + HOUR, NOW)])).toEqual({ losses: [], measured: [] });
});

test('work of ninety days is listed latest first, with the number of its alert', async () => {
  const alert = { source: 'provider', id: 'a', number: 12, family: 'notice', notice: '7' } as AlertRow;
  const works = [
    workAt(NOW - 40 * DAY, { id: '6' }),
    workAt(NOW - 2 * DAY),
    workAt(NOW - DAY, { id: '8', type: 'unplanned' }),
    workAt(NOW - 5 * DAY, { id: '9', state: 'cancelled', beganAt: null }),
    workAt(NOW - 91 * DAY, { id: '10' }),
  ];
  const reader = readerOfRows({
    states: [],
    transitions: [],
    deliveries: [],
    alerts: [alert],
    phones: [phonesAt(NOW - 50 * DAY, 0), phonesAt(NOW - 2 * DAY + MINUTE, 4)],
    readings: [readFrom(NOW - 45 * DAY, NOW)],
  });
  const found = await createPastWork()(
    reader,
    [{ source: 'provider', since: null, watchedSince: null, notices: works }],
    SPAN,
  );
  expect(found.map(({ id, number, measured }) => [id, number, measured])).toEqual([
    ['7', 12, ['acme']],
    ['9', null, []],
    ['6', null, ['acme']],
  ]);
  expect(found[0]?.losses).toEqual([{ account: 'acme', site: 'Richmond', phones: 4 }]);
  expect(found[2]?.losses).toEqual([]);
});

test('work that is long over is measured once, and again if its times change', async () => {
  const asked: number[] = [];
  const reader: Pick<HistoryReader, 'alerts' | 'phones' | 'readings'> = {
    alerts: () => Promise.resolve([]),
    phones({ since }) {
      asked.push(since);
      return Promise.resolve([]);
    },
    readings: () => Promise.resolve([]),
  };
  const list = createPastWork();
  const pages = (...notices: PastNotice[]) => [{ source: 'provider', since: null, watchedSince: null, notices }];
  const [old, young] = [workAt(NOW - DAY), workAt(NOW - 90 * MINUTE, { id: '8' })];
  await list(reader, pages(old, young), SPAN);
  await list(reader, pages(old, young), SPAN);
  expect(asked).toEqual([young.beginsAt, old.beginsAt, young.beginsAt]);
  await list(reader, pages(workAt(NOW - DAY, { beganAt: NOW - DAY - HOUR })), SPAN);
  expect(asked.at(-1)).toBe(NOW - DAY - HOUR);
});
