/** Accounts of another member are kept as sums: all that is shown of them is the same. */
import { expect, test } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import type { SourceShard } from '../../../src/config/shards.ts';
import type { AccountState } from '../../../src/core/engine/account-kind.ts';
import type { SourceState } from '../../../src/core/engine/page-kind.ts';
import { listMessages } from '../../../src/core/outbox/message.ts';
import { openOtherShard } from '../../../src/daemon/members/other-shard.ts';
import { createStatusReader } from '../../../src/daemon/status/status-reader.ts';
import { readLastFacts } from '../../../src/daemon/status/last-facts.ts';
import { toSourceDocument } from '../../../src/store/document-name.ts';
import { MINUTE, missed, phones, rounds, town } from '../../core/account/paper-town.ts';
import { createSharedMemory, type SharedMemory } from '../../support/shared-memory.ts';

const SCHEMA = 2;

function configured(name: string, baseUrl: string): object {
  return {
    name,
    baseUrl,
    displayName: null,
    labels: { customer: `${name} Pty Ltd` },
    sites: { '203.0.113.7': 'Richmond', '203.0.113.8': 'Carlton' },
    sitePages: {},
    statusPages: ['provider'],
    unreachableAfter: 5 * MINUTE,
    registrations: { interval: MINUTE },
    toggles: { interval: MINUTE, expect: [] },
  };
}

function configOf(states: Readonly<Record<string, AccountState>>, page: SourceState): Config {
  return {
    instance: 'hq',
    timezone: 'UTC',
    statusPages: [{ name: 'provider', baseUrl: page.baseUrl, interval: MINUTE, unreachableAfter: MINUTE }],
    accounts: Object.entries(states).map(([name, { baseUrl }]) => configured(name, baseUrl)),
    receivers: [{ name: 'people', type: 'slack' }],
  } as unknown as Config;
}

/** One account has lost two sites, one a phone, one cannot be read, and the provider has trouble. */
async function play() {
  const all = town();
  const accounts = [
    all.account('acme', [...phones(100, 8, '203.0.113.7'), ...phones(200, 8, '203.0.113.8')]),
    all.account('umber', phones(100, 6, '203.0.113.7')),
    all.account('quoll', phones(100, 6, '203.0.113.7')),
  ];
  const [acme, umber, quoll] = accounts;
  await rounds(all, accounts, 3);
  all.world.openNotice({ subject: 'Calls fail', components: [1] });
  acme?.lose(() => true);
  umber?.lose(({ extension }) => extension === '102');
  if (quoll !== undefined) quoll.instead = { registrations: missed() };
  await rounds(all, accounts, 12);
  const states = Object.fromEntries(accounts.map(({ name, state }) => [name, state]));
  /** Of the last step that had something to send. */
  const sending = accounts.flatMap(({ steps }) => steps.findLast(({ out }) => out.state.outbox.length > 0) ?? []);
  const [acmeSending, umberSending] = sending.map(({ out }) => out.state);
  if (acmeSending === undefined || umberSending === undefined) return expect.fail('nothing is sent');
  return { page: all.page, states, now: all.now(), acmeSending, umberSending };
}

test('the status and each alert of accounts in sums are those of their whole state', async () => {
  const { page, states, now } = await play();
  const config = configOf(states, page);
  const memory = createSharedMemory();
  memory.save(toSourceDocument('provider'), SCHEMA, page);
  for (const [name, state] of Object.entries(states)) memory.save(toSourceDocument(name), SCHEMA, state);
  const shard = { number: 1, sources: ['provider', ...Object.keys(states)] };
  const failed = (source: string): void => expect.fail(source);
  const { facts } = await openOtherShard(shard, { config, shards: [shard], open: memory.open, failed }).read(now);
  const whole = await readLastFacts(
    config,
    {
      own: (value) => Promise.resolve({ value }),
      source: (name) => Promise.resolve({ value: name === 'provider' ? page : (states[name] as never) }),
      account: (name, empty) => Promise.resolve({ value: states[name] ?? empty }),
      receiver: (_, value) => Promise.resolve({ value }),
      sources: () => Promise.resolve(shard.sources),
    },
    now,
  );
  const [summed, full] = [createStatusReader(() => facts), createStatusReader(() => whole)];
  const { open, sources, receivers } = full.status();
  expect([open.length > 1, sources.some(({ blind }) => blind.length > 0)]).toEqual([true, true]);
  expect(receivers).toMatchObject([{ name: 'people' }]);
  expect(summed.status()).toEqual(full.status());
  for (const { number } of open) expect(summed.alert(number)).toMatchObject({ story: full.alert(number).story });
  // None of them is known phone by phone.
  const isWhole = ({ state }: (typeof facts.sources)[number]): boolean => 'phones' in state.snapshot;
  expect([facts.sources.some(isWhole), whole.sources.filter(isWhole).length]).toEqual([false, 3]);
});

const idsIn = ({ outbox }: AccountState): string[] =>
  outbox.flatMap(listMessages).flatMap(({ id, receiver }) => (receiver === 'people' ? [id] : []));

async function readOf(
  config: Config,
  shards: readonly SourceShard[],
  number: number,
  memory: SharedMemory,
  now: number,
) {
  const shard = shards.find((one) => one.number === number) ?? expect.fail('no shard');
  const failed = (source: string): void => expect.fail(source);
  const { facts } = await openOtherShard(shard, { config, shards, open: memory.open, failed }).read(now);
  return {
    open: createStatusReader(() => facts).status().open.length,
    ids: facts.receivers[0]?.unsettled.map(({ id }) => id),
  };
}

test('an account that was moved shows nothing of the former one, and its messages still wait', async () => {
  const { page, now, acmeSending: acme } = await play();
  const memory = createSharedMemory();
  memory.save(toSourceDocument('acme'), SCHEMA, acme);
  const shards = [{ number: 1, sources: ['acme'] }];
  const ids = idsIn(acme);
  expect(ids).not.toEqual([]);
  expect(await readOf(configOf({ acme }, page), shards, 1, memory, now)).toEqual({ open: 1, ids });
  const moved = configOf({ acme: { ...acme, baseUrl: 'https://moved.example.test' } }, page);
  expect(await readOf(moved, shards, 1, memory, now)).toEqual({ open: 0, ids });
});

test('messages of a source that is no longer watched wait in the first shard alone', async () => {
  const { page, now, acmeSending: acme, umberSending: umber } = await play();
  const memory = createSharedMemory();
  for (const [name, state] of Object.entries({ acme, umber })) memory.save(toSourceDocument(name), SCHEMA, state);
  const config = configOf({ umber }, page);
  const shards = [
    { number: 1, sources: [] },
    { number: 2, sources: ['umber'] },
  ];
  expect((await readOf(config, shards, 1, memory, now)).ids).toEqual(idsIn(acme));
  expect((await readOf(config, shards, 2, memory, now)).ids).toEqual(idsIn(umber));
});
