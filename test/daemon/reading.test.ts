/** What is kept elsewhere, read again: whoever has just changed it is shown it as it is since. */
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../src/daemon/common/clock.ts';
import { createReading } from '../../src/daemon/status/status-reader.ts';
import { quietLog } from '../support/running-daemon.ts';

function reads() {
  const [begun, ends]: [number[], (() => void)[]] = [[], []];
  const clock = createVirtualClock(0);
  const reading = createReading(
    () => {
      begun.push(begun.length);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    },
    { clock, log: quietLog },
  );
  return { ...reading, begun, ends: () => ends.shift()?.(), passes: (ms: number) => clock.advance(ms) };
}

test('one that has begun is not enough for who comes later, and the next is shared by all who do', async () => {
  const { read, begun, ends } = reads();
  const first = read();
  const others = [read(), read(), read()];
  expect(begun).toHaveLength(1);
  ends();
  await first;
  await Promise.resolve();
  expect(begun).toHaveLength(2);
  ends();
  await Promise.all(others);
  expect(begun).toHaveLength(2);
});

test('what has become old is read again, once, and whoever looks waits for it', async () => {
  const { read, recent, begun, ends, passes } = reads();
  const first = read();
  ends();
  await first;
  await recent();
  expect(begun).toHaveLength(1);
  passes(3_000);
  let seen = 0;
  const looks = [recent(), recent()].map((look) => look.then(() => (seen += 1)));
  expect(begun).toHaveLength(2);
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toBe(0);
  ends();
  await Promise.all(looks);
  await recent();
  expect(begun).toHaveLength(2);
});

test('whoever looks does not wait for long where nothing comes', async () => {
  const { recent, begun, ends, passes } = reads();
  const look = recent();
  passes(1_000);
  await look;
  // It is still under way: nothing is asked beside it.
  const another = recent();
  expect(begun).toHaveLength(1);
  ends();
  await another;
});

test('what cannot be read is asked for again by the next who looks', async () => {
  let times = 0;
  const clock = createVirtualClock(0);
  const { recent } = createReading(() => Promise.reject(new Error(`no ${(times += 1)}`)), { clock, log: quietLog });
  await recent();
  await recent();
  expect(times).toBe(2);
});
