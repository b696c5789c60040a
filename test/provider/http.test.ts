import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createAccountClient } from '../../src/provider/account-client.ts';
import { ProviderError } from '../../src/provider/errors.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import type { HttpAttempt } from '../../src/provider/http.ts';
import { createStatusClient, type StatusClientOptions } from '../../src/provider/status-client.ts';
import { json, serve, type Respond } from './local-server.ts';

const PAGE = { page: { name: 'P', state: 'operational' } };

function clientFor(baseUrl: string, options: Partial<StatusClientOptions> = {}) {
  return createStatusClient({ baseUrl, limiter: createLimiter({ requestsPerSecond: 50, windowMs: 10 }), ...options });
}

async function failure(respond: Respond, options: Partial<StatusClientOptions> = {}): Promise<ProviderError> {
  await using server = await serve(respond);
  const client = clientFor(server.base, options);
  const error: unknown = await client.ask('status.show', {}).catch((reason: unknown) => reason);
  client.close();
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
}

function raw(body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }): Respond {
  return (_, response) => {
    response.writeHead(200, headers);
    response.end(body);
  };
}

describe('an answer that breaks the contract', () => {
  it.each<[string, Respond, string]>([
    ['is empty', raw(''), 'is empty'],
    ['is cut off', raw('{"page": {"na'), 'broken or cut off JSON'],
    ['is a web page', raw('<!doctype html><title>secret</title>'), 'a web page'],
    ['is plain words', raw('secret words'), 'is not JSON'],
    ['has the media type of a web page', raw(JSON.stringify(PAGE), { 'content-type': 'text/html' }), 'text/html'],
    ['is text', raw(JSON.stringify(PAGE), { 'content-type': 'text/plain' }), 'text/plain'],
    ['is Latin-1', raw(Buffer.from('{"page": "\u00e9"}', 'latin1')), 'not valid UTF-8'],
    ['has a trailing comma', raw('{"page": {"name": "secret",}}'), 'broken or cut off JSON'],
    ['nests too deep', raw(`{"page": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`), 'nests more than 100 deep'],
    ['is damaged gzip', raw('no gzip', { 'content-type': 'application/json', 'content-encoding': 'gzip' }), 'damaged'],
  ])('%s', async (_, respond, words) => {
    const error = await failure(respond);
    expect(error.code).toBe('contract_broken');
    expect(error.message).toContain(words);
    expect(error.message).toMatch(/^status\.show: .*http:\/\/127\.0\.0\.1:\d+\/api\/v1\/status/);
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain('secret');
  });

  it('is read all the same behind a byte-order mark', async () => {
    await using server = await serve(raw(`\uFEFF${JSON.stringify(PAGE)}`));
    const client = clientFor(server.base);
    expect((await client.ask('status.show', {})).value).toEqual(PAGE);
  });
});

describe('an answer without end', () => {
  it('is given up at the size limit, counted after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024, ' '));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const error = await failure(raw(bomb, headers));
    expect(error.code).toBe('too_large');
    expect(bomb.byteLength).toBeLessThan(100_000);
  });

  it('is given up when it drips', async () => {
    const error = await failure(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
      { timeouts: { read: 150 } },
    );
    expect(error.code).toBe('timeout');
  });

  it('is given up when its head never comes', async () => {
    const error = await failure(() => undefined, { timeouts: { response: 60 } });
    expect(error).toMatchObject({ code: 'timeout', maybeSeen: true });
  });

  it('is given up at shutdown', async () => {
    const shutdown = new AbortController();
    await using server = await serve(() => shutdown.abort());
    const client = clientFor(server.base);
    await expect(client.ask('status.show', {}, { signal: shutdown.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});

describe('no answer', () => {
  it('is unreachable, and certainly unseen, when the connection is refused', async () => {
    const server = await serve(() => undefined);
    await server.close();
    const client = clientFor(server.base);
    await expect(client.ask('status.show', {})).rejects.toMatchObject({ code: 'unreachable', maybeSeen: false });
  });

  it('is unreachable when the connection is reset or what speaks is not HTTP', async () => {
    const reset = await failure((_, response) => response.destroy());
    expect(reset).toMatchObject({ code: 'unreachable', maybeSeen: true });
    const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await expect(clientFor(`http://127.0.0.1:${port}`).ask('status.show', {})).rejects.toMatchObject({
      code: 'contract_broken',
    });
    await expect(clientFor(`https://127.0.0.1:${port}`).ask('status.show', {})).rejects.toMatchObject({
      code: 'unreachable',
    });
    server.close();
  });
});

describe('a status that is no success', () => {
  it.each([
    [400, 'refused'],
    [401, 'credentials'],
    [403, 'credentials'],
    [404, 'not_found'],
    [410, 'not_found'],
    [408, 'timeout'],
    [422, 'validation'],
    [429, 'rate_limited'],
    [500, 'server_error'],
    [503, 'server_error'],
  ])('%i is %s', async (status, code) => {
    const error = await failure((_, response) => json(response, { message: 'words' }, status));
    expect(error).toMatchObject({ code, status });
    expect(error.message.includes('words')).toBe(status < 500);
  });

  it('never repeats what a debugger printed', async () => {
    const trace = { message: 'SQLSTATE hunter2', exception: 'PDOException', trace: ['hunter2'] };
    for (const status of [400, 500]) {
      const error = await failure((_, response) => json(response, trace, status));
      expect(error.message).not.toContain('hunter2');
    }
  });

  it.each([
    ['37', 37_000],
    ['0', 0],
    ['86400', 300_000],
    ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
    ['9'.repeat(400), 300_000],
    ['soon', null],
    ['-5', null],
    ['5 May 2094', null],
  ])('Retry-After %s', async (header, expected) => {
    const error = await failure((_, response) =>
      json(response, {}, 429, { 'retry-after': header, date: 'Thu, 01 Jan 2026 00:00:00 GMT' }),
    );
    expect(error.retryAfterMs).toBe(expected);
  });

  it('asks for no more while the provider wants to be left alone', async () => {
    await using server = await serve((_, response) => json(response, {}, 429, { 'retry-after': '30' }));
    const client = clientFor(server.base);
    await expect(client.ask('status.show', {})).rejects.toMatchObject({ status: 429 });
    await expect(client.ask('status.show', {})).rejects.toMatchObject({ code: 'rate_limited', maybeSeen: false });
    expect(server.arrivals).toHaveLength(1);
    expect(client.waitMs()).toBeGreaterThan(29_000);
  });
});

describe('a redirect', () => {
  it('is followed within the origin, three times at most', async () => {
    await using server = await serve(({ url }, response) => {
      const hop = Number(/hop=(\d)/.exec(url)?.[1] ?? 0);
      if (hop < 3) {
        response.writeHead(302, { location: `?hop=${hop + 1}` }).end();
      } else {
        json(response, PAGE);
      }
    });
    expect((await clientFor(server.base).ask('status.show', {})).value).toEqual(PAGE);
    expect(server.arrivals).toHaveLength(4);
    server.respond = (_, response) => response.writeHead(302, { location: '?again' }).end();
    await expect(clientFor(server.base).ask('status.show', {})).rejects.toThrow('more than 3 times');
  });

  it('is not followed to another origin', async () => {
    await using elsewhere = await serve((_, response) => json(response, PAGE));
    const error = await failure((_, response) => response.writeHead(302, { location: `${elsewhere.base}/x` }).end());
    expect(error.code).toBe('foreign_link');
    expect(elsewhere.arrivals).toHaveLength(0);
  });

  it('to a login page means that the credentials were refused', async () => {
    const error = await failure((_, response) => response.writeHead(302, { location: '/login' }).end());
    expect(error).toMatchObject({ code: 'credentials', status: 302 });
  });
});

describe('a conditional request', () => {
  it('sends the validators it was given and takes 304 for the answer it knows', async () => {
    await using server = await serve(({ headers }, response) => {
      if (headers['if-none-match'] === '"a"' && headers['if-modified-since'] !== undefined) {
        response.writeHead(304).end();
      } else {
        json(response, PAGE, 200, { etag: '"a"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' });
      }
    });
    const attempts: HttpAttempt[] = [];
    const client = clientFor(server.base, { onRequest: (attempt) => attempts.push(attempt) });
    await client.ask('status.show', {});
    expect((await client.ask('status.show', {})).value).toEqual(PAGE);
    expect(attempts.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['ok', 200],
      ['not_modified', 304],
    ]);
    expect(attempts[0]?.durationMs).toBeGreaterThan(0);
  });

  it('is unconditional where no validator came, and a 304 out of nowhere is refused', async () => {
    await using server = await serve((_, response, index) => {
      if (index === 0) {
        json(response, PAGE);
      } else {
        response.writeHead(304).end();
      }
    });
    const client = clientFor(server.base);
    await client.ask('status.show', {});
    await expect(client.ask('status.show', {})).rejects.toMatchObject({ code: 'contract_broken' });
    expect(server.arrivals[1]?.headers['if-none-match']).toBeUndefined();
  });
});

describe('the address', () => {
  it('of an operation is its path below the base address', async () => {
    await using server = await serve((_, response) => json(response, PAGE));
    await clientFor(`${server.base}/some/prefix/`).ask('status.show', {});
    expect(server.arrivals[0]?.url).toBe('/some/prefix/api/v1/status');
    expect(server.arrivals[0]?.headers).toMatchObject({ accept: 'application/json', 'user-agent': 'linewatch' });
  });

  it('must be an http address without a password', () => {
    expect(() => clientFor('ftp://a.example')).toThrow('http');
    expect(() => clientFor('https://me:pw@a.example')).toThrow('must not carry');
    expect(() => clientFor('status.example.com')).toThrow('https://status.example.com');
  });
});

describe('a proxy', () => {
  it('of the environment is asked in place of the provider', async () => {
    await using proxy = await serve((_, response) => json(response, PAGE));
    const client = clientFor('http://status.example.com', { proxy: { HTTP_PROXY: proxy.base } });
    expect((await client.ask('status.show', {})).value).toEqual(PAGE);
    expect(proxy.arrivals[0]?.url).toBe('http://status.example.com/api/v1/status');
  });

  it('only passes on what is encrypted, and never sees the key', async () => {
    const heads: string[] = [];
    const proxy = createServer((socket) => {
      socket.once('data', (data) => {
        heads.push(data.toString());
        socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    const address = proxy.address();
    const HTTPS_PROXY = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const options = { apiKey: 'key-0123456789', retry: { retries: 0 }, proxy: { HTTPS_PROXY } };
    const client = createAccountClient({ baseUrl: 'https://api.example.com', ...options });
    await expect(client.extensions.list()).rejects.toMatchObject({ code: 'unreachable' });
    expect(heads[0]).toMatch(/^CONNECT api\.example\.com:443 /);
    expect(heads[0]).not.toContain('key-0123456789');
    proxy.close();
  });

  it('is passed over for the hosts that are excepted', async () => {
    await using server = await serve((_, response) => json(response, PAGE));
    const client = clientFor(server.base, { proxy: { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' } });
    expect((await client.ask('status.show', {})).value).toEqual(PAGE);
  });
});

describe('the typed functions of the status client', () => {
  it('send their input and read the answer by the catalogue', async () => {
    await using server = await serve(({ url }, response) =>
      json(
        response,
        url.includes('notices') ? { notices: [{ id: '4', state: 'Odd', extra: 1 }], meta: {} } : { page: null },
      ),
    );
    const client = clientFor(server.base);
    const { notices } = await client.notices.list({ page: 2, 'filter[type_eq]': 'planned' });
    expect(server.arrivals[0]?.url).toBe('/api/v1/notices?page=2&filter%5Btype_eq%5D=planned');
    expect(notices?.[0]).toMatchObject({ id: 4, state: 'Odd', extra: 1, subject: null });
    expect(await client.status.show()).toEqual({ page: null });
    await expect(client.notices.show({ id: -1 })).rejects.toMatchObject({ code: 'validation' });
  });
});
