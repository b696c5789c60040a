import { expect, test } from 'vitest';
import { plan, sweepCost } from '../../src/config/plan.ts';
import { load, loaded } from './loading.ts';

const RECEIVERS = ['a', 'b', 'c']
  .map((name) => `  - {name: ${name}, type: webhook, url: "https://${name}.example.com"}\n`)
  .join('');

async function remarks(route: string, page = ''): Promise<string[]> {
  const text = `status_pages: [{name: provider, base_url: "https://status.example.com"${page}}]\nreceivers:\n${RECEIVERS}route: ${route}\n`;
  return plan(loaded(await load(text, { require: 'run' }))).remarks;
}

test('a sweep of 100 components is 7 requests and 1.3 s, of 1,000 it is 43 and 9.4 s', () => {
  expect(sweepCost(100, 5, 150)).toEqual({ components: 100, requests: 7, takes: 1_305 });
  expect(sweepCost(1_000, 5, 150)).toEqual({ components: 1_000, requests: 43, takes: 9_390 });
  expect(sweepCost(0, 0.5, 150)).toEqual({ components: 0, requests: 4, takes: 3 * (150 + 2_010) + 150 });
});

test('says how many components an interval is enough for', async () => {
  const page = loaded(await load('status_pages: [{name: provider, base_url: "https://status.example.com"}]'));
  const [planned] = plan(page).statusPages;
  expect(planned).toMatchObject({ interval: 30_000, intervalDuringIncident: 10_000 });
  const most = planned?.mostComponents ?? 0;
  expect(sweepCost(most, 5).takes).toBeLessThanOrEqual(30_000);
  expect(sweepCost(most + 1, 5).takes).toBeGreaterThan(30_000);
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
])('%s', async (route, expected) => {
  expect(await remarks(route)).toEqual(expected);
});

async function remarksOnAccounts(count: number, more: string): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `  - {name: customer-${index}}\n`).join('');
  const text =
    `account_defaults: {base_url: "https://api.example.com", api_key: "key", ${more}}\naccounts:\n${names}` +
    'receivers: [{name: bus, type: webhook, url: "https://bus.example.com"}]\nroute: {receivers: [bus]}\n';
  return plan(loaded(await load(text, { require: 'run' }))).remarks;
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
