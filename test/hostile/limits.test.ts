/**
 * What a provider sends is counted before it is parsed, joined, matched or kept: each number of the table of limits, on
 * the real clients over a real connection. That time and memory hold beside it is measured in test/bench/hostile.bench.ts.
 */
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/observation/limits.ts';
import { createReadOnlyClient, type ReadOnlyClient } from '../../src/provider/account-client.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { measureJson } from '../../src/provider/json-body.ts';
import { observeExtensions, observeRegistrations, observeToggles } from '../../src/provider/observe-account.ts';
import { observeComponents, observeNotice, observeNotices } from '../../src/provider/observe.ts';
import { createStatusClient, type StatusClient } from '../../src/provider/status-client.ts';
import { componentRow, json, noticeRow, serve, type Respond } from '../provider/local-server.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const PAST = { timeline_state: 'past_distant' };
const limiter = createLimiter({ requestsPerSecond: 1000, windowMs: 1 });

async function page(respond: Respond): Promise<{ client: StatusClient; asked: () => number }> {
  const server = await serve(respond);
  const client = createStatusClient({ baseUrl: server.base, limiter });
  open.push(client, server);
  return { client, asked: () => server.arrivals.length };
}

async function account(answer: () => string): Promise<ReadOnlyClient> {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer());
  });
  const reader = createReadOnlyClient({ baseUrl: server.base, apiKey: 'key', limiter, retry: { retries: 0 } });
  open.push(reader, server);
  return reader;
}

function times(count: number, text: string): string {
  return Array.from({ length: count }, () => text).join(',');
}

const REGISTRATION = '{"user_id":"1001","contact":"sip:1001@10.0.0.2","status":"Registered(UDP)"}';

describe('a status page', () => {
  test('with 125,000 junk rows in 0.3 kB: hardly believed, and nothing is gone', async () => {
    const body = gzipSync(`{"components":[${times(125_000, 'null')}],"meta":{}}`);
    const { client } = await page((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
    });
    expect(await observeComponents(client)).toMatchObject({ kind: 'missed', code: 'too_large' });
  });

  test('with more rows than there can be: the first of them are evidence', async () => {
    const rows = Array.from({ length: LIMITS.components + 1 }, (_, id) => componentRow(id));
    const { client } = await page((_, response) => json(response, { components: rows, meta: {} }));
    const listing = await observeComponents(client);
    expect(listing).toMatchObject({ kind: 'observed', missing: { code: 'too_large' } });
    expect(listing.kind === 'observed' && listing.items).toHaveLength(LIMITS.rowsOfAnEndlessListing);
  });

  test('whose pages are large: their bytes count together', async () => {
    const filling = 'x'.repeat(1_500_000);
    const { client, asked } = await page((arrival, response, index) =>
      json(response, {
        components: [componentRow(index, { description: filling })],
        meta: { next_page: `${arrival.url.split('?')[0]}?page=${index + 2}` },
      }),
    );
    expect(await observeComponents(client)).toMatchObject({ missing: { code: 'too_large' } });
    expect(asked()).toBe(Math.ceil(LIMITS.listingBytes / 1_500_000));
  });

  test.each([
    ['objects and lists', `[${times(LIMITS.containers, '[]')}]`],
    ['values', `[${times(LIMITS.values + 1, '1')}]`],
  ])('with too many %s in a body: refused before it is parsed', async (what, rows) => {
    const { client } = await page((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"components":${rows},"meta":{}}`);
    });
    expect(await observeComponents(client)).toMatchObject({
      kind: 'missed',
      code: 'too_large',
      why: expect.stringContaining(what) as string,
    });
  });

  test('with a body beyond the bytes of one answer: refused', async () => {
    const { client } = await page((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(' '.repeat(LIMITS.statusAnswerBytes + 1));
    });
    expect(await observeComponents(client)).toMatchObject({ kind: 'missed', code: 'too_large' });
  });

  test.each([500, 404, 422, 301])('whose body of a %i has no end: read no further than its reason', async (status) => {
    let sent = 0;
    const piece = Buffer.alloc(LIMITS.errorBytes, ' ');
    const { client } = await page((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' });
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
    const listing = await observeComponents(client);
    expect(listing.kind === 'missed' && listing.code).not.toBe('too_large');
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('whose components are each the parent of the next: a defect, for a tree that deep is none', async () => {
    const chain = Array.from({ length: LIMITS.levels + 2 }, (_, id) =>
      componentRow(id + 1, { parent_id: id === 0 ? null : id }),
    );
    const { client } = await page((_, response) =>
      json(response, { components: chain, meta: { total_count: chain.length } }),
    );
    const listing = await observeComponents(client);
    expect(listing.kind === 'observed' && listing.defects.map(({ key }) => key)).toEqual(['components.levels']);
    chain.pop();
    expect(await observeComponents(client)).toMatchObject({ kind: 'observed', defects: [] });
  });

  test.each<[string, number, (page: number) => unknown[]]>([
    ['one a page', LIMITS.pages, (page) => [noticeRow(page, PAST)]],
    ['25 a page', LIMITS.pages, (page) => Array.from({ length: 25 }, (_, index) => noticeRow(page * 25 + index, PAST))],
    [
      '2,000 a page',
      LIMITS.listingRows / 2000 + 1,
      (page) => Array.from({ length: 2000 }, (_, index) => ({ id: page * 2000 + index, ...PAST })),
    ],
  ])(
    'that goes on for ever with notices nobody asked for, %s: refused, and none of them is kept',
    async (_, requests, rows) => {
      const { client, asked } = await page((arrival, response) => {
        const number = Number(new URL(arrival.url, 'http://local').searchParams.get('page') ?? 1);
        const notices = number === 1 ? [noticeRow(1_000_000), ...rows(number).slice(1)] : rows(number);
        json(response, { notices, meta: { next_page: `/api/v1/notices?page=${number + 1}` } });
      });
      const listing = await observeNotices(client, 'present');
      expect(listing).toMatchObject({ kind: 'observed', missing: { code: 'too_large' } });
      expect(listing.kind === 'observed' && listing.items.map(({ id }) => id)).toEqual(['1000000']);
      expect(asked()).toBe(requests);
    },
  );

  test('with more notices where it was asked for than there can be: the first of them are evidence', async () => {
    const rows = Array.from({ length: LIMITS.notices + 1 }, (_, id) => noticeRow(id));
    const { client } = await page((_, response) => json(response, { notices: rows, meta: {} }));
    const listing = await observeNotices(client, 'present');
    expect(listing).toMatchObject({ kind: 'observed', missing: { code: 'too_large' } });
    expect(listing.kind === 'observed' && listing.items).toHaveLength(LIMITS.rowsOfAnEndlessListing);
  });

  test.each([
    ['an id', { id: '0'.repeat(LIMITS.token) + 1 }, []],
    ['a time', { created_at: `2026-01-01T00:00:00${' '.repeat(LIMITS.token)}` }, ['1']],
  ])('with %s far too long: not looked through', async (_, extra, ids) => {
    const { client } = await page((__, response) =>
      json(response, { notices: [noticeRow(1, extra), noticeRow(2)], meta: {} }),
    );
    const listing = await observeNotices(client, 'present');
    expect(listing.kind === 'observed' && listing.items.map(({ id }) => id)).toEqual([...ids, '2']);
    expect(listing.kind === 'observed' && listing.items.every(({ createdAt }) => createdAt !== 0)).toBe(true);
  });

  test('with a history beyond what is kept of one: the newest of it is', async () => {
    const updates = Array.from({ length: 40 }, (_, day) => ({
      state: 'identified',
      content: `${day} ${'x'.repeat(10_000)}`,
      created_at: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
    }));
    const notice = { ...noticeRow(7), components: [], updates };
    const { client } = await page((_, response) => json(response, { notice }));
    const answer = await observeNotice(client, '7');
    const kept = answer.kind === 'observed' ? answer.value.updates : [];
    expect(kept.at(-1)?.content).toMatch(/^39 /);
    expect(kept).toHaveLength(6);
  });

  test('whose notice lists more than is kept of one: its detail is unreadable', async () => {
    const components = Array.from({ length: 200 }, (_, id) => componentRow(id, { name: 'x'.repeat(400) }));
    const { client } = await page((_, response) =>
      json(response, { notice: { ...noticeRow(7), components, updates: [] } }),
    );
    expect(await observeNotice(client, '7')).toMatchObject({ kind: 'missed', code: 'contract_broken' });
  });

  test('whose link to the next page is no address for its length: not followed', async () => {
    const { client, asked } = await page((_, response) =>
      json(response, { components: [componentRow(1)], meta: { next_page: `?page=2&x=${'x'.repeat(LIMITS.address)}` } }),
    );
    expect(await observeComponents(client)).toMatchObject({ missing: { code: 'contract_broken' } });
    expect(asked()).toBe(1);
  });
});

describe('an account', () => {
  test('with one extension of very many contacts: so many are read, and it is a defect', async () => {
    const reader = await account(() => `{"1001":[${times(20_000, REGISTRATION)}],"1002":[${REGISTRATION}]}`);
    const listing = await observeRegistrations(reader);
    const items = listing.kind === 'observed' ? listing.items : [];
    expect(items.map(({ extension, contacts }) => [extension, contacts.length])).toEqual([
      ['1001', LIMITS.contacts],
      ['1002', 1],
    ]);
    expect(listing.kind === 'observed' && listing.defects.map(({ key }) => key)).toEqual(['registrations.contacts']);
  });

  test.each([
    ['registrations', observeRegistrations, LIMITS.extensions],
    ['extensions', observeExtensions, LIMITS.extensions],
    ['toggles', observeToggles, LIMITS.toggles],
  ])('with more %s than there can be: refused before they are read', async (_, observe, most) => {
    const rows = Array.from({ length: most + 1 }, (__, id) => ({ id, user_id: String(id), name: 'x', status: true }));
    const map = Object.fromEntries(rows.map((row) => [`e${row.id}`, []]));
    const reader = await account(() => JSON.stringify(observe === observeRegistrations ? map : rows));
    expect(await observe(reader)).toMatchObject({ kind: 'missed', code: 'too_large' });
  });
});

describe('the extent of a body', () => {
  test.each<[string, unknown]>([
    ['brackets and commas in texts', { a: '[[[{,,,"', b: ['\\', ']'] }],
    ['letters of several bytes', { ä: ['Straße', '漢字', '🙂,[', null] }],
    ['nothing', []],
    ['a text', '[,'],
  ])('%s', (_, value) => {
    const count = (each: unknown): [number, number] => {
      if (typeof each !== 'object' || each === null) return [0, 1];
      const inner = Object.values(each).map(count);
      return [
        1 + inner.reduce((sum, [containers]) => sum + containers, 0),
        1 + inner.reduce((sum, [, values]) => sum + values, 0),
      ];
    };
    const [containers, values] = count(value);
    const extent = measureJson(Buffer.from(JSON.stringify(value, null, 1)));
    expect(extent.containers).toBe(containers);
    // A comma stands between two values: what is counted is never more than there is, and never less than half of it.
    expect(extent.values).toBeLessThanOrEqual(values);
    expect(extent.values).toBeGreaterThanOrEqual(Math.floor(values / 2));
  });
});
