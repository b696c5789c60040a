/** A document of before recipients had queues of their own says the same afterwards. */
import { expect, test } from 'vitest';
import { OWED_BY_RECIPIENT } from '../../src/daemon/common/documents.ts';

test('who still lacked a bundle lacks its messages, and who refused it for good is kept for the operator', () => {
  const older = {
    settled: ['a'],
    refused: [],
    bundles: [
      { id: 'in flight', of: ['b'] },
      { id: 'partly', of: ['c', 'd'] },
    ],
    remaining: { partly: ['busy@example.com'] },
    refusedFor: { partly: { recipients: ['gone@example.com'], reason: '550' } },
    failing: { since: 7, reason: '450', failures: 2 },
  };
  expect(OWED_BY_RECIPIENT.change(older)).toEqual({
    settled: ['a'],
    refused: ['c', 'd'].map((id) => ({ id, reason: '550', recipients: ['gone@example.com'], at: 7 })),
    bundles: [{ id: 'in flight', of: ['b'] }],
    owed: { 'busy@example.com': ['c', 'd'], 'gone@example.com': ['c', 'd'] },
    failing: { since: 7, reason: '450', failures: 2 },
    stuck: null,
  });
});

test('an empty one stays empty', () => {
  const empty = { settled: [], refused: [], bundles: [], failing: null };
  expect(OWED_BY_RECIPIENT.change({ ...empty, remaining: {} })).toEqual({ ...empty, owed: {}, stuck: null });
});
