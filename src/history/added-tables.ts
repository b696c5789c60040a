/** Tables and indexes that older versions of the program do not need. */
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

/** Created in files of older versions that lack them; without them, the story of an alert reads whole tables. */
export const INDEXES = `
  CREATE INDEX IF NOT EXISTS alerts_cause ON alerts (cause) WHERE cause IS NOT NULL;
  CREATE INDEX IF NOT EXISTS transitions_alert ON transitions (alert) WHERE alert IS NOT NULL;
  CREATE INDEX IF NOT EXISTS deliveries_combined ON deliveries (at) WHERE transitions LIKE '%,%';
`;

export function listMissingTables(database: DatabaseSync): (keyof typeof ADDED)[] {
  const known = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?');
  return (['silences', 'notices'] as const).filter((table) => known.get(table) === undefined);
}
