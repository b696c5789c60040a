/** An address says by its answers which type of page it is; a page of another type than configured says so once. */
import { expect, it } from 'vitest';
import { detectPage } from '../../src/pages/detect.ts';
import { hinting, othersThan } from '../../src/pages/type-hint.ts';
import type { PageReader } from '../../src/pages/page-reader.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { createStatusWorld } from '../../src/simulator/status/world.ts';
import { VENDORS } from '../../src/simulator/vendors/vendors.ts';
import type { VendorTypeName } from '../../src/pages/types.ts';
import { KNOWN_PAGES } from '../../src/pages/known-pages.ts';
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
const { signal } = new AbortController();

it.each(Object.keys(VENDORS) as VendorTypeName[])('knows a page of type %s by its answers', async (type) => {
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
  const hinted = hinting(reader, () => {
    asked += 1;
    const found = { type: 'statuspage' as const, called: 'a Statuspage', name: null, state: null, components: [] };
    return Promise.resolve({ kind: 'detected' as const, ...found });
  });
  const why = 'there is no such thing (404); this address answers like a Statuspage: set `type: statuspage`';
  expect(await hinted.page(signal)).toEqual({ ...miss, why });
  expect(await hinted.components(signal)).toEqual({ ...miss, why });
  expect(asked).toBe(1);
  expect(othersThan('statuspage')).not.toContain('statuspage');
});

it('has evidence for every page that is known, and each name once', () => {
  expect(new Set(KNOWN_PAGES.map(({ name }) => name)).size).toBe(KNOWN_PAGES.length);
  expect(
    KNOWN_PAGES.filter(({ evidence, page }) => evidence === '' || (page !== null && !URL.canParse(page.url))),
  ).toEqual([]);
});
