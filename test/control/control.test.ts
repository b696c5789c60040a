/** Asking a running daemon over its socket, and every way in which that comes to nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ControlError, sendControlRequest } from '../../src/control/client.ts';
import { ControlRefusal, LARGEST_ASK, type ControlRoutes } from '../../src/control/protocol.ts';
import { serveControl, type ControlServer } from '../../src/control/server.ts';

interface Contract {
  status: { ask: { of: string }; answer: { said: string } };
  reload: { ask: null; answer: null };
}

let directory: string;
let path: string;
let server: ControlServer | null = null;
let failures: [string, unknown][];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'linewatch-control-'));
  path = join(directory, 'control.sock');
  failures = [];
});
afterEach(async () => {
  await server?.close(0);
  server = null;
  await rm(directory, { recursive: true });
});

const echo: ControlRoutes<Contract> = {
  status: async (ask) => ({ said: JSON.stringify(ask) }),
  reload: async () => null,
};

async function serve(routes: Partial<ControlRoutes<Contract>> = {}): Promise<void> {
  server = await serveControl<Contract>({
    path,
    routes: { ...echo, ...routes },
    onFailure: (request, error) => failures.push([request, error]),
  });
}

function askStatus(of = 'all', timeoutMs = 10_000): Promise<{ said: string }> {
  return sendControlRequest<Contract, 'status'>({ path, request: { name: 'status', ask: { of } }, timeoutMs });
}

/** The error a question ends in; fails the test when it is answered. */
async function errorOf(asking: Promise<unknown>): Promise<ControlError> {
  const error: unknown = await asking.then(
    () => new Error('answered'),
    (error: unknown) => error,
  );
  if (!(error instanceof ControlError)) throw error;
  return error;
}

test('a question is answered', async () => {
  await serve();
  expect(await askStatus('é')).toEqual({ said: '{"of":"é"}' });
  expect(
    await sendControlRequest<Contract, 'reload'>({ path, request: { name: 'reload', ask: null }, timeoutMs: 10_000 }),
  ).toBe(null);
});

test('the socket is for its owner alone and goes when the daemon does', async () => {
  await serve();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await server?.close(0);
  server = null;
  expect(await readdir(directory)).toEqual([]);
  expect((await errorOf(askStatus())).code).toBe('no-daemon');
});

test('a state directory deeper than a socket path may be long works all the same', async () => {
  const deep = join(directory, 'a'.repeat(100), 'ü'.repeat(100));
  await mkdir(deep, { recursive: true });
  path = join(deep, 'control.sock');
  expect((await errorOf(askStatus())).code).toBe('no-daemon');
  await serve();
  expect(await askStatus('x')).toEqual({ said: '{"of":"x"}' });
  expect((await stat(path)).isSocket()).toBe(true);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await server?.close(0);
  server = null;
  expect(await readdir(deep)).toEqual([]);
});

test('without a state directory there is no daemon', async () => {
  path = join(directory, 'none', 'control.sock');
  const error = await errorOf(askStatus());
  expect(error.code).toBe('no-daemon');
  expect(error.message).toBe(`No Linewatch is running on this state directory (${path}).`);
  path = join(directory, 'none'.repeat(50), 'control.sock');
  expect((await errorOf(askStatus())).code).toBe('no-daemon');
});

test('the socket of a killed daemon is nobody, and the next daemon takes its place', async () => {
  const program = `require('node:net').createServer().listen(process.argv[1], () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  expect((await stat(path)).isSocket()).toBe(true);
  expect((await errorOf(askStatus())).code).toBe('no-daemon');
  await serve();
  expect(await askStatus()).toEqual({ said: '{"of":"all"}' });
});

test('what is no socket is not removed', async () => {
  await writeFile(path, 'precious');
  await expect(serve()).rejects.toThrow(/exists and is not a socket/);
  expect((await stat(path)).size).toBe(8);
});

test('a daemon that does not answer is given up after the time limit', async () => {
  const { promise: never } = Promise.withResolvers<{ said: string }>();
  await serve({ status: () => never });
  const error = await errorOf(askStatus('all', 30));
  expect(error.code).toBe('timeout');
  expect(error.message).toContain('within 30 ms');
});

test('a route refuses in words for people', async () => {
  await serve({ status: async () => Promise.reject(new ControlRefusal('There is no source "x".')) });
  expect(await errorOf(askStatus())).toMatchObject({ code: 'refused', message: 'There is no source "x".' });
  expect(failures).toEqual([]);
});

test('what goes wrong inside is told to the daemon and not to the one who asked', async () => {
  const wrong = new Error('the key is hunter2');
  await serve({ status: async () => Promise.reject(wrong) });
  const error = await errorOf(askStatus());
  expect(error).toMatchObject({ code: 'failed' });
  expect(error.message).not.toContain('hunter2');
  expect(failures).toEqual([['/control/1/status', wrong]]);
});

test('a request of another version is unknown', async () => {
  await serve();
  const request = { name: '__proto__' as 'status', ask: { of: '' } };
  expect(await errorOf(sendControlRequest<Contract, 'status'>({ path, request, timeoutMs: 10_000 }))).toMatchObject({
    code: 'unknown',
    message: 'The running daemon does not know this request.',
  });
});

test('a question that is too large is not sent, and not read by a daemon that is sent one', async () => {
  let asked = 0;
  await serve({
    status: async () => {
      asked += 1;
      return { said: '' };
    },
  });
  expect((await errorOf(askStatus('x'.repeat(LARGEST_ASK)))).code).toBe('invalid');
  const rude = connect(path);
  // The daemon may cut the connection before everything is written.
  rude.on('error', () => undefined);
  const size = 20 * LARGEST_ASK;
  rude.write(`POST /control/1/status HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n`);
  let answer = '';
  rude.on('data', (part) => (answer += part.toString()));
  rude.write(Buffer.alloc(LARGEST_ASK + 1, 0x20));
  await new Promise((resolve) => rude.once('close', resolve));
  expect(answer).toContain('HTTP/1.1 400 ');
  expect(answer).toContain('"code":"invalid"');
  expect(asked).toBe(0);
  expect(
    await sendControlRequest<Contract, 'reload'>({ path, request: { name: 'reload', ask: null }, timeoutMs: 10_000 }),
  ).toBe(null);
});

test('what is not JSON is refused', async () => {
  await serve();
  const rude = connect(path);
  rude.end('POST /control/1/status HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\n{');
  let answer = '';
  for await (const part of rude as AsyncIterable<Buffer>) answer += part.toString();
  expect(answer).toContain('"code":"invalid"');
});

test('what answers without being Linewatch is called so', async () => {
  const stranger = createServer((socket) => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n{}'));
  stranger.listen(path);
  await once(stranger, 'listening');
  try {
    expect((await errorOf(askStatus())).code).toBe('broken');
  } finally {
    stranger.close();
  }
});

test('closing lets an answer under way finish', async () => {
  const { promise: answer, resolve } = Promise.withResolvers<{ said: string }>();
  const { promise: asked, resolve: sayAsked } = Promise.withResolvers<void>();
  await serve({
    status: () => {
      sayAsked();
      return answer;
    },
  });
  const asking = askStatus();
  await asked;
  const closed = server?.close(10_000);
  server = null;
  resolve({ said: 'in time' });
  expect(await asking).toEqual({ said: 'in time' });
  await closed;
});

test('closing does not wait longer than its grace, neither for a route nor for a silent connection', async () => {
  const { promise: never } = Promise.withResolvers<{ said: string }>();
  const { promise: asked, resolve: sayAsked } = Promise.withResolvers<void>();
  await serve({
    status: () => {
      sayAsked();
      return never;
    },
  });
  const silent = connect(path);
  await once(silent, 'connect');
  const asking = errorOf(askStatus());
  await asked;
  await server?.close(20);
  server = null;
  expect((await asking).code).toBe('broken');
  silent.destroy();
});
