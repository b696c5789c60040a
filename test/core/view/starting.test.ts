/** The first minute: what has not been read yet is no failure, until it is late or a look at it has failed. */
import { expect, test } from 'vitest';
import { formatStatusLine } from '../../../src/cli/run/systemd.ts';
import { formatStatus } from '../../../src/cli/status/status-text.ts';
import { findStarting } from '../../../src/core/view/verdict/known.ts';
import type { AccountView, PageView, SystemStatus, SourceView } from '../../../src/core/view/system-status.ts';
import { reportStatus } from '../../../src/core/view/status-report.ts';
import { computeVerdict } from '../../../src/core/view/verdict/verdict.ts';
import { renderBadge } from '../../../src/web/data/badge.ts';
import { renderWallPage } from '../../../src/web/views/wall-page.ts';
import { pageWith } from '../../support/system-status.ts';

const NOW = Date.parse('2026-11-23T22:04:30.000Z');
const AWAITED = {
  lastReadAt: null,
  unreadMs: 18_000,
  unsweptMs: Infinity,
  unreadAfterMs: 180_000,
  unreachable: false,
  blind: [] as string[],
};
const READ = { ...AWAITED, lastReadAt: NOW - 4_000, unreadMs: 4_000, unsweptMs: 4_000 };
const BASE = { baseUrl: '', title: null, isWell: true, url: null, facts: [], troubled: [] };

function page(name: string, given: Partial<SourceView & PageView> = READ): SourceView {
  const isRead = given.lastReadAt !== null;
  return {
    ...BASE,
    ...READ,
    name,
    called: name,
    state: isRead ? 'Operational' : null,
    isWell: isRead,
    type: 'status page',
    page: isRead ? { name, state: 'operational' } : null,
    components: { total: 0, notOperational: [], all: [] },
    notices: [],
    ...given,
  };
}

function account(name: string, given: Partial<SourceView & AccountView> = READ): SourceView {
  const isRead = given.lastReadAt !== null;
  return {
    ...BASE,
    ...READ,
    name,
    called: name,
    state: isRead ? 'registered' : null,
    type: 'account',
    unread: [],
    phones: isRead ? { registered: 20, total: 20, missing: [], sites: [] } : null,
    toggles: null,
    schedule: { on_schedule: 0, late: 0, off_schedule: 0, missing: 0 },
    ...given,
  };
}

function status(...sources: SourceView[]): SystemStatus {
  return {
    instance: 'hq',
    timezone: 'UTC',
    now: NOW,
    startedAt: NOW - 18_000,
    sources,
    open: [],
    maintenance: [],
    ended: [],
    receivers: [],
    silences: [],
    endedSilences: [],
    unsaved: [],
    members: null,
  };
}

const plain = (html: string): string =>
  html
    .replace(/<(style|script|noscript)[^]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const viewer = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };
const wallOf = async (of: SystemStatus): Promise<string> =>
  plain(String(await renderWallPage({ status: of, viewer, refreshSeconds: 60 }, { recent: null, days: null })));

const TWENTY = Array.from({ length: 19 }, (_, index) => account(`customer ${index + 1}`));
const STARTING = status(page('provider'), ...TWENTY, account('Hume', AWAITED), page('carrier', AWAITED));

test('page, wall, title, badge, status and systemd say how many sources were read', async () => {
  const sentence = 'Starting: 20 of 22 sources read';
  expect(findStarting(STARTING)).toEqual({ read: 20, total: 22 });
  expect(computeVerdict(STARTING)).toMatchObject({ tone: 'unk', headline: sentence, title: sentence, unknown: [] });
  const html = await pageWith(STARTING);
  for (const said of [plain(html), await wallOf(STARTING)]) {
    expect(said).toContain(`${sentence} 380 of 380 phones registered. Not read yet: Hume and carrier.`);
    expect(said).not.toMatch(/Not known|read 18 s ago|none is watched|not operational|cannot do/i);
  }
  expect(html).toMatch(/<header class="masthead unk"/);
  expect(html).not.toContain('class="g crit"');
  const drawn = renderBadge(STARTING);
  expect(drawn).toContain('>starting</text>');
  expect(drawn).toContain('#5b6169');
  const report = reportStatus(STARTING);
  expect(report.starting).toEqual({ read: 20, total: 22 });
  const lines = formatStatus(report, { timezone: 'UTC', now: NOW }, '/state');
  expect(lines[0]).toBe(`${sentence}; nothing is known to be open; 380 phones: 380 registered`);
  expect(lines.join('\n')).not.toMatch(/never|not operational/);
  expect(lines.filter((line) => line === '  nothing known to be open')).toHaveLength(2);
  expect(formatStatusLine(STARTING)).toBe(`${sentence}, nothing open`);
});

test('nothing of that is said once all are read, nor of what was last committed', () => {
  expect(findStarting(status(page('provider'), account('Hume')))).toBeNull();
  expect(reportStatus(status(page('provider')))).not.toHaveProperty('starting');
  expect(computeVerdict(status(page('provider'))).headline).toBe('All is well');
  expect(findStarting({ ...STARTING, startedAt: null })).toBeNull();
});

test.each([
  ['late', { ...AWAITED, unreadMs: 180_001 }],
  ['looked at in vain', { ...AWAITED, blind: ['page: it answered 503'] }],
  ['unreachable', { ...AWAITED, unreachable: true }],
])('what is %s is not known, beside others that are awaited', (_, reading) => {
  const given = status(page('provider', reading), account('Hume', AWAITED));
  const verdict = computeVerdict(given);
  expect(verdict.headline).toBe('Not known how provider is');
  expect(verdict.awaited.map(({ name }) => name)).toEqual(['Hume']);
  expect(renderBadge(given)).toContain('>not known</text>');
});

test('a loss that is open goes first, and the start is said beside it', async () => {
  const open = [
    { number: 4, id: 'a', also: [], severity: 'critical', title: '3 phones offline', why: null, notTold: null },
  ].map((alert) => ({
    ...alert,
    acknowledged: null,
    startedAt: NOW - 60_000,
    isToCome: false,
    state: null,
    affected: [],
    words: null,
    said: [],
    notified: [],
    url: null,
    sources: ['Hume'],
    parts: [{ source: 'Hume', affected: [], narrower: null, silencedBy: null }],
  })) as unknown as SystemStatus['open'];
  const given = { ...STARTING, open };
  expect(computeVerdict(given)).toMatchObject({ tone: 'crit', headline: '3 phones offline' });
  const said = plain(await pageWith(given));
  expect(said).toContain('Starting: 20 of 22 sources read');
  expect(said).not.toContain('the credentials are in order');
});

test('a source that is shown as it was before the start says so', async () => {
  const kept = account('Hume', {
    ...AWAITED,
    state: 'registered',
    phones: { registered: 7, total: 7, missing: [], sites: [] },
  });
  const said = plain(await pageWith(status(page('provider'), kept)));
  expect(said).toMatch(/not read since the start/i);
  expect(said).toContain('7 not read yet');
  expect(said).not.toContain('7 registered');
});

test('an account without phones is watched', async () => {
  const none = account('Hume', { ...READ, phones: { registered: 0, total: 0, missing: [], sites: [] } });
  expect(plain(await pageWith(status(none)))).toContain('Phones none is registered');
  expect(plain(await pageWith(status(page('provider'))))).not.toContain('Phones');
});
