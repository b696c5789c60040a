/** What is kept elsewhere, read again: whoever has just changed it is shown it as it is since. */
import { expect, test } from 'vitest';
import { createReading } from '../../src/daemon/drawing.ts';
import { quietLog } from '../support/running-daemon.ts';

function reads() {
  const [begun, ends]: [number[], (() => void)[]] = [[], []];
  let now = 0;
  const reading = createReading(
    () => {
      begun.push(begun.length);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    },
    { clock: { monotonic: () => now }, log: quietLog },
  );
  return { ...reading, begun, ends: () => ends.shift()?.(), passes: (ms: number) => void (now += ms) };
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

test('what has become old is read meanwhile, once', async () => {
  const { read, mind, begun, ends, passes } = reads();
  const first = read();
  ends();
  await first;
  mind();
  expect(begun).toHaveLength(1);
  passes(3_000);
  mind();
  mind();
  expect(begun).toHaveLength(2);
  ends();
});
