/** What happened, as people and programs ask for it, with a daemon beside and without one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { createSampleMessage } from '../../src/core/wording/samples/samples.ts';
import { fakePlatform } from '../support/platform.ts';
import { recordedFall, recordedHistory, type RecordedHistory } from '../support/recorded-history.ts';

const NOW = Date.parse('2026-10-20T09:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let cwd: string;
let recorded: RecordedHistory;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'history-command-'));
  mkdirSync(join(cwd, 'state'));
  const page = 'status_pages: [{name: provider, base_url: "https://status.example.com"}]';
  writeFileSync(join(cwd, 'linewatch.yaml'), `instance: hq\ntimezone: Australia/Melbourne\n${page}\n`);
});

afterEach(async () => {
  await recorded.history.close();
  rmSync(cwd, { recursive: true });
});

async function run(...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  const platform = fakePlatform({ argv, cwd, now: () => NOW });
  const exit = await runCommand(platform, COMMANDS);
  return { exit, ...platform.written() };
}

/** The daemon goes on to hold the history open for writing. */
async function record(): Promise<void> {
  recorded = recordedHistory(NOW, join(cwd, 'state'));
  const details = { name: 'SMS Gateway', parent_id: null, path: [], notice: null };
  const fall = recordedFall('b', NOW - DAY, { subject: 'component/2', details });
  const rise = recordedFall('c', NOW - HOUR, { from: 'degraded', to: 'operational' });
  const unrecorded = [recordedFall('a', NOW - 10 * DAY), fall, rise];
  recorded.history.committed('provider', { at: NOW - 11 * DAY, states: [], phones: null, alerts: [], unrecorded });
  await recorded.history.flush();
}

async function ids(...argv: string[]): Promise<string[]> {
  const { out, err } = await run('history', '--json', ...argv);
  expect(err).toBe('');
  return (JSON.parse(out) as { id: string }[]).map(({ id }) => id);
}

it('lists the last seven days, oldest first, for people and for programs', async () => {
  await record();
  expect(await ids()).toEqual(['b', 'c']);
  expect((await run('history')).out.split('\n')[0]).toBe(
    'Mon 19 Oct 20:00 AEDT  provider #1  SMS Gateway: operational → degraded (component.state, open)',
  );
  expect((await run('history', '--csv')).out.split('\r\n')[1]).toMatch(
    /^"2026-10-19T09:00:00.000Z","provider","component.state",/,
  );
});

it('says the values of each change in words, whatever they are', async () => {
  recorded = recordedHistory(NOW, join(cwd, 'state'));
  const kinds = ['toggle.state', 'notice.rescheduled', 'notice.impact', 'maintenance.reminder'] as const;
  const unrecorded = kinds.flatMap((kind) =>
    createSampleMessage(kind, 'mail', NOW - HOUR).changes.map(({ transition, status }, place) => ({
      transition: { ...transition, id: `${kind} ${place}`, at: NOW - HOUR },
      status,
      alert: null,
    })),
  );
  recorded.history.committed('provider', { at: NOW, states: [], phones: null, alerts: [], unrecorded });
  await recorded.history.flush();
  const lines = (await run('history')).out.trim().split('\n');
  expect(lines.map((line) => line.replace(/^.*  test  /, ''))).toEqual([
    'Toggle “After hours (test)”: off → on (toggle.state, info)',
    'Core router replacement in Melbourne (test): Wed 21 Oct 19:00–21:00 AEDT → Thu 22 Oct 19:00–21:00 AEDT (notice.rescheduled, update)',
    'Inbound calls failing on Sydney SIP trunks (test): SIP Trunks Sydney → SIP Trunks Sydney and Hosted PBX Sydney (notice.impact, update)',
    'Core router replacement in Melbourne (test): 24 h left (maintenance.reminder, info)',
  ]);
});

it('lists what is asked for', async () => {
  await record();
  expect(await ids('--since', '30d')).toEqual(['a', 'b', 'c']);
  expect(await ids('--since', '2026-10-10T20:00')).toEqual(['a', 'b', 'c']);
  expect(await ids('--since', '2026-10-20')).toEqual(['c']);
  expect(await ids('--since', '30d', '--component', 'sms*')).toEqual(['b']);
  expect(await ids('--since', '30d', '--component', '1')).toEqual(['a', 'c']);
  expect(await ids('--kind', 'page.*')).toEqual([]);
  expect(await ids('--source', 'provider', '--kind', 'component.state')).toEqual(['b', 'c']);
});

it.each([
  [['history', '--since', 'yesterday'], '--since'],
  [['history', '--since', '2026-13-01'], "'2026-13-01' is no time"],
  [['history', '--since', '2100-01-01'], 'still to come'],
  [['history', '--source', 'nobody'], "there is no source 'nobody'; known are provider"],
  [['history', '--kind', 'component.stat'], "there is no 'component.stat'"],
  [['history', '--json', '--csv'], '--json and --csv'],
  [['report', '--month', '2026-11'], '--month 2026-11 has not begun yet'],
  [['report', '--month', 'October'], "--month wants a month such as 2026-10, not 'October'"],
  [['report', '--format', 'pdf'], '--format wants one of text, html, csv, json'],
])('%j is refused with what would be right', async (argv, words) => {
  await record();
  const { exit, err, out } = await run(...argv);
  expect([exit, out]).toEqual([2, '']);
  expect(err).toContain(words);
});

it('says so where there is no history, or none that can be read', async () => {
  recorded = recordedHistory(NOW, join(cwd, 'nowhere'));
  expect(await run('history')).toMatchObject({ exit: 1, err: expect.stringContaining('there is no history in') });
  writeFileSync(join(cwd, 'state', 'history.db'), 'a letter to a friend'.repeat(500));
  expect(await run('report')).toMatchObject({ exit: 1, err: expect.stringContaining('it is damaged') });
});

it('reports a month', async () => {
  await record();
  const { exit, out } = await run('report', '--month', '2026-10');
  expect(exit).toBe(0);
  expect(out).toContain('October 2026, hq');
  expect((await run('report', '--month', '2026-10', '--format', 'html')).out).toMatch(/^<!doctype html>/);
  expect((await run('report', '--month', '2026-10', '--format', 'csv')).out).toMatch(/^\uFEFF"section","source",/);
  expect(JSON.parse((await run('report', '--month', '2026-10', '--format', 'json')).out)).toMatchObject({
    month: '2026-10',
  });
  expect((await run('report')).out).toContain('September 2026, hq');
});
