/**
 * What a listing may lack or hold too much of. Page 2 fails, `meta.count` or `total_count` does not add up: nothing is
 * gone. `next_page` loops, never ends, or leads to another origin: refused after caps, the credential never leaves the
 * configured origin, the listing is incomplete. An older document than before: ignored until it persists. An empty list
 * where many were known: confirmed by a second complete sweep, then one message. An open notice missing from the list:
 * its detail decides. Ids as strings, floats, null, repeated; junk items: usable items count, the rest are counted.
 * The walk itself, page by page: test/provider/observe.test.ts.
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { FaultOrder } from '../../src/simulator/fault/fault.ts';
import { componentRow, json, noticeRow, serve, type LocalServer } from '../provider/local-server.ts';
import { cases } from '../support/runs.ts';
import { watchProvider, type WatchedOptions, type WatchedProvider } from './watched-provider.ts';
import { SOURCES, watchSource } from './watched-source.ts';

let watched: WatchedProvider;
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function watch(options: WatchedOptions = {}): Promise<WatchedProvider> {
  watched = await watchProvider(options);
  open.push(watched);
  return watched;
}

/** Another origin, which must never hear of us. */
async function elsewhere(): Promise<LocalServer> {
  const server = await serve((_, response) => json(response, []));
  open.push(server);
  return server;
}

function fault(order: FaultOrder): number {
  return watched.provider.simulator.faults.add(order);
}

const PARTS = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, name: `Component ${index + 1}` }));

function nextPage(to: unknown): FaultOrder['fault'] {
  return {
    kind: 'transform',
    body: (body) => ({ ...(body as object), meta: { ...(body as { meta: object }).meta, next_page: to } }),
  };
}

const asPageOne: FaultOrder['fault'] = {
  kind: 'transform',
  body: () => ({
    components: PARTS.slice(0, 25).map(({ id, name }) => componentRow(id, { name })),
    meta: { count: 25, total_count: 30, next_page: '/api/v1/components?page=2' },
  }),
};

describe('an incomplete listing: nothing is gone', () => {
  test.each<[string, FaultOrder]>(
    cases(
      [
        ['page 2 fails', { on: 'components.list', page: 2, fault: { kind: 'status', status: 500 } }],
        ['page 2 is HTML', { on: 'components.list', page: 2, fault: { kind: 'html' } }],
        ['page 2 is page 1 again', { on: 'components.list', page: 2, fault: asPageOne }],
        ['page 2 holds no list', { on: 'components.list', page: 2, fault: { kind: 'status', status: 200, body: {} } }],
        ['next_page leads to itself', { on: 'components.list', page: 1, fault: { kind: 'next_page', to: 'loop' } }],
        ['next_page is a number', { on: 'components.list', page: 1, fault: nextPage(2) }],
        ['next_page is no address', { on: 'components.list', page: 1, fault: nextPage('http://[') }],
      ],
      3,
    ),
  )('%s, and it is told as unreachable in the end', async (_, order) => {
    const { provider, daemon, told, events, sweeps } = await watch({ parts: PARTS });
    provider.simulator.status.setComponentState(3, 'degraded');
    await sweeps(1);
    expect(told()).toEqual(['component.state component/3 (open)']);
    fault(order);
    // What the partial listing holds is used: a state read from a fresh answer counts, a recovery too.
    provider.simulator.status.setComponentState(3, null);
    events();
    await sweeps(5);
    expect(events()).toEqual(['component.state component/3 (resolved)', 'source.unreachable source (open)']);
    expect(daemon.daemon.sources[0]?.state.snapshot.components).toHaveLength(30);
  });

  test('a page of open notices that fails withdraws none of them', async () => {
    const { provider, daemon, told, events, sweeps } = await watch();
    for (let count = 0; count < 27; count += 1) provider.simulator.status.openNotice({ subject: `No audio ${count}` });
    await sweeps(1);
    expect(told()).toHaveLength(27);
    events();
    fault({ on: 'notices.list', page: 2, fault: { kind: 'status', status: 500 } });
    await sweeps(3);
    expect(events()).toEqual([]);
    expect(daemon.daemon.sources[0]?.state.alerts.filter(({ status }) => status === 'open')).toHaveLength(27);
  });

  test('a filter that is ignored, and every notice in every listing, changes nothing', async () => {
    const { provider, told, events, sweeps } = await watch();
    fault({ fault: { kind: 'ignore_filters' } });
    const id = provider.simulator.status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await sweeps(3);
    expect(told()).toEqual([`notice.opened notice/${id} (open)`]);
    provider.simulator.status.closeNotice(id);
    await sweeps(3);
    expect(told()).toEqual([`notice.closed notice/${id} (resolved)`]);
    expect(events().filter((line) => line.startsWith('source.'))).toEqual([]);
  });

  test('a filter that is ignored, and a history of 600 notices in every listing, hides no notice', async () => {
    const past = { timeline_state: 'past_distant', state: 'resolved', ended_at: '2026-01-02T00:00:00.000Z' };
    const history = Array.from({ length: 600 }, (_, index) => noticeRow(10_000 + index, past));
    let pages = 0;
    const { provider, told, sweeps } = await watch({
      before({ simulator }) {
        const body = (answer: unknown): unknown => {
          pages += 1;
          const { notices } = answer as { notices: object[] };
          return { notices: [...history, ...notices], meta: { total_count: history.length + notices.length } };
        };
        simulator.faults.add({ on: 'notices.list', fault: { kind: 'transform', body } });
      },
    });
    expect(pages).toBe(3);
    expect(told()).toEqual(['source.baseline source (info)']);
    const id = provider.simulator.status.openNotice({ subject: 'No calls', components: ['SMS'] });
    await sweeps(2);
    expect(told()).toEqual([`notice.opened notice/${id} (open)`]);
  });

  test.each<[string, FaultOrder['fault']]>([
    ['count is off', { kind: 'meta', count: 1 }],
    ['total_count is smaller than what comes', { kind: 'meta', total_count: -5 }],
    ['meta is missing', { kind: 'transform', body: (body) => ({ ...(body as object), meta: null }) }],
  ])('%s: nothing is gone at first', async (_, kind) => {
    const { provider, events, sweeps } = await watch();
    fault({ on: 'components.list', fault: kind });
    provider.simulator.status.removeComponent(120);
    await sweeps(2);
    expect(events()).toEqual([]);
  });

  test('total_count that is off by a lasting one is told once, and then believed', async () => {
    const { provider, told, sweeps } = await watch({ parts: PARTS });
    fault({ on: 'components.list', fault: { kind: 'meta', total_count: 1 } });
    provider.simulator.status.removeComponent(7);
    await sweeps(2);
    expect(watched.events()).toEqual([]);
    await sweeps(5);
    expect(told()).toEqual(['source.schema source (info)']);
    expect(watched.events()).toEqual(['component.removed component/7 (info)', 'source.schema source (info)']);
  });

  test.each<[string, (meta: Record<string, unknown>, page: number) => object]>([
    ['the totals of its pages differ', (_, page) => ({ total_count: page === 1 ? 60 : 26 })],
    ['the counts of its pages make up for each other', (_, page) => ({ count: page === 1 ? 26 : 0, total_count: 26 })],
  ])('page 2 is cut off and %s: nothing is gone', async (_, change) => {
    const { events, sweeps } = await watch({ parts: PARTS });
    for (const page of [1, 2]) {
      const body = (answer: unknown): unknown => {
        const { components, meta } = answer as { components: unknown[]; meta: Record<string, unknown> };
        const kept = page === 1 ? components : components.slice(0, 1);
        return { components: kept, meta: { ...meta, count: kept.length, ...change(meta, page) } };
      };
      fault({ on: 'components.list', page, fault: { kind: 'transform', body } });
    }
    await sweeps(2);
    expect(events()).toEqual([]);
    expect(watched.daemon.daemon.sources[0]?.state.snapshot.components).toHaveLength(30);
  });

  test('a component whose row cannot be used any more is neither gone nor well', async () => {
    const { provider, daemon, told, events, sweeps } = await watch();
    provider.simulator.status.setComponentState('SMS', 'degraded');
    await sweeps(1);
    expect(told()).toEqual(['component.state component/120 (open)']);
    events();
    const number = fault(rows('components', (row) => [row['id'] === 120 ? { ...row, state: null } : row]));
    await sweeps(5);
    expect(events()).toEqual(['source.schema source (info)']);
    expect(daemon.daemon.sources[0]?.state.alerts.map(({ status }) => status)).toContain('open');
    provider.simulator.faults.remove(number);
    provider.simulator.status.setComponentState('SMS', null);
    await sweeps(1);
    expect(events()).toEqual(['component.state component/120 (resolved)']);
  });

  test('junk and repeated rows: what is usable counts, the rest is told once', async () => {
    const { provider, told, sweeps } = await watch();
    fault({ on: 'components.list', fault: { kind: 'junk_rows' } });
    fault({ on: 'components.list', fault: { kind: 'duplicate_rows' } });
    provider.simulator.status.setComponentState('SMS', 'degraded');
    await sweeps(6);
    const lines = told();
    expect(lines[0]).toBe('component.state component/120 (open)');
    expect(lines.slice(1).every((line) => line === 'source.schema source (info)')).toBe(true);
    expect(lines.length).toBeGreaterThan(1);
    expect(watched.events().filter((line) => line.startsWith('component.removed'))).toEqual([]);
  });

  test('an empty list where many were known is confirmed by a second one and is then one message', async () => {
    const { told, events, sweeps } = await watch();
    const empty = { components: [], meta: { count: 0, total_count: 0, next_page: null } };
    const number = fault({ on: 'components.list', fault: { kind: 'status', status: 200, body: empty } });
    await sweeps(1);
    expect(events()).toEqual([]);
    watched.provider.simulator.faults.remove(number);
    await sweeps(2);
    expect(events()).toEqual([]);
    fault({ on: 'components.list', fault: { kind: 'status', status: 200, body: empty } });
    await sweeps(4);
    expect(told()).toEqual(['source.schema source (info)']);
    expect(events().filter((line) => line.startsWith('component.removed'))).toHaveLength(12);
  });
});

describe('an open notice that is missing from the list: its detail decides', () => {
  async function withOpenNotice(): Promise<number> {
    const { provider, sweeps } = await watch();
    const id = provider.simulator.status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await sweeps(1);
    watched.told();
    provider.simulator.status.hideNotice(id);
    return id;
  }

  test('still open there: it stays open, and each sweep asks again', async () => {
    const id = await withOpenNotice();
    watched.provider.simulator.log.clear();
    await watched.sweeps(3);
    expect(watched.told()).toEqual([]);
    const asked = watched.provider.simulator.log.all().filter(({ operation }) => operation === 'notices.show');
    expect(asked.map(({ path }) => path.endsWith(String(id)))).toEqual([true, true, true]);
  });

  test('closed there: resolved', async () => {
    const id = await withOpenNotice();
    watched.provider.simulator.status.closeNotice(id);
    await watched.sweeps(2);
    expect(watched.told()).toEqual([`notice.closed notice/${id} (resolved)`]);
  });

  test.each([404, 410] as const)('%d: withdrawn', async (status) => {
    const id = await withOpenNotice();
    watched.provider.simulator.status.archiveNotice(id, status);
    await watched.sweeps(3);
    expect(watched.told()).toEqual([`notice.withdrawn notice/${id} (resolved)`]);
  });

  test.each([404, 410] as const)('%d with a web page, beside empty lists: stays open', async (status) => {
    const id = await withOpenNotice();
    watched.provider.simulator.status.archiveNotice(id, status);
    fault({ on: 'notices.show', fault: { kind: 'html', status } });
    await watched.sweeps(4);
    expect(watched.told()).toEqual([]);
  });

  test('an error: stays open', async () => {
    const id = await withOpenNotice();
    fault({ on: 'notices.show', fault: { kind: 'status', status: 500 } });
    await watched.sweeps(3);
    expect(watched.told()).toEqual([]);
    expect(watched.daemon.daemon.sources[0]?.state.alerts.find(({ notice }) => notice === String(id))?.status).toBe(
      'open',
    );
  });
});

describe('an older document than before', () => {
  test('is ignored until it persists for three sweeps', async () => {
    const { provider, events, sweeps } = await watch();
    const { status } = provider.simulator;
    watched.daemon.clock.advance(1000);
    status.setComponentState('SMS', 'degraded');
    await sweeps(1);
    expect(events()).toEqual(['component.state component/120 (open)']);
    fault({ on: 'components.list', fault: { kind: 'stale', versions: 1 } });
    await sweeps(2);
    expect(events()).toEqual([]);
    await sweeps(1);
    expect(events()).toEqual(['component.state component/120 (resolved)']);
  });

  test('never takes back a notice that was reopened', async () => {
    const { provider, told, sweeps } = await watch();
    const { status } = provider.simulator;
    const id = status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await sweeps(1);
    status.closeNotice(id);
    await sweeps(1);
    status.updateNotice(id, { state: 'investigating', content: 'It is back.' });
    await sweeps(1);
    told();
    fault({ fault: { kind: 'stale', versions: 1 } });
    await sweeps(2);
    provider.simulator.faults.clear();
    await sweeps(3);
    expect(told()).toEqual([]);
  });
});

/** Ways to write an address of another origin, some of which look like one of ours. */
const FOREIGN: [string, (there: URL, here: URL) => string][] = [
  ['plainly', ({ href }) => href],
  ['without a scheme', ({ host }) => `//${host}/api/v1/components?page=2`],
  ['with backslashes', ({ host }) => `\\\\${host}\\api`],
  ['with a slash and a backslash', ({ host }) => `/\\${host}/api`],
  ['after our own host as a user', (there, here) => `http://${here.host}@${there.host}/api`],
  ['with a user on our own host', (_, here) => `http://user:pass@${here.host}/api/v1/components?page=2`],
  ['by another scheme', (_, here) => `https://${here.host}/api/v1/components?page=2`],
  ['by another name of this machine', (_, here) => `http://localhost:${here.port}/api/v1/components?page=2`],
  ['by no web scheme', () => 'file:///etc/passwd'],
  ['after blanks and a line break', ({ href }) => ` \r\n${href}`],
];

describe('another origin never hears of us', () => {
  test.each(cases(FOREIGN, 3))('when next_page leads there, written %s', async (_, write) => {
    const other = await elsewhere();
    const { provider, daemon, told, events, sweeps, asked } = await watch({ parts: PARTS });
    const to = write(new URL(`${other.base}/api/v1/components?page=2`), new URL(provider.statusUrl));
    fault({ on: 'components.list', page: 1, fault: { kind: 'next_page', to } });
    provider.simulator.status.setComponentState(3, 'degraded');
    await sweeps(1);
    // What was read of it is used, and nothing is gone.
    expect(told()).toEqual(['component.state component/3 (open)']);
    events();
    asked();
    await sweeps(4);
    expect(events()).toEqual(['source.unreachable source (open)']);
    expect(daemon.people.sent.at(-1)?.changes[0]?.transition.to).toContain('another origin');
    expect(daemon.daemon.sources[0]?.state.snapshot.components).toHaveLength(30);
    expect(other.arrivals).toEqual([]);
    expect(asked().filter((operation) => operation === 'components.list')).toHaveLength(4);
  });

  test.each(
    SOURCES.flatMap((kind, row) => cases([301, 302, 303, 307, 308], 2, row).map((status) => [kind, status] as const)),
  )('when %s redirects there with %d; a key stays with whom it belongs to', async (kind, status) => {
    const other = await elsewhere();
    const server = await serve((_, response) => response.writeHead(status, { location: `${other.base}/api` }).end());
    open.push(server);
    const source = await watchSource(kind, {}, server.base);
    open.unshift(source);
    await source.rounds(1);
    expect(source.told()).toEqual(['source.unreachable source (open)']);
    const [said] = source.daemon.people.sent.at(-1)?.changes ?? [];
    expect(said?.transition.to).toContain('another origin');
    expect(server.arrivals.length).toBeGreaterThan(0);
    expect(other.arrivals).toEqual([]);
  });
});

describe('what has no end', () => {
  test.each(SOURCES)('redirects of %s to itself, or ever further on, are followed three times', async (kind) => {
    for (const where of [() => '', (hop: number) => `/hop/${hop}`]) {
      const server = await serve((_, response, index) => response.writeHead(302, { location: where(index) }).end());
      open.push(server);
      const source = await watchSource(kind, {}, server.base);
      open.unshift(source);
      server.arrivals.length = 0;
      await source.rounds(1);
      expect(source.told()).toEqual(['source.unreachable source (open)']);
      expect(source.daemon.people.sent.at(-1)?.changes[0]?.transition.to).toContain('redirects more than 3 times');
      // Each of what is asked in a round is asked four times at most.
      const questions = kind === 'an account' ? 3 : 5;
      expect(server.arrivals.length).toBeLessThanOrEqual(4 * questions);
    }
  });

  test('a listing of components whose pages go on for ever is given up after the caps, and hardly believed', async () => {
    const { provider, daemon, events, sweeps, asked } = await watch({ parts: PARTS });
    let id = 10_000;
    const invented = (): object => componentRow((id += 1));
    fault({
      on: 'components.list',
      fault: {
        kind: 'transform',
        body: (body) => {
          const { components, meta } = body as { components: object[]; meta: object };
          const page = [...components, ...Array.from({ length: 25 - components.length }, invented)];
          return { components: page, meta: { ...meta, next_page: `/api/v1/components?page=${id}` } };
        },
      },
    });
    provider.simulator.status.setComponentState(3, 'degraded');
    asked();
    await sweeps(1);
    expect(asked().filter((operation) => operation === 'components.list').length).toBeLessThanOrEqual(400);
    const told = events();
    expect(told).toContain('component.state component/3 (open)');
    expect(told.filter((line) => line.startsWith('component.removed'))).toEqual([]);
    expect(daemon.daemon.sources[0]?.state.snapshot.components?.length).toBeLessThanOrEqual(280);
  });

  test('a listing of notices whose pages go on for ever does not hide the one that is new', async () => {
    const { provider, told, sweeps, asked } = await watch();
    const id = provider.simulator.status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    let page = 1;
    fault({
      on: 'notices.list',
      fault: {
        kind: 'transform',
        body: (body) => {
          page += 1;
          const { notices, meta } = body as { notices: object[]; meta: object };
          const rows = Array.from({ length: 25 - notices.length }, (_, index) =>
            noticeRow(10_000 + page * 25 + index, { timeline_state: 'past_distant' }),
          );
          return { notices: [...notices, ...rows], meta: { ...meta, next_page: `/api/v1/notices?page=${page}` } };
        },
      },
    });
    asked();
    await sweeps(1);
    expect(told()).toEqual([`notice.opened notice/${id} (open)`]);
    const operations = asked();
    expect(operations.filter((operation) => operation === 'notices.list').length).toBeLessThanOrEqual(801);
    expect(operations.filter((operation) => operation === 'notices.show').length).toBeLessThanOrEqual(2);
  });

  test('one page of far more rows than there can be is cut, and nothing is gone', async () => {
    const { daemon, events, sweeps } = await watch({ parts: PARTS });
    const components = Array.from({ length: 12_000 }, (_, index) => componentRow(10_000 + index));
    const body = { components, meta: { count: 12_000, total_count: 12_000, next_page: null } };
    fault({ on: 'components.list', fault: { kind: 'status', status: 200, body } });
    await sweeps(2);
    expect(daemon.daemon.sources[0]?.state.snapshot.components?.length).toBeLessThanOrEqual(280);
    expect(events().filter((line) => line.startsWith('component.removed'))).toEqual([]);
  });
});

/** Rewrites the rows of every listing of this kind. */
function rows(key: 'components' | 'notices', change: (row: Record<string, unknown>) => unknown[]): FaultOrder {
  const body = (answer: unknown): unknown => {
    const given = answer as Record<string, Record<string, unknown>[]>;
    return { ...given, [key]: (given[key] ?? []).flatMap(change) };
  };
  return { on: `${key}.list`, fault: { kind: 'transform', body } };
}

describe('ids', () => {
  test.each<[string, (id: number) => unknown]>(
    cases(
      [
        ['strings', (id) => String(id)],
        ['strings with zeros before them', (id) => `00${id}`],
        ['floats in strings', (id) => `${id}.0`],
        ['now one, now another', (id) => (id % 2 === 0 ? String(id) : id)],
      ],
      2,
    ),
  )('as %s are the same ids', async (_, write) => {
    const { provider, told, events, sweeps } = await watch();
    const id = provider.simulator.status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await sweeps(1);
    told();
    events();
    for (const key of ['components', 'notices'] as const) {
      fault(rows(key, (row) => [{ ...row, id: write(Number(row['id'])) }]));
    }
    await sweeps(4);
    expect(events()).toEqual([]);
    provider.simulator.status.closeNotice(id);
    await sweeps(1);
    expect(told()).toEqual([`notice.closed notice/${id} (resolved)`]);
  });

  test.each<[string, unknown]>(
    cases(
      [
        ['null', null],
        ['a fraction', 120.5],
        ['negative', -120],
        ['a word', 'abc'],
        ['an object', { id: 120 }],
        ['infinite', '1e999'],
      ],
      3,
    ),
  )('one that is %s is no row: the others count, nothing is gone, and it is told once', async (_, id) => {
    const { provider, told, events, sweeps } = await watch();
    fault(rows('components', (row) => [{ ...row, id: row['id'] === 120 ? id : row['id'] }]));
    provider.simulator.status.setComponentState(101, 'degraded');
    await sweeps(2);
    expect(told()).toEqual(['component.state component/101 (open)']);
    await sweeps(5);
    expect(told()).toEqual(['source.schema source (info)']);
    // A defect that lasts is the provider's habit: from then on the listing counts as complete.
    expect(events().filter((line) => line.startsWith('component.removed'))).toEqual([
      'component.removed component/120 (info)',
    ]);
  });

  test('repeated ones count once, the newest of them', async () => {
    const { told, events, sweeps } = await watch();
    const newer = { state: 'degraded', updated_at: '2026-03-02T10:00:00.000Z' };
    fault(rows('components', (row) => (row['id'] === 120 ? [row, { ...row, ...newer }, row] : [row])));
    await sweeps(6);
    expect(told().filter((line) => !line.startsWith('source.schema'))).toEqual([
      'component.state component/120 (open)',
    ]);
    expect(events().filter((line) => line.startsWith('component.removed'))).toEqual([]);
  });

  test('junk among notices hides none of them', async () => {
    const { provider, told, events, sweeps } = await watch();
    fault({ on: 'notices.list', fault: { kind: 'junk_rows' } });
    fault({ on: 'notices.list', fault: { kind: 'duplicate_rows' } });
    const id = provider.simulator.status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await sweeps(6);
    const lines = told();
    expect(lines.filter((line) => line.startsWith('notice.'))).toEqual([`notice.opened notice/${id} (open)`]);
    expect(events().filter((line) => line.startsWith('notice.withdrawn'))).toEqual([]);
  });

  test('a notice whose id is longer than a number is told of once, by what the list says', async () => {
    const { provider, told, sweeps } = await watch();
    const long = '123456789012345678901234';
    fault(rows('notices', (row) => [{ ...row, id: long }]));
    provider.simulator.status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await sweeps(4);
    expect(told().filter((line) => line.startsWith('notice.'))).toEqual([`notice.opened notice/${long} (open)`]);
  });
});
