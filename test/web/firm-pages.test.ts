/** A firm of twenty in its night, of sixty and of 250: each number of the headline is the sum of the rows below it. */
import { expect, test } from 'vitest';
import { computeVerdict } from '../../src/core/view/verdict/verdict.ts';
import { renderWallPage } from '../../src/web/views/wall-page.ts';
import { firmCalm, firmNight, oneFirmCalm, oneFirmNight, strangeFirm, type Stood } from '../support/firm-statuses.ts';
import { renderDaysContent } from '../../src/web/days/days-page.ts';
import { readDaysFilter } from '../../src/web/days/days-filter.ts';
import { daysOf } from '../support/firm-days.ts';
import { unknownFirm } from '../support/firm-unread.ts';
import { pageWith } from '../support/system-status.ts';

const VIEWER = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };

function sumOfRows(html: string): number {
  const rows = [...html.matchAll(/<td class="n">\s*<b>(\d+)<\/b>/g)];
  return rows.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function pageOf({ status, history }: Stood): Promise<string> {
  return await pageWith(status, { all: true }, history);
}

test('in the night of twenty customers the rows add up to the headline, which is said once', async () => {
  const night = firmNight();
  const html = await pageOf(night);
  expect(computeVerdict(night.status).headline).toBe('120 of 371 phones offline');
  expect(sumOfRows(html)).toBe(120);
  expect(html.match(/<h1[^>]*>[^]*?120 of 371 phones offline/g)).toHaveLength(1);
  expect(html.indexOf('id="alert-4"')).toBeLessThan(html.indexOf('id="alert-6"'));
  // The notice that affects no phone is the last of what is open.
  expect(html.indexOf('id="alert-3"')).toBeGreaterThan(html.indexOf('id="alert-8"'));
  expect(html.match(/Acknowledge #4/g)).toHaveLength(1);
  // The customer is named once in its row.
  expect(html).toContain('<small>API key refused</small>');
});

/** The firm with one phone among the strange ones: the phone is offline. */
function onePhoneLost(): Stood {
  const { status, history } = strangeFirm();
  const sources = status.sources.filter(({ type, called }) => type !== 'account' || called === 'One Phone');
  const names = new Set(sources.map(({ name }) => name));
  const open = status.open.map((alert) => ({
    ...alert,
    parts: alert.parts.filter(({ source }) => names.has(source)),
  }));
  return { status: { ...status, sources, open: open as typeof status.open }, history };
}

test.each([
  ['of twenty', firmNight(20)],
  ['of sixty', firmNight(60)],
  ['of 250', firmNight(250)],
  ['of strange names', strangeFirm()],
  ['of one phone', onePhoneLost()],
])(
  'in the night of a firm %s every number of the verdict is the sum of the rows below it',
  async (_, { status, history }) => {
    const [, offline = '', total = ''] =
      /^([\d,]+) of ([\d,]+) phones? offline/.exec(computeVerdict(status).headline) ?? [];
    const [lost, all] = [Number(offline.replace(',', '')), Number(total.replace(',', ''))];
    let [sum, rows] = [0, ''];
    for (let page = 1; page <= 5; page += 1) {
      const html = await pageWith(status, { all: true, page }, history);
      // The last page is shown again where there is none.
      const table = /<tbody>[^]*?<\/tbody>/.exec(html.slice(html.indexOf('class="cust"')))?.[0] ?? html;
      if (rows.includes(table)) break;
      rows += table;
      sum += sumOfRows(table);
    }
    const accounts = status.sources.flatMap((source) => (source.type === 'account' ? [source] : []));
    const missing = accounts.reduce((count, { phones }) => count + (phones?.missing.length ?? 0), 0);
    const known = accounts.reduce((count, { phones }) => count + (phones?.total ?? 0), 0);
    expect([lost, all]).toEqual([missing, known]);
    if (accounts.length > 1) expect(sum).toBe(lost);
  },
);

test('without losses the refused key is the headline, and without any alert all is well', async () => {
  const { status } = firmNight();
  const calm = firmCalm();
  const others = status.open.filter(({ number }) => number !== 4 && number !== 6);
  const otway = status.sources.find(({ name }) => name === 'otway-transport');
  const sources = calm.status.sources.map((source) => (source.name === otway?.name ? otway : source));
  const key = computeVerdict({ ...calm.status, sources, open: others });
  expect(key.headline).toBe('Otway Transport: API key refused (401)');
  expect(key.todo.join(' ')).toContain('Otway Transport: enter a new API key');
  expect(computeVerdict(calm.status).headline).toBe('All is well');
});

test.each([
  ['Etc/GMT+6', 'UTC-6'],
  ['Etc/UTC', 'UTC'],
  ['Australia/Melbourne', 'Australia/Melbourne'],
])('the zone %s is named %s, whose sign is that of the clock above', async (timezone, shown) => {
  const { status, history } = firmCalm();
  const html = await pageOf({ status: { ...status, timezone }, history });
  expect(html).toContain(`Times are those of ${shown}.`);
});

test('the wall shows every customer in trouble, and the sum of those beyond its rows', async () => {
  const [twenty, many] = [firmNight(), firmNight(60)];
  const wallOf = async ({ status, history }: Stood): Promise<string> =>
    String(await renderWallPage({ status, viewer: VIEWER, refreshSeconds: 60 }, history));
  expect((await wallOf(twenty)).match(/<li class="(?:crit|unk)" id="c-/g)).toHaveLength(13);
  const html = await wallOf(many);
  expect(html.match(/<li class="(?:crit|unk)" id="c-/g)).toHaveLength(12);
  expect(html).toMatch(/and \d+ more/);
});

test('in calm the wall of very many customers shows those with news, each with what it was', async () => {
  const wallOf = async ({ status, history }: Stood): Promise<string> =>
    String(await renderWallPage({ status, viewer: VIEWER, refreshSeconds: 60 }, history));
  const html = await wallOf(firmCalm(250));
  expect(html.match(/class="tile[ "]/g)).toHaveLength(2);
  expect(html).toContain('1 phone, 15 min at 06:17');
  expect(html).toContain('and 248 customers more, all registered');
  const all = await wallOf(firmCalm(60));
  expect(all).toContain('class="tiles many"');
  expect(all).not.toContain('1 phone, 15 min');
});

test('the wall of a start does not say of a customer that was not read yet that all its phones are registered', async () => {
  const { status, history } = firmCalm(250);
  const unread = { lastReadAt: null, unreadMs: 1_000, unsweptMs: Infinity, state: null };
  const accounts = status.sources.filter(({ type }) => type === 'account').slice(0, 40);
  const begun = {
    ...status,
    sources: status.sources.map((source) => (accounts.includes(source) ? { ...source, ...unread } : source)),
  };
  const wallOf = async (shown: Stood['status']): Promise<string> =>
    String(await renderWallPage({ status: shown, viewer: VIEWER, refreshSeconds: 60 }, history));
  const html = await wallOf(begun);
  expect(html).toMatch(/and \d+ customers more, \d+ of them not read yet/);
  expect(html).not.toContain('more, all registered');
  expect(await wallOf(status)).toContain('more, all registered');
});

test.each([
  ['calm', firmCalm()],
  ['one firm, calm', oneFirmCalm()],
])('%s holds nothing of trouble and no empty box', async (_, stood) => {
  const html = await pageOf(stood);
  expect(html).toContain('All is well');
  expect(html).not.toMatch(/0 offline|None|class="g crit"/);
});

test('one firm has its sites in place of customers, and strange names stay text', async () => {
  expect(await pageOf(oneFirmNight())).toContain('37 of 59 phones offline');
  expect(sumOfRows(await pageOf(strangeFirm()))).toBe(70);
  const calm = await pageWith(firmCalm(250).status);
  expect(calm).toContain('All 250 customers');
});

test('cut off from its provider one firm sees what is known, what is not, and nothing of it as well', async () => {
  const cut = unknownFirm();
  const html = (await pageOf(cut)).replaceAll(/\s+/g, ' ');
  const cardOf = (id: string): string =>
    new RegExp(`<section class="card w4" aria-labelledby="${id}".*?</section>`).exec(html)?.[0] ?? '';
  expect(html).toContain('<span>59 phones: not known</span>');
  expect(cardOf('known')).toMatch(
    /internet line works.*Yarra Fibre’s page was read .*Southern Cross Voice does not answer/,
  );
  expect(cardOf('not-known')).toMatch(/Your 59 phones.*All were registered at .*Southern Cross Voice, 8 components/);
  expect(cardOf('not-known')).not.toContain('#ok"');
  expect(cardOf('phones')).not.toMatch(/registered"|class="ok/);
  // In calm nothing is unknown, and there is no such card.
  expect(await pageOf(oneFirmCalm())).not.toContain('id="not-known-list"');
});

test('figures and events of ninety days are those of all customers, whichever page of the list is shown', async () => {
  const { status, days } = daysOf(firmCalm(250));
  const showPage = async (page: string): Promise<string> => {
    const filter = readDaysFilter((name) => (name === 'page' ? page : undefined));
    return String(await renderDaysContent({ status, viewer: VIEWER, refreshSeconds: 60 }, days, filter));
  };
  const [first, last] = [await showPage('1'), await showPage('6')];
  const figuresOf = (html: string): string | undefined => /<dl class="figures">[^]*?<\/dl>/.exec(html)?.[0];
  expect(figuresOf(last)).toBe(figuresOf(first));
  const hours = days.rows.flatMap((row) => row.days).reduce((sum, { lostMs }) => sum + lostMs, 0) / 3_600_000;
  expect(figuresOf(first)).toContain(`${Math.round(hours)} phone-hours lost`);
  for (const html of [first, last]) expect(html).toContain(`${days.alerts.length} entries`);
  // The bars are those of the page.
  const hasBars = (html: string): boolean => /<th scope="row">\s*Bayside Dental Group\s/.test(html);
  expect([first, last].map(hasBars)).toEqual([true, false]);
});
