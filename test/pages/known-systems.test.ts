/** Pages of systems that Linewatch does not read: each is named by its look, and its feed found where it has one. */
import { afterEach, describe, expect, it } from 'vitest';
import { recognizeSystem } from '../../src/pages/known-systems.ts';
import { identifyPage } from '../../src/pages/detect.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { answersOf, startVendorHost, type HostReaction, type VendorHost } from '../support/vendor-host.ts';
import { NOON } from './vendor-watch.ts';

const WORLD = createStatusWorld({ clock: { now: () => NOON }, name: 'Carrier' });
const FEED = {
  headers: { 'content-type': 'application/rss+xml' },
  body: '<rss version="2.0"><channel><title>Carrier</title></channel></rss>',
};
const { signal } = new AbortController();
const limiter = { run: <T>(attempt: () => Promise<T>) => attempt(), waiting: () => 0 };
const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

async function host(to: (path: string) => HostReaction | undefined): Promise<VendorHost> {
  const started = await startVendorHost(to);
  open.push(started);
  return started;
}

function webPage(head: string, body = ''): HostReaction {
  return { headers: { 'content-type': 'text/html' }, body: `<!DOCTYPE html><html><head>${head}</head>${body}</html>` };
}

const seek = (address: string): ReturnType<typeof identifyPage> => identifyPage(address, { limiter }, signal, null);

/** As the source code of the free ones writes it, and as captures show the others. */
const LOOKS: readonly (readonly [called: string, page: HostReaction])[] = [
  ['Freshstatus', webPage('<script type="module" src="https://cdn.freshstatus.io/widget/index.js"></script>')],
  ['Statuspal', webPage('', '<h1 class="system-status--description">All good</h1>')],
  ['Statuspal', webPage('', '<a href="https://www.statuspal.io">Powered by Statuspal.io</a>')],
  ['Hund', webPage('<script src="//libraries.hund.io/status-js/status-3.5.0.js"></script>')],
  ['OneUptime', webPage('<script src="/status-page/env.js"></script><title>Status Page</title>')],
  ['Checkly', webPage('<link rel="preconnect" href="https://api.checklyhq.com">')],
  ['StatusIQ (Site24x7)', webPage('', '<script>var enc_statuspage_id = "abc"</script>')],
  [
    'Cachet',
    webPage('', '<footer><a href="https://cachethq.io" title="The open-source status page">Cachet</a></footer>'),
  ],
  ['Uptime Kuma', webPage('<script id="preload-data" data-json="{}">window.preloadData = {};</script>')],
  ['Sorry™', webPage('', '<a href="https://www.sorryapp.com">Status page by Sorry™</a>')],
];

it.each(LOOKS)('names a page of %s, and says that it cannot be watched', async (called, look) => {
  const { url } = await host((path) => (path === '/' ? look : { status: 404 }));
  const found = await seek(url);
  expect(found).toMatchObject({ kind: 'undetected', system: { called } });
  expect('system' in found && found.system?.about).not.toBe('');
});

it('knows a page by the host that a system gives it, and no other by it', () => {
  expect(recognizeSystem(new URL('https://carrier.site24x7statusiq.com/'), '')?.called).toBe('StatusIQ (Site24x7)');
  expect(recognizeSystem(new URL('https://carrier.checkly-status-page.com/'), '')?.called).toBe('Checkly');
  expect(recognizeSystem(new URL('https://status.carrier.example/'), '<title>Status</title>')).toBeNull();
  expect(recognizeSystem(new URL('https://nothund.io.example/'), '')).toBeNull();
});

describe('a feed that no page names', () => {
  it.each(['/history.rss', '/history.atom', '/feed.rss', '/feed.atom'])('is found at %s', async (place) => {
    const page = await host((path) => (path === place ? FEED : webPage('<title>Status</title>')));
    expect(await seek(page.url)).toMatchObject({ type: 'feed', address: `${page.url}${place}`, system: null });
    expect(await seek(`${page.url}/status`)).toMatchObject({ type: 'feed', address: `${page.url}${place}` });
  });

  it.each([
    ['Cachet', '/', '<a href="https://cachethq.io">Cachet</a>', '/rss'],
    ['Uptime Kuma', '/status/voice', '<script>window.preloadData = {}</script>', '/status/voice/rss'],
    ['Uptime Kuma', '/', '<link rel="manifest" href="/api/status-page/voice/manifest.json">', '/status/voice/rss'],
  ])('is found where %s keeps it, for the page at %s', async (called, at, head, place) => {
    const page = await host((path) => (path === place ? FEED : path === at ? webPage(head) : { status: 404 }));
    expect(await seek(`${page.url}${at}`)).toMatchObject({
      type: 'feed',
      address: `${page.url}${place}`,
      system: { called },
    });
  });

  it('is not taken where the page has a form of its own', async () => {
    const answers = answersOf('statuspage', WORLD);
    const page = await host((path) => answers(path) ?? (path === '/history.rss' ? FEED : webPage('hund.io/')));
    for (const below of ['', '/history', '/incidents/1']) {
      expect(await seek(`${page.url}${below}`)).toMatchObject({ type: 'statuspage', address: page.url, system: null });
    }
  });
});
