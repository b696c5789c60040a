import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPlan, computeSweepCost } from '../../src/config/plan.ts';
import { loadConfig } from '../../src/config/load.ts';
import { directoryOf, load, loaded, PAGE, requestIn, told } from './loading.ts';

const RECEIVERS = ['a', 'b', 'c']
  .map((name) => `  - {name: ${name}, type: webhook, url: "https://${name}.example.com"}\n`)
  .join('');

async function remarks(route: string, page = ''): Promise<string[]> {
  const text = `status_pages: [{name: provider, base_url: "https://status.example.com"${page}}]\nreceivers:\n${RECEIVERS}route: ${route}\n`;
  return createPlan(loaded(await load(text, { require: 'run' }))).remarks;
}

describe('the path of messages', () => {
  async function paths(receivers: string, route = '{receivers: [a, b]}'): Promise<string[]> {
    const pages = 'status_pages: [{name: provider, base_url: "https://status.example.com"}]';
    const account = 'accounts: [{name: office, base_url: "https://api.example.com", api_key: k-0123456789}]';
    const text = `${pages}\n${account}\nreceivers:\n${receivers}route: ${route}\n`;
    const { remarks: all } = createPlan(loaded(await load(text, { require: 'run' })));
    return all.filter((remark) => remark.includes('carried_by'));
  }
  const way = (name: string, carriers: string): string =>
    `  - {name: ${name}, type: webhook, url: "https://${name}.example.com", carried_by: [${carriers}]}\n`;

  test('is pointed out where all of it is carried by what it reports on', async () => {
    expect(await paths(way('a', 'provider') + way('b', 'provider'))).toEqual([
      expect.stringMatching(/^everything critical of provider goes to a and b only, which provider carries/),
      expect.stringMatching(/^everything critical of office goes to a and b only, which provider carries/),
    ]);
  });

  test('is fine where one receiver has another path, or is carried by something else', async () => {
    expect(await paths(way('a', 'provider') + way('b', ''))).toEqual([]);
    expect(await paths(way('a', 'office') + way('b', 'provider'), '{receivers: [a]}')).toEqual([
      expect.stringContaining('everything critical of office goes to a only, which office carries'),
    ]);
  });

  test('names sources that there are', async () => {
    expect(told(await load(`${PAGE}receivers:\n${way('a', 'provder')}route: {receivers: [a]}\n`)).join('')).toContain(
      'receivers[0].carried_by[0]: no source is named "provder"',
    );
  });
});

test('a receiver that proves itself needs another one to be notified', async () => {
  const proving = '  - {name: a, type: slack, webhook_url: "https://hooks.slack.com/services/T/B/c", prove: weekly}\n';
  const other = '  - {name: b, type: webhook, url: "https://b.example.com"}\n';
  const proofs = async (receivers: string): Promise<string[]> => {
    const http = 'http: {external_url: "https://lw.example.com", users: []}';
    const text = `${PAGE}${http}\nreceivers:\n${receivers}route: {receivers: [a]}\n`;
    const { remarks: all } = createPlan(loaded(await load(text, { require: 'run' })));
    return all.filter((remark) => remark.includes('prove'));
  };
  expect(await proofs(proving)).toEqual([
    'receiver a: prove has no other receiver to notify where nobody reads this one; add one',
  ]);
  expect(await proofs(proving + other)).toEqual([]);
  expect(await proofs(proving.replace(', prove: weekly', ''))).toEqual([]);
});

test('a sweep of 100 components is 7 requests and 1.3 s, of 1,000 it is 43 and 9.4 s', () => {
  expect(computeSweepCost(100, 5, 150)).toEqual({ components: 100, requests: 7, takes: 1_305 });
  expect(computeSweepCost(1_000, 5, 150)).toEqual({ components: 1_000, requests: 43, takes: 9_390 });
  expect(computeSweepCost(0, 0.5, 150)).toEqual({ components: 0, requests: 4, takes: 3 * (150 + 2_010) + 150 });
});

test('says how many components an interval is enough for', async () => {
  const page = loaded(await load('status_pages: [{name: provider, base_url: "https://status.example.com"}]'));
  const [planned] = createPlan(page).statusPages;
  expect(planned).toMatchObject({ interval: 30_000, intervalDuringIncident: 10_000 });
  const most = planned?.mostComponents ?? 0;
  expect(computeSweepCost(most, 5).takes).toBeLessThanOrEqual(30_000);
  expect(computeSweepCost(most + 1, 5).takes).toBeGreaterThan(30_000);
});

test.each([
  ['/', []],
  [
    '/history/',
    [
      'status page provider: its base_url has the path /history, so /history/api/v1/status is asked; ' +
        'leave the path out unless the provider names it',
    ],
  ],
])('a base address with the path %s', async (path, said) => {
  const text = `status_pages: [{name: provider, base_url: "https://status.example.com${path}"}]`;
  expect(createPlan(loaded(await load(text))).remarks.filter((remark) => remark.includes('base_url'))).toEqual(said);
});

test('an interval the request limit cannot keep is pointed out', async () => {
  expect(await remarks('{receivers: [a, b, c]}', ', interval: 5s, requests_per_second: 1')).toEqual([
    expect.stringMatching(
      /^status page provider: interval 5s is kept up to \d+ components only at its requests_per_second/,
    ),
    expect.stringMatching(/^status page provider: interval_during_incident 5s is kept/),
  ]);
  expect(await remarks('{receivers: [a, b, c]}', ', interval: 1s, requests_per_second: 0.1')).toEqual([
    expect.stringContaining('interval 1s cannot be kept at all'),
    expect.stringContaining('interval_during_incident 1s cannot be kept at all'),
  ]);
  expect(await remarks('{receivers: [a, b, c]}', ', interval: 10m')).toEqual([
    expect.stringContaining('unreachable_after 3m is shorter than interval 10m'),
  ]);
});

test.each([
  ['{receivers: [a, b, c]}', []],
  ['{receivers: [a]}', ['no route leads to the receivers b and c']],
  ['{receivers: [a], routes: [{receivers: [b, c]}]}', ['no route leads to the receiver a']],
  ['{receivers: [a], routes: [{receivers: [b, c], continue: true}]}', ['no route leads to the receiver a']],
  [
    '{receivers: [], routes: [{matchers: {source: "*"}, receivers: [a, b]}, {receivers: [c]}]}',
    [
      'no route leads to the receiver c',
      'route.routes[1] is never reached: route.routes[0] before it matches everything',
    ],
  ],
  [
    '{receivers: [], routes: [{matchers: {severity: critical}, receivers: [a, b, c]}]}',
    ['route reaches nobody: its receivers are empty'],
  ],
  [
    '{receivers: [a, b, c], routes: [{matchers: {severity: info}, receivers: []}]}',
    ['route.routes[0] reaches nobody: its receivers are empty'],
  ],
  [
    '{receivers: [a, b, c], routes: [{matchers: {source: [other, "x*"]}}]}',
    ['route.routes[0] is never reached: no source matches other or x*'],
  ],
  // A site is not something everything has.
  ['{receivers: [a], routes: [{matchers: {site: "*"}, receivers: [b]}, {receivers: [a, c]}]}', []],
  // Whatever hits more than SMS goes on.
  [
    '{receivers: [a, b], routes: [{matchers: {component: "S*"}, receivers: [b]}, {matchers: {component: SMS}, receivers: [c]}]}',
    [],
  ],
  ['{receivers: [a, b, c], routes: [{matchers: {source: PROVIDER, severity: CRITICAL}, receivers: [a]}]}', []],
  [
    '{receivers: [a, b, c], routes: [{matchers: {severity: [info, warning]}, receivers: [a]}, {matchers: {severity: warning, kind: "notice.*"}, receivers: [b]}]}',
    ['route.routes[1] is never reached: route.routes[0] before it matches everything'],
  ],
  [
    '{receivers: [a, b, c], routes: [{matchers: {customer: acme}, receivers: [a]}]}',
    ['route.routes[0] is never reached: there is nothing with customer=acme'],
  ],
  [
    '{receivers: [a, b, c], routes: [{matchers: {severity: info}, min_severity: warning, receivers: [a], continue: true}, {receivers: [a, b, c]}]}',
    ['route.routes[0] never tells a anything: it wants nothing of what gets there (min_severity, events)'],
  ],
  [
    '{receivers: [b, c], routes: [{receivers: [a], continue: true}, {matchers: {severity: critical}, receivers: [a], continue: true}, {receivers: [b, c]}]}',
    ['route.routes[1] never tells a anything: route.routes[0] leads there before it and wants the same'],
  ],
  // The first that wants the change counts: the ends by one, the rest by the other.
  [
    '{receivers: [b, c], routes: [{receivers: [a], events: [resolved], continue: true}, {receivers: [a], continue: true}, {receivers: [b, c]}]}',
    [],
  ],
])('%s', async (route, expected) => {
  expect(await remarks(route)).toEqual(expected);
});

test('a page for other machines and addresses that can be read on the way are pointed out', async () => {
  const text = (host: string, scheme: string): string =>
    `${PAGE}http: {listen: "${host}:8469", users: [{name: alex, password_hash: "scrypt:65536:8:1:c2FsdHNhbHRzYWx0c2E:aGFzaA"}]}\nheartbeat: {url: "${scheme}://beat.example.com/x"}\n` +
    `receivers: [{name: bus, type: webhook, url: "${scheme}://bus.example.com"}]\nroute: {receivers: [bus]}\n`;
  const all = async (host: string, scheme: string): Promise<string[]> =>
    createPlan(loaded(await load(text(host, scheme), { require: 'run' }))).remarks;
  expect(await all('127.0.0.1', 'https')).toEqual([]);
  expect(await all('0.0.0.0', 'http')).toEqual([
    expect.stringMatching(/^http.listen 0.0.0.0: names and passwords can be read on the way/),
    expect.stringMatching(/^heartbeat.url is plain http/),
    expect.stringMatching(/^receiver bus is plain http/),
  ]);
});

test('an address for people without anybody who may look there is pointed out', async () => {
  const user = 'users: [{name: alex, password_hash: "scrypt:65536:8:1:c2FsdHNhbHRzYWx0c2E:aGFzaA"}]';
  const all = async (http: string): Promise<string[]> =>
    createPlan(
      loaded(
        await load(
          `${PAGE}http: {${http}}\nreceivers: [{name: bus, type: webhook, url: "https://bus.example.com"}]\nroute: {receivers: [bus]}\n`,
          { require: 'run' },
        ),
      ),
    ).remarks;
  const address = 'external_url: "https://lines.example.com"';
  expect(await all(address)).toEqual([
    expect.stringMatching(
      /^http.external_url https:\/\/lines.example.com\/?: nobody can look at the page there; add http.users/,
    ),
  ]);
  for (const fine of [
    `${address}, ${user}`,
    `${address}, proxy_user_header: X-Remote-User`,
    `${address}, listen: "off"`,
    'external_url: "http://localhost:8469"',
    'silences: true',
  ]) {
    expect([fine, await all(fine)]).toEqual([fine, []]);
  }
});

test('a database on another machine whose connection can be read on the way is pointed out', async () => {
  const all = async (place: string): Promise<string[]> => {
    const text = `instance: hq\n${PAGE}receivers: [{name: bus, type: webhook, url: "https://bus.example.com"}]\nroute: {receivers: [bus]}\ndatabase: {url: "postgres://linewatch:hush@${place}"}\n`;
    return createPlan(loaded(await load(text, { require: 'run' }))).remarks;
  };
  expect(await all('db.example.com/linewatch')).toEqual([expect.stringMatching(/^database.url: .*verify-full$/)]);
  expect(await all('db.example.com/linewatch?sslmode=verify-full')).toEqual([]);
  expect(await all('127.0.0.1/linewatch')).toEqual([]);
});

test('a file with secrets that every user of the machine can read is pointed out', async () => {
  const key = (value: string): string =>
    `${PAGE}accounts: [{name: a, base_url: "https://x.example.com", api_key: ${value}}]\n`;
  const exposed = async (text: string, mode: number): Promise<number> => {
    const directory = await directoryOf({ 'linewatch.yaml': text });
    await chmod(join(directory, 'linewatch.yaml'), mode);
    const result = await loadConfig(requestIn(directory));
    return result.ok ? result.exposed.length : -1;
  };
  expect(await exposed(key('hunter22'), 0o644)).toBe(1);
  expect(await exposed(key('hunter22'), 0o640)).toBe(0);
  expect(await exposed(key('"${credential:a}"'), 0o644)).toBe(0);
  expect(await exposed(`${PAGE}heartbeat: {url: "https://beat.example.com/x"}\n`, 0o644)).toBe(1);
});

async function remarksOnAccounts(count: number, more: string): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `  - {name: customer-${index}}\n`).join('');
  const text =
    `account_defaults: {base_url: "https://api.example.com", api_key: "key", ${more}}\naccounts:\n${names}` +
    'receivers: [{name: bus, type: webhook, url: "https://bus.example.com"}]\nroute: {receivers: [bus]}\n';
  return createPlan(loaded(await load(text, { require: 'run' }))).remarks;
}

test('accounts that together ask for more than their origin is asked are pointed out', async () => {
  expect(await remarksOnAccounts(200, 'registrations: {interval: 60s}')).toEqual([]);
  expect(await remarksOnAccounts(400, 'registrations: {interval: 60s}')).toEqual([
    expect.stringMatching(/^400 accounts behind https:\/\/api.example.com ask for 14.00 requests a second, limits\./),
  ]);
});

test('an account that asks for more than it may, or is told of sooner than it is read, is pointed out', async () => {
  expect(await remarksOnAccounts(1, 'requests_per_second: 0.1, toggles: {interval: 10s}')).toEqual([
    expect.stringMatching(
      /^account customer-0: its intervals ask for 0.12 requests a second, its requests_per_second is 0.1/,
    ),
  ]);
  expect(await remarksOnAccounts(1, 'unreachable_after: 1m, toggles: {interval: 2m}')).toEqual([
    'account customer-0: unreachable_after 1m is shorter than interval 2m; two failed sweeps in a row will be told',
  ]);
});

describe('a password for servers of Microsoft', () => {
  const mail = (host: string, more: string): string =>
    `${PAGE}receivers:\n  - {name: mail, type: email, smtp: {host: ${host}, ${more}}, from: a@example.com, to: b@example.com}\n` +
    'route: {receivers: [mail]}\n';
  const password = 'username: a, password: b';

  test.each(['smtp.office365.com', 'SMTP.Office365.com.', 'smtp-mail.outlook.com'])('is named: %s', async (host) => {
    expect(createPlan(loaded(await load(mail(host, password)))).remarks).toEqual([
      `receiver mail: signs in to ${host} with a password, which Microsoft turns off by default at the end of ` +
        'December 2026; set up smtp.oauth before (docs: Receivers, Microsoft 365)',
    ]);
  });

  test.each([
    ['smtp.office365.com', 'oauth: {user: a@example.com, tenant: example.com, client_id: id, client_secret: s}'],
    ['example-com.mail.protection.outlook.com', 'port: 25'],
    ['smtp.office365.com.example.com', password],
    ['mail.example.com', password],
  ])('is not named: %s with %s', async (host, more) => {
    expect(createPlan(loaded(await load(mail(host, more)))).remarks).toEqual([]);
  });
});

test('what customers are called over there is what the preset asks for, and nothing else', async () => {
  const desk = (preset: string, fact: string): string =>
    `receivers: [{name: desk, type: http, ${preset}, customers: {acme: {${fact}: 42}}}]\nroute: {receivers: [desk]}\n`;
  const zendesk = 'preset: zendesk, url: "https://a.example", user: a@b.example, token: secret';
  const wrong = told(await load(desk(zendesk, 'organisation')));
  expect(wrong.filter((line) => line.includes('unknown key'))).toEqual([
    expect.stringContaining('receivers[0].customers.acme.organisation: unknown key; did you mean "organization"?'),
  ]);
  expect(told(await load(desk(zendesk, 'organization'))).filter((line) => line.includes('unknown key'))).toEqual([]);
});

test('a customer without an entry in customers is named, where the preset asks for one', async () => {
  const desk = (customers: string): string =>
    `${PAGE}accounts:\n` +
    ['acme', 'north']
      .map((one) => `  - {name: ${one}, base_url: "https://api.example.com", api_key: k, labels: {customer: ${one}}}\n`)
      .join('') +
    'receivers:\n  - {name: desk, type: http, preset: zendesk, url: "https://desk.example.com", user: a@example.com, token: t' +
    `${customers}}\nroute: {receivers: [desk]}\n`;
  const remarksOn = async (customers: string): Promise<string[]> =>
    createPlan(loaded(await load(desk(customers)))).remarks.filter((remark) => remark.startsWith('receiver'));
  expect(await remarksOn(', customers: {acme: {organization: 42}}')).toEqual([
    "receiver desk: customers has no entry for north, whose tickets name no customer; add them, or '*' for all others",
  ]);
  expect(await remarksOn(', customers: {acme: {organization: 42}, north: {organization: 43}}')).toEqual([]);
  expect(await remarksOn(', customers: {acme: {organization: 42}, "*": {organization: 1}}')).toEqual([]);
});

test('a customer that no account is of is pointed out, where a user may see it', async () => {
  const users = (customers: string): string =>
    `${PAGE}accounts: [{name: office, base_url: "https://api.example.com", api_key: k-0123456789, labels: {customer: acme}}]\n` +
    `http: {users: [{name: anna, password_hash: "scrypt:16384:8:1:AAAAAAAAAAAAAAAAAAAAAA:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", customers: ${customers}}]}\n`;
  const pointedOut = async (customers: string): Promise<string[]> =>
    createPlan(loaded(await load(users(customers)))).remarks.filter((remark) => remark.startsWith('user '));
  expect(await pointedOut('[acmee, acme]')).toEqual([
    'user anna of http.users: no account is of acmee; there are: acme',
  ]);
  expect(await pointedOut('[acme]')).toEqual([]);
});
