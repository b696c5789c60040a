/**
 * The looks of the page in a real browser: every state of a firm with customers and of one firm, from a phone to a wall, light
 * and dark; nothing overflows, nothing is asked of another host, no rule of the page's policy is broken. The pictures stay
 * in $PICTURES, where it is set.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from '../support/axe.ts';
import { daysOf } from '../support/firm-days.ts';
import {
  deliveriesOf,
  firmCalm,
  firmNight,
  oneFirmCalm,
  oneFirmNight,
  onePhone,
  recoveringNight,
  strangeFirm,
} from '../support/firm-statuses.ts';
import { startingFirm, unknownFirm } from '../support/firm-unread.ts';
import { openStoodBrowser } from '../support/stood-browser.ts';
import type { Shown } from '../support/stood-web.ts';

const PICTURES = process.env['PICTURES'];
const WIDTHS = [320, 768, 1280, 1920, 3840];
const STATES: Readonly<Record<string, () => Shown>> = {
  'firm-night': () => daysOf(deliveriesOf(firmNight())),
  'firm-calm': firmCalm,
  'firm-60': () => firmNight(60),
  'firm-250': () => daysOf(firmCalm(250)),
  'now-night': oneFirmNight,
  'now-calm': () => daysOf(oneFirmCalm(), true),
  'one-phone': onePhone,
  strange: () => daysOf(strangeFirm()),
  unknown: unknownFirm,
  starting: startingFirm,
};
const VIEWS = ['', 'days', 'maintenance', 'deliveries', 'silences'];

const screen = openStoodBrowser();
/** Hosts that a page asked, and rules of the policy that one broke. */
const asked = new Set<string>();
const broken: string[] = [];

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await screen.browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.on('request', (request) => asked.add(new URL(request.url()).hostname));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) broken.push(message.text());
  });
  await page.goto(`${screen.web.url}/${path}`, { waitUntil: 'load' });
  return page;
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

async function measure(page: Page): Promise<{ width: number; height: number }> {
  return await page.evaluate<{ width: number; height: number }>(
    '({ width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight })',
  );
}

test.each(Object.keys(STATES))(
  'nothing of %s is wider than its screen, from a phone to a wall',
  async (name) => {
    screen.web.stand(STATES[name]?.() ?? firmCalm());
    const page = await open('');
    for (const view of VIEWS) {
      await page.goto(`${screen.web.url}/${view}`, { waitUntil: 'load' });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect((await measure(page)).width, `/${view} at ${width}`).toBeLessThanOrEqual(width);
        await picture(page, `${name}-${view || 'now'}-${width}`);
      }
    }
    await page.close();
  },
  240_000,
);

test.each(Object.keys(STATES))(
  'the wall of %s has nothing to scroll, and letters that are read from four metres',
  async (name) => {
    screen.web.stand(STATES[name]?.() ?? firmCalm());
    const page = await open('?wall', { colorScheme: 'dark' });
    for (const [width, height] of [
      [1920, 1080],
      [1280, 720],
      [3840, 2160],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await measure(page)).toEqual({ width, height });
      const smallest = await page.evaluate<number>(
        `Math.min(...[...document.querySelectorAll('body *')].filter((each) => each.getClientRects().length > 0 && !each.closest('.hidden, .skip') && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')).map((each) => parseFloat(getComputedStyle(each).fontSize)))`,
      );
      expect(smallest, `at ${height}`).toBeGreaterThanOrEqual(Math.floor((22 * height) / 1080));
      await picture(page, `${name}-wall-${width}`);
    }
    await page.close();
  },
  60_000,
);

test.each(['firm-night', 'firm-calm', 'now-night', 'now-calm', 'strange', 'unknown', 'starting'])(
  'axe finds nothing in %s',
  async (name) => {
    screen.web.stand(STATES[name]?.() ?? firmCalm());
    await expectNoViolations([...VIEWS, '?wall', '?q=a']);
  },
  300_000,
);

test('axe finds nothing where there is nothing to show', async () => {
  screen.web.stand(firmCalm());
  await expectNoViolations(['nothing-here', 'customers/nobody', 'sign-in']);
}, 60_000);

async function expectNoViolations(views: readonly string[]): Promise<void> {
  const page = await open('');
  for (const view of views) {
    await page.goto(`${screen.web.url}/${view}`, { waitUntil: 'load' });
    expect(await findViolations(page), `/${view}`).toEqual([]);
  }
  await page.close();
}

test('in calm every column of cards reaches the last row, and no card is empty', async () => {
  for (const stood of [firmCalm(), oneFirmCalm()]) {
    screen.web.stand(stood);
    const page = await open('');
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const { ends, empty } = await page.evaluate<{ ends: number[]; empty: number }>(
        `(() => {
          const cards = [...document.querySelectorAll('.page > .card')].map((card) => card.getBoundingClientRect());
          const last = Math.max(...cards.map(({ bottom }) => bottom));
          const top = Math.max(...cards.filter(({ bottom }) => Math.abs(bottom - last) < 2).map(({ top: at }) => at));
          const row = cards.filter(({ top: at }) => Math.abs(at - top) < 2);
          const frame = document.querySelector('.page');
          const right = frame.getBoundingClientRect().right - parseFloat(getComputedStyle(frame).paddingRight);
          return {
            ends: [...row.map(({ bottom }) => bottom - last), Math.max(...row.map((card) => card.right)) - right].map(Math.abs),
            empty: [...document.querySelectorAll('.card')].filter((card) => card.textContent.trim() === '').length,
          };
        })()`,
      );
      expect(
        ends.filter((off) => off > 2),
        `at ${width}`,
      ).toEqual([]);
      expect(empty).toBe(0);
    }
    await page.close();
  }
}, 60_000);

test('an alert fits every screen, in its night, recovering and over, and axe finds nothing', async () => {
  screen.web.stand(recoveringNight());
  for (const scheme of ['light', 'dark'] as const) {
    const page = await open('', { colorScheme: scheme });
    for (const number of [4, 5, 6, 9]) {
      await page.goto(`${screen.web.url}/alerts/${number}`, { waitUntil: 'load' });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect((await measure(page)).width, `#${number} at ${width}`).toBeLessThanOrEqual(width);
        await picture(page, `alert-${number}-${width}-${scheme}`);
      }
      if (scheme === 'light') expect(await findViolations(page), `#${number}`).toEqual([]);
    }
    await page.close();
  }
}, 300_000);

test('without script an acknowledged alert is released by its form', async () => {
  screen.web.stand(recoveringNight());
  screen.web.asked.length = 0;
  const page = await open('alerts/4', { javaScriptEnabled: false });
  await page.fill('input[name=by]', 'Sam');
  await page.click('button[value=release]');
  expect(screen.web.asked).toEqual(['release #4 by Sam']);
  await page.close();
}, 60_000);

test('without script something is silenced, a test sent and the list filtered', async () => {
  screen.web.stand(deliveriesOf(firmNight()));
  screen.web.asked.length = 0;
  const page = await open('', { javaScriptEnabled: false });
  await page.click('text=Acknowledge #4…');
  expect(page.url()).toMatch(/\/alerts\/4#take$/);
  await page.goto(`${screen.web.url}/deliveries`);
  await page.click('text=Send a test to ops-slack');
  expect(await page.locator('main [role=status]').textContent()).toContain('The test to ops-slack is');
  await page.goto(`${screen.web.url}/?q=kelso`);
  expect(await page.locator('.cust tbody tr').count()).toBe(1);
  await page.goto(`${screen.web.url}/silences`);
  await page.selectOption('select[name=source]', { label: 'Kelso Freight' });
  await page.selectOption('select[name=site]', 'kelso-freight/Richmond');
  await page.selectOption('select[name=about]', { label: 'phones offline' });
  expect(await page.locator('input[name=until]').isVisible()).toBe(false);
  await page.check('input[name=length][value=other]');
  expect(await page.locator('input[name=until]').isVisible()).toBe(true);
  await page.check('input[name=length][value=morning]');
  await page.click('text=Preview');
  expect(await page.locator('.preview').isVisible()).toBe(true);
  await page.click('.fields button.main');
  expect(screen.web.asked).toEqual([
    'test ops-slack',
    'silence {"source":["kelso-freight"],"site":["Richmond"],"kind":["registration.*","outage.*"]}',
  ]);
  await page.close();
}, 60_000);

interface Seen {
  /** Visible text: without what is folded. */
  text: string;
  labels: string[];
  cells: string[];
  overlays: number;
  emptyCards: number;
}

const SEEN = `(() => {
  const textsOf = (selector) => [...document.querySelectorAll('main ' + selector)].map((each) => each.innerText.trim());
  return {
    text: document.querySelector('main').innerText,
    labels: textsOf(':is(h1, h2, h3, dt, thead th, label, button, summary)'),
    cells: textsOf(':is(td, dd, .n)'),
    overlays: document.querySelectorAll('dialog, [popover], [role=alertdialog], [role=dialog]').length,
    emptyCards: textsOf('.card').filter((text) => text === '').length,
  };
})()`;

test.each([...Object.keys(STATES), 'recovering'])(
  '%s holds nothing that a page never shows, and no date of today',
  async (name) => {
    const shown: Shown = name === 'recovering' ? recoveringNight() : (STATES[name]?.() ?? firmCalm());
    screen.web.stand(shown);
    const page = await open('');
    const numbers = (shown.stories ?? []).map(({ number }) => `alerts/${number}`);
    for (const view of [...VIEWS, '?wall', ...numbers]) {
      await page.goto(`${screen.web.url}/${view}`, { waitUntil: 'load' });
      const { text, labels, cells, overlays, emptyCards } = await page.evaluate<Seen>(SEEN);
      expect(text, view).not.toMatch(/\b0 offline\b|^None\.?$|\bundefined\b|\bNaN\b/m);
      // Days and months are the contents of these two.
      if (view !== 'days' && view !== 'maintenance') expect(text, view).not.toMatch(/\b24 Mar\b/);
      expect(labels.filter((label) => /\b(?:stands|hits|taken by|told)\b|https?:|[0-9a-f]{8}-|_/i.test(label))).toEqual(
        [],
      );
      expect(labels.filter((label) => /^(?:provider|yarra)\b/.test(label))).toEqual([]);
      expect(cells.filter((cell) => /^[-–—]+$/.test(cell))).toEqual([]);
      // A link ends with an ellipsis: it leads to the form.
      const offers = text.match(/Acknowledge #\d+(?!…)\b/g) ?? [];
      expect(offers, view).toEqual([...new Set(offers)]);
      expect([overlays, emptyCards], view).toEqual([0, 0]);
      // A number of an extension says nothing to a firm with several customers.
      if (shown.status.sources.length > 4) expect(text, view).not.toMatch(/\bDesk 1\d{3}\b/);
      if (name === 'now-calm' && view === 'days') expect(text).toContain('3 h 8 min since the watch began');
    }
    await page.close();
  },
  120_000,
);

test('a changed verdict is spoken at most every 30 seconds, and the last change never lost', async () => {
  screen.web.stand(firmCalm());
  const page = await screen.browser.newPage();
  await page.clock.install();
  await page.goto(`${screen.web.url}/`, { waitUntil: 'load' });
  const news = (): Promise<string | null> => page.textContent('#news');
  await expect.poll(() => page.locator('.live.on').count()).toBe(1);
  expect(await news()).toBe('');
  screen.web.stand(firmNight());
  await expect.poll(() => page.title()).toContain('120 of 371 phones offline');
  await page.clock.runFor(100);
  expect(await news()).toContain('120 of 371 phones offline');
  screen.web.stand(firmCalm());
  await expect.poll(() => page.title()).toContain('All is well');
  await page.clock.runFor(20_000);
  expect(await news()).toContain('120 of 371 phones offline');
  await page.clock.runFor(10_000);
  expect(await news()).toContain('All is well');
  await page.close();
}, 60_000);

test('a wall says that it is live, or since when it is not', async () => {
  screen.web.stand(firmNight());
  for (const isCut of [false, true]) {
    const page = await screen.browser.newPage({ viewport: { width: 1920, height: 1080 } });
    if (isCut) await page.route('**/events*', (route) => route.abort());
    await page.goto(`${screen.web.url}/?wall`, { waitUntil: 'load' });
    const state = page.locator(isCut ? '.foot .live.off' : '.foot .live.on');
    await state.waitFor();
    expect(await state.isVisible()).toBe(true);
    expect(await state.textContent()).toMatch(isCut ? /Not live since \d/ : /Live at \d/);
    expect(await page.locator('.live').count()).toBe(1);
    expect((await measure(page)).height).toBe(1080);
    await page.close();
  }
}, 60_000);

test('no other host was asked, and no rule of the policy was broken', () => {
  expect([...asked].filter((host) => host !== '127.0.0.1' && host !== '')).toEqual([]);
  expect(broken).toEqual([]);
});
