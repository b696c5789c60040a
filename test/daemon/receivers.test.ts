import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createSampleMessage } from '../../src/core/wording/samples/samples.ts';
import { createConfiguredReceivers } from '../../src/daemon/setup/receivers.ts';
import { configWith } from '../support/plain-config.ts';

test('receivers are reached by the proxy of the environment', async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => response.end());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const config = configWith([
    {
      name: 'bus',
      type: 'webhook',
      carriedBy: [],
      numbers: 'masked',
      url: 'http://bus.invalid/linewatch',
      method: 'POST',
      headers: {},
      secret: null,
    },
  ]);
  try {
    const [bus] = await createConfiguredReceivers(config, {
      now: () => 0,
      componentName: () => null,
      proxy: { HTTP_PROXY: `http://127.0.0.1:${address.port}` },
    });
    const outcome = await bus?.send([createSampleMessage('notice.opened', 'bus', 0)], new AbortController().signal);
    expect(outcome).toMatchObject({ kind: 'delivered' });
    expect(asked).toEqual(['POST http://bus.invalid/linewatch']);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});
