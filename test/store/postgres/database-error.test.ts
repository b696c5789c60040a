/** What a refusal of the database or of the way to it means: down for all, away for now, or a refusal that stays. */
import { expect, test } from 'vitest';
import { DatabaseError } from '../../../src/store/postgres/database-error.ts';

const errorOf = (code?: string): DatabaseError =>
  new DatabaseError('ask', 'the database', Object.assign(new Error('x'), code === undefined ? {} : { code }));

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
