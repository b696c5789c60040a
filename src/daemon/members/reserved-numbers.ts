/** Alert numbers shared by the members of an installation: the database assigns each of them once. */
import type { Log } from '../../log/log.ts';
import type { Database } from '../../store/postgres/connection.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { reserveNumbers } from '../../store/postgres/shard-leases.ts';
import { waitUnlessAborted } from '../common/abort.ts';
import type { ReserveNumbers } from '../common/alert-numbers.ts';

/**
 * Distance between the numbers that leaders assign while the database is unreachable: 100 alerts can open before two
 * share a number.
 */
const APART = 100;

export interface ReservedNumbersDeps {
  database: Pick<Database, 'ask'>;
  instance: string;
  /** Number of the shard; 1 for a single one. */
  group: number;
  /** Aborted while the database does not answer: the numbers are made up then. */
  unanswered(): AbortSignal;
  log: Pick<Log, 'warn'>;
}

export function createNumberReserver(deps: ReservedNumbersDeps): ReserveNumbers {
  const { database, instance, group, unanswered, log } = deps;

  /** Null if the database refuses. */
  async function reserve(count: number, above: number): Promise<number | null> {
    try {
      return await reserveNumbers(database, { instance, count, above });
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      log.warn('The database gives no numbers of alerts; they are made up', { group, error });
      return null;
    }
  }

  return async (count, above) => {
    const reserving = reserve(count, above);
    const first = (await waitUnlessAborted(reserving, unanswered())) ? await reserving : null;
    return first ?? above + 1 + APART * group;
  };
}
