/** What a leader learns of its writes: that another leads by now, or that the database is away. */
import { expect, test } from 'vitest';
import { createLeaderAccess } from '../../../src/store/postgres/as-leader.ts';
import type { Database } from '../../../src/store/postgres/connection.ts';
import { DatabaseError } from '../../../src/store/postgres/database-error.ts';

const TERM = { instance: 'hq', name: 'all', holder: 'one/1', epoch: 2 };

/** What was called for a write that is answered so; a code: it is refused with that. */
async function learnt(answer: object[] | string): Promise<string[]> {
  const called: string[] = [];
  const ask = (doing: string): Promise<object[]> => {
    if (typeof answer !== 'string') return Promise.resolve(answer);
    const cause = Object.assign(new Error('x'), { code: answer });
    return Promise.reject(new DatabaseError(doing, 'it', cause));
  };
  const lost = (): void => void called.push('lost');
  const failed = (): void => void called.push('failed');
  const database = { ask, place: 'it' } as unknown as Database;
  const write = createLeaderAccess({ database, term: TERM, lost, failed });
  await write('save in', 'select true as held from held', []).catch(({ name }: Error) => called.push(name));
  return called;
}

test.each([
  [[{ held: true }], []],
  [[], ['lost', 'LeaseLost']],
  ['ECONNREFUSED', ['failed', 'DatabaseError']],
  ['55P03', ['failed', 'DatabaseError']],
  // It answers, and refuses this value.
  ['22P02', ['DatabaseError']],
  ['53100', ['DatabaseError']],
])('a write that is answered with %j: %j', async (answer, called) => {
  expect(await learnt(answer)).toEqual(called);
});
