/** An alert is muted by its number: what it is about is, and nothing else. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Registered } from '../../src/core/account/account-model.ts';
import { createRouteTo } from '../../src/core/alert/route.ts';
import type { Listing } from '../../src/core/observation/listing.ts';
import { createPartMatchers, muteAlert } from '../../src/core/view/muting.ts';
import type { PartView, SystemStatus } from '../../src/core/view/system-status.ts';
import { createControlRoutes, type DaemonContract } from '../../src/daemon/requests/control.ts';
import type { ControlRoutes } from '../../src/control/protocol.ts';
import { createSingleDaemon } from '../../src/daemon/status/daemons.ts';
import { createDaemonStatusReader } from '../../src/daemon/status/status-reader.ts';
import type { WatchedAccount } from '../../src/daemon/loop/options.ts';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import { SETTINGS } from '../core/account/paper-town.ts';
import {
  HOUR,
  MINUTE,
  paperDisk,
  paperReceiver,
  START,
  startPaperDaemon,
  virtualClock,
  type PaperDaemon,
  type PaperReceiver,
} from '../support/paper-daemon.ts';
import { quietLog } from '../support/running-daemon.ts';
import { NO_HISTORY } from '../support/no-history.ts';

const TEN = Array.from({ length: 10 }, (_, index) => String(100 + index));

let running: PaperDaemon;
let world: StatusWorld;
let people: PaperReceiver;
let routes: ControlRoutes<DaemonContract>;
/** Extensions that are not registered, by account. */
let lost: Map<string, readonly string[]>;
let now: () => number;

function account(name: string, address: string): WatchedAccount {
  const listing = <T>(items: T[]): Promise<Listing<T>> =>
    Promise.resolve({ kind: 'observed', items, defects: [], missing: null });
  const contacts = [{ protocol: 'UDP' as const, address, device: null }];
  const here = (): string[] => TEN.filter((extension) => lost.get(name)?.includes(extension) !== true);
  return {
    name,
    baseUrl: `https://api.${name}.example.test`,
    reader: {
      registrations: () => listing(here().map((extension): Registered => ({ extension, contacts }))),
      extensions: () => listing(TEN.map((number) => ({ id: number, number, name: `Desk ${number}` }))),
      toggles: () => listing([]),
      restMs: () => 0,
    },
    registrationsEveryMs: MINUTE,
    togglesEveryMs: HOUR,
    unreachableAfterMs: 5 * MINUTE,
    settings: { ...SETTINGS, sites: {}, customer: `${name} Ltd` },
    page: 'provider',
    labels: { customer: name },
  };
}

beforeEach(async () => {
  lost = new Map();
  const clock = virtualClock(START);
  ({ now } = clock);
  world = createStatusWorld({
    clock,
    name: 'Provider',
    components: ['Trunks', 'SMS', 'Portal'].map((name, index) => ({ id: index + 1, name })),
  });
  people = paperReceiver('ops', 'people');
  running = await startPaperDaemon({
    source: world,
    receivers: [people],
    clock,
    disk: paperDisk(),
    route: createRouteTo(['ops']),
    options: { accounts: [account('acme', '203.0.113.7'), account('beta', '198.51.100.3')] },
  });
  const config = { instance: 'hq', timezone: 'UTC', statusPages: [], accounts: [] };
  const reading = ({ lastReadAt }: { lastReadAt: number | null }) => ({ lastReadAt, unreadMs: 0 });
  const drawn = createDaemonStatusReader(() => ({
    config,
    daemon: running.daemon,
    reading,
    clock,
    startedAt: START,
    log: quietLog,
  }));
  routes = createControlRoutes({
    ...drawn,
    daemons: createSingleDaemon(() => running.daemon),
    now,
    configuration: () => ({ file: '', timezone: 'UTC', database: null }),
    ...NO_HISTORY,
  });
  await running.pass(3 * MINUTE);
});

afterEach(() => running.stop());

async function numberOf(title: string): Promise<number> {
  const found = (await routes['alert.list']({})).find((alert) => alert.title.includes(title));
  if (found === undefined) throw new Error(`no alert is called ${title}`);
  return found.number;
}

const mute = (number: number, more: object = {}): Promise<object[]> =>
  routes['alert.mute']({ number, from: now(), until: now() + 2 * HOUR, comment: '', ...more });

/** What people were told since. */
function titlesSince(count: number): string[] {
  return people.taken.slice(count).map(({ alert }) => alert.title);
}

test('the alert of one customer’s account mutes that customer, and another customer’s loss is told', async () => {
  lost.set('acme', TEN.slice(0, 6));
  await running.pass(15 * MINUTE);
  const before = people.taken.length;
  expect(await mute(await numberOf('acme Ltd'))).toEqual([
    expect.objectContaining({
      matchers: { source: ['acme'] },
      state: 'active',
      comment: expect.stringContaining('acme Ltd'),
    }),
  ]);
  lost.set('acme', TEN);
  await running.pass(15 * MINUTE);
  expect(titlesSince(before)).toEqual([]);
  lost.set('beta', TEN);
  await running.pass(15 * MINUTE);
  const told = titlesSince(before);
  expect(told.length).toBeGreaterThan(0);
  expect(told.every((title) => title.includes('beta Ltd') && !title.includes('acme'))).toBe(true);
});

test('one phone’s alert mutes that phone alone', async () => {
  lost.set('acme', ['101']);
  await running.pass(15 * MINUTE);
  expect(await mute(await numberOf('101'), { comment: 'on leave' })).toMatchObject([
    { matchers: { source: ['acme'], extension: ['101'] }, comment: 'on leave' },
  ]);
});

test('a notice mutes its components: another outage of the same page is told', async () => {
  world.openNotice({ subject: 'SMS late', components: ['SMS'] });
  await running.pass(2 * MINUTE);
  const before = people.taken.length;
  const [made] = await mute(await numberOf('SMS late'));
  expect(made).toMatchObject({ matchers: { source: ['provider'], component: ['SMS'] }, comment: 'SMS late' });
  world.openNotice({ subject: 'Portal slow', components: ['Portal'] });
  await running.pass(2 * MINUTE);
  expect(titlesSince(before)).toEqual(['Portal slow']);
});

test('a number that is unknown, and one that is over, are one sentence each', async () => {
  await expect(mute(77)).rejects.toThrow(/^There is no alert #77\.$/);
  const notice = world.openNotice({ subject: 'SMS late', components: ['SMS'] });
  await running.pass(2 * MINUTE);
  const number = await numberOf('SMS late');
  world.closeNotice(notice, {});
  await running.pass(2 * MINUTE);
  await expect(mute(number)).rejects.toThrow(new RegExp(`^Alert #${number} is not open: there is nothing to mute\\.$`));
  expect(await routes['silence.list']({})).toEqual([]);
});

test('times that make no sense are refused as for any silence', async () => {
  lost.set('acme', ['101']);
  await running.pass(15 * MINUTE);
  const number = await numberOf('101');
  await expect(mute(number, { until: now() })).rejects.toThrow('over before it begins');
  await expect(routes['alert.mute']({ number: '1', from: 0, until: 1, comment: '' })).rejects.toThrow('cannot be read');
});

describe('what an alert is about, as matchers', () => {
  const sources = [
    { name: 'provider', type: 'status page' },
    { name: 'acme', type: 'account' },
    { name: 'beta', type: 'account' },
  ] as SystemStatus['sources'];
  const part = (source: string, more: Partial<PartView> = {}): PartView => ({
    source,
    affected: [],
    narrower: null,
    silencedBy: null,
    ...more,
  });

  test('names of components are those of a page; what an account shows are names of phones', () => {
    const affected = ['Trunks', 'SMS, national'];
    expect(createPartMatchers({ sources }, part('provider', { affected }))).toEqual({
      source: ['provider'],
      component: affected,
    });
    expect(createPartMatchers({ sources }, part('acme', { affected }))).toEqual({ source: ['acme'] });
    const many = Array.from({ length: 26 }, (_, index) => `Component ${index}`);
    expect(createPartMatchers({ sources }, part('provider', { affected: many }))).toEqual({ source: ['provider'] });
  });

  test('accounts that are muted as a whole share a silence, and every other part has its own', () => {
    const phone = { key: 'extension', values: ['101'] };
    const parts: [PartView, ...PartView[]] = [
      part('provider', { affected: ['Trunks'] }),
      part('acme'),
      part('beta'),
      part('acme', { narrower: phone }),
    ];
    expect(muteAlert({ sources }, { parts })).toEqual([
      { source: ['acme', 'beta'] },
      { source: ['provider'], component: ['Trunks'] },
    ]);
    expect(muteAlert({ sources }, { parts: [part('beta', { narrower: phone })] })).toEqual([
      { source: ['beta'], extension: ['101'] },
    ]);
  });
});
