import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { fakePlatform, type FakeMachine } from '../support/platform.ts';

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'config-commands-'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

function run(...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  return runWith({}, ...argv);
}

async function runWith(
  machine: Pick<FakeMachine, 'typed' | 'isTerminal'>,
  ...argv: string[]
): Promise<{ exit: number; out: string; err: string }> {
  const platform = fakePlatform({ argv, cwd, env: { LINEWATCH_CONFIG: join(cwd, 'linewatch.yaml') }, ...machine });
  const exit = await runCommand(platform, COMMANDS);
  return { exit, ...platform.written() };
}

describe('config init', () => {
  it('writes a file that config check accepts, for its owner alone', async () => {
    expect(await run('config', 'init')).toMatchObject({ exit: 0, err: '' });
    expect(statSync(join(cwd, 'linewatch.yaml')).mode & 0o777).toBe(0o600);
    const { exit, out, err } = await run('config', 'check');
    expect(exit).toBe(0);
    expect(out).toContain('status page provider: every 30s');
    expect(out).toContain('receiver ops-slack: slack');
    expect(err).toContain('linewatch.yaml:');
    expect(err).toContain('the credential "slack" cannot be read');
  });

  it('for the unit’s own path names the places the unit uses', async () => {
    const { exit, out } = await run('config', 'init', '--print', '--config', '/etc/linewatch/linewatch.yaml');
    expect(exit).toBe(0);
    expect(out).toMatch(/^state_dir: \/var\/lib\/linewatch\ncredentials_dir: \/etc\/linewatch\/credentials /m);
    expect(out).toMatch(/^# yaml-language-server: \$schema=\/.*\/config\/linewatch\.schema\.json\n/);
    expect((await run('config', 'init', '--print')).out).not.toMatch(/^(state|credentials)_dir/m);
  });

  it('leaves a file that is there as it is', async () => {
    writeFileSync(join(cwd, 'mine.yaml'), 'mine');
    const { exit, out, err } = await run('config', 'init', '--config', 'mine.yaml');
    expect({ exit, out }).toEqual({ exit: 1, out: '' });
    expect(err).toBe('linewatch: mine.yaml is already there and stays as it is; --config names another file\n');
    expect(readFileSync(join(cwd, 'mine.yaml'), 'utf8')).toBe('mine');
  });

  it('says that a folder is missing', async () => {
    const { exit, err } = await run('config', 'init', '--config', 'no/where.yaml');
    expect([exit, err]).toEqual([1, 'linewatch: no/where.yaml cannot be written: its folder does not exist\n']);
  });

  it('only prints when asked to', async () => {
    const { exit, out } = await run('config', 'init', '--print');
    expect(exit).toBe(0);
    expect(out).toContain('status_pages:');
    expect(existsSync(join(cwd, 'linewatch.yaml'))).toBe(false);
  });
});

/** Asked which type of page it is. */
const provider = await startProvider({ startStory: false });
afterAll(() => provider.close());
const READ = `${provider.statusUrl} is the provider’s own interface.\n`;

describe('config init with what is at hand', () => {
  const PAGE = ['--page', provider.statusUrl];
  // The machine of these tests has no zone but UTC.
  const ZONE = ['--timezone', 'Australia/Melbourne'];
  const ACCOUNT = [...PAGE, '--account', provider.accountUrl];
  const ALL = [...ACCOUNT, ...ZONE, '--slack', '--mail', 'ops@example.com'];
  const KEY = provider.token;
  const SITES =
    'Sites: Site 1 (198.51.100.24, 12 phones) and Site 2 (203.0.113.7, 12 phones). Change their names under accounts, sites.\n';
  const WEBHOOK = 'https://hooks.slack.com/services/T0/B0/planted';

  it('writes a configuration that is right, and its secrets as files of its owner alone', async () => {
    const given = await runWith({ typed: `${KEY}\n${WEBHOOK}\n` }, 'config', 'init', ...ALL);
    expect(given).toMatchObject({ exit: 0, err: '' });
    expect(given.out).toBe(
      `${READ}${SITES}Wrote linewatch.yaml, credentials/account, credentials/slack.\nNext:\n` +
        '  linewatch config check  shows what would run\n  linewatch notify test   sends a sample to every receiver\n' +
        '  linewatch run           watches and notifies\n',
    );
    const files = ['linewatch.yaml', 'credentials/account', 'credentials/slack'];
    expect(files.map((file) => statSync(join(cwd, file)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    expect(statSync(join(cwd, 'credentials')).mode & 0o777).toBe(0o700);
    const text = readFileSync(join(cwd, 'linewatch.yaml'), 'utf8');
    expect(text).not.toMatch(new RegExp(`planted|${KEY}`));
    const check = await run('config', 'check');
    expect(check).toMatchObject({ exit: 0, err: '' });
    for (const line of ['status page provider', 'account account', 'ops-slack: slack', 'ops-mail: email']) {
      expect(check.out).toContain(line);
    }
    expect(check.out).not.toContain('note:');
  });

  it('takes secrets from files, and the password of a mail server', async () => {
    writeFileSync(join(cwd, 'hook'), `${WEBHOOK}\n`);
    writeFileSync(join(cwd, 'word'), 'planted\n');
    const smtp = ['--smtp', 'me@example.com@mail.example.com:465', '--smtp-password-file', 'word'];
    const mail = ['--mail', 'a@example.com', '--mail', 'b@example.com', ...smtp];
    expect(await run('config', 'init', ...PAGE, '--slack-file', 'hook', ...mail)).toMatchObject({ exit: 0, err: '' });
    const text = readFileSync(join(cwd, 'linewatch.yaml'), 'utf8');
    expect(text).toContain('security: tls\n      username: me@example.com\n      password: ${credential:smtp}');
    expect(text).toContain('from: Linewatch <me@example.com>');
    expect(readFileSync(join(cwd, 'credentials/slack'), 'utf8')).toBe(`${WEBHOOK}\n`);
    expect(await run('config', 'check')).toMatchObject({ exit: 0, err: '' });
  });

  it('says what is yet to be written where nobody gives it, and keeps what is there', async () => {
    mkdirSync(join(cwd, 'credentials'));
    writeFileSync(join(cwd, 'credentials/account'), KEY);
    const { exit, out } = await runWith({ typed: '' }, 'config', 'init', ...ALL);
    expect(exit).toBe(0);
    expect(out).toContain('credentials/account was there already and is used as it is.\n');
    expect(out).toContain('Paste it after: install -m 600 /dev/stdin credentials/slack\n');
    expect(readFileSync(join(cwd, 'credentials/account'), 'utf8')).toBe(KEY);
  });

  it('says that there is nobody to tell yet', async () => {
    const { out } = await run('config', 'init', ...PAGE, ...ZONE);
    expect(out).toBe(
      `${READ}Wrote linewatch.yaml.\nNo receiver yet: the comments of linewatch.yaml show how to add one.\nNext:\n` +
        '  linewatch config check  shows what would run\n  linewatch check         shows the state of everything now\n' +
        '  linewatch run           watches and notifies\n',
    );
    expect((await run('config', 'check')).exit).toBe(0);
  });

  it('asks at a terminal, without showing what is typed, and again where that cannot be', async () => {
    const slack = [...PAGE, ...ZONE, '--slack'];
    const right = await runWith({ typed: `${WEBHOOK}\r`, isTerminal: true }, 'config', 'init', ...slack);
    expect(right).toMatchObject({
      exit: 0,
      err: 'The address of the Slack webhook (not shown; Enter to add it later): \n',
    });
    expect(readFileSync(join(cwd, 'credentials/slack'), 'utf8')).toBe(`${WEBHOOK}\n`);
    const other = ['config', 'init', '--config', 'other.yaml', '--account', 'https://api.example.com'];
    const wrong = await runWith({ typed: 'planted word\r', isTerminal: true }, ...other);
    expect(wrong.exit).toBe(1);
    expect(wrong.err).toMatch(/That is no such thing: it holds a blank[^]*nothing was written/);
    expect(wrong.err).not.toContain('planted');
    expect(existsSync(join(cwd, 'other.yaml'))).toBe(false);
  });

  it.each([
    [['--slack'], 'there is nothing to watch yet: name it with --page URL'],
    [['--webhook', 'https://bus.example.com'], 'there is nothing to watch yet'],
    [['--pagerduty'], 'there is nothing to watch yet'],
    [[...PAGE, '--customer', 'Acme'], '--customer needs --account URL'],
    [[...PAGE, '--site', '203.0.113.7=Richmond'], '--site needs --account URL'],
    [
      [...ACCOUNT, '--site', 'Richmond'],
      "--site is written ADDRESS=NAME, such as 203.0.113.7=Richmond, not 'Richmond'",
    ],
    [[...ACCOUNT, '--customer', 'x'.repeat(81)], '--customer: a display name is one line of 1 to 80 characters'],
    [[...PAGE, '--timezone', 'Melbourne'], '--timezone: "Melbourne" is not a time zone'],
    [[...PAGE, '--webhook', 'bus.example.com'], '--webhook: it is not an address'],
    [[...PAGE, '--webhook-secret'], '--webhook-secret needs --webhook URL'],
    [['--page', 'status.example.com'], '--page: it is not an address; it has to start with https://'],
    [['--account', 'http://api.example.com'], '--account: plain http is allowed to a loopback address only'],
    [[...PAGE, '--slack', WEBHOOK], '--slack takes no address: it is a secret'],
    [[...PAGE, '--mail', 'ops'], '--mail: "ops" is not a mail address'],
    [[...PAGE, '--mail', 'a@b.c', '--smtp', 'me:planted@host'], '--smtp wants a mail server'],
    [[...PAGE, '--smtp', 'host'], '--smtp needs --mail ADDRESS'],
    [[...PAGE, '--api-key-file', 'key'], '--api-key-file needs --account URL'],
    [[...PAGE, '--slack-file', 'none'], 'none: there is no such file'],
    [[...ALL, '--smtp-password-file', 'x'], '--smtp-password-file needs --smtp USER@HOST'],
    [['--config', 'no/where.yaml', ...PAGE], 'no/where.yaml cannot be written: its folder does not exist'],
  ])('writes nothing and says why: %j', async (argv, why) => {
    const { exit, err } = await run('config', 'init', ...argv);
    expect(exit).toBeGreaterThan(0);
    expect(err).toContain(why);
    expect(err).not.toContain('planted');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('writes nothing where a secret is wrong', async () => {
    const { exit, err } = await runWith({ typed: 'no webhook planted\n' }, 'config', 'init', ...PAGE, '--slack');
    expect(exit).toBe(2);
    expect(err).toMatch(/the address of the Slack webhook, as read from standard input: it is not an address/);
    expect(err).not.toContain('planted');
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe('config check', () => {
  it('refuses with a line for each mistake, its place and the nearest right name, on stderr', async () => {
    writeFileSync(join(cwd, 'linewatch.yaml'), 'status_pagse: []\nlog: {level: loud}\n');
    const { exit, out, err } = await run('config', 'check');
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(/^linewatch: the configuration is refused:\n/);
    expect(err).toContain(`${join(cwd, 'linewatch.yaml')}:1:1: status_pagse`);
    expect(err).toContain('status_pages');
    expect(err).toContain(`${join(cwd, 'linewatch.yaml')}:2:`);
  });

  it('accepts the ten lines of the README', async () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
    const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(readme) ?? [];
    writeFileSync(join(cwd, 'linewatch.yaml'), yaml);
    const { exit, out } = await run('config', 'check');
    expect(exit).toBe(0);
    expect(out).toContain('account head-office');
    expect(out).not.toContain('note:');
  });

  it.each([5, 20])('sums up %d accounts where they are many, and keeps every note', async (count) => {
    const accounts = Array.from({ length: count }, (_, place) => {
      const own = place === 1 ? ', unreachable_after: 30s' : place === 2 ? ', registrations: {interval: 2m}' : '';
      return `  - {name: site-${place}, base_url: "https://api${place}.example.com", api_key: sample${own}}`;
    });
    writeFileSync(join(cwd, 'linewatch.yaml'), `accounts:\n${accounts.join('\n')}\n`);
    const { exit, out } = await run('config', 'check');
    expect(exit).toBe(0);
    const lines = out.trim().split('\n');
    const alone = lines.filter((line) => line.startsWith('account '));
    expect(alone).toHaveLength(count === 5 ? 5 : 1);
    expect(alone.find((line) => line.startsWith('account site-2: '))).toContain('every 2m');
    const together =
      '19 accounts (site-0, site-1, site-3, site-4, site-5 and 14 more): registrations of all extensions';
    expect(out.includes(together)).toBe(count === 20);
    expect(lines.filter((line) => line.startsWith('note: account site-1: unreachable_after 30s'))).toHaveLength(1);
    expect(out).toContain('note: nobody is told: receivers and route missing');
  });

  it('says where it looked when there is none', async () => {
    const { exit, err } = await run('config', 'check', '--config', 'absent.yaml');
    expect(exit).toBe(2);
    expect(err).toContain('absent.yaml');
  });
});

describe('config schema', () => {
  it('prints a JSON Schema of the configuration', async () => {
    const { exit, out } = await run('config', 'schema');
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: { status_pages: {}, receivers: {}, route: {} },
    });
  });
});
