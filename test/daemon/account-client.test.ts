/** The client of a watched account waits on the daemon's clock, and takes its jitter from the daemon's random source. */
import { expect, test } from 'vitest';
import { createAccountClientOf, createLimiters } from '../../src/daemon/setup/assemble.ts';
import { createAccountReader } from '../../src/daemon/common/account-reader.ts';
import { createConnections } from '../../src/net/agents.ts';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { manualClock } from '../support/manual-clock.ts';
import { surprisesOf } from '../support/running-daemon.ts';

test.each([
  { random: 0, restMs: 400 },
  { random: 0.75, restMs: 550 },
])('a failed request is sent again after $restMs ms of its clock', async ({ random, restMs }) => {
  const provider = await startProvider();
  const clock = manualClock(Date.parse('2026-03-02T09:00:00Z'));
  const connections = createConnections();
  const client = createAccountClientOf(
    { name: 'acme', baseUrl: provider.accountUrl, apiKey: provider.token, requestsPerSecond: 100 },
    {
      limiters: createLimiters(),
      userAgent: 'test',
      clock,
      random: () => random,
      log: surprisesOf().log,
      connections,
      config: { limits: { requestsPerSecondPerOrigin: 100 } },
    },
  );
  const { faults, log } = provider.simulator;
  faults.add({ on: 'action-toggles.list', fault: { kind: 'status', status: 503 }, times: 1 });
  const reading = createAccountReader(client).toggles(new AbortController().signal);
  while (clock.next() === null) await new Promise((resolve) => setImmediate(resolve));
  expect([clock.next(), log.all().length]).toEqual([restMs, 1]);
  clock.advance(restMs);
  expect([(await reading).kind, log.all().length]).toEqual(['observed', 2]);
  client.close();
  await provider.close();
});
