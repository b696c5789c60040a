/**
 * The page in a real browser: the demonstration's night followed live, every view without a violation that axe knows, in
 * both schemes, with and without script, and nothing asked of another host. The pictures stay in $PICTURES, where it is set.
 */
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../support/axe.ts';
import { startLinewatch } from '../support/linewatch-process.ts';
import type { OpenWeb } from '../web/open-web.ts';
import { openWithPast } from '../web/past.ts';

const PICTURES = process.env['PICTURES'];
const VIEWS = ['', '?wall', '?q=nobody', 'days', 'alerts/1', 'maintenance', 'deliveries', 'silences'];
const HOUR = 3_600_000;
/** What somebody called something, without a space in it. */
const LONG = `acme-${'w'.repeat(195)}`;

let browser: Browser;
let web: OpenWeb;
const asked = new Set<string>();

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  web = await openWithPast({ account: LONG, endedMs: 60_000 });
  await web.running.sweep();
  await web.ask('/silences', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ component: LONG, comment: LONG }).toString(),
  });
});

afterAll(async () => {
  await browser.close();
  await web[Symbol.asyncDispose]();
});

async function open(
  path: string,
  options: { scheme?: 'light' | 'dark'; script?: boolean; width?: number } = {},
): Promise<Page> {
  const { scheme = 'light', script = true, width = 1280 } = options;
  const page = await browser.newPage({
    colorScheme: scheme,
    javaScriptEnabled: script,
    viewport: { width, height: 900 },
  });
  page.on('request', (request) =>
    asked.add(new URL(request.url()).protocol === 'data:' ? 'data' : new URL(request.url()).hostname),
  );
  await page.goto(`${web.url}/${path}`, { waitUntil: 'load' });
  return page;
}

interface Shown {
  title: string;
  text: string;
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

test('what changes is put into the open page, and the title and the icon say it', async () => {
  const page = await open('');
  await page.waitForSelector('.live.on');
  expect(await page.title()).toContain('All is well');
  const icon = await page.getAttribute('link[rel=icon]', 'href');
  await picture(page, 'calm');
  await page.evaluate('globalThis.isSamePage = true');
  const { status } = web.provider.simulator;
  status.openNotice({ subject: 'Calls fail <img src=x>', content: 'We look. <b>Now</b>', components: ['SMS'] });
  const now = web.running.clock.now();
  status.scheduleMaintenance({ subject: 'Router work', beginsAt: now + 26 * HOUR, endsAt: now + 28 * HOUR });
  await web.running.sweep();
  // How soon it is there is measured in the benchmark `latency`.
  await page.waitForSelector('#alert-1');
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  expect(await page.title()).toContain('1 open: Calls fail');
  expect(await page.getAttribute('link[rel=icon]', 'href')).not.toBe(icon);
  expect(await page.locator('main img').count()).toBe(0);
  await picture(page, 'trouble');
  await page.close();
}, 60_000);

test('the demonstration’s night comes to a page that is opened once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linewatch-demo-page-'));
  const demo = startLinewatch(['demo', '--speed', '2'], { cwd: folder, env: { TMPDIR: folder } });
  const page = await browser.newPage();
  try {
    const said = await demo.shows(/page, to look at: .*\n/);
    let loads = 0;
    const states: Shown[] = [];
    await page.exposeFunction('shows', (state: Shown) => void states.push(state));
    await page.addInitScript(() => {
      const { document, shows, MutationObserver } = globalThis as unknown as {
        document: { title: string; body: { innerText: string } | null };
        shows(state: Shown): void;
        MutationObserver: new (call: () => void) => { observe(place: unknown, what: Record<string, boolean>): void };
      };
      const report = (): void => shows({ title: document.title, text: document.body?.innerText ?? '' });
      new MutationObserver(report).observe(document, { subtree: true, childList: true, characterData: true });
    });
    page.on('load', () => (loads += 1));
    page.on('request', (request) => asked.add(new URL(request.url()).hostname));
    await page.goto(/page, to look at: +(\S+)/.exec(said)?.[1] ?? '', { waitUntil: 'load' });
    await demo.shows('All 59 phones are online again');
    await demo.shows(/19 of your 19 phones at Carlton/);
    await page
      .getByRole('heading', { level: 1, name: '19 of 59 phones offline' })
      .waitFor({ state: 'attached', timeout: 30_000 });
    await picture(page, 'night-end');
    await demo.shows('That was the night.');
    const scenes: [title: RegExp, shown: string][] = [
      [/open: /, 'Inbound calls failing'],
      [/^\d+ of 59 phones offline/, 'phones offline'],
      [/./, 'is OFF instead of ON'],
      [/open: /, 'Fibre cut in Carlton'],
      [/^19 of 59 phones offline/, 'Carlton'],
    ];
    let at = 0;
    for (const [pattern, shown] of scenes) {
      const next = states.findIndex(
        ({ title, text }, index) => index >= at && pattern.test(title) && text.includes(shown),
      );
      expect(next, shown).not.toBe(-1);
      at = next;
    }
    expect(loads).toBe(1);
  } finally {
    await page.close();
    demo.signal('SIGKILL');
    await demo.ended;
    await rm(folder, { recursive: true });
  }
}, 180_000);

test.each(VIEWS)(
  'axe finds nothing on /%s',
  async (path) => {
    const page = await open(path);
    expect(await findViolations(page)).toEqual([]);
    await picture(page, `${path.replaceAll(/\W+/g, '-') || 'now'}-light`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, `${path.replaceAll(/\W+/g, '-') || 'now'}-dark`);
    await page.close();
  },
  60_000,
);

test.each(VIEWS)(
  '/%s fits a phone of 320 pixels',
  async (path) => {
    const page = await open(path, { width: 320 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.close();
  },
  60_000,
);

test('the wall has nothing to scroll', async () => {
  const page = await open('?wall', { scheme: 'dark' });
  await page.setViewportSize({ width: 1920, height: 1080 });
  expect(
    await page.evaluate<number[]>('[document.documentElement.scrollWidth, document.documentElement.scrollHeight]'),
  ).toEqual([1920, 1080]);
  await picture(page, 'wall');
  await page.close();
}, 60_000);

test('a page comes back by itself after a proxy in front of it had nothing behind it', async () => {
  const page = await browser.newPage();
  let asked = 0;
  await page.route('**/events*', async (route) => {
    asked += 1;
    // A browser gives a stream up for good after the first such answer.
    if (asked <= 2) await route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' });
    else await route.continue();
  });
  await page.goto(web.url, { waitUntil: 'load' });
  await page.waitForSelector('.live.off');
  await page.waitForSelector('.live.on', { timeout: 20_000 });
  expect(asked).toBe(3);
  await page.close();
}, 60_000);

test('without script an alert is taken by its form, and everybody hears who has it', async () => {
  const page = await open('', { script: false });
  await page.click('text=Details');
  await page.fill('input[name=by]', 'Priya');
  await page.fill('input[name=comment]', 'on the phone');
  await page.click('button:has-text("Acknowledge #1")');
  expect(page.url()).toBe(`${web.url}/alerts/1`);
  expect(await page.textContent('#taken')).toMatch(/Priya\s+at/);
  await page.close();
}, 60_000);

test('what happened on a day is in the words of its bar, and in a list that the keyboard reaches', async () => {
  const page = await open('days', { script: false });
  const bars = page.locator('main [role=img]');
  expect(await bars.count()).toBeGreaterThan(0);
  expect(await bars.first().getAttribute('aria-label')).toMatch(/\d/);
  const link = page.locator('#happened a', { hasText: 'Hosted PBX outage' }).first();
  await link.focus();
  expect(await page.evaluate<string>('document.activeElement.textContent')).toContain('Hosted PBX outage');
  await page.close();
}, 60_000);

test('the report of a month is made without script, and looks as it does in a mail', async () => {
  const page = await open('days', { script: false });
  await page.selectOption('select[name=month]', { index: 1 });
  await page.click('text=Make the report');
  expect(page.url()).toMatch(/\/report\?month=\d{4}-\d\d&source=&format=html$/);
  expect(await page.textContent('h1')).toMatch(/^\w+ \d{4}, hq$/);
  expect(await page.evaluate<string>('getComputedStyle(document.querySelector("table")).borderCollapse')).toBe(
    'collapse',
  );
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
  await picture(page, 'report');
  await page.goBack();
  const [table] = await Promise.all([page.waitForEvent('download'), page.click('text=the days as CSV')]);
  expect(table.suggestedFilename()).toBe('linewatch-days.csv');
  await page.close();
}, 60_000);

test('nothing was asked of another host', () => {
  expect([...asked].filter((host) => host !== '127.0.0.1' && host !== 'data')).toEqual([]);
});
