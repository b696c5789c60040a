/**
 * Writes as the leader. A statement also proves that its writer still leads: it reads the lease with a lock, so that a
 * successor's takeover waits for its end, and every statement after the takeover finds a newer epoch. It is a single
 * statement, as a transaction would hold the lease for as long as its writer is paused; behind a pooler that drops the
 * limits of a session it is a transaction, which the server ends after a moment.
 */
import type { Database, Value } from './connection.ts';
import { DatabaseError } from './database-error.ts';
import { LeaseLost, type Term } from './lease.ts';

export interface LeaderDeps {
  database: Database;
  /** Term of the writer; null for read-only access, which refuses every write. */
  term: Term | null;
  /** Called when a newer epoch has begun, before the statement is refused. */
  lost?: (() => void) | undefined;
  /** Called before a statement is rejected because the database is away, at least for this member. */
  failed?: (() => void) | undefined;
}

/**
 * `statement` follows a CTE `held`, which has a row while the writer leads; it returns rows with a true `held` then,
 * and none otherwise. $1 is the installation of the term, values begin at $5. Rejects with `DatabaseError`, and with
 * `LeaseLost` after the term.
 */
export type AsLeader = <R extends { held: boolean }>(
  doing: string,
  statement: string,
  values: readonly Value[],
) => Promise<R>;

const HELD = `with held as (
  select 1 from linewatch_lease where instance = $1 and name = $2 and holder = $3 and epoch = $4 for share)`;

export function createLeaderAccess({ database: { ask, place }, term, lost, failed }: LeaderDeps): AsLeader {
  return async <R extends { held: boolean }>(doing: string, statement: string, values: readonly Value[]) => {
    if (term === null) throw new Error(`${place} was opened for reading only.`);
    const { instance, name, holder, epoch } = term;
    const asked = ask<R>(doing, `${HELD} ${statement}`, [instance, name, holder, epoch, ...values]);
    asked.catch((error: unknown) => {
      if (error instanceof DatabaseError && error.isAway) failed?.();
    });
    const [row] = await asked;
    if (row?.held === true) return row;
    lost?.();
    throw new LeaseLost(place);
  };
}
