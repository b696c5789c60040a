/** What a status page may answer that it should not, each with what has to become of it. */
import { afterEach, describe, expect, test } from 'vitest';
import type { FaultOrder } from '../../src/simulator/fault/fault.ts';
import { MINUTE, watchProvider, type WatchedOptions, type WatchedProvider } from './watched-provider.ts';

let watched: WatchedProvider;
afterEach(() => watched.close());

async function watch(options: WatchedOptions = {}): Promise<WatchedProvider> {
  watched = await watchProvider(options);
  return watched;
}

function fault(order: FaultOrder): number {
  return watched.provider.simulator.faults.add(order);
}

const PARTS = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, name: `Component ${index + 1}` }));
const QUICK = { timeouts: { response: 150, read: 150, request: 300 }, bodyLimit: 1024 * 1024 };

describe('an answer that is none: the sweep failed, the last state stands, told once after the threshold', () => {
  test.each<[string, FaultOrder['fault']]>([
    ['an empty body', { kind: 'empty' }],
    ['truncated JSON', { kind: 'truncate', clean: true }],
    ['a body that breaks off', { kind: 'truncate' }],
    ['HTML with 200', { kind: 'html' }],
    ['35 kB of HTML with 404', { kind: 'html', status: 404 }],
    ['a wrong content type', { kind: 'content_type', type: 'text/html' }],
    ['a JSON string', { kind: 'json_string' }],
    ['an error object with 200', { kind: 'status', status: 200, body: { error: 'maintenance' } }],
    ['an empty object', { kind: 'status', status: 200, body: {} }],
    ['a list', { kind: 'status', status: 200, body: [] }],
    ['a 500', { kind: 'status', status: 500, body: { message: 'Server Error' } }],
    ['a reset connection', { kind: 'reset' }],
    ['no answer', { kind: 'hang' }],
    ['one byte at a time', { kind: 'drip', every_ms: 100 }],
    ['10 MB', { kind: 'big_body' }],
    ['a gzip bomb', { kind: 'gzip_bomb', bytes: 4 * 1024 * 1024 }],
  ])('%s', async (_, kind) => {
    const { provider, daemon, told, events, sweeps } = await watch({ http: QUICK });
    const id = provider.simulator.status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await sweeps(1);
    expect(told()).toEqual([`notice.opened notice/${id} (open)`]);
    events();
    const before = structuredClone(daemon.daemon.sources[0]?.state.snapshot.components);

    fault({ fault: kind });
    await sweeps(3);
    expect(events()).toEqual([]);
    await sweeps(3);
    expect(told()).toEqual(['source.unreachable source (open)']);
    expect(daemon.daemon.sources[0]?.state.snapshot.components).toEqual(before);

    provider.simulator.faults.clear();
    await sweeps(2);
    expect(told()).toEqual(['source.recovered source (resolved)']);
    expect(events()).toEqual(['source.unreachable source (open)', 'source.recovered source (resolved)']);
  });
});

describe('an answer that is odd and can be read', () => {
  test.each<[string, FaultOrder['fault']]>([
    ['a byte-order mark', { kind: 'bom' }],
    ['keys that come twice', { kind: 'duplicate_keys' }],
    ['a filter that is ignored', { kind: 'ignore_filters' }],
  ])('%s is read', async (_, kind) => {
    const { provider, told, sweeps } = await watch();
    fault({ fault: kind });
    const id = provider.simulator.status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await sweeps(3);
    expect(told()).toEqual([`notice.opened notice/${id} (open)`]);
    provider.simulator.status.closeNotice(id);
    await sweeps(1);
    expect(told()).toEqual([`notice.closed notice/${id} (resolved)`]);
  });

  test('one isolated 429 is silent', async () => {
    const { events, sweeps } = await watch();
    fault({ fault: { kind: 'rate_limited', retry_after: 0 }, times: 1 });
    await sweeps(4);
    expect(events()).toEqual([]);
  });

  test('a wrong charset does not break the sweep', async () => {
    const { told, sweeps } = await watch();
    fault({ fault: { kind: 'charset' } });
    await sweeps(3);
    expect(told().filter((line) => !line.startsWith('source.'))).toEqual([]);
  });
});

describe('an incomplete listing: nothing is gone', () => {
  test.each<[string, FaultOrder]>([
    ['page 2 fails', { on: 'components.list', page: 2, fault: { kind: 'status', status: 500 } }],
    ['page 2 is HTML', { on: 'components.list', page: 2, fault: { kind: 'html' } }],
    ['next_page leads to itself', { on: 'components.list', page: 1, fault: { kind: 'next_page', to: 'loop' } }],
    [
      'next_page leads to another origin',
      {
        on: 'components.list',
        page: 1,
        fault: { kind: 'next_page', to: 'https://evil.test/api/v1/components?page=2' },
      },
    ],
  ])('%s, and it is told as unreachable in the end', async (_, order) => {
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

  test('next_page that never ends is given up after the caps', async () => {
    const { daemon, events, sweeps } = await watch({ parts: PARTS });
    fault({ on: 'components.list', fault: { kind: 'next_page', to: 'endless' } });
    await sweeps(2);
    expect(events()).toEqual([]);
    expect(daemon.daemon.sources[0]?.state.snapshot.components).toHaveLength(30);
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

  test('ids as text, as floats and null', async () => {
    const { events, sweeps } = await watch();
    const written = (id: unknown): unknown => (typeof id === 'number' ? (id % 2 === 0 ? String(id) : `${id}.0`) : id);
    fault({
      on: 'components.list',
      fault: {
        kind: 'transform',
        body: (body) => {
          const { components, ...rest } = body as { components: { id: unknown }[] };
          return { ...rest, components: components.map((row) => ({ ...row, id: written(row.id) })) };
        },
      },
    });
    await sweeps(3);
    expect(events()).toEqual([]);
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

describe('a clock that jumps', () => {
  test.each([-5, -1, 1, 5])('by %d hours: no storm, no negative durations, nothing missed', async (hours) => {
    const { provider, daemon, told, events, sweeps } = await watch();
    const { status } = provider.simulator;
    const id = status.openNotice({ subject: 'No audio', components: ['SIP Trunks'] });
    await sweeps(2);
    expect(told()).toEqual([`notice.opened notice/${id} (open)`]);
    events();
    const { clock } = daemon;
    clock.jump(hours * 60 * MINUTE);
    // `sweep` aims at a wall time; what counts is that the interval has passed.
    await sweeps(2);
    expect(events()).toEqual([]);
    fault({ fault: { kind: 'html' } });
    await sweeps(2);
    clock.jump(-2 * hours * 60 * MINUTE);
    await sweeps(1);
    // Monotonic time counts for the threshold, whatever the wall clock says.
    expect(told()).toEqual([]);
    provider.simulator.faults.clear();
    await sweeps(1);
    status.closeNotice(id);
    await sweeps(1);
    expect(told()).toEqual([`notice.closed notice/${id} (resolved)`]);
    for (const { alert } of [...daemon.people.sent, ...daemon.programs.sent]) {
      if (alert.resolvedAt !== null) expect(alert.resolvedAt).toBeGreaterThanOrEqual(alert.startedAt);
    }
  });
});
