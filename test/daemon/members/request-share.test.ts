/** What a member may ask beside others that may still ask: once for all of them, and not before their requests are apart. */
import { expect, test } from 'vitest';
import { createRequestShare } from '../../../src/daemon/members/request-share.ts';

function scene(count: number) {
  let [now, rivals] = [0, count];
  const share = createRequestShare({ rivals: () => rivals, clock: { monotonic: () => now }, apartMs: 1_005 });
  return {
    share,
    heardOf(others: number, afterMs: number): void {
      [rivals, now] = [others, now + afterMs];
      share.heard();
    },
    pass: (ms: number): void => void (now += ms),
  };
}

test.each([
  [0, 1, 0.3],
  [1, 0.6, 0.3 * 0.25],
  [5, 0.6, 0.3 * 0.25 ** 5],
])('with %i others it is %f, and %f where it is cut off as well', (others, leading, cutOff) => {
  const { share } = scene(others);
  expect([share.now(false), share.now(true)]).toEqual([leading, cutOff]);
});

test('the parts of all that were cut off one after the other, and of the one that leads, are no more than one', () => {
  const cutOff = Array.from({ length: 30 }, (_, others) => scene(others).share.now(true));
  expect(cutOff.reduce((sum, part) => sum + part, 0) + scene(30).share.now(false)).toBeLessThanOrEqual(1);
});

test('it grows when the requests of one that stands by now are apart from its own', () => {
  const { share, heardOf, pass } = scene(1);
  heardOf(0, 2_000);
  pass(1_004);
  expect(share.now(false)).toBe(0.6);
  pass(1);
  expect(share.now(false)).toBe(1);
  heardOf(1, 0);
  expect(share.now(false)).toBe(0.6);
});
