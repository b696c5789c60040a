/** `config init` at a terminal: it asks, proposes what the account says, and writes what `config check` accepts. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { proposeSites, type NamedExtension } from '../../src/cli/init/proposed-sites.ts';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { startProvider, type Provider } from '../../src/simulator/embedded-provider.ts';
import { fakePlatform, type FakePlatform } from '../support/platform.ts';

let cwd: string;
let provider: Provider;

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'config-init-'));
  provider = await startProvider();
});

afterEach(async () => {
  await provider.close();
  rmSync(cwd, { recursive: true });
});

interface Ran {
  exit: number;
  out: string;
  err: string;
}

/** Answers one question after the other, each as soon as it stands there. */
async function talk(answers: readonly string[], argv: readonly string[], timezone = 'Etc/UTC'): Promise<Ran> {
  const machine = fakePlatform({ argv: ['config', 'init', ...argv], cwd, isTerminal: true });
  const left = [...answers];
  const platform: FakePlatform = {
    ...machine,
    timezone,
    err: {
      ...machine.err,
      write(text) {
        machine.err.write(text);
        // A question that leaves no room for its answer is followed by a line of its own.
        if (!/(?:: |\n> )$/.test(text)) return;
        const answer = left.shift();
        // As a terminal sends them, after the question and in a piece of its own.
        setImmediate(() => {
          if (answer === undefined) machine.input.stream.push(null);
          else machine.input.stream.push(`${answer}\n`);
        });
      },
    },
  };
  const exit = await runCommand(platform, COMMANDS);
  expect(left).toEqual([]);
  return { exit, ...machine.written() };
}

/** Without a terminal; `typed` is all of standard input. */
async function run(typed: string, argv: readonly string[], timezone = 'Etc/UTC'): Promise<Ran> {
  const machine = fakePlatform({ argv: ['config', ...argv], cwd, typed, env: { CI: '1' } });
  const exit = await runCommand({ ...machine, timezone }, COMMANDS);
  return { exit, ...machine.written() };
}

interface Written {
  timezone?: string;
  accounts?: Record<string, unknown>[];
  receivers?: Record<string, unknown>[];
  route?: Record<string, unknown>;
}

const text = (): string => readFileSync(join(cwd, 'linewatch.yaml'), 'utf8');
const written = (): Written => parse(text()) as Written;
const secret = (name: string): string => readFileSync(join(cwd, 'credentials', name), 'utf8').trim();
const accepted = async (): Promise<void> => {
  const machine = fakePlatform({ argv: ['config', 'check', '--config', 'linewatch.yaml'], cwd });
  expect([await runCommand(machine, COMMANDS), machine.written().err]).toEqual([0, '']);
};

const SLACK = 'https://hooks.slack.com/services/T0/B0/planted';

test('it asks for everything, proposes what the account says, and Enter takes it', async () => {
  const answers = [
    provider.statusUrl,
    provider.accountUrl,
    provider.token,
    'Müller & Söhne Pty Ltd',
    '',
    '',
    'Richmond',
    'slack, mail, pagerduty and webhook',
    'ops@example.com, kim@example.com',
    'relay@mail.example.com:587',
    'https://bus.example.com/linewatch',
    'y',
    SLACK,
    'planted-password',
    'planted-routing-key',
    'planted-secret',
  ];
  const { exit, out, err } = await talk(answers, []);
  expect(exit).toBe(0);
  expect(err).toContain('[Australia/Melbourne, as the account has it]:\n> ');
  expect(err).toContain('  198.51.100.24, 12 phones [Site 1]: ');
  expect(`${out}${text()}`).not.toMatch(/planted|simulated-token/);
  expect(text()).toContain('timezone: Australia/Melbourne ');
  expect(text()).toContain('      198.51.100.24: Site 1 # 12 phones\n      203.0.113.7: Richmond # 12 phones\n');
  const { accounts, receivers, route } = written();
  expect(accounts).toEqual([
    {
      name: 'muller-sohne-pty-ltd',
      display_name: 'Müller & Söhne Pty Ltd',
      base_url: provider.accountUrl,
      api_key: '${credential:account}',
      sites: { '198.51.100.24': 'Site 1', '203.0.113.7': 'Richmond' },
    },
  ]);
  expect(receivers).toMatchObject([
    { name: 'ops-slack', webhook_url: '${credential:slack}' },
    {
      name: 'ops-mail',
      to: ['ops@example.com', 'kim@example.com'],
      smtp: { host: 'mail.example.com', username: 'relay', password: '${credential:smtp}' },
    },
    { name: 'ops-pagerduty', routing_key: '${credential:pagerduty}' },
    { name: 'ops-webhook', url: 'https://bus.example.com/linewatch', secret: '${credential:webhook}' },
  ]);
  // A pager rings for what is critical alone.
  expect(route).toEqual({
    receivers: ['ops-slack', 'ops-mail', 'ops-webhook'],
    routes: [
      {
        matchers: { severity: ['critical'] },
        receivers: ['ops-slack', 'ops-mail', 'ops-pagerduty', 'ops-webhook'],
      },
    ],
  });
  expect(['account', 'slack', 'smtp', 'pagerduty', 'webhook'].map(secret)).toEqual([
    provider.token,
    SLACK,
    'planted-password',
    'planted-routing-key',
    'planted-secret',
  ]);
  await accepted();
});

test('what cannot be is asked again, and nothing that was typed is lost', async () => {
  const answers = [
    'nonsense',
    '',
    'api.example.com',
    provider.accountUrl,
    provider.token,
    'Acme',
    'Melbourne',
    'Australia/Perth',
    '-',
    'West',
    'fax',
    'webhook',
    'bus.example.com',
    'https://bus.example.com',
    'n',
  ];
  const { exit, err } = await talk(answers, []);
  expect(exit).toBe(0);
  expect(err.match(/That cannot be: /g)).toHaveLength(5);
  expect(err).toContain("there is no 'fax', only slack, mail, pagerduty, webhook");
  expect(written()).toMatchObject({
    timezone: 'Australia/Perth',
    accounts: [{ name: 'acme', sites: { '203.0.113.7': 'West' } }],
    receivers: [{ name: 'ops-webhook', url: 'https://bus.example.com' }],
  });
  expect(text()).not.toContain('198.51.100.24');
  await accepted();
});

test('with nothing to watch it is a file to fill in, and an end of the input writes nothing', async () => {
  expect(await talk(['', ''], [])).toMatchObject({
    exit: 0,
    out: expect.stringContaining('Fill in your own') as string,
  });
  expect(text()).toContain('# timezone: ');
  rmSync(join(cwd, 'linewatch.yaml'));
  const ended = await talk([provider.statusUrl], []);
  expect(ended).toMatchObject({ exit: 1, out: '', err: expect.stringContaining('nothing was written') as string });
  expect(existsSync(join(cwd, 'linewatch.yaml'))).toBe(false);
});

test('what an option says is not asked for', async () => {
  const account = ['--account', provider.accountUrl, '--customer', 'Acme', '--timezone', 'Europe/Vienna'];
  const sites = ['--site', '203.0.113.7=Richmond', '--site', '198.51.100.24=Carlton'];
  const { exit, err } = await talk(
    [provider.token],
    ['--page', provider.statusUrl, ...account, ...sites, '--webhook', 'https://bus.example.com'],
  );
  expect(exit).toBe(0);
  expect(err.match(/: /g)).toHaveLength(1);
  expect(text()).toContain('203.0.113.7: Richmond # 12 phones');
});

test('without a terminal nothing is asked, and what is proposed is taken and said', async () => {
  const argv = ['init', '--page', provider.statusUrl, '--account', provider.accountUrl];
  const given = await run(`${provider.token}\n\n`, [...argv, '--customer', 'Acme', '--pagerduty']);
  expect(given).toMatchObject({ exit: 0, err: '' });
  expect(given.out).toContain('Times are in Australia/Melbourne, as the account has it. --timezone names another.');
  expect(given.out).toContain('Sites: Site 1 (198.51.100.24, 12 phones) and Site 2 (203.0.113.7, 12 phones).');
  expect(given.out).toContain('Yet to be written: the routing key of PagerDuty.');
  expect(written()).toMatchObject({
    timezone: 'Australia/Melbourne',
    accounts: [{ name: 'acme', display_name: 'Acme' }],
  });
  // It is all there is to tell, so it is told everything.
  expect(written().route).toEqual({ receivers: ['ops-pagerduty'] });
});

describe('the time zone', () => {
  const page = (): string[] => ['init', '--page', provider.statusUrl];

  test('is that of the machine where the account says none', async () => {
    const { out } = await run('', page(), 'Pacific/Auckland');
    expect(out).toContain('Times are in Pacific/Auckland, as this machine has it.');
    expect(written().timezone).toBe('Pacific/Auckland');
  });

  test.each(['UTC', 'Etc/UTC', 'Etc/GMT', 'nowhere'])('of a machine in %s is said to be UTC', async (zone) => {
    const { out } = await run('', page(), zone);
    expect(out).toContain('Neither an account nor this machine names a time zone: times are in UTC.');
    expect(written().timezone).toBe('UTC');
  });

  test('is asked for where it comes down to UTC', async () => {
    const { err } = await talk(['Europe/Vienna', ''], ['--page', provider.statusUrl]);
    expect(err).toContain('Neither an account nor this machine names a time zone.\n');
    expect(err).toContain('[UTC, or one such as Australia/Melbourne]:\n> ');
    expect(written().timezone).toBe('Europe/Vienna');
  });
});

test('an account that cannot be read is written all the same, and that is said', async () => {
  const argv = ['init', '--account', provider.accountUrl, '--timezone', 'Europe/Vienna', '--customer', 'linewatch'];
  const { exit, out } = await run('planted-key\n', argv);
  expect(exit).toBe(0);
  expect(out).toContain('The account could not be read, so its sites have no names yet: ');
  expect(out).not.toContain('planted-key');
  expect(written().accounts).toMatchObject([{ name: 'linewatch-account', display_name: 'linewatch' }]);
  expect(text()).not.toContain('sites:');
  await accepted();
});

describe('names of sites', () => {
  const at = (address: string, ...extensions: string[]) =>
    extensions.map((extension) => ({
      extension,
      contacts: [{ protocol: 'udp', address, device: null }],
    }));
  const named = (names: Readonly<Record<string, string>>, group: string | null = null): NamedExtension[] =>
    Object.entries(names).map(([number, name]) => ({ number, name, group }));
  const HERE = '203.0.113.7';
  const THERE = '198.51.100.24';

  test('are the words that phones of one address share, and those elsewhere do not', () => {
    const registered = [...at(HERE, '101', '102', '103'), ...at(THERE, '201', '202')];
    const extensions = named({
      101: 'Acme Richmond Reception',
      102: 'Acme Richmond - Desk 2',
      103: 'Acme Richmond (Ann)',
      201: 'Acme Port Melbourne 1',
      202: 'Acme Port Melbourne 2',
    });
    expect(proposeSites(registered, extensions)).toEqual([
      { address: HERE, phones: 3, name: 'Richmond' },
      { address: THERE, phones: 2, name: 'Port Melbourne' },
    ]);
  });

  test('are their group, else a number; never the same twice, and not what one phone is called', () => {
    const registered = [...at(HERE, '101', '102'), ...at(THERE, '201', '202'), ...at('192.0.2.65', '301')];
    const extensions = [
      ...named({ 101: 'Ann', 102: 'Ben' }, 'Warehouse'),
      ...named({ 201: 'Cleo', 202: 'Dan' }, 'default'),
      ...named({ 301: 'Eve' }, 'Home'),
    ];
    expect(proposeSites(registered, extensions).map(({ name }) => name)).toEqual(['Site 1', 'Warehouse', 'Site 3']);
  });

  test('are for public addresses alone, and of version 6 for the network', () => {
    const registered = [
      ...at('10.1.0.4', '101'),
      ...at('100.64.3.2', '102'),
      ...at('fd00::1', '103'),
      ...at('2001:db8:1:2::5', '104'),
      ...at('2001:db8:1:9::6', '105'),
      { extension: '106', contacts: [{ protocol: 'udp', address: null, device: null }] },
    ];
    expect(proposeSites(registered, [])).toEqual([{ address: '2001:db8:1::/48', phones: 2, name: 'Site 1' }]);
  });
});
