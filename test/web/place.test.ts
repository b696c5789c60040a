/** Moving the page on a reload: a new port beside the old one, or the same port on other addresses. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createWebPlace, type WebPlace } from '../../src/daemon/requests/web-place.ts';
import { createMetrics } from '../../src/web/data/metrics.ts';
import { quietLog } from '../support/running-daemon.ts';
import { ask } from './open-web.ts';

function place(log = quietLog): WebPlace {
  return createWebPlace(
    {
      recent: () => Promise.resolve(),
      sourcesOf: () => new Set(),
      missed: () => Promise.resolve([]),
      withSilence: () => {
        throw new Error('nobody asks for a preview here');
      },
      status: () => {
        throw new Error('nobody asks how it stands here');
      },
      metrics: createMetrics('1.2.3'),
      alert: () => {
        throw new Error('nobody asks for an alert here');
      },
      history: {
        days: () => Promise.resolve('there is none'),
        now: () => Promise.resolve({ recent: null, days: null }),
        deliveries: () => Promise.resolve(null),
        trouble: () => Promise.resolve('there is none'),
        story: () => Promise.resolve(null),
        export: () => Promise.resolve({ cause: 'nothing kept', why: 'there is none' }),
      },
      waiting: () => Promise.resolve([]),
      changes: {
        mute: () => Promise.resolve(null),
        endSilence: () => Promise.resolve(null),
        acknowledge: () => Promise.resolve(null),
        release: () => Promise.resolve(null),
        test: () => Promise.resolve('not here'),
        seen: () => Promise.resolve('not here'),
        deliver: () => Promise.resolve(null),
      },
      onChange: () => undefined,
      now: () => 0,
      settings: () => ({
        names: { listenHost: '127.0.0.1', hostname: 'monitor', externalUrl: null },
        looks: { users: {}, customersOf: {}, proxyUserHeader: null, mayChange: [], silences: false, externalUrl: null },
        metricsByPhone: false,
      }),
      refreshSeconds: 60,
      redact: (text) => text,
      failed: (request, error) => {
        throw new Error(request, { cause: error });
      },
    },
    log,
  );
}

/**
 * Another address than that of all other tests: between two listeners the port is free, and one of theirs may get its
 * number. The same address in two notations overlaps as 0.0.0.0 does with 127.0.0.1, but with nothing else.
 */
const HOST = '127.66.0.1';
const SAME_HOST = '127.66.1';

const portOf = (page: WebPlace): number => Number(new URL(page.url ?? '').port);
const isAlive = async (port: number): Promise<boolean> =>
  (await ask(`http://${HOST}:${port}`, '/healthz').catch(() => null))?.status === 200;

test('takes the same port on other addresses, and leaves it', async () => {
  let opened = 0;
  const page = place({ ...quietLog, info: () => void (opened += 1) });
  await page.move({ host: HOST, port: 0 });
  const port = portOf(page);
  await page.move({ host: HOST, port });
  await page.move({ host: SAME_HOST, port });
  expect([page.url, opened]).toEqual([`http://${HOST}:${port}`, 3]);
  expect(await isAlive(port)).toBe(true);
  await page.move(null);
  expect([page.url, await isAlive(port)]).toEqual([null, false]);
});

test('goes back to where it was when the same port cannot be had elsewhere', async () => {
  const page = place();
  await page.move({ host: HOST, port: 0 });
  const port = portOf(page);
  await page.move({ host: HOST, port });
  await expect(page.move({ host: '192.0.2.1', port })).rejects.toThrow('no such address');
  expect(await isAlive(port)).toBe(true);
  await page.close(0);
});

test('keeps answering where it is while another port cannot be had', async () => {
  const squatter = createServer().listen(0, HOST);
  await once(squatter, 'listening');
  const page = place();
  await page.move({ host: HOST, port: 0 });
  const port = portOf(page);
  const taken = (squatter.address() as AddressInfo).port;
  await expect(page.move({ host: HOST, port: taken })).rejects.toThrow('another program has this port');
  expect([portOf(page), await isAlive(port)]).toEqual([port, true]);
  squatter.close();
  await page.close(0);
});
