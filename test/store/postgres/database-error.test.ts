/** What a refusal of the database or of the way to it means: down for all, away for now, or a refusal that stays. */
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/store/postgres/connection.ts';
import { DatabaseError } from '../../../src/store/postgres/database-error.ts';

function errorOf(code?: string, isLocal?: boolean): DatabaseError {
  const cause = Object.assign(new Error('x'), code === undefined ? {} : { code });
  return new DatabaseError('ask', 'the database', cause, isLocal);
}

test.each([
  ['ECONNREFUSED', true, true],
  ['57P01', true, true],
  ['57P02', true, true],
  ['57P03', true, true],
  ['57014', false, true],
  ['55P03', false, true],
  ['25P03', false, true],
  ['53300', false, true],
  ['08006', false, true],
  ['08P01', false, true],
  ['25006', false, true],
  ['ETIMEDOUT', false, true],
  [undefined, false, true],
  ['28P01', false, false],
  ['42P01', false, false],
  ['23505', false, false],
  ['53100', false, false],
])('%s: down for all %s, away %s', (code, isDown, isAway) => {
  const { isDown: down, isAway: away } = errorOf(code);
  expect([down, away]).toEqual([isDown, isAway]);
});

test('a refusal on this very machine may be that of its own pooler; what the server says itself is believed', () => {
  expect([errorOf('ECONNREFUSED', true).isDown, errorOf('ECONNREFUSED', true).isAway]).toEqual([false, true]);
  expect(errorOf('57P03', true).isDown).toBe(true);
});

test.each([
  ['postgres://x@127.0.0.1:1/x', false],
  ['postgres://x@localhost:1/x', false],
  ['postgres://x@[::1]:1/x', false],
  ['postgres://x@%2Fnowhere/x', false],
  ['postgres://x@127.0.0.1:1/x?host=/nowhere', false],
])('%s is believed to be down where nothing listens: %s', async (url, isDown) => {
  const database = await openDatabase({ url, timeoutMs: 2_000 });
  const error: unknown = await database.ask('ask', 'select 1').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ isDown, isAway: true });
  await database.close();
});
