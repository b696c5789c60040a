/** The last hours for the page: how often the history is read for them. */
import { expect, test } from 'vitest';
import type { HistoryReader } from '../../src/core/history/rows.ts';
import { createRecentHours } from '../../src/history/recent-hours.ts';

/** A history that has changed at each question; `tookMs`: how long a reading lasts. */
function watched(tookMs: number) {
  let [now, reads] = [1_000_000, 0];
  const nothing = () => Promise.resolve([]);
  const history = {
    mark: () => Promise.resolve(`${(reads += 1)}`),
    losses() {
      now += tookMs;
      return nothing();
    },
    states: nothing,
    readings: nothing,
  } as unknown as HistoryReader;
  const recent = createRecentHours({ read: async (question) => await question(history), now: () => now });
  return {
    async lookAfter(ms: number): Promise<number> {
      now += ms;
      await recent();
      return reads;
    },
  };
}

test('a quick reading is repeated after five seconds', async () => {
  const { lookAfter } = watched(10);
  expect([await lookAfter(0), await lookAfter(4_900), await lookAfter(200)]).toEqual([1, 1, 2]);
});

test('a slow reading takes a twentieth of the time, and is repeated after a minute at the latest', async () => {
  const { lookAfter } = watched(1_000);
  expect([await lookAfter(0), await lookAfter(18_000), await lookAfter(2_000)]).toEqual([1, 1, 2]);
  const slower = watched(8_000);
  expect([await slower.lookAfter(0), await slower.lookAfter(50_000), await slower.lookAfter(3_000)]).toEqual([1, 1, 2]);
});
