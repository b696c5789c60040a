import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHeartbeat } from '../../src/daemon/heartbeat.ts';
import { quietLog } from '../support/running-daemon.ts';

let server: Server;
let url: string;
let beats: Promise<void>[];
let heard: (() => void)[];
let status: number;

beforeEach(async () => {
  const all = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  beats = all.map(({ promise }) => promise);
  heard = all.map(({ resolve }) => resolve);
  status = 200;
  server = createServer((_request, response) => {
    response.writeHead(status).end();
    heard.shift()?.();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://127.0.0.1:${address.port}/secret-path`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('beats when every source was read, and not before', async () => {
  const heartbeat = createHeartbeat(url, ['a', 'b'], quietLog);
  heartbeat.sweepEnded('a', true);
  heartbeat.sweepEnded('b', false);
  heartbeat.sweepEnded('a', true);
  expect(heard).toHaveLength(5);
  heartbeat.sweepEnded('b', true);
  await beats[0];
  await heartbeat.stop();
  expect(heard).toHaveLength(4);
});

test('says once that it is not heard, without its address, and once that it is again', async () => {
  const said: string[] = [];
  const log = {
    ...quietLog,
    warn: (message: string, fields: unknown) => void said.push(`${message} ${JSON.stringify(fields)}`),
    info: (message: string) => void said.push(message),
  };
  const heartbeat = createHeartbeat(url, ['a'], log);
  for (const [round, answer] of [500, 500, 200, 200].entries()) {
    status = answer;
    heartbeat.sweepEnded('a', true);
    await beats[round];
    await heartbeat.idle();
  }
  await heartbeat.stop();
  expect(said).toHaveLength(2);
  expect(said[0]).toMatch(/^The heartbeat is not heard/);
  expect(said.join()).not.toContain('secret-path');
  expect(said[1]).toBe('The heartbeat is heard again');
});
