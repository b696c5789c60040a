/** What a commit costs: how long until it is durable, and how long it keeps everything else waiting. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realDisk } from '../../src/store/disk.ts';
import { source } from '../../src/store/document-name.ts';
import { seal, unseal } from '../../src/store/envelope.ts';
import { openStore } from '../../src/store/store.ts';

/** A document of about so many bytes, in small objects as a snapshot has them. */
function documentOf(bytes: number): { items: object[] } {
  const item = (id: number): object => ({ id, name: `Component ${id}`, state: 'operational', parent: null, since: 1 });
  const each = JSON.stringify(item(10_000)).length + 1;
  return { items: Array.from({ length: Math.ceil(bytes / each) }, (_, id) => item(id)) };
}

test.for([
  ['60 kB', 60_000],
  ['5 MB', 5_000_000],
] as const)('a document of %s', { timeout: 120_000 }, async ([size, bytes], { bench }) => {
  const value = documentOf(bytes);
  const sealed = await seal(1, value);
  const directory = await mkdtemp(join(tmpdir(), 'linewatch-bench-'));
  try {
    const store = openStore({ directory, disk: realDisk, access: 'write', now: () => 0 });
    const document = await store.document(source('page'), { schema: 1, migrations: [], empty: value });
    await bench.compare(
      bench(`commit ${size}: until durable`, () => document.commit(value)),
      bench(`commit ${size}: of which nothing else runs`, () => void Buffer.from(JSON.stringify(value))),
      bench(`read ${size}: verify and parse`, async () => void (await unseal(sealed))),
    );
    expect(document.value).toBe(value);
    await store.close();
  } finally {
    await rm(directory, { recursive: true });
  }
});
