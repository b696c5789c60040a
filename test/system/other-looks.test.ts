/** The page as some see it: with the font blocked, on paper, without colours, and with names from right to left. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { daysOf } from '../support/firm-days.ts';
import { deliveriesOf, firmCalm, firmNight, recoveringNight, strangeFirm } from '../support/firm-statuses.ts';
import { unknownFirm } from '../support/firm-unread.ts';
import { openStoodBrowser } from '../support/stood-browser.ts';

const PICTURES = process.env['PICTURES'];
const VIEWS = ['', '?wall', 'days', 'maintenance', 'deliveries', 'silences'];
const WIDTHS = [320, 768, 1280, 1920, 3840];

const screen = openStoodBrowser();

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await screen.browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  await page.goto(`${screen.web.url}/${path}`, { waitUntil: 'load' });
  return page;
}

async function status(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

test('with the font blocked nothing overflows', async () => {
  for (const stood of [daysOf(deliveriesOf(firmNight())), daysOf(strangeFirm())]) {
    screen.web.stand(stood);
    const page = await screen.browser.newPage();
    await page.route('**/*.woff2', (route) => route.abort());
    for (const view of VIEWS) {
      await page.goto(`${screen.web.url}/${view}`, { waitUntil: 'load' });
      for (const width of WIDTHS) {
        const height = Math.round((width * 9) / 16);
        await page.setViewportSize({ width, height });
        const shown = await page.evaluate<number[]>(
          '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]',
        );
        expect(shown[0], `/${view} at ${width}`).toBeLessThanOrEqual(width);
        if (view === '?wall' && width >= 1280) expect(shown[1], `wall at ${width}`).toBe(height);
      }
      await status(page, `no-font-${view.replace('?', '')}`);
    }
    await page.close();
  }
}, 120_000);

/** Words that are visible, outside of what only a screen needs. */
const WORDS = `(() => {
  const only = '.masthead, .live, .acts, .filter, .fields, .foot ul, .skip, .hidden, button, .button, summary, svg, option, .card:not(:has(> :not(.head, form, .acts)))';
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walk.nextNode()) {
    const { parentElement: holder, data } = walk.currentNode;
    if (data.trim() === '' || holder.closest(only) || !holder.checkVisibility({ contentVisibilityAuto: true })) continue;
    words.push(data.trim());
  }
  return words;
})()`;

test.each(['light', 'dark'] as const)(
  'on paper there is all that the screen shows, opened, in dark ink, without a control; from a page that is %s',
  async (colorScheme) => {
    screen.web.stand(daysOf(deliveriesOf({ ...recoveringNight() })));
    for (const view of [...VIEWS, 'alerts/4', 'alerts/5']) {
      const page = await open(view, { colorScheme });
      const onScreen = await page.evaluate<string[]>(WORDS);
      await page.emulateMedia({ media: 'print', colorScheme });
      const onPaper = new Set(await page.evaluate<string[]>(WORDS));
      expect(
        onScreen.filter((word) => !onPaper.has(word)),
        view,
      ).toEqual([]);
      const controls = await page.locator('button, input, select, .button, nav, summary + *:not(:visible)').all();
      for (const control of controls) expect(await control.isVisible(), view).toBe(false);
      expect(await page.locator('.paper').textContent(), view).toBe('As of 24 Mar 2026, 15:17:00 AEDT');
      expect(await page.locator('.paper').isVisible(), view).toBe(true);
      expect(
        await page.evaluate<string[]>(
          '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]',
        ),
      ).toEqual(['rgb(255, 255, 255)', 'rgb(20, 23, 27)']);
      const gaps = await page.evaluate<number[]>(
        `(() => { const cards = [...document.querySelectorAll('.page .card')].filter((card) => card.getClientRects().length > 0).map((card) => card.getBoundingClientRect()).sort((a, b) => a.top - b.top); return cards.slice(1).map((card, index) => card.top - cards[index].bottom); })()`,
      );
      expect(
        gaps.filter((gap) => gap < 8),
        view,
      ).toEqual([]);
      await status(page, `print-${view.replaceAll(/\W/g, '')}-${colorScheme}`);
      await page.close();
    }
  },
  120_000,
);

test('on paper folds are open', async () => {
  screen.web.stand(firmNight());
  const page = await open('');
  expect(await page.getByText('Wombat Self Storage').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText('Wombat Self Storage').isVisible()).toBe(true);
  await page.close();
}, 60_000);

test('every state is told apart without colour', async () => {
  screen.web.stand(firmNight());
  const page = await open('');
  // Glyphs and dots differ in shape, and each glyph has a word or is hidden beside one.
  const shapes = await page.evaluate<string[]>(
    `[...new Set([...document.querySelectorAll('.cust .g use, .card.alert .g use, #also-open .g use, h1 .g use')].map((use) => use.getAttribute('href')))].toSorted()`,
  );
  expect(shapes).toEqual(expect.arrayContaining(['#crit', '#info', '#unk', '#warn']));
  const lines = await page.evaluate<string[]>(
    `['.x', '.q', ':not(.x):not(.q)'].map((kind) => { const style = getComputedStyle(document.querySelector('.dots i' + kind)); return style.borderStyle + ' ' + (style.backgroundImage === 'none' ? '' : 'struck'); })`,
  );
  expect(new Set(lines).size).toBe(3);
  await page.close();
}, 60_000);

test('a number stands after a name from right to left, as after any other', async () => {
  screen.web.stand(strangeFirm());
  const page = await open('');
  const [nameEnd = 0, numberStart = 0] = await page.evaluate<number[]>(
    `(() => {
      const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT, (node) => /الطابق الأول.*2 of 8/.test(node.data) ? 1 : 2);
      const node = walk.nextNode();
      const boxOf = (text) => { const range = document.createRange(); const at = node.data.indexOf(text); range.setStart(node, at); range.setEnd(node, at + text.length); return range.getBoundingClientRect(); };
      return [boxOf('الطابق الأول').right, boxOf('2 of 8').left];
    })()`,
  );
  expect(nameEnd).toBeGreaterThan(0);
  expect(numberStart).toBeGreaterThan(nameEnd - 1);
  await page.close();
}, 60_000);

test('two columns of cards have no hole', async () => {
  for (const stood of [unknownFirm(), firmCalm(8)]) {
    screen.web.stand(stood);
    const page = await open('', { viewport: { width: 768, height: 900 } });
    const holes = await page.evaluate<string[]>(
      `(() => {
        const page = document.querySelector('.page');
        const right = page.getBoundingClientRect().right - parseFloat(getComputedStyle(page).paddingRight);
        const cards = [...document.querySelectorAll('.page > .card')].map((card) => ({ card, box: card.getBoundingClientRect() }));
        return cards.filter(({ box }) => !cards.some((other) => Math.abs(other.box.top - box.top) < 2 && Math.abs(other.box.right - right) < 2)).map(({ card }) => card.id || card.innerText.slice(0, 40));
      })()`,
    );
    expect(holes).toEqual([]);
    await page.close();
  }
}, 60_000);
