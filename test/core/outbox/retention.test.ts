/** What is given up when too much waits for too long. */
import { describe, expect, test } from 'vitest';
import { findExcessEntries, isWorthTidying, measureEntry } from '../../../src/core/outbox/retention.ts';
import type { Entry } from '../../../src/core/outbox/message.ts';
import { change, DAY, message, NOW } from '../../support/messages.ts';

function entry(alert: string, promisedAt: number, padding = 0): Entry {
  const made = change(
    'linewatch.state',
    'linewatch',
    { from: null, to: 'x'.repeat(padding), details: { reason: '' } },
    'info',
    promisedAt,
  );
  const view = { ...message([made]).alert, id: alert };
  return {
    alert: view,
    changes: [made],
    reminder: 0,
    promisedAt,
    to: [{ receiver: 'ops', first: true, dueAt: promisedAt }],
  };
}

const nobody = (): boolean => false;
const ids = (entries: readonly Entry[]): string[] => entries.map(({ alert }) => alert.id);

describe('what waits', () => {
  test('stays as long as it is neither too much nor too old', () => {
    const waiting = [entry('a', NOW - 29 * DAY), entry('b', NOW)];
    expect(findExcessEntries(waiting, nobody, NOW, { bytes: 10_000, ageMs: 30 * DAY })).toEqual([]);
  });

  test('of alerts that ended goes first, whole alerts, the one that ended longest ago before the others', () => {
    const waiting = [
      entry('old', NOW - 5, 1000),
      entry('open', NOW - 9, 1000),
      entry('new', NOW - 1, 1000),
      entry('old', NOW - 3, 1000),
    ];
    const size = waiting.reduce((sum, one) => sum + measureEntry(one), 0);
    const given = findExcessEntries(waiting, (alert) => alert === 'open', NOW, { bytes: size - 1, ageMs: DAY });
    expect(ids(given)).toEqual(['old', 'old']);
  });

  test('is undercut by a tenth, so that the next message does not give up the next one', () => {
    const waiting = Array.from({ length: 100 }, (_each, index) => entry(`alert ${index}`, NOW + index, 1000));
    const size = waiting.reduce((sum, one) => sum + measureEntry(one), 0);
    const given = findExcessEntries(waiting, nobody, NOW + 100, { bytes: size - 1, ageMs: DAY });
    expect(ids(given)).toEqual(Array.from({ length: 11 }, (_each, index) => `alert ${index}`));
    const left = waiting.filter((one) => !given.includes(one));
    expect(
      findExcessEntries([...left, entry('one more', NOW, 1000)], nobody, NOW, { bytes: size - 1, ageMs: DAY }),
    ).toEqual([]);
  });

  test('of open alerts goes when nothing else is left to give', () => {
    const waiting = [entry('open', NOW - 9, 1000), entry('other', NOW - 1, 1000)];
    const given = findExcessEntries(waiting, () => true, NOW, {
      bytes: measureEntry(entry('other', NOW, 1000)) * 1.2,
      ageMs: DAY,
    });
    expect(ids(given)).toEqual(['open']);
  });

  test('for a month goes when its alert has ended, and with it what is a month old tomorrow', () => {
    const waiting = [
      entry('a', NOW - 31 * DAY),
      entry('b', NOW - 29.5 * DAY),
      entry('c', NOW - 28 * DAY),
      entry('open', NOW - 40 * DAY),
    ];
    const isOpen = (alert: string): boolean => alert === 'open';
    expect(ids(findExcessEntries(waiting, isOpen, NOW))).toEqual(['a', 'b']);
    expect(findExcessEntries(waiting.slice(1), isOpen, NOW)).toEqual([]);
  });
});

test('an outbox is written anew for its own sake only when much of it was settled', () => {
  const many = Array.from({ length: 1000 }, (_each, index) => entry(String(index), NOW));
  expect([isWorthTidying(many, many.slice(200)), isWorthTidying(many, many.slice(300))]).toEqual([false, true]);
  expect(isWorthTidying(many.slice(0, 90), [])).toBe(false);
});
