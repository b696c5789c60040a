/** Numbers of alerts that the members of an installation share: the database gives each of them once. */
import type { Log } from '../../log/log.ts';
import type { Database } from '../../store/postgres/connection.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { reserveNumbers } from '../../store/postgres/shard-leases.ts';
import type { ReserveNumbers } from '../common/alert-numbers.ts';

/**
 * How far apart the numbers are that leaders make up while the database is away: 100 alerts can open before two share a
 * number.
 */
const APART = 100;

export interface ReservedNumbersDeps {
  database: Pick<Database, 'ask'>;
  instance: string;
  /** Of the sources; 1 where they are not divided. */
  group: number;
  log: Pick<Log, 'warn'>;
}

export function numbersInDatabase({ database, instance, group, log }: ReservedNumbersDeps): ReserveNumbers {
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
