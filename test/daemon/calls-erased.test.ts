/** Calls of an account are personal data: they go with the account, and with what had them read. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eraseUnreadCalls } from '../../src/daemon/calls/configured-calls.ts';
import { compareDocuments, copyDocuments, documentsIn } from '../../src/daemon/documents.ts';
import { realDisk } from '../../src/store/disk.ts';
import { openFiles } from '../../src/store/files.ts';
import type { Store } from '../../src/store/store.ts';
import { type CallDocuments, EMPTY_DAY, EMPTY_MAIN } from '../../src/daemon/calls/call-documents.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linewatch-erased-'));
});
afterEach(() => rm(folder, { recursive: true }));

function storeIn(name: string): Store {
  return openFiles({ directory: join(folder, name), disk: realDisk, access: 'write', now: () => 0 });
}

async function keep(store: Store, account: string): Promise<CallDocuments> {
  const calls = documentsIn(store, () => undefined).calls?.(account);
  if (calls === undefined) throw new Error('a store keeps calls');
  await (await calls.main()).commit({ ...EMPTY_MAIN, rates: { '61': 1 } });
  for (const day of ['20260301', '20260302']) await (await calls.day(day)).commit({ ...EMPTY_DAY });
  return calls;
}

test('calls of an account that is no longer read are erased, and of no other whose name begins alike', async () => {
  const store = storeIn('state');
  await keep(store, 'acme');
  await keep(store, 'acme-2');
  await eraseUnreadCalls(
    documentsIn(store, () => undefined),
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
      await documentsIn(to, () => undefined)
        .calls?.('acme')
        .main()
    )?.value.rates,
  ).toEqual({ '61': 1 });
});
