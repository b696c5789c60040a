import { request as rawRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/simulator/fault/fault.ts';
import { type Listening, listen } from '../../src/simulator/embedded-provider.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { manualTime } from './support/manual-time.ts';

const COMPONENTS = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, name: `Component ${index + 1}` }));

let provider: Simulator;
let server: Listening;

beforeEach(async () => {
  provider = createSimulator({ clock: { now: manualTime().clock.now }, components: COMPONENTS });
  server = await listen(provider);
});
afterEach(() => server.close());

interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** Whether the answer came to its end. */
  complete: boolean;
}

/** The bytes as sent: no decoding, no unpacking, no retry. */
function ask(path: string): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = rawRequest(server.url + path, { agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', () => undefined);
      incoming.on('close', () => {
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(chunks),
          complete: incoming.complete,
        });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function askWith(fault: Fault, path = '/api/v1/components'): Promise<Raw> {
  provider.faults.add({ fault, times: 1 });
  return ask(path);
}

describe('another answer in place of the right one', () => {
  test('a status with a body', async () => {
    const raw = await askWith({ kind: 'status', status: 503, body: { message: 'Service Unavailable' } });
    expect([raw.status, raw.body.toString()]).toEqual([503, '{"message":"Service Unavailable"}']);
  });

  test.each([
    [{ retry_after: 7 }, '7'],
    [{ retry_after: 0 }, '0'],
    [{ retry_after_date: 60 }, 'Mon, 02 Mar 2026 09:01:00 GMT'],
    [{}, undefined],
  ])('429 with %o', async (after, header) => {
    const raw = await askWith({ kind: 'rate_limited', ...after });
    expect([raw.status, raw.headers['retry-after']]).toEqual([429, header]);
  });

  test('a redirect to a login page', async () => {
    const raw = await askWith({ kind: 'redirect' });
    expect([raw.status, raw.headers['location']]).toEqual([302, `${server.url}/login`]);
  });

  test.each<[Fault, string, string | RegExp]>([
    [{ kind: 'html' }, 'text/html; charset=utf-8', /^<!DOCTYPE html>/],
    [{ kind: 'empty' }, 'application/json', ''],
    [{ kind: 'json_string', text: 'busy' }, 'application/json', '"busy"'],
  ])('%o with 200', async (fault, type, body) => {
    const raw = await askWith(fault);
    expect([raw.status, raw.headers['content-type']]).toEqual([200, type]);
    expect(raw.body.toString()).toEqual(typeof body === 'string' ? body : expect.stringMatching(body));
  });
});

describe('the right answer, bent', () => {
  test('wrong type, wrong charset, byte-order mark, duplicate keys', async () => {
    provider.status.renameComponent(1, 'Köln');
    expect((await askWith({ kind: 'content_type', type: 'text/plain' })).headers['content-type']).toBe('text/plain');
    expect((await askWith({ kind: 'charset' })).body.includes(Buffer.from('K\xf6ln', 'latin1'))).toBe(true);
    expect([...(await askWith({ kind: 'bom' })).body.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const twice = (await askWith({ kind: 'duplicate_keys' })).body.toString();
    expect(twice.startsWith('{"components":null,"components":[{')).toBe(true);
  });

  test('bodies that are too large, plain and packed', async () => {
    expect((await askWith({ kind: 'big_body' })).body.length).toBe(10 * 1024 * 1024);
    const bomb = await askWith({ kind: 'gzip_bomb', bytes: 3_000_000 });
    expect(bomb.headers['content-encoding']).toBe('gzip');
    expect(bomb.body.length).toBeLessThan(10_000);
    expect(gunzipSync(bomb.body).length).toBeGreaterThan(3_000_000);
  });

  test('listings that lie', async () => {
    const listing = async (fault: Fault, path?: string): Promise<Record<string, unknown>> =>
      JSON.parse((await askWith(fault, path)).body.toString()) as Record<string, unknown>;
    expect((await listing({ kind: 'meta', count: 1, total_count: -2 }))['meta']).toMatchObject({
      count: 26,
      total_count: 28,
    });
    expect((await listing({ kind: 'next_page', to: 'loop' }, '/api/v1/components?page=2'))['meta']).toMatchObject({
      next_page: '/api/v1/components?page=2',
    });
    expect((await listing({ kind: 'next_page', to: 'endless' }, '/api/v1/components?page=9'))['meta']).toMatchObject({
      next_page: '/api/v1/components?page=10',
    });
    expect((await listing({ kind: 'next_page', to: 'https://evil.test/x' }))['meta']).toMatchObject({
      next_page: 'https://evil.test/x',
    });
    const rows = (await listing({ kind: 'duplicate_rows' }))['components'] as { id: number }[];
    expect(rows.slice(0, 3).map(({ id }) => id)).toEqual([1, 1, 2]);
    expect((await listing({ kind: 'junk_rows' }))['components']).toEqual(
      expect.arrayContaining([null, 7, 'junk', {}, []]),
    );
    provider.status.openNotice({ subject: 'S' });
    const filtered = '/api/v1/notices?filter[type_eq]=planned';
    expect((await listing({ kind: 'ignore_filters' }, filtered))['notices']).toHaveLength(1);
    expect((await listing({ kind: 'delay', ms: 0 }, filtered))['notices']).toHaveLength(0);
    const bent = await listing({ kind: 'transform', body: () => ({ notices: 'none' }) });
    expect(bent).toEqual({ notices: 'none' });
  });

  test('two at once: what one has left unreadable the other leaves alone', async () => {
    provider.faults.add({ fault: { kind: 'empty' }, times: 1 });
    const empty = await askWith({ kind: 'junk_rows' });
    expect([empty.status, empty.body.length]).toEqual([200, 0]);
    provider.faults.add({ fault: { kind: 'bom' }, times: 1 });
    const marked = await askWith({ kind: 'meta', total_count: 3 });
    expect([marked.status, marked.body.subarray(0, 3).toString('hex')]).toEqual([200, 'efbbbf']);
  });

  test('a stale cache answers with an older document', async () => {
    provider.status.openNotice({ subject: 'S' });
    const raw = await askWith({ kind: 'stale' }, '/api/v1/notices');
    expect(JSON.parse(raw.body.toString())).toMatchObject({ notices: [], meta: { total_count: 0 } });
    expect(JSON.parse((await ask('/api/v1/notices')).body.toString())).toMatchObject({ meta: { total_count: 1 } });
  });
});

describe('trouble on the way', () => {
  test('a reset before a byte', async () => {
    await expect(askWith({ kind: 'reset' })).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('half a body, and a line that breaks', async () => {
    const whole = (await ask('/api/v1/components')).body.length;
    const broken = await askWith({ kind: 'truncate' });
    expect([broken.complete, broken.body.length]).toEqual([false, Math.floor(whole / 2)]);
  });

  test('half a body that looks like a whole one', async () => {
    const cut = await askWith({ kind: 'truncate', clean: true });
    expect(cut.complete).toBe(true);
    expect(() => JSON.parse(cut.body.toString()) as unknown).toThrow(SyntaxError);
  });

  test('byte by byte the whole answer comes', async () => {
    const dripped = await askWith({ kind: 'drip', every_ms: 0 }, '/api/v1/status');
    expect(JSON.parse(dripped.body.toString())).toHaveProperty('page');
  });

  test('a request that hangs is let go by close', async () => {
    const arrived = provider.log.next();
    const ended = askWith({ kind: 'hang' }).catch((error: unknown) => error);
    await arrived;
    await server.close();
    expect(await ended).toMatchObject({ code: 'ECONNRESET' });
    server = await listen(provider);
  });

  test('a delay is the injected timer, and the answer waits for it', async () => {
    const time = manualTime();
    const slow = createSimulator({ ...time });
    slow.faults.add({ fault: { kind: 'delay', ms: 5000 } });
    let answered = false;
    const pending = Promise.resolve(slow.app.request('/api/v1/status')).then((response) => {
      answered = true;
      return response.status;
    });
    await new Promise((resolve) => setImmediate(resolve));
    time.pass(4999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    time.pass(1);
    expect(await pending).toBe(200);
  });
});

describe('where and how often', () => {
  const broken: Fault = { kind: 'status', status: 500 };
  const statusOf = async (path: string): Promise<number> => (await ask(path)).status;

  test('an operation, whatever way its path is written', async () => {
    provider.faults.add({ on: 'components.list', fault: broken });
    expect(await statusOf('/v1/components.json')).toBe(500);
    expect(await statusOf('/api/v1/status')).toBe(200);
  });

  test('a path with a star', async () => {
    provider.faults.add({ on: '/api/v1/not*', fault: broken });
    expect(await statusOf('/api/v1/notices')).toBe(500);
    expect(await statusOf('/v1/notices')).toBe(200);
  });

  test('page 2 only', async () => {
    provider.faults.add({ on: 'components.list', page: 2, fault: broken });
    expect(await statusOf('/api/v1/components')).toBe(200);
    expect(await statusOf('/api/v1/components?page=2')).toBe(500);
  });

  test('the third and fourth request only, then it is gone', async () => {
    provider.faults.add({ skip: 2, times: 2, fault: broken });
    const seen: number[] = [];
    for (let count = 0; count < 5; count += 1) seen.push(await statusOf('/api/v1/status'));
    expect(seen).toEqual([200, 200, 500, 500, 200]);
    expect(provider.faults.list()).toEqual([]);
  });

  test('until removed; an unknown place is refused', async () => {
    const id = provider.faults.add({ fault: broken });
    expect(await statusOf('/api/v1/status')).toBe(500);
    provider.faults.remove(id);
    expect(await statusOf('/api/v1/status')).toBe(200);
    expect(() => {
      provider.faults.remove(id);
    }).toThrow('There is no fault 1 in force.');
    expect(() => provider.faults.add({ on: 'component.list', fault: broken })).toThrow(
      '"component.list" is none of them',
    );
  });

  test('the control plane is never hit', async () => {
    provider.faults.add({ fault: broken });
    expect(await statusOf('/_control/faults')).toBe(200);
  });
});
