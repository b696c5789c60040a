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
