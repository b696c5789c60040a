/** The headline: one's own phones first, split by cause, and the same wherever it is said. */
import { describe, expect, test } from 'vitest';
import { formatStatus } from '../../../src/cli/status/status-text.ts';
import { sortOpenAlerts } from '../../../src/core/view/verdict/alert-order.ts';
import { composeDigest } from '../../../src/core/view/daily-digest.ts';
import type { OpenAlert, SystemStatus, SourceView } from '../../../src/core/view/system-status.ts';
import { reportStatus } from '../../../src/core/view/status-report.ts';
import { reportVerdict } from '../../../src/core/view/verdict/verdict-report.ts';
import { computeVerdict } from '../../../src/core/view/verdict/verdict.ts';
import { renderBadge } from '../../../src/web/data/badge.ts';
import { renderWallPage } from '../../../src/web/views/wall-page.ts';
import { pageWith } from '../../support/system-status.ts';
import {
  accountView,
  alertView,
  lossPart,
  pageView,
  partView,
  statusView,
  saidBy,
  SITE_LOST,
  INCIDENT,
  VIEWED_AT,
} from '../../support/views.ts';

const PROVIDER = pageView('provider', { called: 'Southern Cross Voice', state: 'Degraded', isWell: false });
const CARRIER = pageView('yarra', { called: 'Yarra Fibre', vendor: true, state: 'Major outage', isWell: false });
/** Phones offline and all phones of each customer that the incident hit. */
const LOSSES: [number, number][] = [
  [24, 38],
  [17, 30],
  [14, 22],
  [12, 12],
  [11, 19],
  [9, 26],
  [8, 14],
  [7, 9],
  [5, 16],
  [4, 11],
  [1, 21],
];
const HIT = LOSSES.map(([lost, total], index) => accountView(`Customer ${index + 1}`, total, lost));
const KELSO = accountView('Kelso Freight', 16, 8);
const OTWAY = accountView('Otway Transport', 25, 0, { unread: ['registrations'], blind: ['the key is refused'] });
const WELL = Array.from({ length: 7 }, (_, index) => accountView(`Well ${index + 1}`, 16));

const [FIRST, ...OTHERS] = HIT.map((account) => lossPart({ account, because: INCIDENT, minutesAgo: 13 }));
const OUTAGE = alertView(4, [FIRST!, ...OTHERS, partView('provider')], { said: saidBy('provider', 'identified') });
const DEAD_SITE = alertView(6, [lossPart({ account: KELSO, because: SITE_LOST, minutesAgo: 11 })], { minutesAgo: 11 });
const FIBRE = alertView(3, [partView('yarra')], {
  title: 'Fibre cut in Carlton',
  said: saidBy('yarra', 'investigating'),
  minutesAgo: 60,
});
const REFUSED = alertView(8, [partView(OTWAY.name)], { severity: 'warning', title: 'API key refused' });

const SOURCES = [PROVIDER, CARRIER, ...HIT, KELSO, OTWAY, ...WELL];

/** As `buildStatus` has it: in order. */
function firm(open: OpenAlert[], sources: SourceView[] = SOURCES, more: Partial<SystemStatus> = {}): SystemStatus {
  return statusView(sources, sortOpenAlerts(open, sources), more);
}

const NIGHT = firm([FIBRE, REFUSED, DEAD_SITE, OUTAGE]);
const HEADLINE = '120 of 371 phones offline';
const SPLIT =
  'At 12 of 20 customers: 112 at 11 customers since 04:04 with an incident at Southern Cross Voice and 8 at Kelso Freight ' +
  'since 04:06 by trouble at the site Richmond.';
const TODO = [
  '11 customers: nothing to do at their sites. Southern Cross Voice has found the fault. Divert the calls that cannot wait.',
  'Kelso Freight: check power, router and internet line at Richmond.',
];

test('in a firm’s night its own phones are the headline, and the carrier’s notice that hit nobody is the last', () => {
  expect(computeVerdict(NIGHT)).toMatchObject({
    tone: 'crit',
    headline: HEADLINE,
    title: `${HEADLINE}, 12 customers`,
    split: [SPLIT, '25 phones of Otway Transport are not known.'],
    todo: TODO,
    lead: { number: 4 },
  });
  expect(NIGHT.open.map(({ number }) => number)).toEqual([4, 6, 8, 3]);
});

test('page, wall, title, badge, interface, status and digest say the same', async () => {
  const viewer = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };
  const page = await pageWith(NIGHT);
  const wall = String(
    await renderWallPage({ status: NIGHT, viewer, refreshSeconds: 60 }, { recent: null, days: null }),
  );
  for (const html of [page, wall]) {
    const flat = html.replaceAll(/\s+/g, ' ');
    expect(/<h1[^>]*>.*?<span>([^<]*)<\/span><\/h1>/.exec(flat)?.[1]).toBe(HEADLINE);
    expect(/<title>([^<]*) · hq/.exec(flat)?.[1]).toBe(`${HEADLINE}, 12 customers`);
    const text = flat.replaceAll(/<[^>]*>/g, '');
    for (const advice of TODO) expect(text).toContain(advice);
    expect(flat).toContain('226 registered, 120 offline');
  }
  expect(page.replaceAll(/\s+/g, ' ')).toContain(SPLIT);
  expect(renderBadge(NIGHT)).toContain('>120 of 371 offline</text>');
  const verdict = reportVerdict(NIGHT);
  expect(verdict).toMatchObject({
    headline: HEADLINE,
    alert: 4,
    phones: { registered: 226, offline: 120, not_seen: 0, unknown: 25 },
    causes: [
      { cause: 'provider', offline: 112, alerts: [4] },
      { cause: 'site', offline: 8, alerts: [6], customers: [{ name: 'Kelso Freight', offline: 8, total: 16 }] },
    ],
  });
  expect(verdict.causes[0]?.customers.map(({ offline }) => offline)).toEqual([24, 17, 14, 12, 11, 9, 8, 7, 5, 4, 1]);
  const report = reportStatus(NIGHT);
  expect(report.verdict).toEqual(verdict);
  const lines = formatStatus(report, { timezone: 'UTC', now: VIEWED_AT }, '/state');
  expect(lines[0]).toMatch(/^120 of 371 phones offline; 4 open: 3 critical, 1 warning; /);
  const text = lines.join(' ').replaceAll(/\s+/g, ' ');
  for (const each of [SPLIT, ...TODO]) expect(text).toContain(each);
  const { what, reason } = composeDigest(NIGHT, 'UTC');
  expect(what).toContain(`, ${HEADLINE}, 4 open, `);
  expect(reason.split('\n').slice(0, 4)).toEqual([
    SPLIT,
    '25 phones of Otway Transport are not known.',
    ...TODO.map((each) => `To do: ${each}`),
  ]);
});

test('without phones offline the first alert is the headline, and without any the calm', () => {
  const calm = [PROVIDER, CARRIER, ...WELL];
  const known = accountView('Otway Transport', 25);
  const refused = { ...REFUSED, parts: [partView(known.name)] } satisfies OpenAlert;
  expect(computeVerdict(firm([FIBRE, refused], [...calm, known]))).toMatchObject({
    tone: 'warn',
    headline: 'API key refused',
    losses: null,
    split: [],
  });
  expect(computeVerdict(firm([FIBRE], calm))).toMatchObject({ tone: 'crit', title: '1 open: Fibre cut in Carlton' });
  expect(computeVerdict(firm([], calm))).toMatchObject({
    tone: 'ok',
    headline: 'All is well',
    title: 'All is well',
    todo: [],
  });
  expect(computeVerdict(firm([], [...calm, OTWAY])).headline).toBe('Not known how Otway Transport is');
});

describe('a provider that does not answer', () => {
  const silent = {
    lastReadAt: VIEWED_AT - 540_000,
    unreadMs: 540_000,
    unsweptMs: 540_000,
    unreachable: true,
    isWell: false,
  };
  const page = { ...PROVIDER, ...silent };
  const acme = accountView('Acme', 1_200, 0, {
    ...silent,
    unread: ['registrations', 'toggles'],
    blind: ['connection refused'],
  });
  const cut = alertView(1, [partView('provider'), partView(acme.name)], {
    severity: 'warning',
    title: 'Linewatch cannot reach Southern Cross Voice',
  });

  test('leaves all phones not known: the headline counts them, and nothing is called well or offline', () => {
    expect(computeVerdict(firm([cut], [page, CARRIER, acme]))).toMatchObject({
      tone: 'unk',
      headline: '1,200 phones: not known',
      title: '1,200 phones: not known',
      cutOff: 1_200,
      lead: { number: 1 },
      losses: null,
    });
  });

  test.each<[string, OpenAlert[], SourceView[]]>([
    ['beside an account that answers', [cut], [page, acme, accountView('Well', 9)]],
    ['where only its page is silent', [cut], [page, accountView('Acme', 20)]],
    ['where its phones are read', [cut], [page, { ...acme, unsweptMs: 0, unread: ['toggles'] }]],
    ['where its key is refused', [cut], [page, { ...acme, isRefused: true as const }]],
    ['where Linewatch has trouble of its own', [{ ...cut, sources: ['linewatch'] }], [page, acme]],
  ])('does not %s', (_, open, sources) => {
    const { cutOff, headline } = computeVerdict(firm(open, sources));
    expect([cutOff, headline]).toEqual([null, 'Linewatch cannot reach Southern Cross Voice']);
  });
});

describe('order', () => {
  const account = accountView('Acme', 20, 9);
  const sources = [PROVIDER, CARRIER, account];
  const numbers = (...open: OpenAlert[]): number[] => sortOpenAlerts(open, sources).map(({ number }) => number);
  const loss = (number: number, offline: number, more: Partial<OpenAlert> & { minutesAgo?: number } = {}): OpenAlert =>
    alertView(number, [lossPart({ account, offline })], more);
  const acknowledged = { by: 'alex', comment: '', at: VIEWED_AT };

  test('severity, phones offline, not acknowledged, age', () => {
    const mild = loss(1, 9, { severity: 'warning' });
    expect(numbers(mild, loss(2, 1))).toEqual([2, 1]);
    expect(numbers(loss(1, 3), loss(2, 6))).toEqual([2, 1]);
    expect(numbers(loss(1, 3, { acknowledged, minutesAgo: 99 }), loss(2, 3))).toEqual([2, 1]);
    expect(numbers(loss(1, 3, { minutesAgo: 5 }), loss(2, 3, { minutesAgo: 6 }))).toEqual([2, 1]);
  });

  test('a silence puts an alert last, and its phones are counted all the same', () => {
    const muted = alertView(1, [{ ...lossPart({ account, offline: 9 }), silencedBy: 's1' }]);
    const toggle = alertView(2, [partView('acme')], { severity: 'info' });
    expect(numbers(muted, toggle)).toEqual([2, 1]);
    expect(computeVerdict(firm([muted, toggle], sources))).toMatchObject({
      headline: '9 of 20 phones offline',
      lead: { number: 1 },
    });
  });

  test('a notice that costs nobody a phone stands below every loss, and makes it no worse', () => {
    const notice = alertView(1, [partView('provider')], { minutesAgo: 99 });
    const single = loss(2, 1, { severity: 'warning' });
    expect(numbers(notice, single)).toEqual([2, 1]);
    expect(computeVerdict(firm([notice, single], sources))).toMatchObject({ tone: 'warn', lead: { number: 2 } });
    // Without a loss the provider's severity counts as it is.
    const toggle = alertView(3, [partView('acme')], { severity: 'warning', minutesAgo: 99 });
    expect(numbers(toggle, notice)).toEqual([1, 3]);
    expect(computeVerdict(firm([toggle, notice], [PROVIDER, accountView('Acme', 20)]))).toMatchObject({
      tone: 'crit',
      lead: { number: 1 },
    });
  });
});

test('somebody who has all of a cause in hand is asked first', () => {
  const acknowledged = { by: 'alex', comment: '', at: VIEWED_AT };
  const { todo } = computeVerdict(firm([{ ...OUTAGE, acknowledged }, DEAD_SITE]));
  expect(todo[0]).toMatch(/ Ask alex first: it is in hand\.$/);
  expect(todo[1]).toBe(TODO[1]);
});

test('a few phones are called by their names, and many causes share one number', () => {
  const acme = accountView('Acme', 20, 1);
  const one = alertView(1, [lossPart({ account: acme })], { title: 'Acme: Extension 104 (Sam Roberts) offline' });
  expect(computeVerdict(firm([one], [PROVIDER, acme, ...WELL])).split).toEqual([
    'Acme: Extension 104 (Sam Roberts) offline, since 04:07.',
  ]);
  const notices = [21, 22, 23, 24, 25, 26];
  const open = notices.map((number, index) =>
    alertView(number, [lossPart({ account: HIT[index]!, because: { ...INCIDENT, number } })]),
  );
  const [split = ''] = computeVerdict(firm(open, SOURCES)).split;
  expect(split).toMatch(
    /^At 6 of 20 customers: 24 at Customer 1 since .*, 12 at Customer 4 .* and 20 by 2 other causes\.$/,
  );
});

test('a phone that one answer has left out is not offline yet', async () => {
  const acme = accountView('Acme', 20, 2);
  const [first, ...rest] = acme.phones?.missing ?? [];
  const missing = [first!, ...rest.map((phone) => ({ ...phone, isLost: false }))];
  const seen = { ...acme, phones: { ...acme.phones!, missing } };
  const status = firm([alertView(1, [lossPart({ account: seen, offline: 1 })])], [seen]);
  expect(computeVerdict(status)).toMatchObject({ headline: '1 of 20 phones offline' });
  expect(computeVerdict(status).split).toContain('1 more was not seen at the last look.');
  expect(reportVerdict(status).phones).toEqual({ registered: 18, offline: 1, not_seen: 1, unknown: 0 });
  expect((await pageWith(status)).replaceAll(/\s+/g, ' ')).toContain('18 registered, 1 offline, 1 not seen');
});
