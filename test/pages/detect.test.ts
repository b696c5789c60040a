/** An address says by its answers which type of page it is; a page of another type than configured says so once. */
import { afterEach, describe, expect, it } from 'vitest';
import { openPageReader } from '../../src/daemon/setup/assemble.ts';
import { systemClock } from '../../src/daemon/common/clock.ts';
import { createConnections } from '../../src/net/agents.ts';
import { detectPage, identifyPage } from '../../src/pages/detect.ts';
import { createHintingReader } from '../../src/pages/type-hint.ts';
import type { PageReader } from '../../src/pages/page-reader.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { VENDORS } from '../../src/simulator/vendors/vendors.ts';
import { PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import { KNOWN_PAGES } from '../../src/pages/known-pages.ts';
import { isTried } from '../support/runs.ts';
import { surprisesOf } from '../support/running-daemon.ts';
import { answersOf, startVendorHost, type HostReaction, type VendorHost } from '../support/vendor-host.ts';
import { BASE, NOON, paperHttp, standIn } from './vendor-watch.ts';

const WORLD = createStatusWorld({
  clock: { now: () => NOON },
  name: 'Carrier',
  components: [{ id: 11, name: 'Voice' }],
});
const HOSTS: Partial<Record<string, string>> = {
  'google-cloud': 'https://status.cloud.google.com',
  slack: 'https://slack-status.com',
};
const TYPES = Object.keys(VENDORS) as VendorTypeName[];
const { signal } = new AbortController();
const unhurried = { run: <T>(attempt: () => Promise<T>) => attempt(), waiting: () => 0 };
const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

async function host(to: (path: string) => HostReaction | undefined): Promise<VendorHost> {
  const started = await startVendorHost(to);
  open.push(started);
  return started;
}

it.each(TYPES)('knows a page of type %s by its answers', async (type) => {
  const { answer, base } = standIn(type, WORLD);
  const address = base.replace(BASE, HOSTS[type] ?? BASE);
  const http = paperHttp(address, ({ pathname }) => answer(pathname) ?? { status: 404 });
  const found = await detectPage(address, { limiter: createLimiter({ requestsPerSecond: 5 }), http }, signal);
  expect(found).toMatchObject({ kind: 'detected', type });
});

it('says of an address that is none why not, type by type', async () => {
  const http = paperHttp(BASE, () => ({ body: '<html>', type: 'text/html' }));
  const found = await detectPage(BASE, { limiter: createLimiter({ requestsPerSecond: 5 }), http }, signal);
  expect(found.kind === 'undetected' && found.tried.map(({ type }) => type)).toContain('statuspage');
});

describe('an address as a person has it', () => {
  const seek = (address: string): ReturnType<typeof identifyPage> =>
    identifyPage(address, { limiter: unhurried }, signal, null);

  it.each([
    '',
    '/',
    '/api/v2/summary.json',
    '/api/v2',
    '/api',
    '/history',
    '/incidents/kctbh9vrtdwd',
    '/?lang=en',
    '/#top',
  ])('is that of the page, with “%s” behind it', async (behind) => {
    const page = await host(answersOf('statuspage', WORLD));
    expect(await seek(`${page.url}${behind}`)).toMatchObject({ type: 'statuspage', address: page.url });
  });

  it('is that of any type, on this machine', async () => {
    for (const type of TYPES) {
      const page = await host(answersOf(type, WORLD));
      expect(await seek(`${page.url}${VENDORS[type].path}`)).toMatchObject({ type });
    }
  });

  it('leads to where the page has moved', async () => {
    const page = await host(answersOf('statuspage', WORLD));
    const old = await host(() => ({ status: 301, headers: { location: `${page.url}/` } }));
    expect(await seek(old.url)).toMatchObject({ type: 'statuspage', address: page.url });
  });

  it('is followed no further than a few times', async () => {
    const round = await host(() => ({ status: 302, headers: { location: '/' } }));
    expect(await seek(round.url)).toEqual({ kind: 'unreached', why: 'it redirects more than 5 times' });
    expect(round.asked).toHaveLength(6);
  });

  it('has its feed, where it is a web page that names one', async () => {
    const feed = answersOf('feed', WORLD);
    const html =
      '<html><head><link href="/history.atom?a=1&amp;b=2" type="application/atom+xml" rel="alternate"></head>';
    const page = await host((path) => feed(path) ?? { headers: { 'content-type': 'text/html' }, body: html });
    expect(await seek(page.url)).toMatchObject({ type: 'feed', address: `${page.url}/history.atom?a=1&b=2` });
  });

  it('keeps the slash at the end of a feed', async () => {
    const body = '<rss version="2.0"><channel><title>Clouds</title></channel></rss>';
    const page = await host((path) =>
      path === '/status/feed/' ? { headers: { 'content-type': 'application/rss+xml' }, body } : { status: 404 },
    );
    const found = await seek(`${page.url}/status/feed/`);
    expect(found).toMatchObject({ type: 'feed', address: `${page.url}/status/feed/`, name: 'Clouds' });
    // The front page said that it is a feed: nothing else was asked.
    expect(page.asked.map(({ path }) => path)).toEqual(['/status/feed/', '/status/feed/']);
  });

  it('says where it leads that nobody answers', async () => {
    const gone = await startVendorHost(() => undefined);
    await gone[Symbol.asyncDispose]();
    const old = await host(() => ({ status: 301, headers: { location: gone.url } }));
    const why = `it leads to ${gone.url}, and from there: it cannot be reached: the connection was refused`;
    expect(await seek(old.url)).toEqual({ kind: 'unreached', why });
    old.answer(() => ({ status: 503 }));
    expect(await seek(old.url)).toEqual({ kind: 'unreached', why: 'the server failed with 503' });
  });

  it('is not asked again where nobody answers', async () => {
    const gone = await startVendorHost(() => undefined);
    await gone[Symbol.asyncDispose]();
    expect(await seek(gone.url)).toEqual({
      kind: 'unreached',
      why: 'it cannot be reached: the connection was refused',
    });
  });

  it('names the places that one chooses from, where a page is of many', async () => {
    const clouds = createStatusWorld({ clock: { now: () => NOON }, components: [{ id: 7, name: 'Cloud Run' }] });
    clouds.openNotice({ type: 'unplanned', subject: 'Errors', components: [7] });
    const page = await host(answersOf('google-cloud', clouds));
    expect(await seek(page.url)).toMatchObject({
      type: 'google-cloud',
      choice: { of: 'products and regions', places: ['us-east1', 'Cloud Run'] },
    });
  });
});

it.each(PAGE_TYPE_NAMES)('a page that is said to be of type %s says what it is', { timeout: 30_000 }, async (said) => {
  const { log } = surprisesOf();
  const connections = createConnections();
  const wiring = {
    limiters: { page: () => unhurried, vendorPage: () => unhurried, account: () => unhurried },
    userAgent: 'test',
    clock: systemClock,
    log,
    connections,
    config: { contact: null },
  };
  async function hintOf(baseUrl: string): Promise<string> {
    const page = { name: 'page', type: said, baseUrl, requestsPerSecond: 5 };
    const reader = await openPageReader(page, wiring);
    const answer = await (reader.document?.(signal) ?? reader.page(signal));
    return answer.kind === 'missed' ? answer.why : 'read';
  }
  const row = PAGE_TYPE_NAMES.indexOf(said);
  const shown = PAGE_TYPE_NAMES.filter((_, index) => index === row || isTried(row, index, 4));
  const pages = await Promise.all(
    shown.map(async (type) => {
      const provider = await startProvider(type === 'provider' ? {} : { as: type });
      open.push({ [Symbol.asyncDispose]: () => provider.close() });
      return [type, provider.statusUrl] as const;
    }),
  );
  try {
    for (const [type, address] of pages) {
      const expected =
        type === said ? 'read' : expect.stringMatching(new RegExp(`answers like .*: set \`type: ${type}\`$`));
      expect(await hintOf(address), `${said} at ${type}`).toEqual(expected);
    }
  } finally {
    connections.close();
  }
});

it('is asked once where a page was never read, and then said with every failure', async () => {
  let asked = 0;
  const miss = { kind: 'missed' as const, code: 'not_found', why: 'there is no such thing (404)' };
  const reader: PageReader = {
    page: () => Promise.resolve(miss),
    components: () => Promise.resolve(miss),
    notices: () => Promise.resolve(miss),
    notice: () => Promise.resolve(miss),
    restMs: () => 0,
  };
  const found = {
    type: 'statuspage' as const,
    called: 'a Statuspage',
    address: BASE,
    by: '/',
    name: null,
    state: null,
  };
  const hinted = createHintingReader(
    reader,
    () => {
      asked += 1;
      return Promise.resolve({
        kind: 'detected' as const,
        ...found,
        components: [],
        document: null,
        system: null,
        choice: null,
      });
    },
    'provider',
  );
  const why = 'there is no such thing (404); this address answers like a Statuspage: set `type: statuspage`';
  expect(await hinted.page(signal)).toEqual({ ...miss, why });
  expect(await hinted.components(signal)).toEqual({ ...miss, why });
  expect(asked).toBe(1);
});

it('has evidence for every page that is known, and each name once', () => {
  expect(new Set(KNOWN_PAGES.map(({ name }) => name)).size).toBe(KNOWN_PAGES.length);
  expect(
    KNOWN_PAGES.filter(({ evidence, page }) => evidence === '' || (page !== null && !URL.canParse(page.url))),
  ).toEqual([]);
});
