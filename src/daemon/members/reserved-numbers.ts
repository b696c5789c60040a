/**
 * Alert numbers shared by the members of an installation: the database assigns each of them once. The leader of one of
 * several shards keeps some in reserve, for alerts that open while the database is away.
 */
import { SECOND } from '../../core/text/duration.ts';
import type { Log } from '../../log/log.ts';
import type { Database } from '../../store/postgres/connection.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { reserveNumbers } from '../../store/postgres/shard-leases.ts';
import type { ReserveNumbers } from '../common/alert-numbers.ts';
import { waitAtMost, type Clock } from '../common/clock.ts';

/** Numbers in reserve. It is filled up again when half of them are used. */
export const IN_RESERVE = 50;

/**
 * Distance between the numbers that leaders make up once the reserve is used: 100 alerts can open before two share a
 * number.
 */
const APART = 100;

/** Longest delay of a step, and of the sweep that causes it. */
const ANSWERED_WITHIN_MS = SECOND;

export interface ReservedNumbersDeps {
  database: Pick<Database, 'ask' | 'answersAgain'>;
  instance: string;
  /** Number of the shard; 1 for a single one. */
  group: number;
  /** Numbers in reserve; 0 for a single shard, as no other leader assigns numbers. */
  inReserve: number;
  clock: Pick<Clock, 'sleep'>;
  log: Pick<Log, 'warn' | 'error'>;
}

/** Numbers that only this leader assigns; `end` is the first beyond. */
interface NumberRange {
  next: number;
  end: number;
}

/** Fills its reserve at once. */
export function createNumberReserver(deps: ReservedNumbersDeps): ReserveNumbers {
  const { database, instance, group, inReserve, clock, log } = deps;
  /** Ascending. */
  const ranges: NumberRange[] = [];
  /** The greatest number that the database has given. */
  let greatest = 0;
  let filling: Promise<void> | null = null;

  /** Null if none of the ranges has so many above that number. */
  function take(count: number, above: number): number | null {
    for (let range = ranges[0]; range !== undefined; range = ranges[0]) {
      const first = Math.max(range.next, above + 1);
      range.next = first + count;
      if (range.next <= range.end) return first;
      ranges.shift();
    }
    return null;
  }

  /** Resolves to the error of a database that refuses, or null. */
  async function reserve(count: number, above: number): Promise<DatabaseError | null> {
    try {
      const next = await reserveNumbers(database, { instance, count, above });
      ranges.push({ next, end: next + count });
      greatest = Math.max(greatest, next + count - 1);
      return null;
    } catch (error) {
      if (error instanceof DatabaseError) return error;
      throw error;
    }
  }

  /** In the background, one after the other. `above`: the last number assigned here, of which the database may not know. */
  function fillUp(above: number, after?: Promise<unknown>): void {
    const own = Promise.all([filling, after])
      .then(async () => void (await reserve(inReserve, above)))
      .catch((error: unknown) => log.error('The reserve of alert numbers cannot be filled up', { group, error }))
      .finally(() => {
        if (filling === own) filling = null;
      });
    filling = own;
  }

  function makeUp(count: number, above: number, reserving: Promise<DatabaseError | null>): number {
    const first = Math.max(above, greatest) + 1 + APART * group;
    log.warn('The database reserves no alert numbers; this member assigns its own', { group, first });
    // As soon as it answers, no other leader may get them from it.
    const answered = reserving.then(async (error) => error !== null && (await database.answersAgain()));
    fillUp(first + count - 1, answered);
    return first;
  }

  if (inReserve > 0) fillUp(0);
  return async (count, above) => {
    const first = take(count, above);
    if (first !== null) {
      const left = ranges.reduce((sum, { next, end }) => sum + end - next, 0);
      if (left < inReserve / 2 && filling === null) fillUp(above + count);
      return first;
    }
    const reserving = reserve(count + inReserve, above);
    if (await waitAtMost(ANSWERED_WITHIN_MS, reserving, clock)) await reserving;
    return take(count, above) ?? makeUp(count, above, reserving);
  };
}
