/** The story of an alert where no daemon runs, and where the history has all of it, nothing, or cannot be read. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { formatStory } from '../../src/cli/alert/alert-story.ts';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import type { StoryReport } from '../../src/core/view/story/story-schema.ts';
import { fakePlatform } from '../support/platform.ts';
import { recordedFall, recordedHistory } from '../support/recorded-history.ts';

const NOW = Date.parse('2026-10-20T09:00:00.000Z');
const HOUR = 3_600_000;

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'alert-show-'));
  mkdirSync(join(cwd, 'state'));
  const page = 'status_pages: [{name: provider, base_url: "https://status.example.com"}]';
  writeFileSync(join(cwd, 'linewatch.yaml'), `instance: hq\ntimezone: Australia/Melbourne\n${page}\n`);
});

afterEach(() => {
  rmSync(cwd, { recursive: true });
});

async function show(...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  const platform = fakePlatform({ argv: ['alert', 'show', ...argv], cwd, now: () => NOW });
  const exit = await runCommand(platform, COMMANDS);
  return { exit, ...platform.written() };
}

async function record(): Promise<void> {
  const { history } = recordedHistory(NOW, join(cwd, 'state'));
  const alert = { id: 'a1', number: 1, severity: 'warning', title: 'Trunks degraded' } as const;
  const rise = recordedFall('b', NOW - HOUR, { from: 'degraded', to: 'operational' });
  const unrecorded = [recordedFall('a', NOW - 2 * HOUR), { ...rise, status: 'resolved' as const, alert }];
  history.committed('provider', { at: NOW - HOUR, states: [], phones: null, alerts: [], unrecorded });
  await history.close();
}

it('tells what only the history remembers, from what to what', async () => {
  await record();
  const { exit, out, err } = await show('1');
  expect([exit, err]).toEqual([0, '']);
  expect(out.split('\n')).toEqual([
    '#1  warning  Trunks degraded',
    'Over: Tue 20 Oct 18:00 AEDT to Tue 20 Oct 19:00 AEDT, 1 h',
    'Watched by: provider',
    'Affects: Trunks',
    '',
    'What happened',
    '  Tue 20 Oct 18:00 AEDT  provider: Degraded: Trunks',
    '      operational → degraded',
    '  Tue 20 Oct 19:00 AEDT  provider: Operational again: Trunks',
    '      degraded → operational',
    '',
  ]);
  const { history } = JSON.parse((await show('1', '--json')).out) as StoryReport;
  expect(history?.events).toMatchObject([
    { status: 'open', from: 'operational', to: 'degraded' },
    { status: 'resolved', from: 'degraded', to: 'operational' },
  ]);
});

it('refuses a number that nobody knows', async () => {
  const nobody = { exit: 1, out: '', err: expect.stringContaining('There is no alert #2, or it is forgotten.') };
  expect(await show('2')).toEqual(nobody);
  await record();
  expect(await show('2')).toEqual(nobody);
});

it('says why the history cannot be read', async () => {
  writeFileSync(join(cwd, 'state', 'history.db'), 'a letter to a friend'.repeat(500));
  expect(await show('1')).toMatchObject({ exit: 1, out: '', err: expect.stringContaining('it is damaged') });
});

const REMEMBERED: Omit<StoryReport, 'history'> = {
  id: 'a1',
  number: 1,
  status: 'open',
  severity: 'warning',
  title: 'Calls fail',
  state: null,
  started_at: new Date(NOW - HOUR).toISOString(),
  resolved_at: null,
  sources: ['provider'],
  also: [],
  affected: [],
  url: null,
  acknowledged: null,
  not_told: null,
  told: [],
  untold: [],
  silences: [],
  words: [{ source: 'provider', at: null, state: 'investigating', text: 'We look.' }],
};

it.each([
  ['a daemon that does not tell the history yet', {}, []],
  ['a history that has nothing', { history: null }, []],
  ['a member that does not answer', { callers_unread: 'It is away.' }, ['Callers: It is away.']],
  ['a history that cannot be read', { history: null, history_unread: 'It is damaged.' }, ['', 'It is damaged.']],
])('of %s what is remembered is shown', (_of, more, lines) => {
  const reader = { timezone: 'Australia/Melbourne', now: NOW };
  // A daemon of before answers without it.
  expect(formatStory({ ...REMEMBERED, ...more } as StoryReport, reader)).toEqual([
    '#1  warning  Calls fail',
    'Open since Tue 20 Oct 19:00 AEDT (1 h)',
    'Watched by: provider',
    ...lines,
    '',
    'In the provider’s words',
    '  Investigating',
    '    We look.',
  ]);
});

/** What an account has of an alert. */
function partOf(customer: string | null, offline: number): NonNullable<StoryReport['parts']>[number] {
  const phones = { total: 10, offline, by_site: [] };
  return {
    source: `account-${offline}`,
    customer,
    phase: 'open',
    affected: { phones, components: [], toggles: [] },
  };
}

const PAGE_PART: NonNullable<StoryReport['parts']>[number] = {
  source: 'provider',
  customer: null,
  phase: 'open',
  affected: { phones: null, components: ['SIP Registration'], toggles: [] },
};

function affectedIn(parts: StoryReport['parts']): string[] {
  const story = { ...REMEMBERED, history: null, affected: ['100 (Desk 1)', '200 (Desk 1)'], parts } as StoryReport;
  const lines = formatStory(story, { timezone: 'Australia/Melbourne', now: NOW });
  return lines.slice(
    lines.findIndex((line) => line.startsWith('Affects')),
    lines.indexOf(''),
  );
}

it('counts the phones of several customers, ten at most, and names no extensions', () => {
  const counts = [1, 3, 2, 4, 5, 6, 7, 8, 9, 10, 0, 0].map((offline) => partOf(`Customer ${offline}`, offline));
  expect(affectedIn([PAGE_PART, ...counts])).toEqual([
    'Affects: 12 customers, SIP Registration',
    ...[10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((offline) => `  Customer ${offline}: ${offline} of 10 phones offline`),
    '  and 2 more',
  ]);
  expect(affectedIn([partOf('Acme', 2), partOf(null, 1)])).toEqual([
    'Affects: 2 accounts',
    '  Acme: 2 of 10 phones offline',
    '  account-1: 1 of 10 phones offline',
  ]);
});

it('names the extensions of a single customer', () => {
  expect(affectedIn([PAGE_PART, partOf('Acme', 2)])).toEqual(['Affects: 100 (Desk 1) and 200 (Desk 1)']);
  expect(affectedIn(undefined)).toEqual(['Affects: 100 (Desk 1) and 200 (Desk 1)']);
});
