/** Tables of the file that a program of before does without. */
import type { DatabaseSync } from 'node:sqlite';

/** A file of an earlier version lacks some of them: they are made beside the others. */
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
