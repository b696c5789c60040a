/** What is said to this machine is said to nobody else: a proxy of the environment is passed over. */
import { expect, test } from 'vitest';
import { createSampleMessage } from '../../src/core/wording/samples/samples.ts';
import { createHeartbeat } from '../../src/daemon/status/heartbeat.ts';
import { createConfiguredReceivers } from '../../src/daemon/setup/receivers.ts';
import { createConnections } from '../../src/net/agents.ts';
import { createReadOnlyClient } from '../../src/provider/account-client.ts';
import { createStatusClient } from '../../src/provider/status-client.ts';
import { json, serve } from '../provider/local-server.ts';
import { configWith } from '../support/plain-config.ts';
import { quietLog } from '../support/running-daemon.ts';

interface Asked {
  /** An address without a path. */
  base: string;
  HTTP_PROXY: string;
}

const SPEAKERS: readonly (readonly [string, (asked: Asked) => Promise<unknown>])[] = [
  [
    'a status page',
    async ({ base, HTTP_PROXY }) =>
      await createStatusClient({ baseUrl: base, proxy: { HTTP_PROXY } }).ask('status.show', {}),
  ],
  [
    'an account',
    async ({ base, HTTP_PROXY }) =>
      await createReadOnlyClient({
        baseUrl: base,
        apiKey: 'key-0123456789',
        proxy: { HTTP_PROXY },
      }).extensions.list(),
  ],
  [
    'a receiver',
    async ({ base, HTTP_PROXY }) => {
      const config = configWith([
        {
          name: 'bus',
          type: 'webhook',
          numbers: 'masked',
          carriedBy: [],
          url: `${base}/events`,
          method: 'POST',
          headers: {},
          secret: null,
        },
        {
          name: 'slack',
          type: 'slack',
          numbers: 'masked',
          carriedBy: [],
          prove: null,
          token: null,
          channel: null,
          mention: null,
          apiUrl: 'https://slack.com/api',
          webhookUrl: `${base}/slack`,
        },
      ]);
      const wiring = { now: () => 0, componentName: () => null, proxy: { HTTP_PROXY } };
      for (const receiver of await createConfiguredReceivers(config, wiring)) {
        await receiver.send([createSampleMessage('notice.opened', 'bus', 0)], new AbortController().signal);
      }
    },
  ],
  [
    'the heartbeat',
    async ({ base, HTTP_PROXY }) => {
      const heartbeat = createHeartbeat({
        url: base,
        sources: ['a'],
        couldTell: () => true,
        proxy: { HTTP_PROXY },
        log: quietLog,
      });
      heartbeat.sweepEnded('a', true);
      await heartbeat.idle();
    },
  ],
];

test.each(SPEAKERS)('%s on this machine is never asked through a proxy', async (_who, ask) => {
  await using proxy = await serve((_, response) => json(response, {}, 502));
  await using server = await serve((_, response) => json(response, {}));
  for (const base of [server.base, server.base.replace('127.0.0.1', 'localhost')]) {
    // Whether it understands the answer is not asked here.
    await ask({ base, HTTP_PROXY: proxy.base }).catch(() => null);
  }
  expect(proxy.arrivals).toEqual([]);
  expect(server.arrivals.length).toBeGreaterThanOrEqual(2);
});

test.each(SPEAKERS.filter(([who]) => who !== 'an account'))('%s elsewhere is', async (_who, ask) => {
  await using proxy = await serve((_, response) => json(response, {}));
  await ask({ base: 'http://elsewhere.invalid', HTTP_PROXY: proxy.base }).catch(() => null);
  expect(proxy.arrivals[0]?.url).toContain('http://elsewhere.invalid/');
});

test('clients that share their connections use one after the other, and leave them open', async () => {
  const ports = new Set<number | undefined>();
  const server = await serve((_arrival, response) => {
    ports.add(response.socket?.remotePort);
    json(response, { page: { name: 'Provider', state: 'operational' } });
  });
  const connections = createConnections();
  for (let turn = 0; turn < 3; turn += 1) {
    const client = createStatusClient({ baseUrl: server.base, connections });
    await client.ask('status.show', {});
    client.close();
  }
  expect(ports.size).toBe(1);
  connections.close();
  await server.close();
});
