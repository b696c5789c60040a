/** The state of all shards as a member begins that leads none of them. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import { systemClock } from '../../../src/daemon/common/clock.ts';
import { drawShards } from '../../../src/daemon/members/shards-snapshot.ts';
import { realDisk } from '../../../src/store/disk.ts';
import { openFiles } from '../../../src/store/files.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/running-daemon.ts';

test('a database that does not answer keeps no member from standing by', async () => {
  const asked: number[] = [];
  const waited: number[] = [];
  await drawShards({
    config: () => ({ statusPages: [], accounts: [] }) as unknown as Config,
    shards: () => [{ number: 1, sources: ['provider'] }],
    here: () => null,
    shared(shard) {
      asked.push(shard);
      return new Promise(() => undefined);
    },
    startedAt: () => null,
    members: () => undefined,
    clock: {
      ...systemClock,
      sleep(ms) {
        waited.push(ms);
        return Promise.resolve();
      },
    },
    log: quietLog,
  });
  expect([asked, waited]).toEqual([[1], [1_000]]);
});

test('what was read of another member is kept for as long as the configuration is the same', async () => {
  const kept: unknown[] = [];
  let config = { statusPages: [], accounts: [] } as unknown as Config;
  const drawing = await drawShards({
    config: () => config,
    shards: () => [{ number: 1, sources: ['provider'] }],
    here: () => null,
    shared(_shard, seen) {
      kept.push(seen);
      return Promise.reject(new Error('It does not answer.'));
    },
    startedAt: () => null,
    members: () => undefined,
    clock: systemClock,
    log: quietLog,
  });
  await drawing.refresh();
  config = { ...config };
  await drawing.refresh();
  const [first, second, third] = kept;
  expect(first).toBeInstanceOf(Map);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('while a page is open a change of another member is announced within two seconds, and nothing else', async () => {
  const clock = manualClock(0);
  const stop = new AbortController();
  let [isOpen, isHere, reads, sign, announced] = [false, false, 0, 1, 0];
  const store = openFiles({ directory: '/nowhere', disk: realDisk, access: 'read', now: clock.now });
  const config = { statusPages: [], accounts: [], receivers: [] } as unknown as Config;
  const drawing = await drawShards({
    config: () => config,
    shards: () => [{ number: 1, sources: ['provider'] }],
    here: () => (isHere ? ({} as never) : null),
    shared(_shard, seen) {
      reads += 1;
      if (seen?.get('source provider')?.sign !== `${sign}`) {
        seen?.set('source provider', { sign: `${sign}`, value: {} });
      }
      return Promise.resolve(store);
    },
    startedAt: () => null,
    members: () => undefined,
    clock,
    log: quietLog,
  });
  const followed = drawing.follow({ isFollowed: () => isOpen, changed: () => (announced += 1) }, stop.signal);
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000);
      // It sleeps again after what it read.
      while (clock.next() === null) await setImmediate();
    }
  }
  await pass(5);
  expect([reads, announced]).toEqual([1, 0]);
  isOpen = true;
  await pass(5);
  expect([reads, announced]).toEqual([6, 1]);
  sign = 2;
  await pass(2);
  expect(announced).toBe(2);
  await pass(5);
  expect(announced).toBe(2);
  // What is led here is announced by its own commits.
  [isHere, reads, sign] = [true, 0, 3];
  await pass(5);
  expect([reads, announced]).toEqual([0, 2]);
  stop.abort();
  await followed;
});
