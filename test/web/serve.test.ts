/** Opening, moving and closing the port. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { Hono } from 'hono';
import { PlaceRefused, serveWeb } from '../../src/web/serve.ts';
import { createListener } from '../../src/web/listener.ts';

const LOOPBACK = { host: '127.0.0.1', port: 0 };
const app = new Hono().get('/', (c) => c.text('here')).post('/', async (c) => c.text(await c.req.text()));
// Without it each form that is cut off is printed.
app.onError((_, c) => c.text('cut off', 500));
const fail = (error: unknown): never => {
  throw error;
};

test('a place that cannot be had is refused in a sentence', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  const taken = await serveWeb(createListener(app), { host: '127.0.0.1', port }, fail).catch((error: unknown) => error);
  squatter.close();
  expect(taken).toBeInstanceOf(PlaceRefused);
  expect(String(taken)).toContain(`cannot listen on 127.0.0.1:${port}: another program has this port`);
  expect(String(taken)).toContain('http.listen');
  const foreign = await serveWeb(createListener(app), { host: '192.0.2.1', port: 0 }, fail).catch(
    (error: unknown) => error,
  );
  expect(String(foreign)).toContain('192.0.2.1:0: this machine has no such address');
});

test('an idle connection that is kept alive does not hold up the end', async () => {
  const server = await serveWeb(createListener(app), LOOPBACK, fail);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n');
  await once(socket, 'data');
  const ended = once(socket, 'close');
  // Longer than a test may take.
  await expect(server.close(3_600_000)).resolves.toBeUndefined();
  await ended;
});

test('an answer that never ends is cut off after its grace', async () => {
  const begun = Promise.withResolvers<void>();
  const endless = new Hono().get('/', () => {
    begun.resolve();
    return new Promise<Response>(() => undefined);
  });
  const server = await serveWeb(createListener(endless), LOOPBACK, fail);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await begun.promise;
  const ended = once(socket, 'close');
  await server.close(50);
  await ended;
  expect(socket.bytesRead).toBe(0);
});

test('a request without a usable target or head is answered or cut off, and the next is served', async () => {
  const failures: unknown[] = [];
  const server = await serveWeb(createListener(app), LOOPBACK, (error) => failures.push(error));
  const port = Number(new URL(server.url).port);
  for (const wrong of [
    'GET / HTTP/1.1\r\n\r\n',
    'GET http://evil.test/ HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET // HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    '\u0000\u0001\r\n\r\n',
  ]) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    const answered = once(socket, 'data');
    socket.write(wrong);
    const [first] = (await answered) as [Buffer];
    expect(first.toString('latin1')).toMatch(/^HTTP\/1\.1 (200|[45]\d\d) /);
    socket.destroy();
  }
  expect(await (await fetch(server.url)).text()).toBe('here');
  expect(failures).toEqual([]);
  await server.close(50);
});

describe('150 slow clients keep nobody away', () => {
  const MANY = 150;
  test.each([
    ['that never finish their heads', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    ['that never send their forms', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\na'],
    ['that say nothing at all', ''],
    ['that never read their answers', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50)],
  ])('%s', async (_what, words) => {
    const server = await serveWeb(createListener(app), LOOPBACK, () => undefined);
    const port = Number(new URL(server.url).port);
    const sockets = Array.from({ length: MANY }, () => connect(port, '127.0.0.1').pause());
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.write(words);
    }
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (let probe = 0; probe < 3; probe += 1) {
      expect(await (await fetch(server.url, { headers: { connection: 'close' } })).text()).toBe('here');
    }
    for (const socket of sockets) socket.destroy();
    await server.close(50);
  });
});
