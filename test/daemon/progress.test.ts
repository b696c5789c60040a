/** Signs of life come from loops that get on, and from nothing else. */
import { expect, test } from 'vitest';
import { createProgress } from '../../src/daemon/common/progress.ts';
import { createVirtualClock } from '../../src/daemon/common/clock.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

function watched() {
  const clock = createVirtualClock(0);
  const said: number[] = [];
  const hung: string[] = [];
  const progress = createProgress({
    monotonic: clock.monotonic,
    everyMs: 15 * SECOND,
    hangsAfterMs: 10 * MINUTE,
    tell: () => void said.push(clock.monotonic()),
    hangs: (loop) => void hung.push(loop),
  });
  /** Lets time pass for whoever sleeps. */
  async function pass(ms: number): Promise<void> {
    const end = clock.monotonic() + ms;
    for (;;) {
      await new Promise((resolve) => void setImmediate(resolve));
      const next = clock.next();
      if (next === null || clock.monotonic() + next > end) break;
      clock.advance(next);
    }
    clock.advance(end - clock.monotonic());
  }
  return { clock, said, hung, progress, pass };
}

const never = new AbortController().signal;

test('a loop that sleeps for an hour says every so often that it gets on', async () => {
  const { clock, said, progress, pass } = watched();
  let awake = false;
  void progress
    .clockOf('page', clock)
    .sleep(60 * MINUTE, never)
    .then(() => (awake = true));
  await pass(59 * MINUTE);
  expect(said).toHaveLength(4 * 59 + 1);
  expect(awake).toBe(false);
  await pass(2 * MINUTE);
  expect(awake).toBe(true);
});

test('a loop that neither sleeps nor hears of a request hangs after its time, and then nobody speaks for it', async () => {
  const { clock, said, hung, progress, pass } = watched();
  const busy = progress.clockOf('busy', clock);
  await busy.sleep(0, never);
  void progress.clockOf('page', clock).sleep(Infinity, never);
  await pass(10 * MINUTE);
  const before = said.length;
  expect([before > 30, hung]).toEqual([true, []]);
  await pass(10 * MINUTE);
  expect(said.length - before).toBeLessThanOrEqual(1);
  expect(hung).toEqual(['busy']);
  progress.moved('busy');
  await pass(MINUTE);
  expect(said.length).toBeGreaterThan(before + 3);
});

test('requests that come to an end are progress, however long a sweep takes', async () => {
  const { said, hung, progress, pass } = watched();
  for (let request = 0; request < 100; request += 1) {
    progress.moved('page');
    await pass(MINUTE);
  }
  expect([said.length, hung]).toEqual([100, []]);
});

test('a process in which nothing runs says nothing', async () => {
  const { said, pass } = watched();
  await pass(60 * MINUTE);
  expect(said).toEqual([]);
});

test('a sleep ends with its signal', async () => {
  const { clock, progress } = watched();
  const stop = new AbortController();
  const slept = progress.clockOf('page', clock).sleep(60 * MINUTE, stop.signal);
  stop.abort();
  await expect(slept).resolves.toBeUndefined();
});
