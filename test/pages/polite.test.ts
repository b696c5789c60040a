/** How pages of other vendors are asked: by name, seldom, only for what has changed, and never while they want to be left alone. */
import { afterEach, describe, expect, it } from 'vitest';
import { resolveStatusPage } from '../../src/config/config.ts';
import { createLimiters, openPageReader } from '../../src/daemon/setup/assemble.ts';
import { systemClock } from '../../src/daemon/common/clock.ts';
import { createConnections } from '../../src/net/agents.ts';
import type { PageReader } from '../../src/pages/page-reader.ts';
import { PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { VENDORS } from '../../src/simulator/vendors/vendors.ts';
import { surprisesOf } from '../support/running-daemon.ts';
import { answersOf, startVendorHost, type HostReaction, type VendorHost } from '../support/vendor-host.ts';

const NOON = Date.parse('2026-03-02T12:00:00.000Z');
const TYPES = PAGE_TYPE_NAMES.filter((name): name is VendorTypeName => name !== 'provider');
const unhurried = { run: <T>(attempt: () => Promise<T>) => attempt(), waiting: () => 0 };
const { signal } = new AbortController();
const open: (() => PromiseLike<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

interface Asked {
  host: VendorHost;
  reader: PageReader;
  world: ReturnType<typeof createStatusWorld>;
  /** Lets time pass. */
  pass(ms: number): void;
}

async function asked(type: VendorTypeName, limiters = createLimiters(() => unhurried)): Promise<Asked> {
  let passed = 0;
  const world = createStatusWorld({ clock: { now: () => NOON }, components: [{ id: 11, name: 'Voice' }] });
  const host = await startVendorHost(answersOf(type, world));
  const connections = createConnections();
  open.push(
    () => connections.close(),
    () => host[Symbol.asyncDispose](),
  );
  const { log } = surprisesOf();
  const clock = { ...systemClock, now: () => NOON + passed, monotonic: () => passed };
  const wiring = {
    limiters,
    userAgent: 'linewatch/1.2.3',
    clock,
    log,
    connections,
    config: { contact: 'ops@example.com' },
  };
  const baseUrl = `${host.url}${VENDORS[type].path}`;
  const reader = await openPageReader(resolveStatusPage({ name: 'carrier', type, base_url: baseUrl }), wiring);
  return { host, reader, world, pass: (ms) => (passed += ms) };
}

const seen = async ({ reader }: Asked): Promise<string> => {
  const answer = await reader.document?.(signal);
  return answer?.kind === 'missed' ? answer.code : 'read';
};

describe.each(TYPES)('a page of type %s', (type) => {
  it.each([
    ['the root of its site', (url: string) => `${url}/`],
    ['the root of another site', () => 'https://vendor.example/'],
  ])('that leads to %s, where a web page is, is none', async (_, target) => {
    const page = await asked(type);
    await seen(page);
    const web = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Welcome</title>' };
    page.host.answer((path) => (path === '/' ? web : { status: 302, headers: { location: target(page.host.url) } }));
    expect(['contract_broken', 'foreign_link']).toContain(await seen(page));
    for (const timeline of ['present', 'future'] as const) {
      expect(await page.reader.notices(timeline, signal)).toMatchObject({ kind: 'missed' });
    }
    expect(await page.reader.notice('1', signal)).toMatchObject({ kind: 'missed' });
    page.host.answer(answersOf(type, page.world));
    expect(await seen(page)).toBe('read');
  });

  it('is told with every request who asks and whom to ask about it, also to find out what it is', async () => {
    const page = await asked(type);
    await seen(page);
    await page.reader.notices('past_recent', signal);
    expect(page.host.asked.length).toBeGreaterThan(0);
    const other = await asked(type);
    other.host.answer(() => ({ status: 404 }));
    await seen(other);
    expect(other.host.asked.length).toBeGreaterThan(5);
    const agents = [...page.host.asked, ...other.host.asked].map(({ headers }) => headers['user-agent']);
    expect(new Set(agents)).toEqual(new Set(['linewatch/1.2.3 (+ops@example.com)']));
  });

  it('is asked only for what has changed, by either of what it gave', async () => {
    const page = await asked(type);
    const answer = answersOf(type, page.world);
    page.host.answer((path, headers): HostReaction | undefined => {
      const given = answer(path);
      if (given === undefined) return undefined;
      if (headers['if-none-match'] === 'W/"a"' && headers['if-modified-since'] !== undefined) return { status: 304 };
      const body = 'json' in given ? JSON.stringify(given.json) : given.body;
      const sent = { etag: 'W/"a"', 'last-modified': 'Mon, 02 Mar 2026 12:00:00 GMT' };
      return { headers: { 'content-type': 'json' in given ? 'application/json' : given.type, ...sent }, body };
    });
    expect(await seen(page)).toBe('read');
    const first = page.host.asked.length;
    expect(await seen(page)).toBe('read');
    const again = page.host.asked.slice(first);
    expect(again).toHaveLength(first);
    for (const { headers } of again) {
      expect(headers).toMatchObject({ 'if-none-match': 'W/"a"', 'if-modified-since': 'Mon, 02 Mar 2026 12:00:00 GMT' });
    }
  });

  it.each([
    [429, '120', 120_000],
    [503, '120', 120_000],
    [429, new Date(NOON + 120_000).toUTCString(), 120_000],
    [503, new Date(NOON + 120_000).toUTCString(), 120_000],
  ])('that answers %i and “%s” is left alone for as long', async (status, retryAfter, ms) => {
    const page = await asked(type);
    page.host.answer(() => ({ status, headers: { 'retry-after': retryAfter, date: new Date(NOON).toUTCString() } }));
    expect(await seen(page)).toBe(status === 429 ? 'rate_limited' : 'server_error');
    expect(page.reader.restMs()).toBeGreaterThanOrEqual(ms);
    expect(page.reader.restMs()).toBeLessThan(ms * 1.5);
    page.host.answer(answersOf(type, page.world));
    page.pass(ms - 1_000);
    expect(await seen(page)).toBe('rate_limited');
    expect(page.host.asked).toHaveLength(1);
    page.pass(ms);
    expect(await seen(page)).toBe('read');
  });
});

it('is asked once in ten seconds by default, whatever of it, and once a minute where nothing happens', async () => {
  const { interval, intervalDuringIncident, requestsPerSecond } = resolveStatusPage({
    name: 'carrier',
    type: 'statuspage',
    base_url: 'https://status.carrier.example',
  });
  expect({ interval, intervalDuringIncident, requestsPerSecond }).toEqual({
    interval: 60_000,
    intervalDuringIncident: 30_000,
    requestsPerSecond: 0.1,
  });
  // A hundredth of the time: ten seconds are a tenth of one.
  const limiters = createLimiters((each) => createLimiter({ requestsPerSecond: each, windowMs: 10 }));
  const page = await asked('statuspage', limiters);
  const at: number[] = [];
  const answer = answersOf('statuspage', page.world);
  page.host.answer((path) => {
    at.push(performance.now());
    return answer(path);
  });
  await seen(page);
  await page.reader.notices('past_recent', signal);
  await seen(page);
  await page.reader.notices('past_recent', signal);
  const gaps = at.slice(1).map((each, index) => each - (at[index] ?? 0));
  expect(gaps).toHaveLength(3);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(99);
});
