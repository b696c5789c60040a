/** `linewatch report`: of which time, of whom, and what is committed and not in the history yet. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAlert, type Alert } from '../../src/core/alert/alert.ts';
import { createPageState } from '../../src/core/engine/page-kind.ts';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { openDocumentsOf } from '../../src/daemon/common/documents.ts';
import { realDisk } from '../../src/store/disk.ts';
import { openFiles } from '../../src/store/files.ts';
import { fakePlatform } from '../support/platform.ts';
import { recordedFall, recordedHistory, type RecordedHistory } from '../support/recorded-history.ts';

const NOW = Date.parse('2026-10-20T09:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const CONFIG = `timezone: Australia/Melbourne
status_pages: [{name: provider, base_url: "https://status.example.com"}]
`;
const ACCOUNTS = `accounts:
  - {name: a1, base_url: "https://a1.example.com", api_key: key, labels: {customer: acme}, display_name: Acme Pty Ltd}
  - {name: z1, base_url: "https://z1.example.com", api_key: key, display_name: Zenith}
`;

let cwd: string;
let recorded: RecordedHistory;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'report-command-'));
  mkdirSync(join(cwd, 'state'), { mode: 0o700 });
  writeFileSync(join(cwd, 'linewatch.yaml'), `instance: hq\n${CONFIG}`);
  recorded = recordedHistory(NOW, join(cwd, 'state'));
});

afterEach(async () => {
  await recorded.history.close();
  rmSync(cwd, { recursive: true });
});

async function run(...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  const platform = fakePlatform({ argv: ['report', ...argv], cwd, now: () => NOW });
  const exit = await runCommand(platform, COMMANDS);
  return { exit, ...platform.written() };
}

interface Printed {
  month: string | null;
  since: string;
  until: string;
  outages: { number: number; within_ms: number; evidence: unknown[] }[];
  sites: { source: string }[];
}

async function json(...argv: string[]): Promise<Printed> {
  const { out, err } = await run('--format', 'json', ...argv);
  expect(err).toBe('');
  return JSON.parse(out) as Printed;
}

function alert(id: string, number: number, at: number, more: Partial<Alert> = {}): Alert {
  return {
    ...createAlert({ id, number, source: 'provider', startedAt: at, family: 'trouble', now: at }),
    title: id,
    ...more,
  };
}

/** Two months in which one alert was, and phones of two customers. */
async function record(): Promise<void> {
  const { history } = recorded;
  const phones = [{ site: 'Richmond', total: 5, registered: 5, away: 0, lost: 0 }];
  const over = alert('trunks', 1, NOW - 10 * DAY, { status: 'resolved', resolvedAt: NOW - 10 * DAY + HOUR });
  history.committed('provider', {
    at: NOW - 50 * DAY,
    states: [],
    phones: null,
    alerts: [over],
    unrecorded: [recordedFall('a', NOW - 10 * DAY)],
  });
  for (const account of ['a1', 'z1']) {
    history.committed(account, { at: NOW - 50 * DAY, states: null, phones, alerts: [], unrecorded: [] });
    history.swept(account, { registrations: null }, NOW - 50 * DAY, MINUTE);
  }
  history.swept('provider', { components: null, page: null }, NOW - 50 * DAY, 60 * DAY);
  history.swept('provider', { components: null, page: null }, NOW, 60 * DAY);
  await history.record();
}

describe('a span', () => {
  it.each([
    [['--from', '2026-10-10', '--to', '2026-10-11'], '2026-10-09T13:00:00.000Z', '2026-10-11T13:00:00.000Z'],
    [['--from', '2026-10-10', '--to', '2026-10-10'], '2026-10-09T13:00:00.000Z', '2026-10-10T13:00:00.000Z'],
    [
      ['--from', '2026-10-10T20:00', '--to', '2026-10-10T20:30'],
      '2026-10-10T09:00:00.000Z',
      '2026-10-10T09:30:00.000Z',
    ],
    [
      ['--from', '2026-10-10T09:00Z', '--to', '2026-10-10 09:30+00:00'],
      '2026-10-10T09:00:00.000Z',
      '2026-10-10T09:30:00.000Z',
    ],
    [
      ['--from', '2026-10-10T18:00+09:00[Asia/Tokyo]', '--to', '2d'],
      '2026-10-10T09:00:00.000Z',
      '2026-10-18T09:00:00.000Z',
    ],
    [['--from', '11d'], '2026-10-09T09:00:00.000Z', '2026-10-20T09:00:00.000Z'],
  ])('%j is what is reported', async (argv, since, until) => {
    await record();
    const report = await json(...argv);
    expect([report.month, report.since, report.until]).toEqual([null, since, until]);
    expect(report.outages.map(({ number }) => number)).toEqual([1]);
  });

  it('counts of an outage what lies in it', async () => {
    await record();
    const { outages } = await json('--from', '2026-10-10T20:15', '--to', '2026-10-10T20:45');
    expect(outages).toMatchObject([{ within_ms: 30 * MINUTE }]);
    expect((await json('--from', '2026-10-12', '--to', '2026-10-13')).outages).toEqual([]);
    expect((await run('--from', '2026-10-10T20:15', '--to', '2026-10-10T20:45')).out).toMatch(
      /^Sat 10 Oct 20:15 to Sat 10 Oct 20:45, hq\n[\s\S]*30 min of 1 h in the time of this report[\s\S]*began before the time of this report/,
    );
  });

  it.each([
    [
      ['--from', '2026-10-11', '--to', '2026-10-09'],
      "--to wants a time after --from: '2026-10-09' is not after '2026-10-11'",
    ],
    [['--from', '2026-10-11T10:00', '--to', '2026-10-11T10:00'], '--to wants a time after --from'],
    [['--from', '2026-13-01'], "--from wants a time: '2026-13-01' is no time; write 2026-10-01,"],
    [['--from', 'yesterday'], '--from wants a time: "yesterday" is not a duration'],
    [['--from', '2026-10-01', '--to', '10/12/2026'], '--to wants a time: '],
    [
      ['--from', '2026-10-01T08:00 AEST'],
      "'AEST' is no zone that can be told from others; write an offset such as +10:00",
    ],
    [['--from', '2026-10-01T08:00[Mars/Base]'], 'is no zone that can be told from others'],
    [['--from', '2027-01-01'], "'2027-01-01' is still to come"],
    [['--to', '2026-10-01'], '--to wants --from, which says where the report begins'],
    [['--month', '2026-10', '--from', '2026-10-01'], '--month and --from cannot both be'],
    [['--customer', 'nobody'], "there is no customer 'nobody', as no account is configured"],
    [['--customer', 'acme', '--source', 'provider'], '--customer and --source cannot both be'],
  ])('%j is refused with what would be right', async (argv, words) => {
    await record();
    const { exit, err, out } = await run(...argv);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain(words);
  });
});

describe('without a word of the time', () => {
  it('is of the last whole month, where something of it is known', async () => {
    await record();
    expect(await json()).toMatchObject({ month: '2026-09' });
  });

  it('is of the month so far where nothing is, and says so', async () => {
    recorded.history.swept('provider', { components: null }, NOW - DAY, MINUTE);
    await recorded.history.record();
    expect((await run()).out).toMatch(
      /^September 2026, hq: not known, as the history begins Mon 19 Oct 20:00 AEDT\. The month so far:\n\nOctober 2026, hq\n/,
    );
    const { out, err } = await run('--format', 'json');
    expect(JSON.parse(out)).toMatchObject({ month: '2026-10' });
    expect(err).toContain('The month so far');
  });
});

describe('of whom', () => {
  beforeEach(() => writeFileSync(join(cwd, 'linewatch.yaml'), CONFIG + ACCOUNTS));

  it('is said by the names of customers, and never by that of the host', async () => {
    await record();
    const { out } = await run('--month', '2026-10');
    expect(out).toMatch(/^October 2026\n/);
    expect(out).toMatch(/\nAcme Pty Ltd +5 /);
    expect(out).toMatch(/Acme Pty Ltd: Richmond/);
    expect(out).not.toMatch(/\ba1\b/);
  });

  it('one customer is reported with the pages named for it', async () => {
    await record();
    const { out } = await run('--month', '2026-10', '--customer', 'ACME');
    expect(out).toMatch(/^October 2026, Acme Pty Ltd\n/);
    expect(await run('--month', '2026-10', '--customer', 'acme pty ltd')).toMatchObject({ exit: 0, out });
    expect(out).not.toContain('Zenith');
    const report = await json('--month', '2026-10', '--customer', 'Zenith');
    expect([report.sites.map(({ source }) => source), report.outages.length]).toEqual([['z1'], 1]);
    expect((await run('--customer', 'nobody')).err).toContain(
      "there is no customer 'nobody'; known are acme and Zenith",
    );
  });
});

describe('what was committed and is not in the history yet', () => {
  async function commit(alerts: Alert[], ids: string[]): Promise<void> {
    const directory = join(cwd, 'state');
    const store = openFiles({ directory, disk: realDisk, access: 'write', now: () => NOW });
    const document = await openDocumentsOf(store, () => undefined).source(
      'provider',
      createPageState('https://status.example.com'),
    );
    const unrecorded = ids.map((id) => ({ ...recordedFall(id, NOW - 3 * MINUTE), alert: null }));
    await document.commit({ ...document.value, alerts, unrecorded });
    await store.close();
  }

  it('counts without a daemon, once', async () => {
    await record();
    const fresh = alert('fresh', 2, NOW - 3 * MINUTE, { status: 'resolved', resolvedAt: NOW - MINUTE });
    await commit([fresh, alert('open', 3, NOW - 2 * MINUTE)], ['a', 'b']);
    const { outages } = await json('--month', '2026-10');
    expect(outages.map(({ number, within_ms: ms }) => [number, ms / MINUTE])).toEqual([
      [1, 60],
      [2, 2],
      [3, 2],
    ]);
  });

  it('is over where the history has it open still', async () => {
    await record();
    recorded.history.committed('provider', {
      at: NOW - HOUR,
      states: null,
      phones: null,
      unrecorded: [],
      alerts: [alert('long', 4, NOW - HOUR)],
    });
    await recorded.history.record();
    expect((await json('--month', '2026-10')).outages.find(({ number }) => number === 4)).toMatchObject({
      within_ms: HOUR,
    });
    await commit([alert('long', 4, NOW - HOUR, { status: 'resolved', resolvedAt: NOW - HOUR / 2 })], []);
    expect((await json('--month', '2026-10')).outages.find(({ number }) => number === 4)).toMatchObject({
      within_ms: HOUR / 2,
    });
  });
});
