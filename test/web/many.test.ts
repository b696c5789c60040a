/** The overview of somebody who watches many accounts: what is wrong stands first and is not drowned. */
import { askOf, readSilenceForm } from '../../src/web/views/silence-form.ts';
import { pageWith } from '../support/system-status.ts';
import { expect, test } from 'vitest';
import { NO_FACTS } from '../../src/core/view/story/facts-report.ts';
import type {
  AccountView,
  OpenAlert,
  PageView,
  PartView,
  SystemStatus,
  SourceView,
} from '../../src/core/view/system-status.ts';

const NOW = Date.parse('2026-03-24T04:00:00.000Z');

const ACCOUNT: AccountView = {
  type: 'account',
  unread: [],
  phones: null,
  toggles: null,
  schedule: { on_schedule: 0, late: 0, off_schedule: 0, missing: 0 },
};
const PHONES = {
  phones: {
    registered: 52,
    total: 52,
    missing: [],
    sites: [{ site: 'Office', isNamed: true, registered: 52, total: 52, missing: [] }],
  },
};
const PAGE: PageView = {
  type: 'status page',
  page: null,
  components: { total: 0, notOperational: [], all: [] },
  notices: [],
};

function source(name: string, more: object = {}): SourceView {
  return {
    name,
    called: name,
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
  facts: NO_FACTS,
  said: [],
  notified: [],
  acknowledged: null,
  startedAt: NOW,
  state: null,
  affected: ['104 (Reception)'],
  words: null,
  url: null,
  also: [],
  parts: [PART],
};

function statusOfAll(sources: SourceView[], open: OpenAlert[] = []): SystemStatus {
  return {
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
    endedSilences: [],
    unsaved: [],
    members: null,
  };
}

async function pageOf(sources: SourceView[], open: OpenAlert[] = []): Promise<string> {
  return await pageWith(statusOfAll(sources, open));
}

test('customers that are well are folded in trouble, and are tiles in calm', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `customer-${index}`);
  const body = await pageOf([
    source('provider', { ...PAGE, state: 'Operational' }),
    ...names.map((name, index) => (index === 16 ? source(name, unreachable) : source(name, PHONES))),
  ]);
  const [shown = '', folded = ''] = body.split(/<summary>(?=All registered)/);
  expect(folded).toMatch(/^All registered: 39 customers, 2,028 phones/);
  expect([...shown.matchAll(/<tr class="\w+" id="c-([\w-]+)">/g)].map(([, name]) => name)).toEqual(['customer-16']);
  for (const name of names) expect(body).toContain(`id="c-${name}"`);
  const calm = await pageOf(names.slice(0, 8).map((name) => source(name, PHONES)));
  expect(calm).not.toContain('All registered');
  expect(calm.match(/<div class="tile" id="c-/g)).toHaveLength(8);
});

test('of many customers in trouble twenty-five are shown, fifty a page on request, and they are found by name', async () => {
  const blind = (count: number): SystemStatus =>
    statusOfAll(Array.from({ length: count }, (_, index) => source(`customer-${index}`, unreachable)));
  expect((await pageWith(blind(60))).match(/<tr class="unk"/g)).toHaveLength(25);
  expect(await pageWith(blind(60))).toContain('Show all 60');
  expect((await pageWith(blind(60), { all: true })).match(/<tr class="unk"/g)).toHaveLength(50);
  expect((await pageWith(blind(60), { all: true, page: 2 })).match(/<tr class="unk"/g)).toHaveLength(10);
  const calm = statusOfAll(Array.from({ length: 200 }, (_, index) => source(`customer-${index}`, PHONES)));
  expect(await pageWith(calm)).toContain('All 200 customers: 10,400 phones');
  const found = await pageWith(calm, { q: 'CUSTOMER-17' });
  expect(found.match(/<tr class="ok"/g)).toHaveLength(11);
  expect(await pageWith(calm, { q: 'nobody' })).toContain('No customer is like that.');
});

test('an alert is found by severity, source and name', async () => {
  const status = statusOfAll([source('customer-0'), source('customer-1')], [PHONE]);
  for (const filter of [{ severity: 'critical' }, { source: 'customer-1' }, { q: 'other' }]) {
    expect(await pageWith(status, filter), JSON.stringify(filter)).not.toContain('id="alert-3"');
  }
  for (const filter of [{ severity: 'warning' }, { source: 'customer-0' }, { q: 'reception' }, { trouble: true }]) {
    expect(await pageWith(status, filter), JSON.stringify(filter)).toContain('id="alert-3"');
  }
});

test('the top of the page stays short when everything is unreachable', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `customer-${index}`);
  const body = await pageOf(names.map((name) => source(name, unreachable)));
  const [top = ''] = body.split('id="now"');
  expect(top).toContain('Not known how customer-0, customer-1, customer-2 and 37 more are');
  expect(top).toContain('<a href="readyz">35 more</a>');
  expect(top).toContain('Linewatch cannot do all of its work: 40 reasons');
});

test.each([
  [{ key: 'extension', values: ['104', '105'] }, { extension: ['104', '105'] }],
  [{ key: 'kind', values: ['toggle.*'] }, { kind: ['toggle.*'] }],
  [null, {}],
])('muting an alert about %j does not mute the rest of its account', async (narrower, asked) => {
  const body = await pageOf([source('customer-0')], [{ ...PHONE, parts: [{ ...PART, narrower }] }]);
  const link = /href="silences\?([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
  const query = new URLSearchParams(link);
  const form = readSilenceForm((name) => query.get(name) ?? undefined);
  expect(askOf(form, { now: 0, timezone: 'UTC' })).toMatchObject({ matchers: { source: ['customer-0'], ...asked } });
});

test('of several machines the page of each says which of them watches', async () => {
  const member = { version: '1.0.0', epoch: null, silentMs: 500, lagMs: 3, clockAheadMs: 0 };
  const all = [
    { ...member, name: 'first', standing: 'leading' as const, epoch: 4 },
    { ...member, name: 'second', standing: 'standing by' as const },
  ];
  const pageOfMember = (self: string): Promise<string> =>
    pageWith({ ...statusOfAll([source('provider')]), members: { self, leader: 'first', isCutOff: false, all } });
  expect(await pageOfMember('second')).toContain('first watches; second: standing by.');
  expect(await pageOfMember('first')).toContain('first, this machine, watches; second: standing by.');
  expect(await pageOf([source('provider')])).not.toContain('watches;');
});
