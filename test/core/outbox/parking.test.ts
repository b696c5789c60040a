/** Who is left alone after a failure, and for how long; times in milliseconds of a clock that never jumps. */
import { expect, test } from 'vitest';
import { createParking } from '../../../src/core/outbox/parking.ts';

/** Without jitter. */
const parking = () => createParking(() => 0.5);

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
  parked.hurry();
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
