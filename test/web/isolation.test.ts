/** Names that are written from right to left, in pages that are asked for and in those that come by themselves. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { markRightToLeft } from '../../src/web/look/isolation.ts';
import { firmNight, strangeFirm } from '../support/firm-statuses.ts';
import { openStood } from '../support/stood-web.ts';

const NAME = 'مكتب المحاماة في ملبورن';
const ISOLATED = `\u2068${NAME}\u2069`;

test.each([
  [`<b>${NAME}</b>: 6 phones`, `<b>${ISOLATED}</b>: 6 phones`],
  [`<p>#39 ${NAME}: 6 of 8, ${NAME} 2</p>`, `<p>#39 ${ISOLATED}: 6 of 8, ${ISOLATED} 2</p>`],
  ['<p>קומה 3 צפון</p>', '<p>\u2068קומה 3 צפון\u2069</p>'],
  [`<p title="${NAME} 2">2</p>`, `<p title="${NAME} 2">2</p>`],
  ['<p>Zoë’s café – 2 of 8</p>', '<p>Zoë’s café – 2 of 8</p>'],
])('%j', (page, isolated) => {
  expect(markRightToLeft(page)).toBe(isolated);
});

test('a long text without an end is isolated in one pass', () => {
  const text = `${'ب1 '.repeat(100_000)}x`;
  expect(markRightToLeft(text)).toBe(`\u2068${text.slice(0, -3)}\u20691 x`);
});

async function readStream(url: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const asked = request(`${url}/events?page`, { agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (!/event: page\ndata: .*\n\n/.test(text)) return;
        resolve(text);
        asked.destroy();
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}

test('every page isolates such a name, and a page without one is as it was', async () => {
  await using web = await openStood(strangeFirm());
  for (const path of ['', 'days', '?wall', 'silences']) {
    const page = await (await fetch(`${web.url}/${path}`)).text();
    const text = page.replaceAll(/<[^>]*>/g, '');
    if (path !== 'days') expect(text, path).toContain(ISOLATED);
    expect(text.replaceAll(/\u2068[^\u2069]*\u2069/g, ''), path).not.toMatch(/[\u0590-\u08ff]/);
  }
  expect(await readStream(web.url)).toContain(ISOLATED);
  web.stand(firmNight());
  expect(await (await fetch(`${web.url}/`)).text()).not.toMatch(/[\u2066-\u2069]/);
});
