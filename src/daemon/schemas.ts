/** The shapes of the documents on disk, and the way up from older ones. */
import type { Migration } from '../store/migration.ts';

interface Schema {
  schema: number;
  migrations: readonly Migration[];
}

export const SOURCE_SCHEMA: Schema = { schema: 1, migrations: [] };
export const RECEIVER_SCHEMA: Schema = { schema: 1, migrations: [] };
export const ITSELF_SCHEMA: Schema = { schema: 1, migrations: [] };
