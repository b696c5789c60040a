/** Alert numbers shared by the members of an installation: the database assigns each of them once. */
import type { Log } from '../../log/log.ts';
import type { Database } from '../../store/postgres/connection.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { reserveNumbers } from '../../store/postgres/shard-leases.ts';
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
  log: Pick<Log, 'warn'>;
}

export function createNumberReserver({ database, instance, group, log }: ReservedNumbersDeps): ReserveNumbers {
  return async (count, above) => {
    try {
      return await reserveNumbers(database, { instance, count, above });
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      log.warn('The database gives no numbers of alerts; they are made up', { group, error });
      return above + 1 + APART * group;
    }
  };
}
