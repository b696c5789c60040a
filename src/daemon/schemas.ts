/** The shapes of the documents on disk, and the way up from older ones. */
import type { Migration } from '../store/migration.ts';
import { OWED_BY_RECIPIENT } from './receiver-state.ts';

interface Schema {
  schema: number;
  migrations: readonly Migration[];
}

export const SOURCE_SCHEMA: Schema = { schema: 1, migrations: [] };
export const RECEIVER_SCHEMA: Schema = { schema: 2, migrations: [OWED_BY_RECIPIENT] };
export const ITSELF_SCHEMA: Schema = { schema: 1, migrations: [] };
