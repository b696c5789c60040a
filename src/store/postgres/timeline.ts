/** Tells which copy of a replicated database answers: the promotion of a copy begins a new timeline. */
import type { Database } from './connection.ts';

/** Null for a copy that is not promoted yet. Rejects with `DatabaseError`, also where a hosted service lacks the function. */
export async function readTimeline({ ask }: Pick<Database, 'ask'>): Promise<string | null> {
  const [row] = await ask<{ timeline: string | null }>(
    'read the timeline of',
    `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
  );
  return row?.timeline ?? null;
}
