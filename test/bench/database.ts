/** Cost of a commit to PostgreSQL on this machine, beside the same commit to files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realDisk } from '../../src/store/disk.ts';
import { toSourceDocument } from '../../src/store/document-name.ts';
import { openFiles } from '../../src/store/files.ts';
import { openDatabase, type Database } from '../../src/store/postgres/connection.ts';
import { openDocuments } from '../../src/store/postgres/documents-in-database.ts';
import { takeLease } from '../../src/store/postgres/lease.ts';
import { prepareTables } from '../../src/store/postgres/tables.ts';
import type { StoredDocument } from '../../src/store/store.ts';
import { startPostgres, whyNoPostgres } from '../system/real-postgres.ts';
import { figure, type Row } from './figures.ts';
import { documentOf, type Items } from './store.ts';

const CLAIM = { instance: 'bench', name: 'all', holder: 'bench/1', format: 1, leaseMs: 3_600_000, lapsed: null };
const SIZES = [
  { size: '60 kB', bytes: 60_000, runs: 60 },
  { size: '500 kB', bytes: 500_000, runs: 40 },
  { size: '5 MB', bytes: 5_000_000, runs: 15 },
] as const;

export async function measureDatabase(): Promise<Row[]> {
  if (whyNoPostgres !== null) {
    process.stdout.write(`skipped: ${whyNoPostgres}\n`);
    return [];
  }
  await using postgres = await startPostgres();
  const database = await openDatabase({ url: postgres.url, timeoutMs: 60_000 });
  const directory = await mkdtemp(join(tmpdir(), 'linewatch-bench-'));
  try {
    await prepareTables(database);
    const taken = await takeLease(database, CLAIM);
    if (taken === null) throw new Error('the lease was not given');
    const rows: Row[] = [];
    for (const one of SIZES) rows.push(await measureSize(one, directory, database, taken.epoch));
    return rows;
  } finally {
    await database.close();
    await rm(directory, { recursive: true });
  }
}

async function measureSize(
  { size, bytes, runs }: (typeof SIZES)[number],
  directory: string,
  database: Database,
  epoch: number,
): Promise<Row> {
  const value = documentOf(bytes);
  const shape = { schema: 1, migrations: [], empty: value };
  const name = toSourceDocument(`page-${bytes}`);
  const files = openFiles({ directory, disk: realDisk, access: 'write', now: () => 0 });
  const { instance, holder } = CLAIM;
  const inDatabase = openDocuments({ database, instance, term: { instance, name: CLAIM.name, holder, epoch } });
  const [file, row] = [await files.document(name, shape), await inDatabase.document(name, shape)];
  const took: { file: number[]; row: number[] } = { file: [], row: [] };
  for (let run = -5; run < runs; run += 1) {
    // In turns: whatever else this machine does slows down both.
    const [inFile, inRow] = [await commitOf(file, value), await commitOf(row, value)];
    if (run < 0) continue;
    took.file.push(inFile);
    took.row.push(inRow);
  }
  return {
    what: `a commit of ${size} into PostgreSQL over loopback, beside one into files`,
    bare: figure(took.file),
    linewatch: figure(took.row),
    unit: 'ms',
    wanted: { ratio: 3 },
  };
}

async function commitOf(document: StoredDocument<Items>, value: Items): Promise<number> {
  const began = performance.now();
  await document.commit(value);
  return performance.now() - began;
}
