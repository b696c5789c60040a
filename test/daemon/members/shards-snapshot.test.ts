/** The state of all shards as a member begins that leads none of them. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import { systemClock } from '../../../src/daemon/common/clock.ts';
import { openShardsStatus, type ShardsShown } from '../../../src/daemon/members/shards-snapshot.ts';
import { toSourceDocument } from '../../../src/store/document-name.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/running-daemon.ts';
import { createSharedMemory } from '../../support/shared-memory.ts';

const CONFIG = { statusPages: [], accounts: [], receivers: [] } as unknown as Config;
const SHARDS = [{ number: 1, sources: ['provider'] }];

function shown(more: Pick<ShardsShown, 'open'> & Partial<ShardsShown>): ShardsShown {
  return {
    config: () => CONFIG,
    shards: () => SHARDS,
    here: () => null,
    startedAt: () => null,
    members: () => undefined,
    clock: systemClock,
    log: quietLog,
    ...more,
  };
}

test('a database that does not answer keeps no member from standing by', async () => {
  const memory = createSharedMemory();
  memory.before = () => new Promise(() => undefined);
  const waited: number[] = [];
  await openShardsStatus(
    shown({
      open: memory.open,
      clock: {
        ...systemClock,
        sleep(ms) {
          waited.push(ms);
          return Promise.resolve();
        },
      },
    }),
  );
  expect([memory.opened, waited]).toEqual([[1], [1_000]]);
});

test('what was read of another member is kept for as long as configuration and division are the same', async () => {
  const memory = createSharedMemory();
  let [config, shards] = [CONFIG, SHARDS];
  const drawing = await openShardsStatus(shown({ open: memory.open, config: () => config, shards: () => shards }));
  await drawing.refresh();
  expect(memory.opened).toEqual([1]);
  config = { ...config };
  await drawing.refresh();
  expect(memory.opened).toEqual([1, 1]);
  shards = [
    { number: 1, sources: [] },
    { number: 2, sources: ['provider'] },
  ];
  await drawing.refresh();
  await drawing.refresh();
  expect([memory.opened, memory.reads]).toEqual([[1, 1, 1, 2], 7]);
});

test('nothing is read of other members while nobody asks, and once for all who ask within two seconds', async () => {
  const clock = manualClock(0);
  const memory = createSharedMemory();
  const drawing = await openShardsStatus(shown({ open: memory.open, clock }));
  clock.advance(600_000);
  expect(memory.reads).toBe(1);
  await Promise.all(Array.from({ length: 50 }, () => drawing.recent()));
  drawing.status();
  expect(memory.reads).toBe(2);
  clock.advance(2_001);
  await drawing.recent();
  expect(memory.reads).toBe(3);
});

test('while a page is open a change of another member is announced within two seconds, and nothing else', async () => {
  const clock = manualClock(0);
  const stop = new AbortController();
  let [isOpen, isHere, announced, before] = [false, false, 0, 0];
  const memory = createSharedMemory();
  const save = (text: string): void => memory.save(toSourceDocument('provider'), 2, { outbox: [], text });
  save('first');
  const drawing = await openShardsStatus(
    shown({ open: memory.open, here: () => (isHere ? ({} as never) : null), clock }),
  );
  const followed = drawing.follow({ isFollowed: () => isOpen, changed: () => (announced += 1) }, stop.signal);
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000);
      // It sleeps again after what it read.
      while (clock.next() === null) await setImmediate();
    }
  }
  await pass(5);
  expect([memory.reads, announced]).toEqual([1, 0]);
  // Seldom: the first who asks finds most of it read.
  await pass(60);
  expect([memory.reads, announced]).toEqual([3, 1]);
  isOpen = true;
  await pass(5);
  expect([memory.reads, announced]).toEqual([8, 1]);
  save('second');
  await pass(2);
  expect(announced).toBe(2);
  await pass(5);
  expect(announced).toBe(2);
  // What is led here is announced by its own commits.
  save('third');
  [isHere, before] = [true, memory.reads];
  await pass(5);
  expect([memory.reads - before, announced]).toEqual([0, 2]);
  stop.abort();
  await followed;
});
