/** Requests of a member beside others that may still send some: once for all of them, and not before their requests are apart. */
import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../src/core/text/duration.ts';
import { createRequestShare, toRivals } from '../../../src/daemon/members/request-share.ts';

/** With members that were silent for so long, in milliseconds. */
function scene(...silences: number[]) {
  let [now, rivals] = [0, silences];
  const share = createRequestShare({
    rivals: () => toRivals(rivals),
    clock: { monotonic: () => now },
    apartMs: 1_005,
  });
  return {
    share,
    heardOf(others: readonly number[], afterMs: number): void {
      [rivals, now] = [[...others], now + afterMs];
      share.recount();
    },
    pass: (ms: number): void => void (now += ms),
  };
}

const times = (count: number, silentMs: number): number[] => Array.from({ length: count }, () => silentMs);

test.each([
  [0, 1, 0.3],
  [1, 0.6, 0.3 * 0.25],
  [5, 0.6, 0.3 * 0.25 ** 5],
])('with %i others it is %f, and %f where it is cut off as well', (others, leading, cutOff) => {
  const { share } = scene(...times(others, MINUTE));
  expect([share.now(null), share.now(MINUTE)]).toEqual([leading, cutOff]);
});

test('a member that is cut off for an hour uses less, and later the others use more', () => {
  const cutOff = scene().share;
  expect([cutOff.now(55 * MINUTE - 1), cutOff.now(55 * MINUTE)]).toEqual([0.3, 0.1]);
  expect([scene(65 * MINUTE - 1).share.now(null), scene(65 * MINUTE).share.now(null)]).toEqual([0.6, 0.85]);
  // Beside one that was cut off a moment ago it stays as it was.
  expect(scene(30 * HOUR, MINUTE).share.now(null)).toBe(0.6);
});

test.each([MINUTE, HOUR, 30 * HOUR])(
  'the parts of all that were cut off for %i ms one after the other, and of the one that leads, are no more than one',
  (silentMs) => {
    // Each report and each renewal is of the last five minutes before that.
    for (const cutOffMs of [silentMs - 5 * MINUTE, silentMs, silentMs + 5 * MINUTE]) {
      const cutOff = Array.from({ length: 30 }, (_, others) => scene(...times(others, silentMs)).share.now(cutOffMs));
      const leading = scene(...times(30, silentMs)).share.now(null);
      expect(cutOff.reduce((sum, part) => sum + part, 0) + leading).toBeLessThanOrEqual(1);
    }
  },
);

test('it grows when the requests of one that stands by now are apart from its own', () => {
  const { share, heardOf, pass } = scene(MINUTE);
  heardOf([], 2_000);
  pass(1_004);
  expect(share.now(null)).toBe(0.6);
  pass(1);
  expect(share.now(null)).toBe(1);
  heardOf([MINUTE], 0);
  expect(share.now(null)).toBe(0.6);
});

test('it grows in the same way when those are silent for long', () => {
  const { share, heardOf, pass } = scene(MINUTE);
  heardOf([2 * HOUR], 2 * HOUR);
  expect(share.now(null)).toBe(0.6);
  pass(1_005);
  expect(share.now(null)).toBe(0.85);
});
