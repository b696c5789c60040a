import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/provider/limiter.ts';
import { observeComponents, observeNotice, observeNotices, observePage } from '../../src/provider/observe.ts';
import { createStatusClient, type StatusClient } from '../../src/provider/status-client.ts';
import { componentRow, json, noticeRow, pagesOf, serve, type LocalServer, type Respond } from './local-server.ts';

type Answers = Record<string, unknown>;
type Meta = Record<string, unknown>;

/** Serves each path with its query from a table; a number is a status without a body, anything unknown is 404 with a web page. */
async function world(
  answers: Answers | ((url: string) => unknown),
): Promise<{ server: LocalServer; client: StatusClient } & AsyncDisposable> {
  const server = await serve(({ url }, response) => {
    const plain = decodeURIComponent(url);
    const answer = typeof answers === 'function' ? answers(plain) : answers[plain];
    if (answer === undefined) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>'.repeat(6000));
    } else if (typeof answer === 'number') {
      response.writeHead(answer).end();
    } else {
      json(response, answer);
    }
  });
  const client = createStatusClient({
    baseUrl: server.base,
    limiter: createLimiter({ requestsPerSecond: 50, windowMs: 10 }),
  });
  return {
    server,
    client,
    async [Symbol.asyncDispose]() {
      client.close();
      await server.close();
    },
  };
}

function paths(server: LocalServer): string[] {
  return server.arrivals.map(({ url }) => decodeURIComponent(url));
}

const C = '/api/v1/components';
const N = '/api/v1/notices';
const PRESENT = `${N}?filter[timeline_state_eq]=present`;
const rows = (count: number) => Array.from({ length: count }, (_, index) => componentRow(index + 1));

function componentsWorld(all: unknown[], link = C) {
  return world((url) => {
    const { pathname, searchParams } = new URL(url, 'http://local');
    return pathname === C || pathname === link
      ? pagesOf('components', link, all, Number(searchParams.get('page') ?? 1))
      : undefined;
  });
}

const ADVICE =
  'base_url is the address before /api/v1; a page of another vendor needs its type, which "linewatch config detect" tells';

describe('what cannot be read', () => {
  const broken: [string, Respond, string][] = [
    ['503', (_, response) => response.writeHead(503).end(), 'the server failed with 503'],
    ['404', (_, response) => response.writeHead(404).end(), `there is no such thing (404); ${ADVICE}`],
    [
      'a web page',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi</p>'),
      `it answered with text/html where JSON was expected; ${ADVICE}`,
    ],
    ['half an answer', (_, response) => response.end('{"page":'), 'the answer is broken or cut off JSON'],
    ['a reset', (_, response) => response.socket?.destroy(), 'it cannot be reached: the connection was reset'],
    [
      'a link abroad',
      (_, response) => response.writeHead(302, { location: 'https://elsewhere.example/x' }).end(),
      'it leads to another origin, https://elsewhere.example, which is not followed; if the provider has moved, change base_url',
    ],
  ];
  it.each(broken)('%s is one and the same trouble of every part', async (_, answer, why) => {
    await using server = await serve(answer);
    const client = createStatusClient({
      baseUrl: server.base,
      limiter: createLimiter({ requestsPerSecond: 50, windowMs: 10 }),
    });
    try {
      const parts = [
        await observePage(client),
        await observeComponents(client),
        await observeNotices(client, 'present'),
      ];
      expect(parts.map((part) => (part.kind === 'missed' ? part.why : part))).toEqual([why, why, why]);
    } finally {
      client.close();
    }
  });

  it('says of an address with a path that the path may be too much', async () => {
    await using server = await serve((_, response) => response.end('<!doctype html>'));
    const client = createStatusClient({ baseUrl: `${server.base}/history/` });
    expect(await observePage(client)).toMatchObject({
      why:
        'the answer is a web page and not JSON; base_url is the address before /api/v1, and has the path /history here, ' +
        'which may be too much; a page of another vendor needs its type, which "linewatch config detect" tells',
    });
    client.close();
  });

  it('says nothing of the address once it was read there, nor of a single notice', async () => {
    await using server = await serve((_, response) => response.writeHead(404).end('<p>Hi</p>'));
    const client = createStatusClient({ baseUrl: server.base });
    const missing = { why: 'there is no such thing (404)' };
    expect(await observeNotice(client, '7')).toMatchObject(missing);
    server.respond = (_, response) => response.end(JSON.stringify({ page: { name: 'P', state: 'operational' } }));
    expect(await observePage(client)).toMatchObject({ kind: 'observed' });
    server.respond = (_, response) => response.writeHead(404).end('<p>Hi</p>');
    expect(await observePage(client)).toMatchObject(missing);
    client.close();
  });
});

describe('a collection', () => {
  it.each([
    [0, 1],
    [1, 1],
    [25, 1],
    [26, 2],
    [50, 2],
    [110, 5],
  ])('of %i is read with %i requests', async (count, requests) => {
    await using w = await componentsWorld(rows(count));
    const listing = await observeComponents(w.client);
    expect(listing).toMatchObject({ kind: 'observed', defects: [], missing: null });
    expect(listing.kind === 'observed' ? listing.items : []).toHaveLength(count);
    expect(w.server.arrivals).toHaveLength(requests);
  });

  it.each(['/v1/components', '/api/v1/components.json', '/elsewhere'])(
    'is followed along %s as given',
    async (link) => {
      await using w = await componentsWorld(rows(30), link);
      expect(await observeComponents(w.client)).toMatchObject({ missing: null, defects: [] });
      expect(paths(w.server)).toEqual([C, `${link}?page=2`]);
    },
  );

  it('falls back on the documented path where a link leads nowhere, and remembers it', async () => {
    await using w = await world((url) =>
      url.startsWith(C) ? pagesOf('components', '/v1/components', rows(30), url.endsWith('2') ? 2 : 1) : undefined,
    );
    expect(await observeComponents(w.client)).toMatchObject({ missing: null });
    expect(paths(w.server)).toEqual([C, '/v1/components?page=2', `${C}?page=2`]);
    await observeComponents(w.client);
    expect(paths(w.server).slice(3)).toEqual([C, `${C}?page=2`]);
  });

  it('resolves a link without a leading slash against the base address, one with it against the origin', async () => {
    const page = (next: string | null, id: number) => ({
      components: [componentRow(id)],
      meta: { count: 1, total_count: 3, next_page: next },
    });
    await using w = await world({
      '/p/api/v1/components': page('v1/components?page=2', 1),
      '/p/v1/components?page=2': page('/v1/components?page=3', 2),
      '/v1/components?page=3': page(null, 3),
    });
    const client = createStatusClient({ baseUrl: `${w.server.base}/p` });
    expect(await observeComponents(client)).toMatchObject({ missing: null, defects: [] });
    client.close();
  });

  it.each([null, undefined, ''])('ends where next_page is %s', async (next_page) => {
    await using w = await world({ [C]: { components: rows(2), meta: { count: 2, total_count: 2, next_page } } });
    expect(await observeComponents(w.client)).toMatchObject({ missing: null, defects: [] });
    expect(w.server.arrivals).toHaveLength(1);
  });

  it('misses what a failed page holds, and keeps the rest', async () => {
    await using w = await world({ [C]: pagesOf('components', C, rows(30), 1), [`${C}?page=2`]: 500 });
    const listing = await observeComponents(w.client);
    expect(listing).toMatchObject({ kind: 'observed', missing: { code: 'server_error' } });
    expect(listing.kind === 'observed' && listing.items.length).toBe(25);
  });

  it.each([
    ['to itself', C],
    ['back to the first page', `${C}?page=1`],
  ])('notices links that lead %s', async (_, next_page) => {
    await using w = await world((url) =>
      url.startsWith(C) ? { components: rows(25), meta: { next_page } } : undefined,
    );
    expect(await observeComponents(w.client)).toMatchObject({ missing: { code: 'contract_broken' } });
    expect(w.server.arrivals.length).toBeLessThanOrEqual(2);
  });

  it('stops where it never ends', async () => {
    let id = 0;
    await using w = await world(() => {
      id += 2;
      return { components: [componentRow(id), componentRow(id + 1)], meta: { next_page: `${C}?page=${id}` } };
    });
    const byPages = await observeComponents(w.client, { caps: { pages: 5, items: 1000 } });
    expect(byPages).toMatchObject({ missing: { code: 'too_large' } });
    expect(w.server.arrivals).toHaveLength(5);
    expect(await observeComponents(w.client, { caps: { pages: 50, items: 8 } })).toMatchObject({
      missing: { code: 'too_large' },
    });
    expect(w.server.arrivals).toHaveLength(9);
  });

  it.each([
    'http://elsewhere.example/api/v1/components?page=2',
    '//elsewhere.example/x',
    'https:/\\elsewhere.example',
    '/\\elsewhere.example/x',
  ])('does not follow %s', async (next_page) => {
    await using w = await world({ [C]: { components: rows(1), meta: { next_page } } });
    expect(await observeComponents(w.client)).toMatchObject({ kind: 'observed', missing: { code: 'foreign_link' } });
    expect(w.server.arrivals).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['count', { count: 3, total_count: 2 }, 'components.count:+1'],
    ['total_count', { count: 2, total_count: 110 }, 'components.total_count:+108'],
    ['a smaller total_count', { count: 2, total_count: 1 }, 'components.total_count:-1'],
  ])('whose %s does not add up has a defect', async (_, meta, key) => {
    await using w = await world({ [C]: { components: rows(2), meta } });
    const listing = await observeComponents(w.client);
    expect(listing.kind === 'observed' && listing.defects.map((defect) => defect.key)).toEqual([key]);
    expect(listing).toMatchObject({ missing: null });
  });

  it.each<[string, Meta, Meta, string[]]>([
    ['totals differ from page to page', { total_count: 60 }, { total_count: 26 }, ['total_count:+34']],
    ['totals are too large and too small', { total_count: 60 }, { total_count: 20 }, ['total_count:+34-6']],
    ['total is that of each page', { total_count: 25 }, { total_count: 1 }, ['total_count:-25']],
    ['counts make up for each other', { count: 26 }, { count: 0 }, ['count:+1-1']],
    ['meta has no counts', {}, {}, []],
    ['meta has counts that are none', { count: 'many', total_count: -1 }, {}, []],
    ['second page has no count', { count: 25 }, {}, []],
    ['total is said once', { total_count: 26 }, {}, []],
    ['counts are there without a total', { count: 25 }, { count: 1 }, []],
    ['counts and totals add up', { count: 25, total_count: 26 }, { count: 1, total_count: 26 }, []],
  ])('of two pages whose %s', async (_, first, second, keys) => {
    await using w = await world({
      [C]: { components: rows(25), meta: { ...first, next_page: `${C}?page=2` } },
      [`${C}?page=2`]: { components: [componentRow(26)], meta: { ...second, next_page: null } },
    });
    const listing = await observeComponents(w.client);
    expect(listing).toMatchObject({ kind: 'observed', missing: null });
    expect(listing.kind === 'observed' && listing.defects.map(({ key }) => key)).toEqual(
      keys.map((key) => `components.${key}`),
    );
  });

  it('without meta has a defect', async () => {
    await using w = await world({ [C]: { components: rows(2) } });
    expect(await observeComponents(w.client)).toMatchObject({ defects: [{ key: 'components.meta' }] });
  });

  it('with a link that is no text misses the rest', async () => {
    await using w = await world({ [C]: { components: rows(2), meta: { next_page: 2 } } });
    expect(await observeComponents(w.client)).toMatchObject({ missing: { code: 'contract_broken' } });
  });

  it('reads ids in every form, skips junk and keeps the newest of what came twice', async () => {
    const all = [
      componentRow(1),
      componentRow(0, { id: '2' }),
      '{"id": 3.0}',
      null,
      [],
      componentRow(0, { id: null }),
      componentRow(0, { id: 5.5 }),
      componentRow(6, { state: null }),
      componentRow(7, { name: {} }),
      componentRow(1, { name: 'newer', updated_at: '2026-02-01T00:00:00.000Z' }),
      componentRow(0, { id: '02', name: 'older', updated_at: '2025-02-01T00:00:00.000Z' }),
      componentRow(8, { state: 'Partially-Degraded', parent_id: 1.0, updated_at: 'yesterday' }),
    ];
    await using w = await world({ [C]: { components: all, meta: { count: 12, total_count: 12, next_page: null } } });
    const listing = await observeComponents(w.client);
    expect(listing).toEqual({
      kind: 'observed',
      missing: null,
      items: [
        { id: '1', name: 'newer', state: 'operational', parentId: null, updatedAt: Date.UTC(2026, 1, 1) },
        { id: '2', name: 'Component 0', state: 'operational', parentId: null, updatedAt: Date.UTC(2026, 0, 1) },
        { id: '8', name: 'Component 8', state: 'partially_degraded', parentId: '1', updatedAt: null },
      ],
      defects: [
        { key: 'components.unusable:7', text: 'components: 7 unusable rows' },
        { key: 'components.repeated:2', text: 'components: 2 ids came twice' },
      ],
      unusable: ['6', '7'],
    });
  });
});

describe('an answer of the wrong shape', () => {
  it.each<[string, unknown]>([
    ['a string', 'sorry'],
    ['a list', []],
    ['null', null],
    ['an error object', { error: 'unavailable' }],
    ['components that are null', { components: null, page: null, notice: null, notices: null }],
    ['components that are an object', { components: {}, page: [], notice: [], notices: {} }],
  ])('%s is a miss', async (_, answer) => {
    await using w = await world(() => answer);
    const missed = { kind: 'missed', code: 'contract_broken' };
    expect(await observeComponents(w.client)).toMatchObject(missed);
    expect(await observePage(w.client)).toMatchObject(missed);
    expect(await observeNotices(w.client, 'present')).toMatchObject(missed);
    expect(await observeNotice(w.client, '1')).toMatchObject(missed);
  });

  it('is a miss with the reason of the failure', async () => {
    await using w = await world(() => 503);
    expect(await observePage(w.client)).toMatchObject({ kind: 'missed', code: 'server_error' });
    expect(await observeNotices(w.client, 'future')).toMatchObject({ kind: 'missed', code: 'server_error' });
  });

  it('is a miss when given up at shutdown', async () => {
    await using w = await world(() => 503);
    expect(await observePage(w.client, { signal: AbortSignal.abort() })).toMatchObject({
      kind: 'missed',
      code: 'cancelled',
    });
    expect(w.server.arrivals).toHaveLength(0);
  });
});

describe('notices', () => {
  it('keep their filter along links that drop it', async () => {
    const all = Array.from({ length: 30 }, (_, index) => noticeRow(index + 1));
    await using w = await world((url) =>
      pagesOf('notices', '/api/v1/notices.json', all, url.includes('page=2') ? 2 : 1),
    );
    expect(await observeNotices(w.client, 'present')).toMatchObject({ missing: null, defects: [] });
    expect(paths(w.server)).toEqual([PRESENT, '/api/v1/notices.json?page=2&filter[timeline_state_eq]=present']);
  });

  it('are filtered again where the server ignores the filter, and counted before that', async () => {
    const all = [
      noticeRow(1),
      noticeRow(2, { timeline_state: 'past-distant' }),
      noticeRow(3, { timeline_state: null }),
    ];
    await using w = await world({ [PRESENT]: pagesOf('notices', N, all, 1) });
    const listing = await observeNotices(w.client, 'present');
    expect(listing).toMatchObject({ kind: 'observed', defects: [], missing: null });
    expect(listing.kind === 'observed' && listing.items.map(({ id }) => id)).toEqual(['1', '3']);
  });

  it.each([0, 2])('are found among 600 of a server that ignores the filter, %i of them', async (count) => {
    const past = Array.from({ length: 600 - count }, (_, index) =>
      noticeRow(index + 1, { timeline_state: 'past_distant' }),
    );
    const open = Array.from({ length: count }, (_, index) => noticeRow(9000 + index));
    const all = [...past.slice(0, 550), ...open, ...past.slice(550)];
    await using w = await world((url) => {
      const { searchParams } = new URL(url, 'http://local');
      return pagesOf('notices', N, all, Number(searchParams.get('page') ?? 1));
    });
    const listing = await observeNotices(w.client, 'present');
    expect(listing).toMatchObject({ kind: 'observed', defects: [], missing: null });
    expect(listing.kind === 'observed' && listing.items.map(({ id }) => id)).toEqual(open.map(({ id }) => String(id)));
    expect(w.server.arrivals).toHaveLength(24);
  });

  it('are not there where all that came was not asked for, also beside junk; junk alone is a miss', async () => {
    const elsewhere = noticeRow(1, { timeline_state: 'future' });
    await using w = await world((url) => pagesOf('notices', N, url.includes('future') ? [7] : [elsewhere, 7], 1));
    expect(await observeNotices(w.client, 'present')).toMatchObject({
      items: [],
      defects: [{ key: 'notices.unusable:1' }],
      missing: null,
    });
    expect(await observeNotices(w.client, 'future')).toMatchObject({ kind: 'missed', code: 'contract_broken' });
  });

  it('of the first page only are read with one request and without a defect', async () => {
    const all = Array.from({ length: 30 }, (_, index) => noticeRow(index + 1, { timeline_state: 'past_recent' }));
    await using w = await world(() => pagesOf('notices', N, all, 1));
    expect(await observeNotices(w.client, 'past_recent', { firstPageOnly: true })).toMatchObject({
      defects: [],
      missing: null,
    });
    expect(w.server.arrivals).toHaveLength(1);
  });

  it('are read in our words', async () => {
    const odd = noticeRow(4, {
      type: 'general',
      state: null,
      subject: 'Bcc: x\r\nSubject: \u0007y',
      url: 'javascript:alert(1)',
      began_at: 'not yet',
      ended_at: 17,
      latest_update: {
        state: 'under-way',
        content: `a\u0000b\r\nc\td${'x'.repeat(100_000)}`,
        created_at: '2026-01-01 10:00:00',
        updated_at: null,
      },
    });
    await using w = await world({ [PRESENT]: pagesOf('notices', N, [odd], 1) });
    const listing = await observeNotices(w.client, 'present');
    const notice = listing.kind === 'observed' ? listing.items[0] : undefined;
    expect(notice).toMatchObject({
      id: '4',
      type: 'general',
      state: null,
      subject: 'Bcc: x Subject: y',
      url: null,
      beganAt: null,
      endedAt: null,
    });
    expect(notice?.latestUpdate).toMatchObject({
      state: 'under_way',
      createdAt: Date.UTC(2026, 0, 1, 10),
      updatedAt: null,
    });
    expect(notice?.latestUpdate?.content).toMatch(/^ab\nc\tdx+…$/);
    expect(notice?.latestUpdate?.content).toHaveLength(16_384);
  });
});

describe('the detail of a notice', () => {
  const time = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
  const update = (day: number) => ({
    state: 'identified',
    content: `day ${day}`,
    created_at: time(day),
    updated_at: time(day),
  });

  it('has its components and its history, oldest first', async () => {
    const notice = {
      ...noticeRow(7),
      latest_update: undefined,
      components: [componentRow(1), componentRow(1), 'junk'],
      updates: [update(3), update(1), update(2)],
    };
    await using w = await world({ [`${N}/7`]: { notice } });
    const answer = await observeNotice(w.client, '7');
    expect(answer).toMatchObject({ kind: 'observed', value: { components: [{ id: '1', name: 'Component 1' }] } });
    expect(answer.kind === 'observed' && answer.value.updates.map(({ content }) => content)).toEqual([
      'day 1',
      'day 2',
      'day 3',
    ]);
  });

  it.each([404, 410])('is absent with %i', async (status) => {
    await using w = await world({ [`${N}/7`]: status });
    expect(await observeNotice(w.client, '7')).toEqual({ kind: 'absent', status });
  });

  it('is a miss where it speaks of another notice or leaves a list out', async () => {
    const detail = { ...noticeRow(8), components: [], updates: [] };
    await using w = await world({
      [`${N}/7`]: { notice: detail },
      [`${N}/8`]: { notice: { ...detail, components: null } },
    });
    expect(await observeNotice(w.client, '7')).toMatchObject({ kind: 'missed', code: 'contract_broken' });
    expect(await observeNotice(w.client, '8')).toMatchObject({ kind: 'missed', code: 'contract_broken' });
    expect(await observeNotice(w.client, 'seven')).toMatchObject({ kind: 'missed', code: 'validation' });
  });
});

describe('the page', () => {
  it('is read in our words', async () => {
    const page = {
      name: ' Pro\u0007vider ',
      state: 'under-maintenance',
      url: 'https://status.example.com',
      links: { notices: { count: '12' } },
    };
    await using w = await world({ '/api/v1/status': { page } });
    expect(await observePage(w.client)).toEqual({
      kind: 'observed',
      value: {
        name: 'Provider',
        state: 'under_maintenance',
        url: 'https://status.example.com/',
        noticeCount: 12,
        updatedAt: null,
      },
    });
  });

  it('without a state is a miss', async () => {
    await using w = await world({ '/api/v1/status': { page: { name: 'x', state: null } } });
    expect(await observePage(w.client)).toMatchObject({ kind: 'missed', code: 'contract_broken' });
  });
});
