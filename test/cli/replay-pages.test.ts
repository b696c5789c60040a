/** Histories of several pages: the provider's own and a carrier's, in one night, through the real pipeline. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { answersOf, component, incident, shownPage } from '../pages/statuspage/documents.ts';
import { fakePlatform } from '../support/platform.ts';
import { phonesAt, rawRegistrations } from '../support/raw-registrations.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const RICHMOND = phonesAt('203.0.113.7', 101, 6);
const CARLTON = phonesAt('203.0.113.8', 201, 12);
const EVERYBODY = [...RICHMOND, ...CARLTON];
const RESOLVED = { status: 'resolved', resolved_at: new Date(START + 40 * MINUTE).toISOString() };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewatch-replay-pages-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Line {
  type: 'message' | 'transition';
  kind?: string;
  source?: string;
  receiver?: string;
  title?: string;
  alert: { id: string; number: number; source: string } | null;
  changes?: { kind: string; source: string }[];
  details?: { explained_by?: object };
}

/** A step so many minutes after the start. */
function step(minute: number, more: object): { at: string } {
  return { at: new Date(START + minute * MINUTE).toISOString(), ...more };
}

/** The carrier's page as it answers so many minutes after the start. */
function carrierAt(minute: number, own: Parameters<typeof shownPage>[1] = {}): Record<string, unknown> {
  const at = START + minute * MINUTE;
  return Object.fromEntries(answersOf(shownPage(at, { components: [component('c1', 'Voice')], ...own })));
}

const PROVIDER = {
  status: { page: { name: 'Example', state: 'operational' } },
  components: [{ id: 1, name: 'SIP Registration', state: 'operational' }],
};
const DOWN = [component('c1', 'Voice', 'major_outage')];
const CUT = incident('i1', 'investigating', START + 8 * MINUTE, { name: 'Calls fail', components: DOWN });
const TROUBLE = { incidents: [CUT], components: DOWN, indicator: 'major' };
const PAGES = { carrier: { type: 'statuspage', base_url: 'https://status.carrier.example.com' } };
const SITES = { '203.0.113.7': { name: 'Richmond', status_pages: ['carrier'] }, '203.0.113.8': 'Carlton' };

/** The carrier has trouble, one site is lost, and both come back. */
const NIGHT = {
  name: 'night',
  pages: PAGES,
  accounts: { acme: { sites: SITES } },
  steps: [
    step(0, PROVIDER),
    step(0, { page: 'carrier', answers: carrierAt(0) }),
    step(0, { account: 'acme', registrations: rawRegistrations(EVERYBODY) }),
    step(8, { page: 'carrier', answers: carrierAt(8, TROUBLE) }),
    step(10, { account: 'acme', registrations: rawRegistrations(CARLTON) }),
    step(40, { account: 'acme', registrations: rawRegistrations(EVERYBODY) }),
    step(40, { page: 'carrier', answers: carrierAt(40, { past: [{ ...CUT, ...RESOLVED }] }) }),
  ],
};

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

async function configured(more: object): Promise<string> {
  const config = join(folder, 'linewatch.yaml');
  await writeFile(
    config,
    JSON.stringify({
      timezone: 'UTC',
      status_pages: [
        { name: 'provider', base_url: 'https://status.example.com' },
        { name: 'carrier', type: 'statuspage', base_url: 'https://status.carrier.example.net' },
      ],
      receivers: [{ name: 'ops', type: 'slack', webhook_url: 'https://hooks.slack.com/services/T/B/x' }],
      route: { receivers: ['ops'] },
      ...more,
    }),
  );
  return config;
}

/** The alerts that people were told of the carrier's notice and of the loss, each change under its number. */
function threads(lines: readonly Line[]): Record<string, string[]> {
  const told: Record<string, string[]> = {};
  for (const { type, alert, changes = [] } of lines) {
    if (type !== 'message' || alert === null || alert.number === null) continue;
    const kinds = changes.map(({ kind, source }) => `${source} ${kind}`);
    (told[`#${alert.number}`] ??= []).push(kinds.filter((kind) => !kind.includes('component')).join(', '));
  }
  return told;
}

const ONE_THREAD = {
  '#1': ['carrier notice.opened', 'acme registration.mass', 'acme registration.restored', 'carrier notice.closed'],
};

describe('a night of two pages', () => {
  test('explains the loss of a site by the notice of its carrier, in one thread', async () => {
    const { exit, err, lines } = await replayed(NIGHT, '--json');
    expect(err).toBe('');
    expect(exit).toBe(0);
    const watched = lines.flatMap(({ kind, source }) => (kind === 'source.baseline' ? [String(source)] : []));
    expect(watched.toSorted()).toEqual(['acme', 'carrier', 'provider']);
    const mass = lines.find(({ kind }) => kind === 'registration.mass');
    expect(mass?.details).toMatchObject({ explained_by: { page: 'carrier' } });
    expect(threads(lines)).toEqual(ONE_THREAD);
  });

  test('tells the loss by itself where the carrier says nothing, or is not the page of that site', async () => {
    const silent = NIGHT.steps.filter((one) => one !== NIGHT.steps[3]);
    const elsewhere = { '203.0.113.7': 'Richmond', '203.0.113.8': { name: 'Carlton', status_pages: ['carrier'] } };
    for (const history of [
      { ...NIGHT, steps: silent.slice(0, -1) },
      { ...NIGHT, accounts: { acme: { sites: elsewhere } } },
    ]) {
      const { lines } = await replayed(history, '--json');
      const mass = lines.find(({ kind }) => kind === 'registration.mass');
      expect(mass?.details?.explained_by ?? null).toBeNull();
      expect(mass?.alert?.source).toBe('acme');
    }
  });

  test('follows what the file says of a page, and else the configuration', async () => {
    const leaveOut = { components: { exclude: ['Voice'] } };
    const status_pages = [
      { name: 'provider', base_url: 'https://status.example.com' },
      { name: 'carrier', type: 'statuspage', base_url: 'https://status.carrier.example.net', ...leaveOut },
    ];
    const config = await configured({ status_pages });
    const componentsOf = (lines: readonly Line[]): number =>
      lines.filter(({ kind, source }) => kind === 'component.state' && source === 'carrier').length;
    const asConfigured = await replayed({ ...NIGHT, pages: { carrier: {} } }, '--json', '--config', config);
    expect(asConfigured.err).toBe('');
    expect(asConfigured.lines.some(({ kind, source }) => kind === 'notice.opened' && source === 'carrier')).toBe(true);
    expect(componentsOf(asConfigured.lines)).toBe(0);
    const own = { carrier: { ...PAGES.carrier, components: {} } };
    const asWritten = await replayed({ ...NIGHT, pages: own }, '--json', '--config', config);
    expect(componentsOf(asWritten.lines)).toBeGreaterThan(0);
    await rm(config);
  });

  test('takes the pages an account has from the file, and else from the configuration', async () => {
    const account = { name: 'acme', base_url: 'https://api.example.com', api_key: 'key', sites: SITES };
    const config = await configured({ accounts: [{ ...account, status_page: 'provider' }] });
    const known = await replayed({ ...NIGHT, accounts: {} }, '--json', '--config', config);
    expect(threads(known.lines)).toEqual(ONE_THREAD);
    const plain = { '203.0.113.7': 'Richmond', '203.0.113.8': 'Carlton' };
    await configured({ accounts: [{ ...account, status_page: 'provider', sites: plain }] });
    const accounts = { acme: { status_pages: ['provider', 'carrier'] } };
    // A page of the whole account explains what happens at all of its sites.
    const gone = step(10, { account: 'acme', registrations: {} });
    const steps = NIGHT.steps.map((one, index) => (index === 4 ? gone : one));
    const written = await replayed({ ...NIGHT, accounts, steps }, '--json', '--config', config);
    const configuredAlone = await replayed({ ...NIGHT, accounts: {}, steps }, '--json', '--config', config);
    expect(Object.keys(threads(configuredAlone.lines))).toHaveLength(2);
    expect(threads(written.lines)).toEqual(ONE_THREAD);
    await rm(config);
  });

  test('begins with quiet pages of the provider, whatever they are called', async () => {
    const steps = NIGHT.steps.map((one, index) => (index === 0 ? { ...one, page: 'provider' } : one));
    const degraded = { ...PROVIDER, components: [{ ...PROVIDER.components[0], state: 'degraded' }] };
    const named = {
      ...NIGHT,
      pages: { ...PAGES, provider: {} },
      steps: [{ ...steps[0], ...degraded }, ...steps.slice(1)],
    };
    const { lines } = await replayed(named, '--json', '--from-quiet');
    expect(lines.some(({ kind, source }) => kind === 'component.state' && source === 'provider')).toBe(true);
    const { lines: loud } = await replayed(named, '--json');
    const fallen = loud.filter(({ kind, source }) => kind === 'component.state' && source === 'provider');
    expect(fallen).toEqual([]);
  });
});

test('a pager is told of each alert by itself until its end, and a chat of what it started with', async () => {
  const receivers = [
    { name: 'ops', type: 'slack', webhook_url: 'https://hooks.slack.com/services/T/B/x' },
    { name: 'pager', type: 'pagerduty', routing_key: '0123456789abcdef0123456789abcdef' },
  ];
  const config = await configured({ receivers, route: { receivers: ['ops', 'pager'] } });
  const open = NIGHT.steps.map((one, index) => (index === 1 ? { ...NIGHT.steps[3], at: one.at } : one));
  const { lines, err } = await replayed({ ...NIGHT, steps: open }, '--json', '--config', config);
  expect(err).toBe('');
  const told = (name: string): unknown[] =>
    lines.flatMap(({ type, receiver, alert, changes = [] }) =>
      type === 'message' && receiver === name ? [[alert?.number ?? null, ...changes.map(({ kind }) => kind)]] : [],
    );
  const rest = [
    [1, 'registration.mass'],
    [1, 'registration.restored'],
    [1, 'notice.closed'],
  ];
  expect(told('ops')).toEqual([[null, 'source.baseline', 'source.baseline', 'source.baseline'], ...rest]);
  expect(told('pager')).toEqual([[1, 'notice.opened'], ...rest]);
  await rm(config);
});

describe('a mistake about a page is named with its place', () => {
  const carrier = step(0, { page: 'carrier', answers: {} });
  test.each([
    [{ steps: [carrier] }, 'step 1: page: there is no page "carrier"; the history has no pages'],
    [
      { pages: { telco: {}, isp: {} }, steps: [carrier] },
      'step 1: page: there is no page "carrier"; pages has telco and isp',
    ],
    [
      { pages: { carrier: { type: 'statuspag' } }, steps: [carrier] },
      'pages.carrier.type: "statuspag" is not allowed; did you mean "statuspage"?',
    ],
    [{ pages: { carrier: { typ: 'statuspage' } }, steps: [carrier] }, 'pages.carrier.typ: unknown key'],
    [{ pages: { carrier: 'statuspage' }, steps: [carrier] }, 'pages.carrier: it has to be settings of a status page'],
    [
      { pages: PAGES, steps: [step(0, { ...PROVIDER, page: 'carrier' })] },
      'step 1: the page is of type statuspage: what it shows stands in answers, as it came',
    ],
    [
      { pages: PAGES, accounts: { acme: { status_pages: ['carier'] } }, steps: [carrier] },
      'accounts.acme: there is no status page \'carier\'; did you mean "carrier"?',
    ],
    [
      { pages: PAGES, steps: [step(0, { account: 'carrier', registrations: {} })] },
      'pages.carrier: an account has this name as well',
    ],
    [
      { pages: { provider: {} }, steps: [step(0, PROVIDER)] },
      'pages.provider: steps without "page" show a page of this name as well; name it there',
    ],
  ])('%j', async (history, message) => {
    const { exit, err } = await replayed(history);
    expect(exit).toBe(2);
    expect(err).toContain(`${join(folder, 'night.json')}: ${message}`);
  });

  test('another type than the configuration has, and a page chosen twice', async () => {
    const config = await configured({});
    const file = join(folder, 'night.json');
    const other = await replayed({ ...NIGHT, pages: { carrier: { type: 'instatus' } } }, '--config', config);
    expect(other.err).toContain(
      `${file}: pages.carrier.type: it is instatus, and status page 'carrier' of the configuration is of type statuspage`,
    );
    const twice = await replayed(NIGHT, '--config', config, '--source', 'carrier');
    expect(twice.err).toContain(`${file}: pages.carrier: --source is for the page of steps without "page"`);
    expect([other.exit, twice.exit]).toEqual([2, 2]);
    await rm(config);
  });
});
