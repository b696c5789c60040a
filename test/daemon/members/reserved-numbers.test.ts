/** Numbers of alerts among members: those that the database gives, and others where it gives none. */
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/daemon/common/clock.ts';
import type { Database } from '../../../src/store/postgres/connection.ts';
import { createNumberReserver } from '../../../src/daemon/members/reserved-numbers.ts';
import { DatabaseError } from '../../../src/store/postgres/database-error.ts';
import { quietLog } from '../../support/running-daemon.ts';

const away = (): Promise<never> => Promise.reject(new DatabaseError('number alerts in', 'it', new Error('away')));

/** Answers as the statement of `reserveNumbers` does. */
function createNumbering(last = 0) {
  let back = Promise.withResolvers<void>();
  const numbering = {
    last,
    answer: null as (() => Promise<unknown>) | null,
    asked: 0,
    comeBack() {
      numbering.answer = null;
      back.resolve();
      back = Promise.withResolvers();
    },
    database: {
      ask(_: string, __: string, [, above, count]: readonly unknown[]) {
        numbering.asked += 1;
        if (numbering.answer !== null) return numbering.answer();
        numbering.last = Math.max(numbering.last, Number(above)) + Number(count);
        return Promise.resolve([{ last: String(numbering.last) }]);
      },
      answersAgain: () => back.promise,
    } as unknown as Pick<Database, 'ask' | 'answersAgain'>,
  };
  return numbering;
}

function reserver(
  { database }: Pick<ReturnType<typeof createNumbering>, 'database'>,
  { group = 1, inReserve = 0, clock = createVirtualClock(0) } = {},
) {
  return createNumberReserver({ database, instance: 'hq', group, inReserve, clock, log: quietLog });
}

/** Until what was begun without waiting has ended. */
async function settle(): Promise<void> {
  await new Promise(setImmediate);
}

describe('a single shard', () => {
  test('gets one number after the other', async () => {
    const numbers = reserver(createNumbering(9));
    expect([await numbers(3, 9), await numbers(1, 12)]).toEqual([10, 13]);
  });

  test('makes them up while the database is away, and says so as soon as it is back', async () => {
    const numbering = createNumbering(8);
    const numbers = reserver(numbering);
    numbering.answer = away;
    expect(await numbers(2, 8)).toBe(109);
    numbering.comeBack();
    await settle();
    expect(numbering.last).toBe(110);
  });

  test('waits a second for a database that does not answer', async () => {
    const numbering = createNumbering();
    const clock = createVirtualClock(0);
    numbering.answer = () => new Promise(() => {});
    const first = reserver(numbering, { clock })(1, 8);
    clock.advance(1_000);
    expect(await first).toBe(109);
  });

  test('does not take a mistake of ours for an absence of the database', async () => {
    const numbering = createNumbering();
    numbering.answer = () => Promise.reject(new TypeError('x'));
    await expect(reserver(numbering)(1, 0)).rejects.toThrow(TypeError);
  });
});

describe('one of several shards', () => {
  test('has numbers in reserve from its start, and numbers from them while the database is away', async () => {
    const numbering = createNumbering(100);
    const [one, two] = [1, 2].map((group) => reserver(numbering, { group, inReserve: 4 }));
    await settle();
    numbering.answer = away;
    const given = [await one?.(2, 0), await two?.(1, 0), await one?.(2, 102), await two?.(3, 105)];
    expect(given).toEqual([101, 105, 103, 106]);
  });

  test('fills it up when half of it is used', async () => {
    const numbering = createNumbering();
    const numbers = reserver(numbering, { inReserve: 4 });
    await settle();
    await numbers(2, 0);
    await settle();
    expect(numbering.asked).toBe(1);
    await numbers(1, 2);
    await settle();
    expect([numbering.asked, numbering.last]).toEqual([2, 8]);
    numbering.answer = away;
    // The last one of the first four is alone.
    expect([await numbers(2, 3), await numbers(2, 6)]).toEqual([5, 7]);
  });

  test('numbers above what its state has, though it was given less', async () => {
    const numbers = reserver(createNumbering(10), { inReserve: 4 });
    await settle();
    expect(await numbers(1, 40)).toBe(41);
  });

  test('makes them up beyond all that were given once the reserve is used', async () => {
    const numbering = createNumbering(500);
    const [one, two] = [1, 2].map((group) => reserver(numbering, { group, inReserve: 2 }));
    await settle();
    numbering.answer = away;
    expect([await one?.(3, 7), await two?.(3, 7)]).toEqual([603, 705]);
    numbering.comeBack();
    await settle();
    // Nobody else is given them.
    expect(await reserver(numbering, { group: 3 })(1, 0)).toBeGreaterThan(707);
  });

  test('says what it made up even if its reserve was being filled up meanwhile', async () => {
    const numbering = createNumbering(500);
    const numbers = reserver(numbering, { inReserve: 4 });
    await settle();
    const hung = Promise.withResolvers<unknown>();
    numbering.answer = () => hung.promise;
    await numbers(3, 0);
    await settle();
    numbering.answer = away;
    expect(await numbers(3, 503)).toBe(605);
    numbering.comeBack();
    hung.reject(new DatabaseError('number alerts in', 'it', new Error('away')));
    await settle();
    expect(numbering.last).toBeGreaterThanOrEqual(607);
  });
});
