/**
 * The database as a store. A commit is one statement, which proves that its writer still leads. Documents have the names
 * that they have as files: PostgreSQL takes no character 0.
 */
import { migrate } from '../envelope.ts';
import { toMigrationFinding, type Finding } from '../finding.ts';
import { decodeName, encodeName, type DocumentKind, type DocumentName } from '../document-name.ts';
import { openStore, type DocumentAdapter, type DocumentShape, type Store } from '../store.ts';
import { asLeader, type LeaderDeps } from './as-leader.ts';

export interface DocumentsInDatabase extends LeaderDeps {
  /** The installation. */
  instance: string;
  /** Of the sources, where they are divided: what is kept of receivers and of Linewatch itself is its own. Default: 1. */
  group?: number;
}

/** Documents of sources are the same for all groups, and the first has those of an installation that divides none. */
export function kindOf(kind: DocumentKind, group: number): string {
  return kind === 'source' || group === 1 ? kind : `${kind} ${group}`;
}

/** Errors are `DatabaseError`, and `LeaseLost` for a commit of an epoch that is over. */
export function openDocuments({ instance, group = 1, ...deps }: DocumentsInDatabase): Store {
  const { ask, place } = deps.database;
  const write = asLeader(deps);

  function pathOf(which: DocumentName): string {
    encodeName(which);
    return `${which.kind} ${which.name} in ${place}`;
  }

  function adapter<T extends object>(
    which: DocumentName,
    { schema, migrations }: DocumentShape<T>,
  ): DocumentAdapter<T> {
    const kind = kindOf(which.kind, group);
    const name = encodeName(which);
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
        if (row.schema < schema) finding = toMigrationFinding(pathOf(which), row.schema, schema);
        return value as T;
      },
      async write(value) {
        await write(
          'save in',
          `insert into linewatch_document (instance, kind, name, schema, epoch, saved_at, value)
           select $1, $5, $6, $7, $4, clock_timestamp(), $8 from held
           on conflict (instance, kind, name) do update
              set schema = excluded.schema, epoch = excluded.epoch, saved_at = excluded.saved_at, value = excluded.value
           returning true as held`,
          [kind, name, schema, JSON.stringify(value)],
        );
      },
      finding: () => finding,
    };
  }

  return openStore({
    place,
    answersAgain: deps.database.answersAgain,
    pathOf,
    adapter,
    async list(kind) {
      const rows = await ask<{ name: string }>(
        'read from',
        'select name from linewatch_document where instance = $1 and kind = $2',
        [instance, kindOf(kind, group)],
      );
      return rows.flatMap(({ name }) => decodeName(kind, name)?.name ?? []).toSorted();
    },
    async remove(which) {
      await write(
        'remove from',
        `, gone as (delete from linewatch_document
                     where exists (select from held) and instance = $1 and kind = $5 and name = $6)
         select true as held from held`,
        [kindOf(which.kind, group), encodeName(which)],
      );
    },
  });
}
