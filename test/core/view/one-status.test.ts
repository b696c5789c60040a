/** Status, page, metrics, readiness and digest print one value: about the same fact they say the same. */
import { expect, test } from 'vitest';
import { formatStatus } from '../../../src/cli/status/status-text.ts';
import type { Alert } from '../../../src/core/alert/alert.ts';
import { createOwnState } from '../../../src/core/engine/self-source.ts';
import { composeDigest } from '../../../src/core/view/daily-digest.ts';
import type { SystemStatus } from '../../../src/core/view/system-status.ts';
import { buildStatus } from '../../../src/core/view/build-status.ts';
import { listUnreadyReasons } from '../../../src/core/view/readiness.ts';
import { reportStatus } from '../../../src/core/view/status-report.ts';
import { createSampleMessage } from '../../../src/core/wording/samples/samples.ts';
import { createMetrics } from '../../../src/web/data/metrics.ts';
import { knownSource, pageWith } from '../../support/system-status.ts';
import { HOUR, MINUTE, phones, SETTINGS, START, town } from '../account/paper-town.ts';

const ALWAYS = { ranges: [], except: [], timezone: 'UTC' };
const WAITING = createSampleMessage('notice.opened', 'chat', START);
const TROUBLE = { since: START, reason: 'it answered 503' };

async function makeStatus(): Promise<SystemStatus> {
  const all = town();
  await all.sweepPage();
  const account = all.account('acme', phones(100, 8, '203.0.113.7'), {
    ...SETTINGS,
    expectations: [{ toggle: '301', hours: ALWAYS, grace: HOUR, severity: 'warning' }],
  });
  account.toggles = [{ id: '301', name: 'After hours', status: false }];
  account.sweep(0);
  account.lose(({ extension }) => extension === '101');
  all.world.openNotice({ subject: 'No calls', content: 'We look.', components: [2] });
  all.world.openNotice({ subject: 'Left out', content: 'We look.', components: [3] });
  all.world.scheduleMaintenance({ subject: 'Works', beginsAt: all.now() + 24 * HOUR, endsAt: all.now() + 25 * HOUR });
  for (let minute = 0; minute < 8; minute += 1) {
    all.pass(MINUTE);
    await all.sweepPage();
    account.sweep(0);
  }
  account.lose(({ extension }) => extension === '102');
  account.toggles = [{ id: '301', name: 'After hours', status: true }];
  account.sweep(MINUTE);
  const leftOut = (alert: Alert): Alert => ({ ...alert, muted: alert.title.includes('Left out') });
  const page = { ...all.page, alerts: all.page.alerts.map(leftOut) };
  const [first] = page.alerts;
  const own: Alert = { ...first!, id: 'own', number: 9, source: 'linewatch', title: 'mail fails', notice: null };
  const known = { refused: [], failing: null, stuck: null };
  return buildStatus({
    instance: 'hq',
    timezone: 'UTC',
    now: all.now(),
    startedAt: START,
    sources: [
      knownSource('provider', page, all.now() - HOUR, { unreadMs: HOUR, loopFailure: 'it broke' }),
      knownSource('acme', account.state, all.now(), { sites: SETTINGS.sites }),
    ],
    own: { ...createOwnState(), alerts: [own] },
    receivers: [
      {
        name: 'chat',
        type: 'slack',
        isRemoved: false,
        state: known,
        waiting: [WAITING],
      },
      {
        name: 'mail',
        type: 'email',
        isRemoved: false,
        state: {
          ...known,
          refused: [{ reason: 'no such mailbox' }, { reason: 'no such mailbox' }],
          failing: { ...TROUBLE, failures: 1 },
        },
        waiting: [],
      },
      {
        name: 'old',
        type: 'receiver',
        isRemoved: true,
        state: known,
        waiting: [WAITING],
      },
    ],
    unsaved: ['source acme'],
    failed(_source, error) {
      throw error;
    },
  });
}

const given = await makeStatus();
const report = reportStatus(given);
const digest = composeDigest(given, 'UTC');
const status = formatStatus(report, { timezone: 'UTC', now: given.now }, '/state');
const metrics = (await createMetrics('1').text(given)).split('\n').filter((line) => !line.startsWith('#'));
const page = await pageWith(given);

function numbers(texts: readonly string[], pattern: RegExp): number[] {
  return texts
    .flatMap((text) => [...text.matchAll(pattern)].map(([, number]) => Number(number)))
    .toSorted((a, b) => a - b);
}

test('what is open: Linewatch’s own trouble and what is to come among it, what is left out of the watch not', () => {
  const open = given.open.map(({ number }) => number).toSorted((a, b) => a - b);
  expect(open).toHaveLength(4);
  expect(open).toContain(9);
  const reported = [...report.sources, ...report.accounts, report.linewatch!].flatMap(({ alerts }) => alerts);
  expect(reported.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(open);
  expect(numbers(status, /^ {4}#(\d+) (?:critical|warning|info): /gm)).toEqual(open);
  expect(numbers([page], /id="(?:alert|work)-(\d+)"/g)).toEqual(open);
  expect(numbers([digest.reason], /^Open: #(\d+) /gm)).toEqual(open);
  expect(digest.what).toContain(', 4 open, ');
  const counted = numbers(metrics, /^linewatch_open_alerts\{.*\} (\d+)$/g);
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(4);
  expect([page, digest.reason, ...status].join()).not.toContain('Left out');
});

test('which phones are missing, whether they are lost already or not yet', () => {
  const [acme] = report.accounts;
  expect(acme?.phones).toMatchObject({ registered: 6, total: 8, missing: ['101', '102'] });
  expect(status).toContainEqual(expect.stringMatching(/offline: 101 Desk 101 .*, 102 Desk 102/));
  expect(page).toContain('6 registered, 1 offline, 1 not seen');
  const [, account] = given.sources;
  expect(account?.troubled).toEqual([
    { name: '101 (Desk 101)', state: 'Offline' },
    { name: '102 (Desk 102)', state: 'Missing' },
    { name: 'After hours', state: 'Not switched yet' },
  ]);
  expect(metrics).toEqual(
    expect.arrayContaining([
      'linewatch_phones_registered{source="acme",site="Richmond"} 6',
      'linewatch_phones_expected{source="acme",site="Richmond"} 8',
      'linewatch_phones_lost{source="acme",site="Richmond"} 1',
      'linewatch_toggles{source="acme",state="late"} 1',
    ]),
  );
  expect(acme?.toggles).toEqual([{ id: '301', name: 'After hours', status: true, expected: false }]);
});

test('what was not read, and what went wrong inside', () => {
  expect(report.sources[0]).toMatchObject({ last_read_at: new Date(given.now - HOUR).toISOString() });
  expect(report.sources[0]?.blind).toEqual(['the sweep: it broke']);
  expect(status).toContain('  cannot be read: the sweep: it broke');
  expect(page).toContain('the sweep: it broke');
  expect(digest.reason).toContain('Not read in full for 1 h: provider');
  expect(listUnreadyReasons(given)[0]).toContain('source provider: last read in full 1 h ago');
});

test('what waits, what was refused, and for whom nobody is left', () => {
  expect(report.deliveries.map(({ receiver, waiting, refused }) => [receiver, waiting, refused])).toEqual([
    ['chat', 1, 0],
    ['mail', 0, 2],
    ['old', 1, 0],
  ]);
  expect(report.deliveries.map(({ removed }) => removed)).toEqual([undefined, undefined, true]);
  expect(status.some((line) => line.startsWith('receiver old (no longer configured): 1 waiting'))).toBe(true);
  expect(digest.reason.split('\n').slice(-3)).toEqual([
    '1 message waits to be delivered',
    '2 messages were refused for good by mail',
    '1 message waits for old, which is no longer configured',
  ]);
  expect(metrics).toEqual(
    expect.arrayContaining([
      'linewatch_outbox_messages{receiver="chat",state="waiting"} 1',
      'linewatch_outbox_messages{receiver="mail",state="refused"} 2',
      'linewatch_outbox_messages{receiver="old",state="removed"} 1',
    ]),
  );
  expect(page).toContain('1 of 3 receivers works, not mail and old, 2 messages wait.');
  expect(listUnreadyReasons(given).filter((reason) => reason.startsWith('receiver'))).toEqual([
    'receiver mail: refused 2 messages: no such mailbox',
  ]);
});

test('what the disk refuses', () => {
  expect(report.linewatch?.unsaved).toEqual(['source acme']);
  expect(status).toContain('  cannot be saved: the state of source acme');
  expect(listUnreadyReasons(given)).toContainEqual(expect.stringContaining('state of source acme'));
  expect(metrics).toContain('linewatch_state_unsaved_documents 1');
});
