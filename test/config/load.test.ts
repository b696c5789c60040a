import { lchown, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { directoryOf, load, loaded, loadFiles, PAGE, requestIn, RUNNABLE, told } from './loading.ts';

describe('finding the file', () => {
  const page = (name: string): string => `status_pages: [{name: ${name}, base_url: "https://status.example.com"}]\n`;
  const files = {
    'asked.yaml': page('asked'),
    'env.yaml': page('env'),
    'linewatch.yaml': page('here'),
    'etc/linewatch/linewatch.yaml': page('system'),
  };

  test.each([
    [{ file: 'asked.yaml', env: { LINEWATCH_CONFIG: 'env.yaml' } }, 'asked'],
    [{ env: { LINEWATCH_CONFIG: 'env.yaml' } }, 'env'],
    [{ env: { LINEWATCH_CONFIG: '' } }, 'here'],
    [{}, 'here'],
  ])('%j finds the one called %s', async (more, name) => {
    expect(loaded(await loadFiles(files, more)).statusPages[0]?.name).toBe(name);
  });

  test('without one in the working directory the system one is taken', async () => {
    const { 'linewatch.yaml': _, ...others } = files;
    expect(loaded(await loadFiles(others)).statusPages[0]?.name).toBe('system');
  });

  test('without any it says where it looked', async () => {
    const cwd = await directoryOf({});
    const [sentence, ...more] = told(await loadConfig(requestIn(cwd)));
    expect(more).toEqual([]);
    expect(sentence).toContain(join(cwd, 'linewatch.yaml'));
    expect(sentence).toContain(join(cwd, 'etc/linewatch/linewatch.yaml'));
    expect(sentence).toContain('--config');
    expect(sentence).toContain('$LINEWATCH_CONFIG');
  });

  test('root takes none unasked that somebody else left in the working directory', async () => {
    const cwd = await directoryOf(files);
    // Whoever runs the tests: nobody but root is root.
    const stranger = 4_711;
    if (process.geteuid?.() === 0) await lchown(join(cwd, 'linewatch.yaml'), stranger, stranger);
    const [sentence, ...more] = told(await loadConfig(requestIn(cwd, { user: 0 })));
    expect(more).toEqual([]);
    expect(sentence).toMatch(/^\S*linewatch\.yaml belongs to another user .* --config linewatch\.yaml$/);
    for (const asked of [{ user: 0, file: 'linewatch.yaml' }, { user: 1_000 }, {}]) {
      expect(loaded(await loadConfig(requestIn(cwd, asked))).statusPages[0]?.name).toBe('here');
    }
  });

  test.runIf(process.geteuid?.() === 0)('root takes its own, unless somebody else made a link to it', async () => {
    const cwd = await directoryOf(files);
    expect(loaded(await loadConfig(requestIn(cwd, { user: 0 }))).statusPages[0]?.name).toBe('here');
    await rm(join(cwd, 'linewatch.yaml'));
    await symlink('asked.yaml', join(cwd, 'linewatch.yaml'));
    await lchown(join(cwd, 'linewatch.yaml'), 4_711, 4_711);
    expect(told(await loadConfig(requestIn(cwd, { user: 0 })))).toEqual([expect.stringContaining('another user')]);
  });

  test('one that is asked for and cannot be read is a problem, not a reason to take another', async () => {
    expect(told(await loadFiles(files, { file: 'none.yaml' }))).toEqual(['none.yaml: there is no such file']);
    const cwd = await directoryOf({ 'a/linewatch.yaml/x': '', 'utf16.yaml': '' });
    const directory = await loadConfig(requestIn(join(cwd, 'a')));
    expect(told(directory)).toEqual(['linewatch.yaml: it is a directory; name a file']);
    await writeFile(join(cwd, 'utf16.yaml'), Buffer.from('\uFEFFinstance: hq', 'utf16le'));
    expect(told(await loadConfig(requestIn(cwd, { file: 'utf16.yaml' })))).toEqual([
      'utf16.yaml: it is not UTF-8 text',
    ]);
    await writeFile(join(cwd, 'large.yaml'), '#'.repeat(1_000_001));
    expect(told(await loadConfig(requestIn(cwd, { file: 'large.yaml' })))).toEqual([
      'large.yaml: it is larger than 1 MB',
    ]);
  });
});

describe('defaults', () => {
  test('of everything but the name and address of a page', async () => {
    const cwd = await directoryOf({ 'linewatch.yaml': PAGE });
    expect(loaded(await loadConfig(requestIn(cwd)))).toEqual({
      file: join(cwd, 'linewatch.yaml'),
      instance: 'host-a',
      timezone: 'Europe/Berlin',
      stateDir: join(cwd, 'state'),
      credentialsDir: '/etc/linewatch/credentials',
      http: {
        listen: { host: '127.0.0.1', port: 8469 },
        listenWanted: false,
        silences: false,
        metricsByPhone: false,
        users: [],
        proxyUserHeader: null,
        mayChange: null,
        externalUrl: null,
      },
      log: { level: 'info', format: 'auto' },
      contact: null,
      limits: { requestsPerSecondPerOrigin: 10 },
      statusPages: [
        {
          name: 'provider',
          type: 'provider',
          baseUrl: 'https://status.example.com',
          interval: 30_000,
          intervalDuringIncident: 10_000,
          requestsPerSecond: 5,
          unreachableAfter: 180_000,
          maintenanceReminders: [86_400_000, 3_600_000],
          maintenanceGrace: 900_000,
          missingAfter: 900_000,
          acceptNewPage: false,
          components: { include: [], exclude: [] },
        },
      ],
      digest: null,
      heartbeat: null,
      database: null,
      history: { keep: 34_560_000_000, import: 12 },
      report: { monthly: [] },
      accounts: [],
      receivers: [],
      rotas: [],
      route: null,
      severityOverrides: [],
    });
  });

  test('$STATE_DIRECTORY wins over the default, not over what is written', async () => {
    const env = { STATE_DIRECTORY: '/var/lib/linewatch:/var/lib/other' };
    expect(loaded(await load(PAGE, { env })).stateDir).toBe('/var/lib/linewatch');
    expect(loaded(await load(`state_dir: /srv/state\n${PAGE}`, { env })).stateDir).toBe('/srv/state');
  });

  test('an interval shorter than the one during an incident holds during an incident, too', async () => {
    const [page] = loaded(await load(PAGE.replace('name:', 'interval: 2s, name:'))).statusPages;
    expect(page).toMatchObject({ interval: 2_000, intervalDuringIncident: 2_000 });
  });

  test('account_defaults are merged key by key', async () => {
    const config = loaded(
      await load(`${PAGE}
account_defaults: {api_key: shared-key, base_url: "https://api.example.com/", labels: {tier: gold}, registrations: {interval: 90s, mass: {count: 5}}}
accounts:
  - {name: a, labels: {customer: acme}, registrations: {mass: {percent: 50}, watch_during: ["Fri 17:30-Mon 08:30"]}}
  - {name: b, api_key: own-key, labels: {tier: lead}}
`),
    );
    expect(config.accounts).toMatchObject([
      {
        name: 'a',
        baseUrl: 'https://api.example.com',
        apiKey: 'shared-key',
        statusPage: 'provider',
        labels: { tier: 'gold', customer: 'acme' },
        registrations: {
          interval: 90_000,
          extensions: 'all',
          offlineAfter: 300_000,
          mass: { count: 5, percent: 50 },
          watchDuring: [{ days: [5], start: 1_050, endDay: 3, end: 510 }],
        },
      },
      {
        name: 'b',
        apiKey: 'own-key',
        labels: { tier: 'lead' },
        registrations: { mass: { count: 5, percent: 30 }, watchDuring: null },
      },
    ]);
  });

  test('with several pages an account that names none has none', async () => {
    const config = loaded(
      await load(`
status_pages:
  - {name: one, base_url: "https://one.example.com"}
  - {name: two, base_url: "https://two.example.com"}
accounts: [{name: a, base_url: "https://api.example.com", api_key: planted}]
`),
    );
    expect(config.accounts[0]?.statusPage).toBeNull();
  });

  test('ports of mail servers go with their security', async () => {
    const mail = (name: string, security: string): string =>
      `  - {name: ${name}, type: email, smtp: {host: localhost${security}}, from: a@example.com, to: b@example.com}\n`;
    const text = `${PAGE}receivers:\n${mail('a', '')}${mail('b', ', security: tls')}${mail('c', ', security: none')}${mail('d', ', port: 2525')}`;
    const { receivers } = loaded(await load(text));
    expect(receivers.map((one) => one.type === 'email' && one.smtp.port)).toEqual([587, 465, 25, 2525]);
    expect(receivers[0]).toMatchObject({
      to: ['b@example.com'],
      smtp: { security: 'starttls', username: null, caFile: null },
    });
  });
});

describe('routes', () => {
  test('children inherit, and only a child makes urgent matters wait', async () => {
    const { route } = loaded(
      await load(`${PAGE}
receivers:
  - {name: bus, type: webhook, url: "https://bus.example.com"}
  - {name: log, type: webhook, url: "https://log.example.com"}
route:
  receivers: [bus]
  group_wait: 20s
  min_severity: warning
  routes:
    - matchers: {source: provider, kind: [notice.*]}
      routes: [{receivers: [log], repeat_interval: 0, events: [opened]}]
    - {group_wait: 1m, repeat_interval: 0s, continue: true}
`),
    );
    expect(route).toMatchObject({
      rule: 'route',
      receivers: ['bus'],
      groupWait: 20_000,
      urgentGroupWait: 0,
      repeatInterval: 14_400_000,
      minSeverity: 'warning',
      events: null,
      routes: [
        {
          rule: 'route.routes[0]',
          matchers: { source: ['provider'], kind: ['notice.*'] },
          receivers: ['bus'],
          groupWait: 20_000,
          urgentGroupWait: 0,
          continue: false,
          routes: [
            {
              rule: 'route.routes[0].routes[0]',
              receivers: ['log'],
              repeatInterval: null,
              minSeverity: 'warning',
              events: ['opened'],
            },
          ],
        },
        { rule: 'route.routes[1]', groupWait: 60_000, urgentGroupWait: 60_000, repeatInterval: null, continue: true },
      ],
    });
  });
});

describe('what YAML wrote in another type', () => {
  test('numbers and truths where texts are wanted are taken as they stand', async () => {
    const config = loaded(
      await load(`${PAGE}
accounts:
  - {name: 2024, base_url: "https://api.example.com", api_key: 00123456, labels: {vip: true, floor: 07}, registrations: {extensions: [0101, 102]}}
`),
    );
    expect(config.accounts[0]).toMatchObject({
      name: '2024',
      apiKey: '00123456',
      labels: { vip: 'true', floor: '07' },
      registrations: { extensions: ['0101', '102'] },
    });
  });

  test('a section with nothing in it is no section', async () => {
    expect(loaded(await load(`${PAGE}accounts:\nroute:\nlog:\n`))).toMatchObject({ accounts: [], route: null });
  });

  test('anchors, aliases and merge keys save typing', async () => {
    const { statusPages } = loaded(
      await load(`
status_pages:
  - &page {name: one, base_url: "https://one.example.com", interval: &often 10s}
  - {<<: *page, name: two, unreachable_after: *often}
`),
    );
    expect(statusPages).toMatchObject([
      { name: 'one', interval: 10_000 },
      { name: 'two', baseUrl: 'https://one.example.com', interval: 10_000, unreachableAfter: 10_000 },
    ]);
  });
});

describe('included files', () => {
  const account = (name: string): string =>
    `accounts: [{name: ${name}, base_url: "https://api.example.com", api_key: "planted-${name}"}]\n`;

  test('bring entries and routes, in the order of their names', async () => {
    const result = await loadFiles({
      'linewatch.yaml': `include: [more/*.yaml, more/a.yaml]\n${RUNNABLE}`,
      'more/b.yaml': account('b'),
      'more/a.yaml': `${account('a')}route: {routes: [{receivers: [bus], matchers: {source: a}}]}\n`,
      'more/sub.yaml/ignored': '',
    });
    const config = loaded(result);
    expect(config.accounts.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(config.route?.routes).toMatchObject([{ rule: 'more/a.yaml: route.routes[0]', receivers: ['bus'] }]);
    expect(result.files.map((file) => file.split('/').at(-1))).toEqual(['linewatch.yaml', 'a.yaml', 'b.yaml']);
  });

  test('are told of by their own names and lines, and hold only what may be included', async () => {
    const result = await loadFiles({
      'linewatch.yaml': `include: more/*.yaml\n${RUNNABLE}`,
      'more/a.yaml': `${account('a')}instance: hq\nroute: {receivers: [bus], routes: [{receivers: [buss]}]}\n`,
      'more/b.yaml': account('a'),
      'more/c.yaml': 'include: [../linewatch.yaml]\n',
    });
    expect(told(result)).toEqual([
      'more/a.yaml:2:1: instance: unknown key. Allowed: status_pages, accounts, receivers, route',
      'more/a.yaml:3:9: route.receivers: unknown key. Allowed: routes',
      'more/a.yaml:3:49: route.routes[0].receivers[0]: no receiver is named "buss"; did you mean "bus"? Named are: bus',
      'more/b.yaml:1:19: accounts[0].name: "a" is already the name of a status page or account (more/a.yaml:1); names are unique',
      'more/c.yaml:1:1: include: unknown key. Allowed: status_pages, accounts, receivers, route',
    ]);
  });
});

describe('what only a run needs', () => {
  test('receivers, a route and something to watch', async () => {
    expect(told(await load('instance: hq\n', { require: 'run' }))).toEqual([
      'linewatch.yaml:1:1: there is nothing to watch; add status_pages or accounts',
      'linewatch.yaml:1:1: receivers is required to run and missing; without one nobody is notified',
      'linewatch.yaml:1:1: route is required to run and missing, as in "route: {receivers: [NAME]}"',
    ]);
    expect(loaded(await load('instance: hq\n', { require: 'check' })).instance).toBe('hq');
    expect(loaded(await load(RUNNABLE, { require: 'run' })).route?.receivers).toEqual(['bus']);
  });
});

test('all problems of all sections are told at once, those between entries included', async () => {
  const lines = told(
    await load(`
instnce: hq
status_pages: [{name: p, base_url: x, interval: 5}, {name: p, base_url: "https://a.example.com"}]
receivers: [{name: bus, type: webhook, url: x}]
route: {receivers: [bus, bsu]}
`),
  );
  expect(lines.map((line) => /^linewatch.yaml:\d+:\d+: [^:]+/.exec(line)?.[0])).toEqual([
    'linewatch.yaml:2:1: instnce',
    'linewatch.yaml:3:36: status_pages[0].base_url',
    'linewatch.yaml:3:49: status_pages[0].interval',
    'linewatch.yaml:3:60: status_pages[1].name',
    'linewatch.yaml:4:45: receivers[0].url',
    'linewatch.yaml:5:26: route.receivers[1]',
  ]);
});

test('a directory that may not be entered is said to be that', async () => {
  const cwd = await directoryOf({});
  await mkdir(join(cwd, 'closed'), { mode: 0o000 });
  const result = await loadConfig(requestIn(cwd, { file: 'closed/linewatch.yaml' }));
  // Root may enter any directory, and then the file is simply not there.
  expect(told(result)[0]).toMatch(
    /^closed\/linewatch.yaml: (the permission to read it is missing|there is no such file)$/,
  );
});
