/** Numbers of alerts among members: those that the database gives, and others where it gives none. */
import { expect, test } from 'vitest';
import { createNumberReserver } from '../../../src/daemon/members/reserved-numbers.ts';
import { DatabaseError } from '../../../src/store/postgres/database-error.ts';
import { quietLog } from '../../support/running-daemon.ts';

function numbers(group: number, answers: () => Promise<unknown>, unanswered = new AbortController().signal) {
  const ask = answers as () => Promise<never>;
  return createNumberReserver({
    database: { ask },
    instance: 'hq',
    group,
    unanswered: () => unanswered,
    log: quietLog,
  });
}

test('the first of those that the database has reserved is used', async () => {
  expect(await numbers(1, () => Promise.resolve([{ last: '12' }]))(3, 9)).toBe(10);
});

test.each([
  [1, 109],
  [2, 209],
])('while it is away, those of group %i are apart from what another member may give', async (group, first) => {
  const away = (): Promise<never> => Promise.reject(new DatabaseError('number alerts in', 'it', new Error('away')));
  expect(await numbers(group, away)(1, 8)).toBe(first);
});

test('while it does not answer, nobody waits for it', async () => {
  const silence = new AbortController();
  const first = numbers(1, () => new Promise(() => {}), silence.signal)(1, 8);
  silence.abort();
  expect(await first).toBe(109);
});

test('a mistake of ours is no absence of the database', async () => {
  await expect(numbers(1, () => Promise.reject(new TypeError('x')))(1, 0)).rejects.toThrow(TypeError);
});
