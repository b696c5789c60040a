/** The overview of somebody who watches many accounts: what is wrong stands first and is not drowned. */
import { expect, test } from 'vitest';
import { overviewPage } from '../../src/web/overview-page.ts';
import type { AccountView, OpenAlert, PageView, PartView, Picture, SourceView } from '../../src/core/view/picture.ts';

const NOW = Date.parse('2026-03-24T04:00:00.000Z');

const ACCOUNT: AccountView = {
  type: 'account',
  unread: [],
  phones: null,
  toggles: null,
  schedule: { on_schedule: 0, late: 0, off_schedule: 0, missing: 0 },
};
const PAGE: PageView = { type: 'status page', page: null, components: { total: 0, notOperational: [] }, notices: [] };

function source(name: string, more: object = {}): SourceView {
  return {
    name,
    baseUrl: '',
    ...ACCOUNT,
    title: null,
    state: '52 of 52 phones registered',
    isWell: true,
    url: null,
    lastReadAt: NOW - 5_000,
    unreadMs: 5_000,
    unreadAfterMs: 300_000,
    unreachable: false,
    blind: [],
    facts: [],
    troubled: [],
    ...more,
  };
}

const unreachable = { unreachable: true, unreadMs: 600_000, blind: ['registrations: no answer'] };

const PART: PartView = {
  source: 'customer-0',
  affected: ['104 (Reception)'],
  narrower: null,
  silencedBy: null,
};

const PHONE: OpenAlert = {
  id: 'a',
  number: 3,
  isToCome: false,
  sources: ['customer-0'],
  severity: 'warning',
  title: 'Extension 104 (Reception) offline',
  why: null,
  notTold: null,
  acknowledged: null,
  startedAt: NOW,
  state: null,
  affected: ['104 (Reception)'],
  words: null,
  url: null,
  also: [],
  parts: [PART],
};

async function pageOf(sources: SourceView[], open: OpenAlert[] = []): Promise<string> {
  const picture: Picture = {
    instance: 'hq',
    timezone: 'Australia/Melbourne',
    now: NOW,
    startedAt: NOW,
    sources,
    open,
    maintenance: [],
    ended: [],
    receivers: [],
    silences: [],
    unsaved: [],
    members: null,
  };
  return String(await overviewPage(picture, { refreshes: true, refreshSeconds: 60, mayMute: true }));
}

test('accounts that are well are a line each behind a fold, others and status pages are not', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `customer-${index}`);
  const lost = { name: '104 (Reception)', state: 'Offline' };
  const body = await pageOf([
    source('provider', { ...PAGE, state: 'Operational' }),
    ...names.map((name, index) => {
      if (index === 150) return source(name, { isWell: false, state: '51 of 52 phones registered', troubled: [lost] });
      return index === 160 ? source(name, unreachable) : source(name);
    }),
  ]);
  const [shown = '', folded = ''] = body.split(/<summary>(?=198)/);
  expect(folded).toMatch(/^198 accounts are well</);
  expect([...shown.matchAll(/<h3>(.*)<\/h3>/g)].map(([, name]) => name)).toEqual([
    'provider',
    'customer-150',
    'customer-160',
  ]);
  expect(shown).toContain('Offline</span> 104 (Reception)');
  for (const name of names) expect(body).toContain(`>${name}<`);
  expect(await pageOf(names.slice(0, 8).map((name) => source(name)))).not.toContain('<summary>');
});

test('what is open stands above what Linewatch cannot do', async () => {
  expect(await pageOf([source('customer-0', unreachable)], [PHONE])).toMatch(/<details class="[\w ]*" *>/);
});

test('the top of the page stays short when everything is unreachable', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `customer-${index}`);
  const body = await pageOf(names.map((name) => source(name, unreachable)));
  const [top = ''] = body.split('<main');
  expect(top).toContain('Not known how customer-0, customer-1, customer-2 and 37 more are doing');
  expect(top.match(/<li>/g)).toHaveLength(6);
  expect(top).toContain('<a href="readyz">35 more</a>');
  expect(top).toMatch(/<details [^>]*open>\s*<summary>Linewatch cannot do all of its work: 40 reasons</);
});

test.each([
  [{ key: 'extension', values: ['104', '105'] }, 'extension=104,105'],
  [{ key: 'kind', values: ['toggle.*'] }, 'kind=toggle.*'],
  [null, null],
])('muting an alert about %j does not mute the rest of its account', async (narrower, asked) => {
  const body = await pageOf([source('customer-0')], [{ ...PHONE, parts: [{ ...PART, narrower }] }]);
  const link = /href="silences\?([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
  const query = new URLSearchParams(link);
  expect([query.get('source'), query.get('other')]).toEqual(['customer-0', asked]);
});
