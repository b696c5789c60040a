/** A history as large as it may become, made by a few statements of SQL in the file that the program itself made. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { recordedFall, recordedHistory } from './recorded-history.ts';

const DAY = 24 * 3_600_000;
/** Days before its end at which it begins. */
const DAYS = 60;
/** Characters of the provider's text with each change. */
const WORDS = 700;
/** One in so many changes belongs to an alert, as most of what pages and phones do opens none. */
const ALERT_EVERY = 4;
const ALERTS = 500;

export interface FullHistory {
  /** The state directory. */
  directory: string;
  /** Epoch milliseconds: when the last of it happened. */
  until: number;
  /** Least size of the file. */
  bytes: number;
  /** Whose history it is. */
  source?: string;
}

/** A page whose notices were updated again and again; the latest alert still goes on. Returns the number of changes. */
export async function fillHistory({ directory, until, bytes, source = 'provider' }: FullHistory): Promise<number> {
  const { history } = recordedHistory(until, directory);
  const since = until - DAYS * DAY;
  history.committed(source, {
    at: since,
    states: [{ subject: 'component/1', name: 'Trunks', state: 'operational' }],
    phones: null,
    alerts: [],
    unrecorded: [recordedFall('first', since, { source })],
  });
  history.swept(source, { page: null, components: null, notices: null }, since, DAY);
  history.swept(source, { page: null, components: null, notices: null }, until, DAYS * DAY);
  await history.close();
  const path = join(directory, 'history.db');
  const database = new DatabaseSync(path);
  let changes = 0;
  const words = 'We are still looking into calls that fail. '.repeat(WORDS).slice(0, WORDS);
  const put = database.prepare(`
    WITH RECURSIVE n(i) AS (SELECT CAST($from AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $to)
    INSERT INTO transitions
    SELECT printf('%032x', i), $since + (i * 7919) % ${DAYS * DAY}, $source, 'notice/' || (i % ${ALERTS}), 'notice.update',
      'update', CASE WHEN i % ${ALERT_EVERY} = 0 THEN 'alert ' || (i / ${ALERT_EVERY} % ${ALERTS}) END,
      CASE WHEN i % ${ALERT_EVERY} = 0 THEN 1000 + i / ${ALERT_EVERY} % ${ALERTS} END,
      CASE WHEN i % ${ALERT_EVERY} = 0 THEN 'warning' END,
      CASE WHEN i % ${ALERT_EVERY} = 0 THEN 'Calls fail' END,
      json_object('from', NULL, 'to', 'investigating', 'details', json_object(
        'notice', json_object('id', CAST(i % ${ALERTS} AS TEXT), 'type', 'unplanned', 'state', 'investigating',
          'subject', 'Calls fail', 'timeline_state', 'present', 'url', NULL, 'begins_at', NULL, 'ends_at', NULL,
          'began_at', NULL, 'ended_at', NULL),
        'components', json('[]'),
        'updates', json_array(json_object('state', 'investigating', 'content', i || ' ' || $words, 'created_at', NULL))))
    FROM n`);
  database.exec('PRAGMA synchronous = OFF');
  for (const step = 20_000; statSync(path).size < bytes; changes += step) {
    put.run({ from: changes, to: changes + step, since, source, words });
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  database
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${ALERTS})
       INSERT INTO alerts SELECT $source, 'alert ' || i, 1000 + i, 'warning', 'Calls fail', 'notice', CAST(i AS TEXT),
         CASE WHEN i = ${ALERTS - 1} THEN 'open' ELSE 'resolved' END, NULL, $since, $since,
         CASE WHEN i = ${ALERTS - 1} THEN NULL ELSE $until END FROM n`,
    )
    .run({ source, since, until });
  database.close();
  return changes + 1;
}
