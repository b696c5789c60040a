/** Counts of several accounts that a thread has already are not said a second time. */
import { expect, test } from 'vitest';
import { isSaid, saidAfter } from '../../../src/core/outbox/said.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import type { SharedAlert } from '../../../src/core/alert/shared-alert.ts';
import { sampleMessage } from '../../../src/core/wording/samples.ts';

const NOW = Date.parse('2026-03-24T03:00:00.000Z');

function counted(down: readonly number[], given: Partial<Message> & { phase?: SharedAlert['phase'] } = {}): Message {
  const { phase = 'open', ...rest } = given;
  const accounts = down.map((lost, index) => ({ source: `account-${index}`, total: 10, down: lost, most: 9 }));
  const sample = sampleMessage('registration.mass', 'ops', NOW);
  const changes = sample.changes.map((change) => ({ ...change, status: 'update' as const }));
  return {
    ...sample,
    changes,
    seen: { lostSince: null, merged: [], shared: { phase, accounts, notice: null } },
    ...rest,
  };
}

test('the same counts are said once', () => {
  const said = saidAfter([], [counted([3, 4])]);
  expect(isSaid(counted([3, 4]), said)).toBe(true);
  expect(isSaid(counted([3, 4]), [])).toBe(false);
});

test('other counts, another phase, a reminder and an end are said', () => {
  const said = saidAfter([], [counted([3, 4])]);
  expect(isSaid(counted([4, 3]), said)).toBe(false);
  expect(isSaid(counted([3, 4], { phase: 'residual' }), said)).toBe(false);
  expect(isSaid(counted([3, 4], { reminder: 1 }), said)).toBe(false);
  const [first] = counted([3, 4]).changes;
  const ended = first === undefined ? [] : [{ ...first, status: 'resolved' as const }];
  expect(isSaid(counted([3, 4], { changes: ended }), said)).toBe(false);
});

test('only what was last said in a thread counts', () => {
  const later = saidAfter(saidAfter([], [counted([3, 4])]), [counted([5, 4])]);
  expect(isSaid(counted([3, 4]), later)).toBe(false);
  const others = Array.from({ length: 60 }, (_, index) => {
    const message = counted([3, 4]);
    return { ...message, alert: { ...message.alert, id: `alert-${index}` } };
  });
  expect(saidAfter([], others)).toHaveLength(50);
  expect(saidAfter(later, [counted([0, 0])])).toEqual([]);
});
