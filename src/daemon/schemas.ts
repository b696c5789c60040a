/** The shapes of the documents on disk, and the way up from older ones. */
import type { Migration } from '../store/migration.ts';
import { OWED_BY_RECIPIENT } from './receiver-state.ts';

/** What an alert is about was called its origin. */
const ALERT_FAMILY: Migration = {
  to: 2,
  change(value) {
    const document = value as { alerts: readonly { origin: string }[] };
    const alerts = document.alerts.map(({ origin: family, ...alert }) => ({ ...alert, family }));
    return { ...document, alerts };
  },
};

interface Schema {
  schema: number;
  migrations: readonly Migration[];
}

export const SOURCE_SCHEMA: Schema = { schema: 2, migrations: [ALERT_FAMILY] };
export const RECEIVER_SCHEMA: Schema = { schema: 2, migrations: [OWED_BY_RECIPIENT] };
export const ITSELF_SCHEMA: Schema = { schema: 2, migrations: [ALERT_FAMILY] };
