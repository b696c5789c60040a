/** Histories with reports of calls: who was missed is told a quarter of an hour after the outage, with masked numbers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { fakePlatform } from '../support/platform.ts';
import { phonesAt, rawRegistrations } from '../support/raw-registrations.ts';

const START = Date.parse('2026-03-24T02:00:00.000Z');
const MINUTE = 60_000;
const PHONES = phonesAt('203.0.113.7', 1001, 8);
const ROUTE = { dialplan_name: 'Main line', condition_name: 'Business hours' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewatch-calls-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Line {
  type: 'message' | 'transition';
  at: string;
  kind?: string;
  text?: string;
  title?: string;
  alert: { number: number } | null;
  changes?: { kind: string }[];
}

const secondsAt = (minute: number): number => START / 1000 + minute * 60;

function step(minute: number, more: object): object {
  return { at: new Date(START + minute * MINUTE).toISOString(), account: 'acme', ...more };
}

function missed(minute: number, from: string, lasted = 20): object {
  const uuid = `missed-${minute}-${from}`;
  const row = { answer_epoch: 0, end_epoch: secondsAt(minute) + lasted, duration: lasted, wait_sec: lasted };
  return {
    [uuid]: {
      uuid,
      service_id: 1,
      from,
      external_did: '1300555019',
      hangup_case: 'ORIGINATOR_CANCEL',
      ...row,
      ...ROUTE,
      extensions: [],
    },
  };
}

function talked(minute: number, from: string, to: string, talk: number): object {
  const times = {
    answer_epoch: secondsAt(minute) + 5,
    end_epoch: secondsAt(minute) + 5 + talk,
    created_time: secondsAt(minute),
  };
  const id = minute * 1000 + talk;
  return {
    id,
    uuid: `call-${id}`,
    from,
    to,
    talk_duration: talk,
    duration: talk + 5,
    external_did: 1300555019,
    rate_digits: 61,
    ...times,
    ...ROUTE,
  };
}

async function replayed(calls: object): Promise<Line[]> {
  const file = join(folder, 'calls.json');
  const steps = [
    step(0, { registrations: rawRegistrations(PHONES), extensions: [], toggles: [] }),
    step(63, { registrations: rawRegistrations(PHONES.slice(0, 1)) }),
    step(130, { registrations: rawRegistrations(PHONES) }),
    step(133, {
      reports: {
        'missed-calls': {
          ...missed(67, '0412345209'),
          ...missed(72, '61412345209'),
          ...missed(80, '0398765432'),
          ...missed(85, 'anonymous'),
          ...missed(90, '0411111111', 3),
          ...missed(95, '0422222222'),
          ...missed(96, '0433333333'),
        },
        'outgoing-calls': [talked(131, '61390004100', '0433333333', 40)],
        'answered-extensions': [talked(131, '0422222222', '1001', 60)],
        voicemail: [
          {
            uuid: 'v1',
            created_epoch: String(secondsAt(73)),
            username: '1001',
            cid_number: '412345209',
            message_len: '10',
          },
        ],
      },
    }),
  ];
  await writeFile(
    file,
    JSON.stringify({ name: 'calls', accounts: { acme: { sites: { '203.0.113.7': 'Richmond' }, ...calls } }, steps }),
  );
  const platform = fakePlatform({ argv: ['replay', '--json', file], cwd: folder });
  expect(await runCommand(platform, COMMANDS)).toBe(0);
  return platform
    .written()
    .out.trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
}

describe('callers of an outage', () => {
  test('are told once, a quarter of an hour after its end, in its alert', async () => {
    const lines = await replayed({ calls: { missed: true } });
    const told = lines.filter(
      ({ type, changes }) => type === 'message' && changes?.some(({ kind }) => kind === 'calls.missed') === true,
    );
    expect(told).toHaveLength(1);
    const [message] = told;
    const end = lines.find(({ kind }) => kind === 'registration.restored');
    const after = (Date.parse(message?.at ?? '') - Date.parse(end?.at ?? '')) / MINUTE;
    expect(after).toBeGreaterThanOrEqual(15);
    expect(after).toBeLessThan(18);
    expect(message?.alert?.number).toBe(1);
    expect(message?.text).toContain('2 of 4 callers of the outage (');
    expect(message?.text).toContain('· 04•• ••• 209 · left a message');
    expect(message?.text).toContain('03•• ••• 432');
    expect(message?.text).toContain('1 of 3 has been called back since.');
    expect(message?.text).toContain('1 call came from withheld numbers.');
    expect(message?.text).not.toContain('222');
  });

  test('are nowhere with their whole numbers', async () => {
    const lines = await replayed({ calls: { missed: true } });
    expect(JSON.stringify(lines)).not.toMatch(/412345209|398765432/);
  });

  test('are not read where nothing of calls is configured', async () => {
    const lines = await replayed({});
    expect(lines.some(({ kind }) => kind?.startsWith('calls.') === true)).toBe(false);
  });
});
