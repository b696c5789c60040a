/** What a member asks while others may ask as well: no more than its share, whatever has waited for its turn. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Tenure } from '../../src/daemon/leadership.ts';
import { limitersOf } from '../../src/daemon/tenure.ts';

test('what waited through a pause is asked at the share of after it', async () => {
  const state = { mayAct: false, share: 1 };
  const opened = Promise.withResolvers<void>();
  const over = new AbortController();
  const tenure: Tenure = {
    epoch: 1,
    former: null,
    unledMs: null,
    hasLapsed: false,
    mode: 'paused',
    mayAct: () => state.mayAct,
    untilItMayAct: async () => (state.mayAct ? undefined : await opened.promise),
    share: () => state.share,
    over: over.signal,
    lose: () => over.abort(),
    end: () => Promise.resolve(),
  };
  const limiter = limitersOf(tenure, { monotonic: () => 0 }).page('https://status.example.test', 5);
  let asked = 0;
  const stop = new AbortController();
  const runs = Array.from({ length: 5 }, () =>
    limiter.run(
      () => {
        asked += 1;
        return Promise.resolve();
      },
      { signal: stop.signal },
    ),
  );
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(asked).toBe(0);
  Object.assign(state, { mayAct: true, share: 0.4 });
  opened.resolve();
  await expect.poll(() => asked).toBe(2);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(asked).toBe(2);
  stop.abort();
  await Promise.allSettled(runs);
});
