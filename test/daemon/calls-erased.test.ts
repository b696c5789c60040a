/** Calls of an account are personal data: they go with the account, and with what had them read. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CallLedger } from '../../src/daemon/calls/call-ledger.ts';
import { callOf, NOON } from '../core/calls/call-stories.ts';
import { eraseUnwatchedCalls } from '../../src/daemon/loop/configured-calls.ts';
import { compareDocuments, copyDocuments, openDocumentsOf } from '../../src/daemon/common/documents.ts';
import { type Disk, realDisk } from '../../src/store/disk.ts';
import { openFiles } from '../../src/store/files.ts';
import type { Store } from '../../src/store/store.ts';
import {
  type CallDocuments,
  createMemoryDocuments,
  EMPTY_DAY,
  EMPTY_MAIN,
} from '../../src/daemon/common/call-documents.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewatch-erased-'));
});
afterEach(() => rm(folder, { recursive: true }));

function storeIn(name: string): Store {
  return openFiles({ directory: join(folder, name), disk: realDisk, access: 'write', now: () => 0 });
}

async function keep(store: Store, account: string): Promise<CallDocuments> {
  const calls = openDocumentsOf(store, () => undefined).calls?.(account);
  if (calls === undefined) throw new Error('a store keeps calls');
  await (await calls.main()).commit({ ...EMPTY_MAIN, rates: { '61': 1 } });
  for (const day of ['20260301', '20260302']) await (await calls.day(day)).commit({ ...EMPTY_DAY });
  return calls;
}

test('calls of an account that is no longer read are erased, and of no other whose name begins alike', async () => {
  const store = storeIn('state');
  await keep(store, 'acme');
  await keep(store, 'acme-2');
  await eraseUnwatchedCalls(
    openDocumentsOf(store, () => undefined),
    (account) => account === 'acme-2',
  );
  const files = await readdir(join(folder, 'state', 'calls'));
  expect(files.filter((name) => !name.startsWith('acme-2'))).toEqual([]);
  expect(files.filter((name) => name.endsWith('.json'))).toEqual([
    'acme-2-00000000.json',
    'acme-2-20260301.json',
    'acme-2-20260302.json',
  ]);
});

test('documents of calls are copied to another store as they are', async () => {
  const [from, to] = [storeIn('from'), storeIn('to')];
  await keep(from, 'acme');
  expect(await copyDocuments(from, to)).toBe(3);
  await compareDocuments(from, to);
  expect(
    (
      await openDocumentsOf(to, () => undefined)
        .calls?.('acme')
        .main()
    )?.value.rates,
  ).toEqual({ '61': 1 });
});

test('a number that a person has erased is in no file, and does not come back with the next reading', async () => {
  const documents = openDocumentsOf(storeIn('state'), () => undefined).calls?.('acme');
  if (documents === undefined) throw new Error('a store keeps calls');
  const now = NOON * 1000 + 3_600_000;
  const ledger = new CallLedger({
    account: 'acme',
    documents,
    keepMs: 35 * 86_400_000,
    timezone: 'UTC',
    billingTimezone: null,
  });
  const calls = [
    callOf('missed', 0, { from: '0412345209' }),
    callOf('missed', 60, { from: '0455512877' }),
    callOf('outgoing', 120, { to: '+61412345209' }),
  ];
  const charge = {
    list: 'outgoing',
    id: '1',
    uuid: 'u',
    amount: 5,
    start: NOON,
    rate: 'x',
  } as const;
  await ledger.load(now);
  await ledger.takeCalls(calls);
  await ledger.takeCharges([charge]);
  const mails = [
    { uuid: 'v', at: NOON, box: '1001', from: '412345209' },
    { uuid: 'w', at: NOON, box: '1001', from: '0455512877' },
  ];
  ledger.takeMails(mails);
  await ledger.save(now);
  expect(await textsIn('state')).toContain('412345209');
  expect(await ledger.forget('0412 345 209', now)).toBe(3);
  await ledger.takeCalls(calls);
  await ledger.takeCharges([charge]);
  ledger.takeMails(mails);
  await ledger.save(now);
  expect(ledger.mails.map(({ uuid }) => uuid)).toEqual(['w']);
  const texts = await textsIn('state');
  expect(texts).not.toContain('412345209');
  expect(texts).toContain('455512877');
  expect(ledger.calls()).toHaveLength(1);
  expect([...ledger.sums().values()]).toEqual([{ x: 5 }]);
  await ledger.takeCalls([callOf('missed', 7200, { from: '0412345209' })]);
  expect(ledger.calls()).toHaveLength(2);
  ledger.takeMails([{ uuid: 'x', at: NOON + 7200, box: '1001', from: '0412345209' }]);
  expect(ledger.mails).toHaveLength(1);
});

test('rows of days before yesterday are not kept in memory a second time, and a number is erased in them, too', async () => {
  const DAY_SECONDS = 86_400;
  const stored = openDocumentsOf(storeIn('state'), () => undefined).calls?.('acme');
  if (stored === undefined) throw new Error('a store keeps calls');
  const released: string[] = [];
  const documents: CallDocuments = {
    ...stored,
    release(day) {
      released.push(day);
      return stored.release(day);
    },
  };
  const options = { account: 'acme', documents, keepMs: 35 * 86_400_000, timezone: 'UTC', billingTimezone: null };
  const now = NOON * 1000;
  const calls = [0, 1, 2, 3].flatMap((days) => [
    callOf('missed', -days * DAY_SECONDS, { from: '0412345209' }),
    callOf('missed', -days * DAY_SECONDS - 60, { from: '0455512877' }),
  ]);
  const first = new CallLedger(options);
  await first.load(now);
  await first.takeCalls(calls);
  const saved = first.save(now);
  expect(await first.forget('0412345209', now)).toBe(4);
  await saved;
  await first.save(now);
  const days = (back: number): string =>
    new Date(now - back * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  expect(new Set(released)).toEqual(new Set([days(2), days(3)]));
  expect(await textsIn('state')).not.toContain('412345209');
  released.length = 0;
  const second = new CallLedger(options);
  await second.load(now);
  expect(second.calls().map(({ from }) => from)).toEqual(Array.from({ length: 4 }, () => '0455512877'));
  expect(new Set(released)).toEqual(new Set([days(2), days(3)]));
});

test('a number that was erased on a full disk goes from its backup copies as well, once the disk takes it', async () => {
  let isFull = false;
  const disk: Disk = {
    ...realDisk,
    create: (path) =>
      isFull ? Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) : realDisk.create(path),
  };
  const store = openFiles({ directory: join(folder, 'state'), disk, access: 'write', now: () => 0 });
  const documents = openDocumentsOf(store, () => undefined).calls?.('acme');
  if (documents === undefined) throw new Error('a store keeps calls');
  const options = { account: 'acme', documents, keepMs: 35 * 86_400_000, timezone: 'UTC', billingTimezone: null };
  const now = NOON * 1000;
  const ledger = new CallLedger(options);
  await ledger.load(now);
  await ledger.takeCalls([callOf('missed', 0, { from: '0412345209' })]);
  ledger.takeMails([{ uuid: 'v', at: NOON, box: '1001', from: '412345209' }]);
  await ledger.save(now);
  isFull = true;
  expect(await ledger.forget('0412345209', now)).toBe(2);
  await expect(ledger.save(now)).rejects.toThrow('the disk is full');
  expect(ledger.calls()).toEqual([]);
  expect(await textsIn('state')).toContain('412345209');
  isFull = false;
  await ledger.save(now);
  expect(await textsIn('state')).not.toContain('412345209');
});

test('charges have no numbers on disk, and those of older versions lose theirs with the first reading', async () => {
  const documents = openDocumentsOf(storeIn('state'), () => undefined).calls?.('acme');
  if (documents === undefined) throw new Error('a store keeps calls');
  const day = await documents.day('20260324');
  for (const amount of [7, 8]) {
    await day.commit({
      calls: [],
      charges: [[0, '1', 'u', amount, NOON, 60, '61390004100', '0061412345209', 'Mobile']],
    });
  }
  await documents.release('20260324');
  expect((await textsIn('state')).match(/412345209/g)).toHaveLength(2);
  const options = { account: 'acme', documents, keepMs: 35 * 86_400_000, timezone: 'UTC', billingTimezone: null };
  const ledger = new CallLedger(options);
  await ledger.load(NOON * 1000);
  expect([...ledger.sums().values()]).toEqual([{ Mobile: 8 }]);
  await ledger.save(NOON * 1000);
  expect(await textsIn('state')).not.toMatch(/412345209|61390004100/);
  expect([...ledger.sums().values()]).toEqual([{ Mobile: 8 }]);
});

test('a charge that is older than the calls kept, and is read again each night, counts once', async () => {
  const DAY_MS = 86_400_000;
  const documents = createMemoryDocuments();
  const options = { account: 'acme', documents, keepMs: 7 * DAY_MS, timezone: 'UTC', billingTimezone: 'UTC' };
  const chargesBack = (days: number) =>
    ({ list: 'outgoing', id: `${days}`, uuid: '', amount: days, start: NOON - days * 86_400, rate: 'x' }) as const;
  const all = [3, 20, 34, 40, 50].map(chargesBack);
  let ledger = new CallLedger(options);
  await ledger.load(NOON * 1000);
  for (let night = 0; night < 3; night += 1) {
    // The past is read a day at a time, with half a day that was read before.
    for (const back of [2, 28, 35, 40, 45, 50, 60]) {
      const now = (NOON + night * 86_400) * 1000;
      await ledger.takeCharges(all.filter(({ start }) => start * 1000 >= now - (back + 1) * DAY_MS));
      const since = Math.min(ledger.main.readSince['charges outgoing'] ?? now, now - back * DAY_MS);
      ledger.update({ readSince: { 'charges outgoing': since } });
      await ledger.save(now);
    }
    const sum = [...ledger.sums().values()].reduce((one, { x = 0 }) => one + x, 0);
    expect(sum).toBe(3 + 20 + 34 + 40 + 50);
    // In the last night the calls are kept longer than before.
    ledger = new CallLedger(night === 1 ? { ...options, keepMs: 90 * DAY_MS } : options);
    await ledger.load((NOON + (night + 1) * 86_400) * 1000);
  }
});

test('calls after their retention are gone from memory and disk, while their charges stay', async () => {
  const DAY_MS = 86_400_000;
  const documents = openDocumentsOf(storeIn('state'), () => undefined).calls?.('acme');
  if (documents === undefined) throw new Error('a store keeps calls');
  const options = { account: 'acme', documents, keepMs: 7 * DAY_MS, timezone: 'UTC', billingTimezone: 'UTC' };
  const ledger = new CallLedger(options);
  await ledger.load(NOON * 1000);
  await ledger.takeCalls([
    callOf('missed', 0, { from: '0412345209' }),
    callOf('missed', 5 * 86_400, { from: '0455512877' }),
  ]);
  await ledger.takeCharges([{ list: 'outgoing', id: '1', uuid: '', amount: 5, start: NOON, rate: 'x' }]);
  await ledger.save(NOON * 1000 + 5 * DAY_MS);
  expect(await textsIn('state')).toContain('412345209');
  const later = NOON * 1000 + 9 * DAY_MS;
  const restarted = new CallLedger(options);
  await restarted.load(later);
  for (const one of [ledger, restarted]) {
    await one.save(later);
    expect(one.calls().map(({ from }) => from)).toEqual(['0455512877']);
    expect([...one.sums().values()]).toEqual([{ x: 5 }]);
  }
  expect(await readStored('state')).not.toContain('412345209');
});

/** Without backup copies. */
async function readStored(name: string): Promise<string> {
  const directory = join(folder, name, 'calls');
  const files = (await readdir(directory)).filter((file) => file.endsWith('.json'));
  return (await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')))).join('\n');
}

async function textsIn(name: string): Promise<string> {
  const directory = join(folder, name, 'calls');
  const files = await readdir(directory);
  return (await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')))).join('\n');
}
