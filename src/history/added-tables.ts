/** Tables that older versions of the program do not need. */
import type { DatabaseSync } from 'node:sqlite';

/** Created in files of older versions that lack them. */
export const ADDED = {
  silences: `(
    id TEXT PRIMARY KEY, begins_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, created_at INTEGER NOT NULL,
    comment TEXT NOT NULL, matchers TEXT NOT NULL
  ) WITHOUT ROWID`,
  notices: `(
    source TEXT NOT NULL, id TEXT NOT NULL, origin TEXT NOT NULL, type TEXT NOT NULL, state TEXT, subject TEXT NOT NULL,
    url TEXT, begins_at INTEGER, ends_at INTEGER, began_at INTEGER, ended_at INTEGER, created_at INTEGER,
    over_at INTEGER, components TEXT NOT NULL, PRIMARY KEY (source, id)
  ) WITHOUT ROWID`,
} as const;

export function listMissingTables(database: DatabaseSync): (keyof typeof ADDED)[] {
  const known = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?');
  return (['silences', 'notices'] as const).filter((table) => known.get(table) === undefined);
}
