/** What a refusal of the database or of the way to it means: down for all, away for now, or a refusal that stays. */
import { expect, test } from 'vitest';
import { DatabaseError } from '../../../src/store/postgres/database-error.ts';

function errorOf(code?: string, hasSaidDown?: boolean): DatabaseError {
  const cause = Object.assign(new Error('x'), code === undefined ? {} : { code });
  return new DatabaseError('ask', 'the database', cause, hasSaidDown);
}

test.each([
  // Somebody on the way there may refuse it to this member alone.
  ['ECONNREFUSED', false, true],
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

test('a refused connection is that of a server that is down where the server has said so before', () => {
  expect([errorOf('ECONNREFUSED', true).isDown, errorOf('ETIMEDOUT', true).isDown]).toEqual([true, true]);
});

test.each([
  ['ECONNREFUSED', true],
  ['57P03', true],
  ['42P01', true],
  ['ECONNRESET', false],
  [undefined, false],
])('%s: surely not executed %s, whatever the server has said before', (code, isUndone) => {
  expect([errorOf(code).isUndone, errorOf(code, true).isUndone]).toEqual([isUndone, isUndone]);
});
