/** Counts of several accounts that a thread has already are not said a second time. */
import { expect, test } from 'vitest';
import { isRepetition, updateSentCounts } from '../../../src/core/outbox/sent-counts.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import type { SharedAlert } from '../../../src/core/alert/shared-alert.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';

const NOW = Date.parse('2026-03-24T03:00:00.000Z');

function counted(down: readonly number[], given: Partial<Message> & { phase?: SharedAlert['phase'] } = {}): Message {
  const { phase = 'open', ...rest } = given;
  const accounts = down.map((lost, index) => ({ source: `account-${index}`, total: 10, down: lost, most: 9 }));
  const sample = createSampleMessage('registration.mass', 'ops', NOW);
  const changes = sample.changes.map((change) => ({ ...change, status: 'update' as const }));
  return {
    ...sample,
    changes,
    seen: { lostSince: null, merged: [], shared: { phase, accounts, notice: null } },
    ...rest,
  };
}

test('the same counts are said once', () => {
  const said = updateSentCounts([], [counted([3, 4])]);
  expect(isRepetition(counted([3, 4]), said)).toBe(true);
  expect(isRepetition(counted([3, 4]), [])).toBe(false);
});

test('other counts, another phase, a reminder and an end are said', () => {
  const said = updateSentCounts([], [counted([3, 4])]);
  expect(isRepetition(counted([4, 3]), said)).toBe(false);
  expect(isRepetition(counted([3, 4], { phase: 'residual' }), said)).toBe(false);
  expect(isRepetition(counted([3, 4], { reminder: 1 }), said)).toBe(false);
  const [first] = counted([3, 4]).changes;
  const ended = first === undefined ? [] : [{ ...first, status: 'resolved' as const }];
  expect(isRepetition(counted([3, 4], { changes: ended }), said)).toBe(false);
});

test('only what was last said in a thread counts', () => {
  const later = updateSentCounts(updateSentCounts([], [counted([3, 4])]), [counted([5, 4])]);
  expect(isRepetition(counted([3, 4]), later)).toBe(false);
  const others = Array.from({ length: 60 }, (_, index) => {
    const message = counted([3, 4]);
    return { ...message, alert: { ...message.alert, id: `alert-${index}` } };
  });
  expect(updateSentCounts([], others)).toHaveLength(50);
  expect(updateSentCounts(later, [counted([0, 0])])).toEqual([]);
});

/** An outage of one account that is suspected, or explained by another alert. */
function titled(
  title: string,
  kinds: readonly ('registration.mass' | 'outage.suspected')[],
  by?: { alert: string },
): Message {
  const sample = createSampleMessage('registration.mass', 'ops', NOW);
  const changes = kinds.flatMap((kind) => createSampleMessage(kind, 'ops', NOW).changes);
  const cause = by === undefined ? null : { number: 2, title: 'Trunks', minutes_later: 3, ...by };
  return {
    ...sample,
    alert: { ...sample.alert, title },
    changes: changes.map(({ transition }) => {
      const { kind, details } = transition;
      if (kind === 'registration.mass') {
        return { transition: { ...transition, details: { ...details, suspected: true } }, status: 'update' };
      }
      if (kind !== 'outage.suspected') throw new Error(kind);
      return { transition: { ...transition, details: { ...details, admitted: cause } }, status: 'update' };
    }),
    seen: { lostSince: null, merged: [], shared: null },
  };
}

test('a suspicion that comes again under the title that was read is not said again', () => {
  const said = updateSentCounts([], [titled('3 of 3 phones offline', ['registration.mass'])]);
  expect(isRepetition(titled('3 of 3 phones offline', ['outage.suspected']), said)).toBe(true);
  expect(isRepetition(titled('3 of 4 phones offline', ['outage.suspected']), said)).toBe(false);
  const suspected = { ...counted([3, 4]), changes: titled('', ['outage.suspected']).changes };
  expect(isRepetition(suspected, updateSentCounts([], [counted([3, 4])]))).toBe(true);
  expect(isRepetition(suspected, updateSentCounts([], [counted([2, 4])]))).toBe(false);
});

test('a notice that explains what was suspected is said, and once', () => {
  const suspected = updateSentCounts([], [titled('3 of 3 phones offline', ['outage.suspected'])]);
  const explained = titled('3 of 3 phones offline', ['outage.suspected'], { alert: 'a' });
  expect(isRepetition(explained, suspected)).toBe(false);
  expect(isRepetition(explained, updateSentCounts(suspected, [explained]))).toBe(true);
  expect(isRepetition(titled('3 of 3 phones offline', ['outage.suspected'], { alert: 'b' }), suspected)).toBe(false);
});

test('other phones of one account are said under the same title', () => {
  const said = updateSentCounts([], [titled('3 of 9 phones offline', ['registration.mass'])]);
  expect(isRepetition(titled('3 of 9 phones offline', ['registration.mass']), said)).toBe(false);
  expect(isRepetition(titled('3 of 9 phones offline', ['registration.mass', 'outage.suspected']), said)).toBe(false);
});
