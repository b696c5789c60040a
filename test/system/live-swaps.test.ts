/** Parts of an open page that are replaced: the focus, folds, typed text and what is read stay where they are. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { firmNight } from '../support/firm-statuses.ts';
import { openStoodBrowser } from '../support/stood-browser.ts';
import type { Shown } from '../support/stood-web.ts';

const screen = openStoodBrowser();

/** The night with only these alerts open, and these customers as they are. */
function nightOf(numbers: readonly number[], count = 20): Shown {
  const night = firmNight(count);
  const open = night.status.open.filter(({ number }) => numbers.includes(number));
  return { ...night, status: { ...night.status, open } };
}

async function openLive(shown: Shown, path = '', width = 1280): Promise<Page> {
  screen.web.stand(shown);
  const page = await screen.browser.newPage({ viewport: { width, height: 700 } });
  await page.goto(`${screen.web.url}/${path}`, { waitUntil: 'load' });
  await page.locator('.live.on').first().waitFor();
  return page;
}

async function change(page: Page, shown: Shown, isThere: string): Promise<void> {
  screen.web.stand(shown);
  await page.locator(isThere).first().waitFor({ state: 'attached', timeout: 20_000 });
}

function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    `(({ tagName, id, textContent }) => id || tagName + ' ' + textContent.trim())(document.activeElement)`,
  );
}

test('the focus stays on its alert when another one comes before it', async () => {
  const page = await openLive(nightOf([6, 7]));
  await page.focus('#also-open a[href="alerts/7"]');
  const before = await focused(page);
  await change(page, nightOf([6, 8, 7]), '#also-open a[href="alerts/8"]');
  expect(await focused(page)).toBe(before);
  expect(before).toContain('Starling Optical');
  await page.close();
}, 60_000);

test('a control that is gone gives its focus to no other, and the keyboard goes on from there', async () => {
  const page = await openLive(nightOf([6]));
  await page.locator('#verdict .acts a', { hasText: 'Acknowledge #6' }).focus();
  await change(page, nightOf([4, 6]), '#verdict .acts a[href="alerts/4#take"]');
  expect(await focused(page)).toBe('verdict');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toContain('Acknowledge #4');
  await page.close();
}, 60_000);

test('an open fold and a closed one stay so when their counts change', async () => {
  const page = await openLive(nightOf([4, 6], 20));
  const foldOf = (text: string): Promise<boolean | undefined> =>
    page.evaluate<boolean | undefined>(
      `[...document.querySelectorAll('details')].find((fold) => fold.textContent.includes('${text}'))?.open`,
    );
  await page.click('summary:has-text("All registered: 7 customers")');
  await change(page, nightOf([4, 6], 30), 'summary:has-text("All registered: 13 customers")');
  expect(await foldOf('All registered')).toBe(true);
  expect(await foldOf('What happened')).toBe(false);
  await page.close();
}, 60_000);

test.each([1280, 320])(
  'what is read stays in its place while rows come above it, %i wide',
  async (width) => {
    const page = await openLive(nightOf([4, 6, 7]), '', width);
    const topOf = (): Promise<number> =>
      page.evaluate<number>(`document.querySelector('#planned-work').getBoundingClientRect().top`);
    await page.evaluate(`document.querySelector('#planned-work').scrollIntoView({ block: 'start' })`);
    const [before, scrolled] = [await topOf(), await page.evaluate<number>('scrollY')];
    await change(page, nightOf([4, 6, 7], 40), 'summary:has-text("All registered: 20 customers")');
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(scrolled + 100);
    expect(Math.abs((await topOf()) - before)).toBeLessThan(2);
    await page.evaluate('scrollTo(0, 0)');
    await change(page, nightOf([4, 6, 7]), 'summary:has-text("All registered: 7 customers")');
    expect(await page.evaluate<number>('scrollY')).toBe(0);
    await page.close();
  },
  60_000,
);

test('typed text stays, with its focus, while the rest of the page follows', async () => {
  const page = await openLive(firmNight(60));
  await page.fill('.filter input[name=q]', 'kels');
  await change(page, nightOf([6], 60), '#verdict .acts a[href="alerts/6#take"]');
  expect(await page.inputValue('.filter input[name=q]')).toBe('kels');
  expect(await page.evaluate<string>('document.activeElement.name')).toBe('q');
  expect(await page.title()).not.toContain('162 of 865');
  await page.close();
}, 60_000);
