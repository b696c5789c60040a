/** The state of all shards as a member begins that leads none of them. */
import { expect, test } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import { systemClock } from '../../../src/daemon/common/clock.ts';
import { drawShards } from '../../../src/daemon/members/shards-snapshot.ts';
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
