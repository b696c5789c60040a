import { describe, expect, test } from 'vitest';
import { statusCatalogue } from '../../src/provider/catalogue/status-catalogue.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/simulator.ts';
import { LAST_PAGE_STYLES, NEXT_PAGE_STYLES } from '../../src/simulator/status/links.ts';
import { manualTime } from './support/manual-time.ts';

function simulator(options: SimulatorOptions = {}): Simulator {
  return createSimulator({ clock: manualTime().clock, ...options });
}

/** Sixty components are three pages: 25, 25 and 10. */
const SIXTY = Array.from({ length: 60 }, (_, index) => ({ id: index + 1, name: `Component ${index + 1}` }));

interface Listing {
  components: { id: number }[];
  notices: { id: number; type: string; timeline_state: string }[];
  meta: { count: number; total_count: number; next_page?: string | null };
}

async function read(from: Simulator, path: string): Promise<Listing> {
  const response = await from.app.request(path);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as Listing;
}

test('every answer of a plain world has the documented shape', async () => {
  const provider = simulator();
  const now = provider.clock.now();
  const id = provider.status.openNotice({ subject: 'S', components: ['SMS'] });
  provider.status.scheduleMaintenance({ subject: 'W', beginsAt: now, endsAt: now + 1 });
  const bodies = {
    'status.show': await read(provider, '/api/v1/status'),
    'components.list': await read(provider, '/api/v1/components'),
    'notices.list': await read(provider, '/api/v1/notices'),
    'notices.show': await read(provider, `/api/v1/notices/${id}`),
  };
  for (const [operation, body] of Object.entries(bodies)) {
    const { result } = statusCatalogue[operation as keyof typeof statusCatalogue];
    expect([operation, result.safeParse(body)]).toMatchObject([operation, { success: true }]);
  }
});

test('at most 25 records a page, with counts that add up', async () => {
  const provider = simulator({ components: SIXTY });
  const sizes: number[] = [];
  let path: string | null | undefined = '/api/v1/components';
  while (typeof path === 'string') {
    const listing: Listing = await read(provider, path);
    expect(listing.meta).toMatchObject({ count: listing.components.length, total_count: 60 });
    sizes.push(listing.components.length);
    path = listing.meta.next_page;
  }
  expect(sizes).toEqual([25, 25, 10]);
});

test('filters may be combined, and next_page keeps them', async () => {
  const provider = simulator();
  const now = provider.clock.now();
  for (let count = 0; count < 30; count += 1) provider.status.openNotice({ subject: `I${count}`, state: 'resolved' });
  provider.status.openNotice({ subject: 'Open' });
  provider.status.scheduleMaintenance({ subject: 'W', beginsAt: now, endsAt: now });
  const both = 'filter[type_eq]=unplanned&filter[timeline_state_eq]=past_recent';
  const first = await read(provider, `/api/v1/notices?${both}`);
  expect(first.meta).toMatchObject({ count: 25, total_count: 30 });
  const second = await read(provider, first.meta.next_page ?? '');
  expect(second.meta).toEqual({ count: 5, total_count: 30, next_page: null });
  expect(new Set(second.notices.map(({ type, timeline_state: at }) => `${type} ${at}`))).toEqual(
    new Set(['unplanned past_recent']),
  );
  expect((await read(provider, '/api/v1/notices?filter[type_eq]=planned')).meta.total_count).toBe(1);
  expect((await read(provider, '/api/v1/notices?filter[timeline_state_eq]=present')).meta.total_count).toBe(1);
  expect((await read(provider, '/api/v1/notices')).meta.total_count).toBe(32);
});

describe('links', () => {
  test('stand in the page as the vendor writes them', async () => {
    const provider = simulator();
    expect(await read(provider, '/api/v1/status')).toMatchObject({
      page: {
        links: { components: { href: '/v1/components', count: 12 }, notices: { href: '/v1/notices', count: 0 } },
      },
    });
  });

  test.each(NEXT_PAGE_STYLES)('next_page written "%s" leads to the second page', async (nextPage) => {
    const provider = simulator({ components: SIXTY, links: { nextPage } });
    const first = await read(provider, 'http://status.test/api/v1/components');
    const expected = {
      api: '/api/v1/components?page=2',
      bare: '/v1/components?page=2',
      json: '/api/v1/components.json?page=2',
      'bare-json': '/v1/components.json?page=2',
      absolute: 'http://status.test/api/v1/components?page=2',
      'no-filters': '/api/v1/components?page=2',
    };
    expect(first.meta.next_page).toBe(expected[nextPage]);
    expect((await read(provider, expected[nextPage])).components[0]).toMatchObject({ id: 26 });
  });

  test.each(LAST_PAGE_STYLES)('the last page says "%s"', async (lastPage) => {
    const { meta } = await read(simulator({ links: { lastPage } }), '/api/v1/components');
    expect(meta).toEqual({
      count: 12,
      total_count: 12,
      ...(lastPage !== 'absent' && { next_page: lastPage === 'null' ? null : '' }),
    });
  });

  test.each(['unversioned', 'api', 'bare'] as const)('a notice named "%s" answers under its own link', async (self) => {
    const provider = simulator({ links: { self } });
    const id = provider.status.openNotice({ subject: 'S' });
    const link = { unversioned: `/api/notices/${id}`, api: `/api/v1/notices/${id}`, bare: `/v1/notices/${id}` }[self];
    expect(await read(provider, '/api/v1/notices')).toMatchObject({ notices: [{ links: { self: link } }] });
    expect(await read(provider, link)).toMatchObject({ notice: { id, links: { self: link } } });
  });
});

test.each(['/api/v1/status', '/v1/status', '/api/v1/status.json', '/v1/status.json'])('%s answers', async (path) => {
  expect(await read(simulator(), path)).toMatchObject({ page: { state: 'operational' } });
});

test.each(['/api/v1/state', '/api/v2/status', '/api/v1/notices/x', '/'])(
  '%s answers 404 with a large web page',
  async (path) => {
    const response = await simulator().app.request(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect((await response.text()).length).toBeGreaterThan(30_000);
  },
);

test('a notice that is not there is said so in JSON', async () => {
  const response = await simulator().app.request('/api/v1/notices/77');
  expect([response.status, await response.json()]).toEqual([404, { error: 'Not found' }]);
});

test('an archived notice answers 410 where it was told to', async () => {
  const provider = simulator();
  const id = provider.status.openNotice({ subject: 'S' });
  provider.status.archiveNotice(id, 410);
  expect((await provider.app.request(`/api/v1/notices/${id}`)).status).toBe(410);
});

test('validators: the same answer is 304, a changed one is not', async () => {
  const provider = simulator({ validators: true });
  const first = await provider.app.request('/api/v1/status');
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/);
  const ask = (): Promise<Response> | Response =>
    provider.app.request('/api/v1/status', { headers: { 'if-none-match': etag } });
  const again = await ask();
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
  provider.status.openNotice({ subject: 'S' });
  expect((await ask()).status).toBe(200);
  provider.setValidators(false);
  expect((await ask()).headers.has('etag')).toBe(false);
});
