/** Who is left alone after a failure, and for how long; times in milliseconds of a clock that never jumps. */
import { describe, expect, test } from 'vitest';
import { createRetrySchedule } from '../../../src/core/outbox/retry-schedule.ts';
import { HOUR, MINUTE } from '../../support/builders.ts';

/** Without jitter. */
const parking = () => createRetrySchedule(() => 0.5);

test('one that fails is left alone for longer each time, and nothing else waits for it', () => {
  const parked = parking();
  expect(parked.failed(['a'], 0, null)).toBe(1000);
  expect(parked.isOpen(0)).toBe(true);
  expect([parked.isParked('a'), parked.isParked('b')]).toEqual([true, false]);
  expect([parked.due(999), parked.due(1000), parked.nextAt(0)]).toEqual([[], ['a'], 1000]);
  expect(parked.failed(['a'], 1000, null)).toBe(2000);
  // Another is taken in between: what is wrong with the first goes on.
  parked.delivered(['b']);
  expect(parked.failed(['a'], 3000, null)).toBe(4000);
  parked.delivered(['a']);
  expect([parked.isEmpty(), parked.nextAt(3000)]).toEqual([true, null]);
});

test('several that fail in a row close it, for what is new less long than for what was tried', () => {
  const parked = parking();
  parked.failed(['a'], 0, null);
  parked.failed(['b'], 0, null);
  expect([parked.isOpen(999), parked.isOpen(1000), parked.due(1999), parked.due(2000)]).toEqual([
    false,
    true,
    [],
    ['a', 'b'],
  ]);
  for (let at = 2000, count = 0; count < 8; count += 1, at += 300_000) parked.failed([count % 2 ? 'a' : 'b'], at, null);
  const last = 2000 + 7 * 300_000;
  expect(parked.isOpen(last + 1000)).toBe(true);
  expect(parked.due(last + 200_000)).toEqual([]);
});

test('the least recently tried has its turn first', () => {
  const parked = parking();
  parked.failed(['a'], 0, null);
  parked.delivered([]);
  parked.failed(['b'], 500, null);
  parked.delivered([]);
  parked.failed(['a'], 1000, null);
  expect(parked.due(60_000)).toEqual(['b', 'a']);
});

test('after an outage nobody is to blame; after a single failure the one that failed is', () => {
  const outage = parking();
  for (let index = 0; index < 6; index += 1) outage.failed([`alert ${index}`], index * 60_000, null);
  outage.delivered(['alert 0']);
  expect(outage.isEmpty()).toBe(true);
  const single = parking();
  for (let index = 0; index < 6; index += 1) single.failed(['a'], index * 300_000, null);
  single.delivered(['b']);
  expect(single.isParked('a')).toBe(true);
});

test('what is asked for with Retry-After holds for everything', () => {
  const parked = parking();
  expect(parked.failed(['a'], 0, 60_000)).toBe(66_000);
  expect([parked.isOpen(60_000), parked.isOpen(66_000), parked.due(60_000)]).toEqual([false, true, []]);
  parked.retryNow();
  expect([parked.isOpen(1), parked.due(1)]).toEqual([true, ['a']]);
});

test('alerts of a batch that fails go one by one, and in growing numbers once that goes well', () => {
  const parked = parking();
  expect([parked.most(), parked.split(0, null), parked.most()]).toEqual([Infinity, 0, 1]);
  for (const expected of [2, 4, 8]) {
    parked.delivered(['a']);
    expect(parked.most()).toBe(expected);
  }
});

test('one that is back after a short outage is noticed within 5 seconds, and one that stays dead is left in peace', () => {
  for (const random of [0, 0.5, 0.999]) {
    const parked = createRetrySchedule(() => random);
    const tries: number[] = [];
    for (let at = 0; at < 6 * HOUR; at = parked.nextAt(at) ?? Infinity) {
      tries.push(at);
      parked.failed(['a'], at, null);
    }
    const rests = tries.slice(1).map((at, index) => ({ from: tries[index] ?? at, ms: at - (tries[index] ?? at) }));
    const early = rests.filter(({ from }) => from < MINUTE);
    expect(early.length).toBeGreaterThan(9);
    expect(Math.max(...early.map(({ ms }) => ms))).toBeLessThan(5_000);
    // It is never left alone for much longer than it has been away, and after ten minutes for five each time.
    const late = rests.filter(({ from }) => from >= MINUTE);
    expect(late.every(({ from, ms }) => ms <= from * 1.2)).toBe(true);
    expect(late.every(({ from, ms }) => ms >= Math.min(from, 300_000) * 0.79)).toBe(true);
    expect(tries.length).toBeLessThan(120);
  }
});

test('what fails while others are taken has no short rests', () => {
  const parked = parking();
  const rests = [0, 10_000, 20_000, 30_000, 40_000].map((at) => {
    const restMs = parked.failed(['a'], at, null);
    parked.delivered(['b']);
    return restMs;
  });
  expect(rests).toEqual([1000, 2000, 4000, 8000, 16_000]);
  expect([1, 2, 3, 4, 5].map((at) => parked.lacked(['to somebody'], at))).toEqual([1000, 2000, 4000, 8000, 16_000]);
});

test('what it asks for with Retry-After is kept in its first minute as well, however many alerts fail', () => {
  const parked = parking();
  for (let index = 0; index < 6; index += 1) parked.failed([`alert ${index}`], index * 4_000, null);
  expect(parked.failed(['alert 0'], 30_000, 120_000)).toBe(132_000);
  expect([parked.isOpen(161_999), parked.due(161_999), parked.nextAt(30_000)]).toEqual([false, [], 162_000]);
});

describe('who wants everything in its order', () => {
  const ordered = () => createRetrySchedule(() => 0.5, true);

  test('is tried with something else right after what leads has failed, and no later', () => {
    const parked = ordered();
    expect([parked.isDown(), parked.leader(0)]).toEqual([false, null]);
    parked.failed(['a'], 0, null, true);
    expect([parked.isDown(), parked.leader(9_999), parked.leader(10_000)]).toEqual([true, 'a', null]);
    parked.failed(['b'], 0, null);
    expect([parked.leader(0), parked.isOpen(0)]).toEqual([null, false]);
    // What leads closes nothing: what comes right after it does.
    parked.failed(['a'], 5_000, null, true);
    expect(parked.isOpen(5_000)).toBe(true);
  });

  test('blames what failed beside something that was taken, and nothing else', () => {
    const parked = ordered();
    for (const [key, leads] of [['a', true] as const, ['b', false] as const]) parked.failed([key], 0, null, leads);
    expect(['a', 'b', 'c'].map(parked.isInDoubt)).toEqual([true, true, true]);
    parked.failed(['a'], 2_000, null, true);
    parked.delivered(['c']);
    expect([parked.isParked('a'), parked.isParked('b'), parked.isDown()]).toEqual([true, false, false]);
    // From then on it leads no more, for it fails by itself.
    parked.failed(['d'], 3_000, null);
    expect([parked.isInDoubt('a'), parked.isInDoubt('d')]).toEqual([false, true]);
  });

  test('blames nothing when what leads is taken', () => {
    const parked = ordered();
    for (const [key, leads] of [['a', true] as const, ['b', false] as const]) parked.failed([key], 0, null, leads);
    parked.delivered(['a']);
    expect(parked.isEmpty()).toBe(true);
  });

  test('is tried with the oldest alone while it asks for time, but not for ever', () => {
    const parked = ordered();
    const led = Array.from({ length: 20 }, (_each, index) => {
      const at = index * 100_000;
      parked.failed(['a'], at, 30_000, true);
      return parked.leader(at + 33_000);
    });
    expect(led.flatMap((leader, index) => (leader === null ? [] : [index]))).toEqual([9, 19]);
  });
});

describe('while something critical waits', () => {
  /** The longest rest that begins within so many milliseconds of an outage, in milliseconds. */
  function longestRest(isUrgent: boolean, keys: readonly string[], withinMs = HOUR, isReached = true): number {
    const parked = createRetrySchedule(() => 0.999);
    parked.urge(isUrgent);
    parked.reach(isReached);
    let longest = 0;
    for (let at = 0, turn = 0; at < withinMs; turn += 1) {
      const key = keys[turn % keys.length] ?? '';
      parked.failed([key], at, null);
      let next = at;
      while (parked.due(next).length === 0) next = parked.nextAt(next) ?? withinMs;
      longest = Math.max(longest, next - at);
      at = next;
    }
    return longest;
  }

  test.each([[['a']], [['a', 'b']], [['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']]])(
    'a receiver of %j that is back within five minutes is found within 3 s, and otherwise after growing rests',
    (keys) => {
      expect(longestRest(true, keys, 5 * MINUTE)).toBeLessThanOrEqual(3000);
      expect(longestRest(true, keys)).toBeGreaterThan(MINUTE);
      expect(longestRest(false, keys)).toBeGreaterThan(MINUTE);
      // A server that is not reached has no work by it.
      expect(longestRest(true, keys, HOUR, false)).toBeLessThanOrEqual(3000);
      expect(longestRest(true, keys, 2 * HOUR, false)).toBeGreaterThan(MINUTE);
      expect(longestRest(false, keys, HOUR, false)).toBeGreaterThan(MINUTE);
    },
  );

  test('a rest that has grown is cut, and one that the receiver asked for is not', () => {
    const parked = createRetrySchedule(() => 0.999);
    let at = 0;
    for (let each = 0; each < 12; each += 1) {
      parked.failed(['a'], at, null);
      parked.failed(['b'], at, null);
      if (each < 11) while (parked.due(at).length === 0) at = parked.nextAt(at) ?? at + HOUR;
    }
    expect(parked.due(at + 3000)).toEqual([]);
    parked.urge(true);
    expect(parked.due(at + 3000)).toEqual(['a', 'b']);
    parked.failed(['a'], at, 120_000);
    parked.urge(false);
    parked.urge(true);
    expect(parked.isOpen(at + 119_000)).toBe(false);
  });
});
