/**
 * The database as a store. Commits are statements that prove that their writer still leads; several documents share
 * one. Documents have the same names as their files, as PostgreSQL cannot store the character 0.
 */
import { migrate } from '../envelope.ts';
import { toMigrationFinding, type StoreFinding } from '../finding.ts';
import { decodeName, encodeName, type DocumentKind, type DocumentName } from '../document-name.ts';
import { openStore, type DocumentAdapter, type DocumentShape, type Store } from '../store.ts';
import { createLeaderAccess, type LeaderDeps } from './as-leader.ts';
import { createDocumentBatches, type DocumentRow } from './document-batch.ts';

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

type StoredRow = Pick<DocumentRow, 'schema' | 'value'>;

/** Documents of one statement, so that it ends in time. */
const READ_AT_ONCE = 500;

const keyOf = (kind: string, name: string): string => `${kind} ${name}`;

/** Errors are `DatabaseError`, and `LeaseLost` for a commit of an old epoch. */
export function openDocuments({ instance, group = 1, ...deps }: DocumentsInDatabase): Store {
  const { ask, place } = deps.database;
  const write = createLeaderAccess(deps);
  const batches = createDocumentBatches(write);
  /** Documents read ahead, until each is opened; null for a missing one. */
  const ahead = new Map<string, StoredRow | null>();

  function pathOf(which: DocumentName): string {
    encodeName(which);
    return `${which.kind} ${which.name} in ${place}`;
  }

  function adapter<T extends object>(
    which: DocumentName,
    { schema, migrations }: DocumentShape<T>,
  ): DocumentAdapter<T> {
    const kind = toStoredKind(which.kind, group);
    const name = encodeName(which);
    let finding: StoreFinding | null = null;
    return {
      async read() {
        finding = null;
        const key = keyOf(kind, name);
        if (!ahead.has(key)) await readRows([{ kind, name }]);
        const row = ahead.get(key) ?? null;
        ahead.delete(key);
        if (row === null) return null;
        const stored = { schema: row.schema, value: JSON.parse(row.value) };
        const value = migrate(pathOf(which), stored, { schema, migrations }) as T;
        if (row.schema < schema) finding = toMigrationFinding(pathOf(which), row.schema, schema);
        return value;
      },
      write: (value) => batches.save({ kind, name, schema, value: JSON.stringify(value) }),
      finding: () => finding,
    };
  }

  async function readRows(wanted: readonly { kind: string; name: string }[]): Promise<void> {
    const rows = await ask<DocumentRow>('read from', READ, [instance, JSON.stringify(wanted)]);
    for (const { kind, name } of wanted) ahead.set(keyOf(kind, name), null);
    for (const { kind, name, ...row } of rows) ahead.set(keyOf(kind, name), row);
  }

  return openStore({
    place,
    async readAhead(which) {
      const wanted = which.map((one) => ({ kind: toStoredKind(one.kind, group), name: encodeName(one) }));
      for (let from = 0; from < wanted.length; from += READ_AT_ONCE) {
        await readRows(wanted.slice(from, from + READ_AT_ONCE));
      }
    },
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
      await write(
        'remove from',
        `, gone as (delete from linewatch_document
                     where exists (select from held) and instance = $1 and kind = $5 and name = $6)
         select true as held from held`,
        [toStoredKind(which.kind, group), encodeName(which)],
      );
    },
  });
}

const READ = `select kind, name, schema, value
  from linewatch_document join json_to_recordset($2::json) as one (kind text, name text) using (kind, name)
 where instance = $1`;
