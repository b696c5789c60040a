/**
 * The database as a store. A commit is one statement that also proves that its writer still leads: it locks the lease as
 * it reads it, so that a successor's taking waits for its end, and every commit after that taking finds a newer epoch.
 */
import { migrate } from '../envelope.ts';
import type { Finding } from '../finding.ts';
import type { DocumentName } from '../document-name.ts';
import { openStore, type DocumentAdapter, type DocumentShape, type Store } from '../store.ts';
import type { Database } from './connection.ts';
import { LeaseLost, type Term } from './lease.ts';

export interface DocumentsInDatabase {
  database: Database;
  /** The installation. */
  instance: string;
  /** As whom it is written; null for reading only, and commits are refused. */
  term: Term | null;
  /** Hears that a newer epoch has begun, before the commit is refused. */
  lost?: () => void;
}

const HELD = `with held as (
  select 1 from linewatch_lease where instance = $1 and name = $2 and holder = $3 and epoch = $4 for share)`;

/** Errors are `DatabaseError`, and `LeaseLost` for a commit of an epoch that is over. */
export function openDocuments({ database, instance, term, lost }: DocumentsInDatabase): Store {
  const { ask, place } = database;

  function pathOf({ kind, name }: DocumentName): string {
    return `${kind} ${name} in ${place}`;
  }

  async function asLeader(doing: string, statement: string, values: readonly (string | number)[]): Promise<void> {
    if (term === null) throw new Error(`${place} was opened for reading only.`);
    const { instance: of, name, holder, epoch } = term;
    const rows = await ask<{ held: boolean }>(doing, `${HELD} ${statement}`, [of, name, holder, epoch, ...values]);
    if (rows[0]?.held === true) return;
    lost?.();
    throw new LeaseLost(place);
  }

  function adapter<T extends object>(
    which: DocumentName,
    { schema, migrations }: DocumentShape<T>,
  ): DocumentAdapter<T> {
    const { kind, name } = which;
    let finding: Finding | null = null;
    return {
      async read() {
        finding = null;
        const [row] = await ask<{ schema: number; value: string }>(
          'read from',
          'select schema, value from linewatch_document where instance = $1 and kind = $2 and name = $3',
          [instance, kind, name],
        );
        if (row === undefined) return null;
        const value = migrate(
          pathOf(which),
          { schema: row.schema, value: JSON.parse(row.value) },
          { schema, migrations },
        );
        if (row.schema < schema) finding = migrated(pathOf(which), row.schema, schema);
        return value as T;
      },
      write: (value) =>
        asLeader(
          'save in',
          `insert into linewatch_document (instance, kind, name, schema, epoch, saved_at, value)
           select $1, $5, $6, $7, $4, clock_timestamp(), $8 from held
           on conflict (instance, kind, name) do update
              set schema = excluded.schema, epoch = excluded.epoch, saved_at = excluded.saved_at, value = excluded.value
           returning true as held`,
          [kind, name, schema, JSON.stringify(value)],
        ),
      finding: () => finding,
    };
  }

  return openStore({
    place,
    pathOf,
    adapter,
    async list(kind) {
      const rows = await ask<{ name: string }>(
        'read from',
        'select name from linewatch_document where instance = $1 and kind = $2',
        [instance, kind],
      );
      return rows.map(({ name }) => name).toSorted();
    },
    remove: ({ kind, name }) =>
      asLeader(
        'remove from',
        `, gone as (delete from linewatch_document
                     where exists (select from held) and instance = $1 and kind = $5 and name = $6)
         select true as held from held`,
        [kind, name],
      ),
  });
}

function migrated(path: string, from: number, to: number): Finding {
  const message = `${path} was read with schema ${from} and brought up to schema ${to}; the next commit writes it so.`;
  return { kind: 'migrated', path, keptAside: [], message };
}
