/** Cost of a commit: time until it is durable, and time for which it blocks everything else. */
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realDisk } from '../../src/store/disk.ts';
import { toSourceDocument } from '../../src/store/document-name.ts';
import type { Store, StoredDocument } from '../../src/store/store.ts';
import { openFiles } from '../../src/store/files.ts';
import type { Row } from './figures.ts';
import { timed } from './timing.ts';

/** A document of about so many bytes, in small objects as a snapshot has them. */
export function documentOf(bytes: number): { items: object[] } {
  const item = (id: number): object => ({ id, name: `Component ${id}`, state: 'operational', parent: null, since: 1 });
  const each = JSON.stringify(item(10_000)).length + 1;
  return { items: Array.from({ length: Math.ceil(bytes / each) }, (_, id) => item(id)) };
}

export type Items = ReturnType<typeof documentOf>;

export async function measureStore(): Promise<Row[]> {
  return [...(await measureSize('60 kB', 60_000)), ...(await measureSize('5 MB', 5_000_000))];
}

async function measureSize(size: string, bytes: number): Promise<Row[]> {
  const value = documentOf(bytes);
  const directory = await mkdtemp(join(tmpdir(), 'linewatch-bench-'));
  try {
    const runs = bytes > 1_000_000 ? 15 : 50;
    const bare = await timed(runs, () => writeDurably(join(directory, 'bare'), JSON.stringify(value)));
    const { store, document } = await openAt(directory, value);
    const committed = await timed(runs, () => document.commit(value));
    await store.close();
    const serialised = await timed(runs, () => Buffer.from(JSON.stringify(value)));
    const read = await timed(runs, async () => await (await openAt(directory, value)).store.close());
    const row = { bare: null, unit: 'ms', wanted: null };
    return [
      { ...row, what: `a commit of ${size}: until durable`, bare, linewatch: committed },
      { ...row, what: 'likewise: of which nothing else runs', linewatch: serialised },
      { ...row, what: 'likewise: read from the disk and verified', linewatch: read },
    ];
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function openAt(directory: string, empty: Items): Promise<{ store: Store; document: StoredDocument<Items> }> {
  const store = openFiles({ directory, disk: realDisk, access: 'write', now: () => 0 });
  return { store, document: await store.document(toSourceDocument('page'), { schema: 1, migrations: [], empty }) };
}

/** The least that survives a power cut. */
async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w');
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(`${path}.new`, path);
}
