/**
 * The database as a store. Commits are statements that prove that their writer still leads; several documents share
 * one. Documents have the same names as their files, as PostgreSQL cannot store the character 0.
 */
import { migrate } from '../envelope.ts';
import { toMigrationFinding, type StoreFinding } from '../finding.ts';
import { decodeName, encodeName, type DocumentKind, type DocumentName } from '../document-name.ts';
import { openStore, type DocumentAdapter, type DocumentShape, type Store } from '../store.ts';
import { createLeaderAccess, type LeaderDeps } from './as-leader.ts';
import type { Database } from './connection.ts';
import { createDocumentBatches, toRowKey, type DocumentRow, type RevisedRow } from './document-batch.ts';

export interface DocumentsInDatabase extends LeaderDeps {
  /** Name of the installation. */
  instance: string;
  /** Number of the shard, which has documents of its own for receivers and Linewatch itself. Default: 1. */
  group?: number;
}

/**
 * Documents of sources and their calls are common to all shards; shard 1 also has the documents of an installation with
 * a single shard.
 */
export function toStoredKind(kind: DocumentKind, group: number): string {
  return kind === 'source' || kind === 'calls' || group === 1 ? kind : `${kind} ${group}`;
}

/** Kind in its shard, and encoded name. */
type RowName = Pick<DocumentRow, 'kind' | 'name'>;

export function toRowName({ kind, name }: DocumentName, group: number): RowName {
  return { kind: toStoredKind(kind, group), name: encodeName({ kind, name }) };
}

/** Documents of one statement, so that it ends in time. */
const READ_AT_ONCE = 500;

/** A save changes the sign of a document. */
export const DOCUMENT_SIGN = `epoch || '/' || (extract(epoch from saved_at) * 1000000)::bigint`;

const READ = `select kind, name, schema, revision, ${DOCUMENT_SIGN} as sign, value
  from linewatch_document join json_to_recordset($2::json) as one (kind text, name text) using (kind, name)
 where instance = $1`;

/** Those of the wanted documents that exist. Rejects with `DatabaseError`. */
export async function* readRows(
  { ask }: Pick<Database, 'ask'>,
  instance: string,
  wanted: readonly RowName[],
): AsyncGenerator<RevisedRow & { sign: string }> {
  for (let from = 0; from < wanted.length; from += READ_AT_ONCE) {
    const names = wanted.slice(from, from + READ_AT_ONCE).map(({ kind, name }) => ({ kind, name }));
    yield* await ask<RevisedRow & { sign: string }>('read from', READ, [instance, JSON.stringify(names)]);
  }
}

/** Errors are `DatabaseError`, and `LeaseLost` for a commit of an old epoch. */
export function openDocuments({ instance, group = 1, ...deps }: DocumentsInDatabase): Store {
  const { ask, place } = deps.database;
  const write = createLeaderAccess(deps);
  const batches = createDocumentBatches(write);
  /** Documents read ahead, until each is opened; null for a missing one. */
  const ahead = new Map<string, RevisedRow | null>();

  function pathOf(which: DocumentName): string {
    encodeName(which);
    return `${which.kind} ${which.name} in ${place}`;
  }

  function adapter<T extends object>(
    which: DocumentName,
    { schema, migrations }: DocumentShape<T>,
  ): DocumentAdapter<T> {
    const own = toRowName(which, group);
    const key = toRowKey(own);
    let finding: StoreFinding | null = null;
    let revision = 0;
    return {
      async read() {
        finding = null;
        if (!ahead.has(key)) await readAhead([own]);
        const row = ahead.get(key) ?? null;
        ahead.delete(key);
        revision = row?.revision ?? 0;
        if (row === null) return null;
        const stored = { schema: row.schema, value: JSON.parse(row.value) };
        const value = migrate(pathOf(which), stored, { schema, migrations }) as T;
        if (row.schema < schema) finding = toMigrationFinding(pathOf(which), row.schema, schema);
        return value;
      },
      write(value) {
        revision += 1;
        return batches.save({ ...own, schema, revision, value: JSON.stringify(value) });
      },
      finding: () => finding,
    };
  }

  async function readAhead(wanted: readonly RowName[]): Promise<void> {
    const rows = await Array.fromAsync(readRows(deps.database, instance, wanted));
    for (const one of wanted) ahead.set(toRowKey(one), null);
    for (const row of rows) ahead.set(toRowKey(row), row);
  }

  return openStore({
    place,
    readAhead: (which) => readAhead(which.map((one) => toRowName(one, group))),
    answersAgain: deps.database.answersAgain,
    pathOf,
    adapter,
    async list(kind) {
      const rows = await ask<{ name: string }>(
        'read from',
        'select name from linewatch_document where instance = $1 and kind = $2',
        [instance, toStoredKind(kind, group)],
      );
      return rows.flatMap(({ name }) => decodeName(kind, name)?.name ?? []).toSorted();
    },
    async remove(which) {
      const { kind, name } = toRowName(which, group);
      await write(
        'remove from',
        `, gone as (delete from linewatch_document
                     where exists (select from held) and instance = $1 and kind = $5 and name = $6)
         select true as held from held`,
        [kind, name],
      );
    },
  });
}
