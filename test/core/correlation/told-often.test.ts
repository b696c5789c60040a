/** An alert that people have read much of in one night: what is no doubling waits for its end. */
import { expect, test } from 'vitest';
import { isToldOften, rememberTelling, type AccountAlert } from '../../../src/core/correlation/account-alert.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-24T03:00:00.000Z');

function told(id: string, ...minutesAgo: number[]) {
  return { id, tellings: minutesAgo.map((minutes) => NOW - minutes * 60_000) };
}

test('counts the messages of all its parts within the night', () => {
  expect(isToldOften('a', [told('a', 1, 2, 3), told('a', 50, 60)], NOW)).toBe(true);
  expect(isToldOften('a', [told('a', 1, 2, 3), told('a', 50)], NOW)).toBe(false);
  expect(isToldOften('a', [told('a', 1, 2, 3), told('b', 50, 60)], NOW)).toBe(false);
  expect(isToldOften('a', [told('a', 1, 2, 3), told('a', 50, 500)], NOW)).toBe(false);
  expect(isToldOften('a', [{ id: 'a' }], NOW)).toBe(false);
});

test('messages of the night before are forgotten', () => {
  const alert = { tellings: [NOW - 20 * HOUR, NOW - HOUR] } as unknown as AccountAlert;
  rememberTelling(alert, NOW);
  expect(alert.tellings).toEqual([NOW - HOUR, NOW]);
});
