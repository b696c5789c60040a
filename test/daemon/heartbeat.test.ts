import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRouteTo } from '../../src/core/alert/route.ts';
import type { Daemon } from '../../src/daemon/loop/daemon.ts';
import type { ReceiverState } from '../../src/daemon/common/documents.ts';
import { canNotify, createHeartbeat } from '../../src/daemon/status/heartbeat.ts';
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
  const heartbeat = createHeartbeat({ url, sources: ['a', 'b'], couldTell: () => true, proxy: {}, log: quietLog });
  heartbeat.sweepEnded('a', true);
  heartbeat.sweepEnded('b', false);
  heartbeat.sweepEnded('a', true);
  expect(heard).toHaveLength(5);
  heartbeat.sweepEnded('b', true);
  await beats[0];
  await heartbeat.stop();
  expect(heard).toHaveLength(4);
});

test.each([
  ['that has no end', {}],
  ['that says it is packed and is not', { 'content-encoding': 'gzip' }],
])('reads an answer %s no further than its beginning', async (_, headers) => {
  let sent = 0;
  const piece = Buffer.alloc(65_536, ' ');
  server.removeAllListeners('request');
  server.on('request', (_request, response: ServerResponse) => {
    response.writeHead(200, headers);
    function pour(): void {
      // Far more than the buffers of both ends hold: who reads on never comes to the end of it.
      while (!response.destroyed && sent < 512 * 1024 * 1024) {
        sent += piece.byteLength;
        if (!response.write(piece)) return void response.once('drain', pour);
      }
      response.end();
    }
    pour();
  });
  const said: string[] = [];
  const log = { ...quietLog, warn: (message: string) => void said.push(message) };
  const heartbeat = createHeartbeat({ url, sources: ['a'], couldTell: () => true, proxy: {}, log });
  heartbeat.sweepEnded('a', true);
  await heartbeat.idle();
  await heartbeat.stop();
  expect(said).toEqual([]);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test('does not beat while nobody could be told', async () => {
  let could = false;
  const heartbeat = createHeartbeat({ url, sources: ['a'], couldTell: () => could, proxy: {}, log: quietLog });
  heartbeat.sweepEnded('a', true);
  await heartbeat.idle();
  expect(heard).toHaveLength(5);
  could = true;
  heartbeat.sweepEnded('a', true);
  await heartbeat.idle();
  await heartbeat.stop();
  expect(heard).toHaveLength(4);
});

describe('somebody could be told', () => {
  const NOW = Date.parse('2026-03-02T09:00:00.000Z');
  const MINUTE = 60_000;
  const works = { failing: null, refused: [] };
  const failing = (since: number): Partial<ReceiverState> => ({
    failing: { since, reason: 'no answer', failures: 3 },
    refused: [],
  });
  const refusing = { ...failing(NOW - MINUTE), refused: [{ id: 'm', reason: 'no such channel', at: NOW - MINUTE }] };
  const refusedOnce = { failing: null, refused: refusing.refused };
  const daemon = (states: Record<string, Partial<ReceiverState>>, unsaved: string[] = []): Daemon =>
    ({
      deliveries: Object.entries(states).map(([name, state]) => ({ receiver: { name }, state })),
      unsaved: () => unsaved,
    }) as unknown as Daemon;
  const route = {
    ...createRouteTo(['slack']),
    routes: [{ ...createRouteTo(['mail']), matchers: { severity: ['critical'] } }],
  };

  test.each([
    ['all work', daemon({ slack: works, mail: works }), true],
    ['one of them works', daemon({ slack: refusing, mail: works }), true],
    ['one fails for a moment', daemon({ slack: refusing, mail: failing(NOW - MINUTE) }), true],
    ['one refused something and works', daemon({ slack: refusedOnce, mail: refusing }), true],
    ['all refuse', daemon({ slack: refusing, mail: refusing }), false],
    ['all are stuck', daemon({ slack: failing(NOW - 11 * MINUTE), mail: failing(NOW - 60 * MINUTE) }), false],
    ['only one works that no route leads to', daemon({ slack: refusing, mail: refusing, spare: works }), false],
    ['the state cannot be saved', daemon({ slack: works, mail: works }, ['provider']), false],
  ])('%s', (_what, given, expected) => {
    expect(canNotify(given, route, NOW)).toBe(expected);
  });
});

test('a redirect is not heard', async () => {
  const said: string[] = [];
  const log = { ...quietLog, warn: (message: string) => void said.push(message) };
  const heartbeat = createHeartbeat({ url, sources: ['a'], couldTell: () => true, proxy: {}, log });
  status = 302;
  heartbeat.sweepEnded('a', true);
  await heartbeat.idle();
  await heartbeat.stop();
  expect(said).toEqual(['The heartbeat is not heard']);
});

test('says once that it is not heard, without its address, and once that it is again', async () => {
  const said: string[] = [];
  const log = {
    ...quietLog,
    warn: (message: string, fields: unknown) => void said.push(`${message} ${JSON.stringify(fields)}`),
    info: (message: string) => void said.push(message),
  };
  const heartbeat = createHeartbeat({ url, sources: ['a'], couldTell: () => true, proxy: {}, log });
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

test.each([
  ['HTTP_PROXY', 'http://hearts.invalid/secret-path', 'GET http://hearts.invalid/secret-path'],
  ['HTTPS_PROXY', 'https://hearts.invalid/secret-path', 'CONNECT hearts.invalid:443'],
])('beats by the %s of the environment', async (variable, beyond, asked) => {
  const { host } = new URL(url);
  const arrived = Promise.withResolvers<string>();
  server.on('request', (request) => arrived.resolve(`${request.method} ${request.url}`));
  server.on('connect', (request, socket) => {
    arrived.resolve(`${request.method} ${request.url}`);
    // It need not lead anywhere: that it was asked is enough.
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const proxy = { [variable]: `http://${host}` };
  const heartbeat = createHeartbeat({ url: beyond, sources: ['a'], couldTell: () => true, proxy, log: quietLog });
  heartbeat.sweepEnded('a', true);
  expect(await arrived.promise).toBe(asked);
  await heartbeat.idle();
  await heartbeat.stop();
});
