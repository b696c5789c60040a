/** When sweeps start: close to their interval, together where many sources are watched, never before the source allows. */
import { expect, test } from 'vitest';
import { computeStartDistance, createSweepTimer } from '../../src/daemon/loop/sweep-timer.ts';
import { MINUTE, SECOND } from '../../src/core/text/duration.ts';
import { START, virtualClock } from '../support/paper-daemon.ts';
import { createRandom } from '../../src/simulator/random.ts';

interface Watched {
  sourceCount: number;
  intervalMs: number;
  restMs?: () => number;
  /** How long a sweep takes. */
  takesMs?: number;
}

/** Monotonic times at which the sweeps of each source start during `forMs`. */
async function listStarts({ sourceCount, intervalMs, restMs = () => 0, takesMs = 0 }: Watched, forMs: number) {
  const clock = virtualClock(START);
  const stop = new AbortController();
  const random = createRandom(7).next;
  const starts: number[][] = Array.from({ length: sourceCount }, () => []);
  const runs = starts.map((own, index) => {
    const first = (index / sourceCount) * intervalMs;
    return createSweepTimer({
      clock,
      random,
      sourceCount,
      turn: async (signal) => {
        own.push(clock.monotonic());
        if (takesMs > 0) await clock.sleep(takesMs, signal);
      },
      intervalMs: () => (own.length === 1 && first > 0 ? first : intervalMs),
      usualMs: intervalMs,
      restMs,
      nextTick: () => null,
      tick: () => Promise.resolve(),
      tickFailed: (error) => expect.unreachable(String(error)),
    }).run(stop.signal);
  });
  const end = clock.monotonic() + forMs;
  for (let next = 0; clock.monotonic() + next <= end; next = clock.next() ?? Infinity) {
    clock.advance(next);
    await new Promise((resolve) => setImmediate(resolve));
  }
  stop.abort();
  await Promise.all(runs);
  return starts;
}

const listGaps = (starts: readonly number[]): number[] =>
  starts.slice(2).map((at, index) => at - (starts[index + 1] ?? 0));

test('a thousand accounts start in groups of about sixteen, each at its own interval', async () => {
  const starts = await listStarts({ sourceCount: 1000, intervalMs: MINUTE }, 5 * MINUTE);
  const moments = Map.groupBy(
    starts.flatMap((own) => own.slice(2)),
    (at) => at,
  );
  const sizes = [...moments.values()].map(({ length }) => length);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  expect(mean).toBeGreaterThan(10);
  expect(mean).toBeLessThan(20);
  const gaps = starts.flatMap(listGaps);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(1.05 * MINUTE + SECOND);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0.95 * MINUTE - SECOND);
  const average = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  expect(Math.abs(average - MINUTE)).toBeLessThan(0.005 * MINUTE);
});

test('a few sources start each at its own moment', async () => {
  const starts = await listStarts({ sourceCount: 20, intervalMs: MINUTE }, 5 * MINUTE);
  const all = starts.flatMap((own) => own.slice(2));
  expect(new Set(all).size).toBe(all.length);
});

test('a group never starts before the source allows', async () => {
  const asked = 70 * SECOND + 1;
  const starts = await listStarts({ sourceCount: 1000, intervalMs: MINUTE, restMs: () => asked }, 6 * MINUTE);
  expect(Math.min(...starts.flatMap(listGaps))).toBeGreaterThanOrEqual(asked);
});

test('sweeps longer than their interval follow one another at once, but for the distance of groups', async () => {
  const starts = await listStarts({ sourceCount: 1000, intervalMs: 10 * SECOND, takesMs: 25 * SECOND }, 3 * MINUTE);
  const gaps = starts.flatMap(listGaps);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(25 * SECOND);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(25 * SECOND + computeStartDistance(10 * SECOND, 1000));
});

test.each([
  [1, SECOND, 0],
  [2, 10 * SECOND, 0],
  [150, MINUTE, 0],
  [299, MINUTE, 0],
  [300, MINUTE, 3 * SECOND],
  [1000, MINUTE, 960],
  [10_000, MINUTE, 96],
  [3000, 5 * MINUTE, 1600],
  [100, 6 * SECOND, 300],
  [1000, 6 * SECOND, 96],
])('%i sources every %i ms start at moments %i ms apart', (sourceCount, intervalMs, distance) => {
  expect(computeStartDistance(intervalMs, sourceCount)).toBeCloseTo(distance, 9);
});
