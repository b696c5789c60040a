/** What people read of a document of which no copy can be read. */
import { expect, test } from 'vitest';
import { openDocumentsOf } from '../../src/daemon/common/documents.ts';
import type { StoreFinding } from '../../src/store/finding.ts';
import type { Store } from '../../src/store/store.ts';

async function read(kind: StoreFinding['kind'], which: 'account' | 'source' | 'receiver'): Promise<string[]> {
  const finding: StoreFinding = { kind, path: 'acme.json', keptAside: [], message: 'It starts anew.' };
  const store = { document: async (_: unknown, { empty }: { empty: object }) => ({ value: empty, finding }) };
  const said: string[] = [];
  const documents = openDocumentsOf(store as unknown as Store, ({ message }) => said.push(message));
  await documents[which]('acme', {} as never);
  return said;
}

test('of an account says that open alerts get no end and that phones offline now are not watched', async () => {
  expect(await read('corrupt', 'account')).toEqual([
    'It starts anew. Alerts of acme that were open get no end. A phone that is offline now is watched from its next registration on.',
  ]);
});

test('of a page says where to read what is open', async () => {
  expect(await read('corrupt', 'source')).toEqual([
    'It starts anew. Alerts of acme that were open get no end; what its page has open now is in the next summary.',
  ]);
});

test('of a receiver, and where the copy before it is used, says no more', async () => {
  expect(await read('corrupt', 'receiver')).toEqual(['It starts anew.']);
  expect(await read('restored', 'account')).toEqual(['It starts anew.']);
});
