/** A replay in which every rule about calls fires: no whole number of its world is in what it prints. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { toNumberKey } from '../../src/core/text/phone-number.ts';
import { fakePlatform } from '../support/platform.ts';
import { phonesAt, rawRegistrations } from '../support/raw-registrations.ts';

const START = Date.parse('2026-03-24T02:00:00.000Z');
const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
const PHONES = phonesAt('203.0.113.7', 1001, 8);
const ROUTE = { dialplan_name: 'Main line', condition_name: 'Business hours', external_did: '1300555019' };
const CALLER_ID = '61390004100';
const CUBA = ['5371234567', '5371234568', '5371234569'];
const KINDS = ['agents.none', 'calls.missed', 'fraud.suspected', 'route.dead', 'spend.limit'] as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewatch-numbers-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Numbers of everybody in the world, as their reports have them. */
const numbers = new Set<string>(['1300555019', CALLER_ID]);
let ids = 0;

function row(minute: number, from: string, to: string, talk: number): object {
  for (const number of [from, to]) if (number.length > 5) numbers.add(number);
  ids += 1;
  const end = START / 1000 + minute * 60;
  const times = { created_time: end - talk - 5, answer_epoch: end - talk, end_epoch: end };
  const rate = to.startsWith('53') ? '53' : '61';
  return {
    id: ids,
    uuid: `call-${ids}`,
    from,
    to,
    talk_duration: talk,
    duration: talk + 5,
    rate_digits: rate,
    ...times,
    ...ROUTE,
  };
}

function missedRow(minute: number, from: string, cause: string): object {
  numbers.add(from);
  ids += 1;
  const end = START / 1000 + minute * 60;
  const extensions = { '1001': { extension: '1001', hangup_cause: cause } };
  return {
    uuid: `missed-${ids}`,
    from,
    end_epoch: end,
    answer_epoch: 0,
    duration: 20,
    wait_sec: 20,
    ...ROUTE,
    extensions,
  };
}

function charge(minute: number, to: string, amount: number): object {
  ids += 1;
  const start = new Date(START + minute * MINUTE).toISOString().slice(0, 19).replace('T', ' ');
  return {
    unique_id: ids,
    uuid: '',
    from: CALLER_ID,
    to,
    charge: amount,
    start_time: start,
    seconds: 120,
    call_rate_name: 'Cuba',
  };
}

const past = Array.from({ length: 30 }, (_, index) => -(index + 1) * DAY_MINUTES + 60);
const answered = past.flatMap((minute, index) => [
  row(minute, `04123452${10 + index}`, '1001', 60),
  row(minute + 5, `04123453${10 + index}`, '1002', 90),
]);
const ordinary = past.map((minute, index) => row(minute + 9, CALLER_ID, `04123454${10 + index}`, 60));
const fraud = Array.from({ length: 14 }, (_, index) => row(96 + index / 5, CALLER_ID, CUBA[index % 3] ?? '', 120));
const missed = [
  ...Array.from({ length: 5 }, (_, index) => missedRow(100 + index, `041234550${index}`, 'USER_NOT_REGISTERED')),
  missedRow(80, '0398765432', 'NO_ANSWER'),
];
const charges = CUBA.map((to, index) => charge(96 + index, to, 20));

function step(minute: number, more: object): object {
  return { at: new Date(START + minute * MINUTE).toISOString(), account: 'acme', ...more };
}

async function replayed(...flags: string[]): Promise<string> {
  const file = join(folder, 'every.json');
  const support = [{ id: 21, name: 'Support', agents: {}, status_counts: {} }];
  const base = { 'answered-extensions': answered, 'agent-status': support };
  const steps = [
    step(0, {
      registrations: rawRegistrations(PHONES),
      extensions: [],
      toggles: [],
      reports: { ...base, 'outgoing-calls': ordinary },
    }),
    step(70, { registrations: rawRegistrations(PHONES.slice(0, 1)) }),
    step(110, {
      reports: {
        ...base,
        'outgoing-calls': [...ordinary, ...fraud],
        'missed-calls': Object.fromEntries(missed.map((one, index) => [String(index), one])),
        outgoing: charges,
      },
    }),
    step(130, { registrations: rawRegistrations(PHONES) }),
    step(170, { toggles: [] }),
  ];
  const acme = {
    sites: { '203.0.113.7': 'Richmond' },
    calls: { missed: true, routes: true, country: '61', billing_timezone: 'UTC' },
    spend: { daily: 50, currency: 'AUD' },
    skillsets: { Support: { staffed: ['Mon-Sun 00:00-24:00'], at_least: 1, for: '5m' } },
  };
  await writeFile(file, JSON.stringify({ name: 'every', accounts: { acme }, steps }));
  const platform = fakePlatform({ argv: ['replay', ...flags, file], cwd: folder });
  expect(await runCommand(platform, COMMANDS)).toBe(0);
  const { out, err } = platform.written();
  return `${out}\n${err}`;
}

/** Numbers of which the digits stand somewhere, however they are grouped. */
function findWhole(text: string): string[] {
  const digits = text.replace(/(?<=\d)[ -](?=\d)/g, '');
  return [...numbers].filter((number) => digits.includes(toNumberKey(number) ?? number));
}

test('every rule fires, and nothing printed has a whole number of anybody', async () => {
  const lines = (await replayed('--json'))
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const kinds = new Set(lines.map((line) => (JSON.parse(line) as { kind?: string }).kind));
  expect(KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
  expect(numbers.size).toBeGreaterThan(90);
  expect(findWhole(lines.join('\n'))).toEqual([]);
  expect(findWhole(await replayed())).toEqual([]);
});

test('a receiver with whole numbers reads them, and the masked one beside it never does', async () => {
  const file = join(folder, 'linewatch.yaml');
  const receivers = [
    { name: 'whole', type: 'slack', webhook_url: 'https://slack.test/1', numbers: 'full' },
    { name: 'masked', type: 'slack', webhook_url: 'https://slack.test/2' },
  ];
  const page = { name: 'provider', base_url: 'https://status.test' };
  const route = { receivers: ['whole', 'masked'], group_wait: '0s' };
  await writeFile(file, JSON.stringify({ timezone: 'UTC', status_pages: [page], receivers, route }));
  const lines = (await replayed('--json', '--config', file)).split('\n').filter((line) => line.includes('"message"'));
  const readBy = (name: string): string => lines.filter((line) => line.includes(`"receiver":"${name}"`)).join('\n');
  const kinds = (text: string): string[] => KINDS.filter((kind) => text.includes(`"kind":"${kind}"`));
  expect([kinds(readBy('whole')), kinds(readBy('masked'))]).toEqual([KINDS, KINDS]);
  expect(findWhole(readBy('whole'))).toEqual(
    expect.arrayContaining(['1300555019', CALLER_ID, ...CUBA, '0398765432', '0412345500']),
  );
  expect(findWhole(readBy('masked'))).toEqual([]);
});

test('a whole number is found in whatever groups it is printed', () => {
  expect(findWhole('from 0398 765 432 at 14:03')).toEqual(['0398765432']);
  expect(findWhole('from 03•• ••• 432')).toEqual([]);
});
