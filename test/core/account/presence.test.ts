/** What is left of a registration, in answers that take their time. */
import { expect, test } from 'vitest';
import { updateLease } from '../../../src/core/account/presence.ts';
import type { Contact } from '../../../src/core/account/account-model.ts';
import type { Lease } from '../../../src/core/account/account-snapshot.ts';

const SECOND = 1_000;

function contact(expiresInMs: number): Contact[] {
  return [{ protocol: 'udp', address: '203.0.113.7', device: null, expiresInMs }];
}

/** Read at second 0, with five minutes left of it. */
const KNOWN = updateLease(undefined, contact(300 * SECOND), 0, 0) ?? undefined;

/** A minute later it was asked for again, and answered at once; the answer came after `tookMs`. */
function after(leftMs: number, tookMs: number): Lease | null {
  return updateLease(KNOWN, contact(leftMs), 60 * SECOND + tookMs, tookMs);
}

test('an answer that took long to come is no renewal', () => {
  expect(after(240 * SECOND, 20 * SECOND)).toMatchObject({ renewedAt: null, countsDown: true });
});

test('what was renewed is seen to be, in an answer that took long as in any other', () => {
  expect(after(300 * SECOND, 20 * SECOND)).toMatchObject({ renewedAt: 80 * SECOND });
  expect(after(300 * SECOND, 0)).toMatchObject({ renewedAt: 60 * SECOND });
});

test('the next answer, which comes at once, is compared with what the slow one said', () => {
  const slow = after(240 * SECOND, 20 * SECOND) ?? undefined;
  expect(updateLease(slow, contact(180 * SECOND), 120 * SECOND, 0)).toMatchObject({ renewedAt: null });
  expect(updateLease(slow, contact(300 * SECOND), 120 * SECOND, 0)).toMatchObject({ renewedAt: 120 * SECOND });
});

test('a provider that always shows the same number says nothing, however soon it is asked again', () => {
  const soon = updateLease(KNOWN, contact(300 * SECOND), 3 * SECOND, 0) ?? undefined;
  expect(soon).toMatchObject({ countsDown: false });
  expect(updateLease(soon, contact(180 * SECOND), 123 * SECOND, 0)).toMatchObject({ countsDown: true });
});
