/** Callers of an outage: who is listed, who is not, and what is said of each. */
import { describe, expect, test } from 'vitest';
import { countUsual, findMissedCallers } from '../../../src/core/calls/missed-callers.ts';
import type { Call, Mail } from '../../../src/core/calls/call-model.ts';
import { callOf, MELBOURNE, NOON } from './call-stories.ts';

const SPAN = { from: NOON, to: NOON + 3_600 };

function found(calls: Call[], mails: Mail[] = []) {
  return findMissedCallers({ calls, mails }, SPAN);
}

describe('a caller', () => {
  test('is listed once, with all times and in every form of the number', () => {
    const { callers, total, waiting } = found([
      callOf('missed', 60, { from: '0412345209' }),
      callOf('missed', 300, { from: '61412345209' }),
      callOf('missed', 600, { from: '+61412345209' }),
      callOf('missed', 900, { from: '412345209' }),
    ]);
    expect(callers).toHaveLength(1);
    expect(callers[0]?.times).toEqual([NOON + 60, NOON + 300, NOON + 600, NOON + 900]);
    expect([total, waiting]).toEqual([1, 1]);
  });

  test('who was answered since is not listed, and counts as one of all', () => {
    const { callers, total } = found([
      callOf('missed', 60),
      callOf('answered', 700, { from: '61412345209', lasted: 60 }),
    ]);
    expect([callers.length, total]).toEqual([0, 1]);
  });

  test('who heard a greeting only, or was answered before the call that was missed, still waits', () => {
    const greeted = found([callOf('missed', 60), callOf('answered', 700, { talk: 9 })]);
    expect(greeted.waiting).toBe(1);
    const before = found([callOf('answered', 10, { lasted: 40 }), callOf('missed', 60)]);
    expect(before.waiting).toBe(1);
  });

  test('who was answered by a number outside is answered', () => {
    expect(found([callOf('missed', 60), callOf('diverted', 700, { lasted: 60 })]).callers).toEqual([]);
  });

  test('is marked as called back from ten seconds of talk on', () => {
    const { callers, waiting, calledBack } = found([
      callOf('missed', 60),
      callOf('outgoing', 4_000, { to: '0412345209', talk: 10 }),
      callOf('missed', 90, { from: '0398765432' }),
      callOf('outgoing', 4_000, { to: '0398765432', talk: 9 }),
    ]);
    expect(callers.map(({ calledBackAt }) => calledBackAt !== null)).toEqual([true, false]);
    expect([waiting, calledBack]).toEqual([1, 1]);
  });

  test('who left a message within two minutes of the call is marked', () => {
    const mail = { uuid: 'v', box: '1001', from: '61412345209' };
    expect(found([callOf('missed', 60)], [{ ...mail, at: NOON + 60 + 30 + 120 }]).messages).toBe(1);
    expect(found([callOf('missed', 60)], [{ ...mail, at: NOON + 60 + 30 + 121 }]).messages).toBe(0);
    expect(found([callOf('missed', 60)], [{ ...mail, from: '0398765432', at: NOON + 70 }]).messages).toBe(0);
  });

  test('who hung up in less than five seconds has misdialled, who hides the number is counted', () => {
    const { callers, misdialled, withheld, total } = found([
      callOf('missed', 60, { lasted: 4 }),
      callOf('missed', 70, { from: '' }),
      callOf('missed', 80, { from: 'anonymous' }),
      callOf('missed', 90, { from: '0398765432', lasted: 5 }),
    ]);
    expect(callers.map(({ number }) => number)).toEqual(['0398765432']);
    expect({ misdialled, withheld, total }).toEqual({ misdialled: 1, withheld: 2, total: 1 });
  });
});

describe('a call', () => {
  test('is of the outage where any of it lies within', () => {
    expect(found([callOf('missed', -20, { lasted: 30 })]).waiting).toBe(1);
    expect(found([callOf('missed', -40, { lasted: 30 })]).waiting).toBe(0);
    expect(found([callOf('missed', 3_600)]).waiting).toBe(1);
    expect(found([callOf('missed', 3_601)]).waiting).toBe(0);
  });

  test('from an own extension is none', () => {
    expect(found([callOf('missed', 60, { from: '1004', did: '' })]).total).toBe(0);
  });
});

describe('usual calls', () => {
  const week = 7 * 86_400;
  const calls = [1, 2, 3, 4].flatMap((weeks) =>
    Array.from({ length: weeks + 1 }, (_, index) => callOf('answered', -weeks * week + 60 * index)),
  );

  test('are counted at the same local time in the four weeks before', () => {
    expect(countUsual(calls, SPAN, { timezone: 'UTC', knownSince: NOON - 29 * 86_400 })).toEqual([2, 5]);
  });

  test('are not said before four weeks are known', () => {
    expect(countUsual(calls, SPAN, { timezone: 'UTC', knownSince: NOON - 27 * 86_400 })).toBeNull();
    expect(countUsual(calls, SPAN, { timezone: 'UTC', knownSince: null })).toBeNull();
  });

  test('keep their local time over a change of the clocks', () => {
    // The clocks of Melbourne went back on 5 April 2026.
    const after = { from: NOON + 2 * week + 3_600, to: NOON + 2 * week + 7_200 };
    const told = [1, 2, 3, 4].map((weeks) => callOf('answered', (2 - weeks) * week + 100));
    expect(countUsual(told, after, { timezone: MELBOURNE, knownSince: 0 })).toEqual([1, 1]);
  });
});
