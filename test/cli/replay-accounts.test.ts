/** Histories with accounts: raw answers beside those of the page, through the real pipeline, until nothing waits. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { fakePlatform } from '../support/platform.ts';
import { phonesAt, rawRegistrations } from '../support/raw-registrations.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const RICHMOND = phonesAt('203.0.113.7', 101, 6);
const CARLTON = phonesAt('203.0.113.8', 201, 12);
const EVERYBODY = [...RICHMOND, ...CARLTON];
const SITES = { '203.0.113.7': 'Richmond', '203.0.113.8': 'Carlton' };
const QUIET = {
  status: { page: { name: 'Example', state: 'operational' } },
  components: [{ id: 1, name: 'SIP Registration', state: 'operational' }],
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewatch-replay-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Line {
  type: 'message' | 'transition';
  at: string;
  kind?: string;
  source?: string;
  receiver?: string;
  title?: string;
  text?: string;
  reminder?: number;
  status?: string;
  alert: { id: string; number: number } | null;
  changes?: { kind: string }[];
  details?: { domain?: { kind: string; name: string } };
}

/** A step so many minutes after the start. */
function step(minute: number, more: object): object {
  return { at: new Date(START + minute * MINUTE).toISOString(), ...more };
}

async function replayed(
  history: object,
  ...argv: string[]
): Promise<{ exit: number; lines: Line[]; out: string; err: string }> {
  const file = join(folder, 'night.json');
  await writeFile(file, JSON.stringify(history));
  const platform = fakePlatform({ argv: ['replay', ...argv, file], cwd: folder });
  const exit = await runCommand(platform, COMMANDS);
  const { out, err } = platform.written();
  const lines = argv.includes('--json') && out !== '' ? out.trim().split('\n') : [];
  return { exit, out, err, lines: lines.map((line): Line => JSON.parse(line)) };
}

function minuteOf({ at }: Line): number {
  return (Date.parse(at) - START) / MINUTE;
}

const SITE_DOWN = {
  name: 'night',
  accounts: { acme: { sites: SITES, labels: { customer: 'acme' } } },
  steps: [
    step(0, QUIET),
    step(0, { account: 'acme', registrations: rawRegistrations(EVERYBODY) }),
    step(10, { account: 'acme', registrations: rawRegistrations(CARLTON) }),
    step(40, { account: 'acme', registrations: rawRegistrations(EVERYBODY) }),
  ],
};

/** A notice of this type about registrations, from the first minute to the end. */
function noticeOf(type: 'planned' | 'unplanned'): object {
  const at = new Date(START).toISOString();
  const state = type === 'planned' ? 'underway' : 'investigating';
  const window = type === 'planned' ? { begins_at: at, ends_at: new Date(START + 600 * MINUTE).toISOString() } : {};
  const shared = { id: 7, type, timeline_state: 'present', state, subject: 'Core switch', began_at: at };
  const notice = { ...shared, ...window, created_at: at, updated_at: at };
  const [row] = QUIET.components;
  return { ...QUIET, notices: [notice], details: { 7: { ...notice, components: [row], updates: [] } } };
}

describe('a history with an account', () => {
  test('tells people of a dead site by its name, and programs by its domain', async () => {
    const { exit, lines } = await replayed(SITE_DOWN, '--json');
    expect(exit).toBe(0);
    const mass = lines.find(({ kind }) => kind === 'registration.mass');
    expect(mass).toMatchObject({
      type: 'transition',
      source: 'acme',
      status: 'open',
      details: { domain: { kind: 'site', name: 'Richmond' } },
    });
    const [, opened, resolved] = lines.filter(({ type }) => type === 'message');
    expect(opened).toMatchObject({ receiver: 'everybody', alert: { id: mass?.alert?.id } });
    expect(opened?.title).toContain('Richmond');
    expect(opened?.text).toContain('6 of 6');
    expect(minuteOf(opened ?? lines[0]!)).toBeLessThan(17);
    expect(resolved?.changes?.map(({ kind }) => kind)).toEqual(['registration.restored']);
    expect(resolved?.alert?.id).toBe(opened?.alert?.id);
  });

  test.each([
    ['unplanned', 'the provider has trouble that may explain it (#1)', 'The trouble is #1 Core switch.'],
    ['planned', 'the provider has planned work under way that may explain it (#1)', 'The work is #1 Core switch.'],
  ] as const)('explains a loss by %s notices in their own words, and reminds of it', async (type, words, named) => {
    const steps = [
      step(0, QUIET),
      step(0, { account: 'acme', registrations: rawRegistrations(EVERYBODY) }),
      step(5, noticeOf(type)),
      step(10, { account: 'acme', registrations: {} }),
      step(270, { account: 'acme', registrations: {} }),
    ];
    const { lines } = await replayed({ ...SITE_DOWN, steps }, '--json');
    const messages = lines.filter((line) => line.type === 'message');
    const explained = messages.filter(({ title }) => title?.includes(words));
    expect(explained.map(({ text }) => text?.includes(named))).toEqual([true]);
    expect(messages.filter((line) => line.reminder === 1)).toHaveLength(1);
  });

  test('plays on after its last step until what was seen there is told', async () => {
    const { lines } = await replayed({ ...SITE_DOWN, steps: SITE_DOWN.steps.slice(0, 3) }, '--json');
    expect(lines.some(({ type, title }) => type === 'message' && title?.includes('Richmond'))).toBe(true);
    const held = await replayed(
      {
        ...SITE_DOWN,
        steps: [
          ...SITE_DOWN.steps.slice(0, 3),
          step(30, { account: 'acme', registrations: rawRegistrations([...CARLTON, ...RICHMOND.slice(0, 2)]) }),
        ],
      },
      '--json',
    );
    // Two of six back are no news of their own; they are told twenty minutes later.
    const last = held.lines.at(-1);
    expect(last?.changes?.map(({ kind }) => kind)).toEqual(['registration.restored']);
    expect(minuteOf(last ?? held.lines[0]!)).toBeGreaterThan(49);
  });

  test('names the customer where there are several, by its display name, as the real daemon does', async () => {
    const others = step(0, { account: 'zenith', registrations: rawRegistrations(phonesAt('198.51.100.3', 301, 4)) });
    const [first, ...steps] = SITE_DOWN.steps;
    const accounts = { acme: { ...SITE_DOWN.accounts.acme, display_name: 'Acme Pty Ltd' } };
    const { lines } = await replayed({ ...SITE_DOWN, accounts, steps: [first, others, ...steps] }, '--json');
    const titles = lines.flatMap(({ type, title = '', changes = [] }) =>
      type === 'message' && changes.some(({ kind }) => kind.startsWith('registration.')) ? [title] : [],
    );
    expect(titles).toHaveLength(2);
    for (const title of titles) expect(title).toMatch(/^Acme Pty Ltd: /);
    const alone = await replayed({ ...SITE_DOWN, accounts }, '--json');
    expect(alone.out).not.toContain('Acme Pty Ltd');
  });

  test('waits for company as long as a route does that says nothing else, and not with what is critical', async () => {
    const oneLost = step(10, { account: 'acme', registrations: rawRegistrations(EVERYBODY.slice(1)) });
    const { lines } = await replayed({ ...SITE_DOWN, steps: [...SITE_DOWN.steps.slice(0, 2), oneLost] }, '--json');
    const waited = (all: readonly Line[], sought: string): number => {
      const seen = all.find(({ kind }) => kind === sought);
      const told = all.find(
        ({ type, changes = [] }) => type === 'message' && changes.some(({ kind }) => kind === sought),
      );
      return Date.parse(told?.at ?? '') - Date.parse(seen?.at ?? '');
    };
    expect(waited(lines, 'registration.lost')).toBe(10_000);
    expect(waited((await replayed(SITE_DOWN, '--json')).lines, 'registration.mass')).toBe(0);
  });

  test('takes what was not read for unknown and not for gone', async () => {
    const unread = step(10, { account: 'acme', registrations: { error: 503 } });
    const { lines } = await replayed({ ...SITE_DOWN, steps: [...SITE_DOWN.steps.slice(0, 2), unread] }, '--json');
    const told = lines.flatMap(({ kind }) => kind ?? []);
    expect(told).toContain('source.unreachable');
    expect(told.filter((kind) => kind.startsWith('registration.'))).toEqual([]);
  });

  test.each([
    ['a list in place of a map', EVERYBODY.map((phone) => Object.values(rawRegistrations([phone]))[0]?.[0]), true],
    ['an empty map as a list', [], true],
    ['a web page', '<html></html>', false],
    ['a refusal', { error: 401 }, false],
  ])('reads %s as it would over HTTP', async (_what, registrations, isRead) => {
    const first = SITE_DOWN.steps.slice(0, 2);
    const odd = step(10, { account: 'acme', registrations });
    const { lines } = await replayed({ ...SITE_DOWN, steps: [...first, odd] }, '--json');
    expect(lines.some(({ kind }) => kind === 'source.unreachable' || kind === 'source.credentials')).toBe(!isRead);
  });

  test('counts a loss to the notice of its page', async () => {
    const at = new Date(START + 9 * MINUTE).toISOString();
    const notice = {
      id: 7,
      type: 'unplanned',
      timeline_state: 'present',
      state: 'investigating',
      subject: 'Registrations failing',
      began_at: at,
      created_at: at,
      updated_at: at,
    };
    const update = { state: 'investigating', content: 'We are looking.', created_at: at, updated_at: at };
    const { lines } = await replayed(
      {
        ...SITE_DOWN,
        steps: [
          ...SITE_DOWN.steps.slice(0, 2),
          step(9, {
            notices: [{ ...notice, latest_update: update }],
            details: { 7: { ...notice, components: QUIET.components, updates: [update] } },
          }),
          step(10, { account: 'acme', registrations: {} }),
        ],
      },
      '--json',
    );
    const opened = lines.find(({ kind }) => kind === 'notice.opened');
    const mass = lines.find(({ kind }) => kind === 'registration.mass');
    expect(mass?.alert?.id).toBe(opened?.alert?.id);
  });

  test('follows what the file says of an account, and else the configuration', async () => {
    const config = join(folder, 'linewatch.yaml');
    await writeFile(
      config,
      JSON.stringify({
        status_pages: [{ name: 'provider', base_url: 'https://status.example.com' }],
        accounts: [
          {
            name: 'acme',
            base_url: 'https://api.example.com',
            api_key: 'key',
            sites: { '203.0.113.7': 'Elsewhere' },
            registrations: { offline_after: '20m' },
          },
        ],
        receivers: [
          { name: 'bus', type: 'webhook', url: 'https://bus.example.com' },
          { name: 'ops', type: 'slack', webhook_url: 'https://hooks.slack.com/services/T/B/x' },
        ],
        route: { receivers: ['bus', 'ops'] },
      }),
    );
    const { lines } = await replayed(SITE_DOWN, '--json', '--config', config);
    const mass = lines.find(({ kind }) => kind === 'registration.mass');
    expect(mass?.details?.domain?.name).toBe('Richmond');
    expect(minuteOf(mass ?? lines[0]!)).toBeGreaterThanOrEqual(30);
    expect(new Set(lines.flatMap(({ receiver }) => receiver ?? []))).toEqual(new Set(['ops']));
    await rm(config);
  });

  test('is told in lines as well', async () => {
    const { out } = await replayed(SITE_DOWN);
    expect(out).toContain('night\n');
    expect(out).toContain('to everybody by route; because registration.mass (open)');
  });
});

describe('a mistake is named with its file, step and key', () => {
  test.each([
    [
      { steps: [step(0, { account: 'acme', registrations: { error: 'soon' } })] },
      'step 1: registrations.error: it has',
    ],
    [{ steps: [step(0, { registrations: {} })] }, 'step 1: registrations: whose?'],
    [
      { accounts: { acme: { stes: {} } }, steps: [step(0, { account: 'acme' })] },
      'accounts.acme.stes: unknown key; did you mean "sites"?',
    ],
    [
      { accounts: { acme: { registrations: { offline_after: 'soon' } } }, steps: [step(0, { account: 'acme' })] },
      'accounts.acme.registrations.offline_after: ',
    ],
  ])('%j', async (history, message) => {
    const { exit, err } = await replayed(history);
    expect(exit).toBe(2);
    expect(err).toContain(`${join(folder, 'night.json')}: ${message}`);
  });
});

test('messages are those of the daemon: customers by their names, defaults of a route, links of page and installation', async () => {
  const config = join(folder, 'linewatch.yaml');
  await writeFile(
    config,
    [
      'timezone: UTC',
      'http: {listen: "127.0.0.1:8469", external_url: "https://linewatch.example.com"}',
      'status_pages: [{name: provider, base_url: "https://status.example.com"}]',
      'accounts:',
      `  - {name: acme, base_url: "https://a.example.com", api_key: key, display_name: Acme Pty Ltd, sites: ${JSON.stringify(SITES)}}`,
      '  - {name: kew, base_url: "https://k.example.com", api_key: key, display_name: Kew Kindergarten}',
      'receivers: [{name: desk, type: webhook, url: "https://bus.example.com/x"}, {name: chat, type: slack, webhook_url: "https://hooks.example.com/x"}]',
      'route: {receivers: [desk], group_wait: 3m, routes: [{matchers: {source: [acme]}, receivers: [chat]}]}',
    ].join('\n'),
  );
  const page = { name: 'Example', state: 'operational', url: 'https://status.example.com/' };
  const [first, ...others] = SITE_DOWN.steps;
  const quiet = { ...first, ...QUIET, status: { page } };
  const { lines, err } = await replayed({ name: 'night', steps: [quiet, ...others] }, '--config', config, '--json');
  expect(err).toBe('');
  const loss = lines.find(({ type, changes }) => type === 'message' && changes?.[0]?.kind === 'registration.mass');
  expect(loss).toMatchObject({
    receiver: 'chat',
    title: 'Acme Pty Ltd: 6 of 6 phones at Richmond are offline',
  });
  expect(loss?.text).toContain('https://linewatch.example.com/alerts/1');
  expect(loss?.text).toContain('https://status.example.com/');
  expect(lines.map(({ title = '', text = '' }) => `${title} ${text}`).join(' ')).not.toContain('acme');
});
