/**
 * A year of history: a page with two notices a day and 20 accounts of 50 phones at three sites, of which some come and go
 * every day. What it takes on the disk, how long one write keeps everything else waiting, and what a report of it takes.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { htmlReport } from '../../src/core/report/html.ts';
import { monthOf, spanOfMonth } from '../../src/core/report/month.ts';
import { reportOf, rowsOf } from '../../src/core/report/report.ts';
import type { DeliveryRecord, TransitionRecord } from '../../src/core/history/record.ts';
import { createHistory, type History } from '../../src/history/history.ts';
import { archiveInFile, openHistoryFile } from '../../src/history/in-file.ts';
import { readerOf } from '../../src/history/reader.ts';
import { figure, type Row } from './figures.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAYS = 365;
const ACCOUNTS = Array.from({ length: 20 }, (_, index) => `account-${index + 1}`);
const SITES = ['Richmond', 'Carlton', 'Geelong'];
const WORDS =
  'We are continuing to investigate calls that fail on some of our trunks, and will write again soon. '.repeat(4);

interface Year {
  history: History;
  /** Milliseconds of each write that took some. */
  writes: number[];
  flush(): Promise<void>;
}

export async function measureHistory(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'linewatch-bench-history-'));
  try {
    const year = yearIn(directory);
    for (let day = 0; day < DAYS; day += 1) await liveDay(year, START + day * DAY);
    await year.history.close();
    const megabytes = statSync(join(directory, 'history.db')).size / 1_000_000;
    const reports: number[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (let turn = 0; turn < 5; turn += 1) reports.push(await reportIn(directory));
    const row = { bare: null };
    return [
      {
        ...row,
        what: 'a year of a page and 20 accounts',
        linewatch: figure([megabytes]),
        unit: 'MB',
        wanted: { always: 200 },
      },
      {
        ...row,
        what: 'one write into it, while nothing else runs',
        linewatch: figure(year.writes),
        unit: 'ms',
        wanted: { most: 5 },
      },
      {
        ...row,
        what: 'a report of a month of it as HTML',
        linewatch: figure(reports),
        unit: 's',
        wanted: { always: 2 },
      },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function yearIn(directory: string): Year {
  let [at, passed] = [START, 0];
  const writes: number[] = [];
  const history = createHistory({
    archive: archiveInFile(directory, () => at),
    keepMs: () => 400 * DAY,
    now: () => at,
    monotonic: () => passed,
    later: () => undefined,
    told: ({ what, reason }) => {
      throw new Error(`${what}: ${reason}`);
    },
  });
  return {
    history,
    writes,
    async flush() {
      [at, passed] = [at + MINUTE, passed + MINUTE];
      const began = performance.now();
      await history.flush();
      const took = performance.now() - began;
      if (took > 0.05) writes.push(took);
    },
  };
}

let count = 0;

function record(
  source: string,
  subject: string,
  kind: string,
  at: number,
  number: number,
  details: object,
): TransitionRecord {
  count += 1;
  const id = count.toString(16).padStart(32, '0');
  const transition = { id, source, subject, kind, from: 'operational', to: 'degraded', at, details };
  const alert = {
    id: `alert ${number}`.padEnd(32, 'a'),
    number,
    severity: 'warning',
    title: `Trouble number ${number}`,
  };
  return { transition, status: 'update', alert } as unknown as TransitionRecord;
}

function delivery(told: TransitionRecord, receiver: string): DeliveryRecord {
  const { id, at, source } = told.transition;
  const message = `${id}${receiver}`.slice(-32).padStart(32, '0');
  const { id: alert = '', number = null } = told.alert ?? {};
  const detail = `${receiver} answered 200`;
  const went = { at: at + 300, promisedAt: at, dueAt: at, reminder: 0, recipients: [], transitions: [id] };
  return { id: message, message, receiver, source, alert, number, outcome: 'delivered', detail, ...went };
}

async function happen(
  { history, flush }: Year,
  source: string,
  at: number,
  unrecorded: TransitionRecord[],
  more: object,
): Promise<void> {
  history.committed(source, { at, states: null, phones: null, alerts: [], ...more, unrecorded });
  if (unrecorded.length === 0) return;
  for (const receiver of ['mail', 'bus']) {
    history.delivered(
      receiver,
      unrecorded.map((told) => delivery(told, receiver)),
    );
  }
  await flush();
}

async function liveDay(year: Year, day: number): Promise<void> {
  const states = (state: string) =>
    Array.from({ length: 30 }, (_, id) => ({
      subject: `component/${id}`,
      name: `Trunk ${id}`,
      state: id < 3 ? state : 'operational',
    }));
  for (let index = 0; index < 2; index += 1) {
    const number = Math.floor((day - START) / DAY) * 10 + index;
    for (let step = 0; step < 6; step += 1) {
      const at = day + index * 8 * 60 * MINUTE + step * 15 * MINUTE;
      const notice = {
        id: String(number),
        type: 'unplanned',
        state: 'investigating',
        subject: 'Calls fail on some trunks',
      };
      const updates = [{ state: 'investigating', content: WORDS, created_at: new Date(at).toISOString() }];
      const told = record('provider', `notice/${number}`, 'notice.update', at, number, {
        notice,
        components: [],
        updates,
      });
      await happen(year, 'provider', at, [told], { states: states(step === 5 ? 'operational' : 'degraded') });
    }
  }
  for (const [place, account] of ACCOUNTS.entries()) {
    for (let change = 0; change < 40; change += 1) {
      const at = day + change * 30 * MINUTE + place * MINUTE;
      const phones = SITES.map((site, index) => ({
        site,
        total: 17,
        registered: 17 - ((change + index) % 9),
        away: 0,
        lost: change % 3,
      }));
      const details = {
        extension: '101',
        name: 'Reception',
        device: 'Yealink T46S',
        address: '203.0.113.7',
        site: SITES[0],
        since: null,
        phones: { registered: 48, total: 50 },
      };
      const told =
        change % 8 === 0
          ? [record(account, 'registration/101', 'registration.lost', at, 100_000 + place, details)]
          : [];
      await happen(year, account, at, told, { phones });
    }
    for (let minute = 0; minute < 24 * 60; minute += 10) {
      year.history.swept(account, { registrations: null, toggles: null }, day + minute * MINUTE, 20 * MINUTE);
    }
  }
}

/** Seconds. */
async function reportIn(directory: string): Promise<number> {
  const began = performance.now();
  const file = openHistoryFile(directory);
  const month = monthOf(START + 200 * DAY, 'UTC');
  const span = spanOfMonth(month, 'UTC');
  if (file === null || span === null) throw new Error('there is no history');
  htmlReport(
    reportOf(await rowsOf(readerOf(file), span), {
      instance: 'bench',
      timezone: 'UTC',
      month,
      span,
      madeAt: START + DAYS * DAY,
    }),
  );
  file.close();
  return (performance.now() - began) / 1000;
}
