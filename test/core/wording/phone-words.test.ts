/** Phones in words, where some are back and others are not. */
import { expect, test } from 'vitest';
import { formatPartialEnd, formatOthersOffline } from '../../../src/core/wording/phones/phone-words.ts';

const KEW = { alert: 'a', number: 1, phones: 7 };
const ONE = { alert: 'b', number: 5, phones: 1 };

test('what is over, and under which numbers the rest goes on', () => {
  expect(formatPartialEnd({ phones: 39, remaining: [KEW] })).toBe(
    '39 phones online again; 7 others still offline (#1)',
  );
  expect(formatPartialEnd({ phones: 1, remaining: [ONE] })).toBe('1 phone online again; 1 other still offline (#5)');
  expect(formatPartialEnd({ phones: 4, remaining: [KEW, ONE] })).toBe(
    '4 phones online again; 8 others still offline (7 in #1 and 1 in #5)',
  );
});

test('the same as a sentence', () => {
  expect(formatOthersOffline({ phones: 39, remaining: [KEW] })).toBe('7 other phones are still offline (#1).');
  expect(formatOthersOffline({ phones: 39, remaining: [ONE] })).toBe('1 other phone is still offline (#5).');
});
