import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alert/alert.ts';
import type { Matchers } from '../../../src/core/alert/matchers.ts';
import { createRouteTo, type Route } from '../../../src/core/alert/route.ts';
import { findNextTimeOfDay } from '../../../src/core/text/hours.ts';
import { composeDigest, groupDigestReaders } from '../../../src/core/view/daily-digest.ts';
import { startProvider } from '../../../src/simulator/embedded-provider.ts';
import type { Severity } from '../../../src/core/transition/kind.ts';
import { runDaemon, type RunningDaemon } from '../../support/running-daemon.ts';
import { createPageState } from '../../../src/core/engine/page-kind.ts';
import type { SystemStatus } from '../../../src/core/view/system-status.ts';
import { statusWith } from '../../support/system-status.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const MELBOURNE = { at: '08:00', days: EVERY_DAY, timezone: 'Australia/Melbourne' };

describe('when', () => {
  test('the next morning, in the time zone of the reader, over the change of the clocks', () => {
    expect(findNextTimeOfDay(MELBOURNE, Date.parse('2026-04-03T20:59:59Z'))).toBe(Date.parse('2026-04-03T21:00:00Z'));
    expect(findNextTimeOfDay(MELBOURNE, Date.parse('2026-04-03T21:00:00Z'))).toBe(Date.parse('2026-04-04T22:00:00Z'));
  });

  test('only on the days that were asked for', () => {
    const weekdays = { ...MELBOURNE, timezone: 'UTC', days: [1, 2, 3, 4, 5] };
    expect(findNextTimeOfDay(weekdays, Date.parse('2026-03-27T09:00:00Z'))).toBe(Date.parse('2026-03-30T08:00:00Z'));
  });
});

const NOW = Date.parse('2026-03-27T08:00:00Z');

test('what: nothing is worth a word too, and what was not read is said', () => {
  const calm = statusWith({ now: NOW, sources: { provider: createPageState() } });
  expect(composeDigest(calm, 'UTC')).toEqual({
    what: 'daily digest — watching 1 source, nothing open, nothing ended in 24 hours',
    reason: '',
  });
  const [source] = calm.sources;
  const receiver = {
    type: 'slack',
    isRemoved: false,
    oldestWaitingAt: NOW,
    refusal: null,
    last: null,
    failing: null,
    tries: null,
  };
  expect(
    composeDigest(
      {
        ...calm,
        sources: [
          { ...source!, unreadMs: 7_200_000 },
          { ...source!, name: 'carrier', lastReadAt: null },
        ],
        receivers: [
          { ...receiver, name: 'chat', waiting: 2, refused: 0 },
          { ...receiver, name: 'mail', waiting: 1, refused: 1 },
          { ...receiver, name: 'old', waiting: 4, refused: 0, isRemoved: true },
        ],
      },
      'UTC',
    ).reason.split('\n'),
  ).toEqual([
    'Not read in full for 2 h: provider',
    'Not read in full since the start: carrier',
    '3 messages wait to be delivered',
    '1 message was refused for good by mail',
    '4 messages wait for old, which is no longer configured',
  ]);
});

test('what is open stands there since when, the worst first, and Linewatch’s own trouble with it', () => {
  const now = NOW;
  const hour = 3_600_000;
  const alert = (number: number, severity: Severity, more: Partial<Alert> = {}): Alert =>
    ({
      id: String(number),
      number,
      severity,
      title: `Trouble ${number}`,
      source: 'acme',
      status: 'open',
      startedAt: now - number * hour,
      muted: false,
      subjects: [],
      lastChange: null,
      resolvedAt: null,
      ...more,
      told: [],
    }) as Alert;
  const ended = { status: 'resolved', resolvedAt: now - hour } as const;
  const alerts = [alert(1, 'info'), alert(2, 'critical'), alert(3, 'warning', ended)];
  const own = [alert(4, 'warning', { source: 'linewatch' })];
  const acme = { ...createPageState(), alerts };
  const { what, reason } = composeDigest(
    statusWith({ now, sources: { acme }, own: { alerts: own, silences: [] } }),
    'Australia/Melbourne',
  );
  expect(what).toBe('daily digest — watching 1 source, 3 open, 1 ended in 24 hours');
  expect(reason.split('\n')).toEqual([
    'Open: #2 critical: Trouble 2 (acme), since Fri 27 Mar 17:00 AEDT',
    'Open: #4 warning: Trouble 4 (linewatch), since Fri 27 Mar 15:00 AEDT',
    'Open: #1 info: Trouble 1 (acme), since Fri 27 Mar 18:00 AEDT',
    'Ended: #3 warning: Trouble 3 (acme), Fri 27 Mar 16:00–18:00 AEDT',
  ]);
});

describe('who reads of which sources', () => {
  const account = (name: string) => ({ name, type: 'account' as const, labels: { customer: name } });
  const page = { name: 'provider', type: 'status page' as const, labels: {} };
  const sources = [page, account('acme'), account('beta')];
  const below = (matchers: Matchers, ...receivers: string[]): Route => ({ ...createRouteTo(receivers), matchers });
  const readers = (root: string[], ...routes: Route[]): unknown =>
    groupDigestReaders({ ...createRouteTo(root), routes }, sources).map((each) => [
      each.receivers,
      each.sources === null ? null : [...each.sources],
    ]);
  const EVERYBODY_ALL = [[null, null]];

  test('everybody of all where no route asks for a source, or nobody reads it', () => {
    expect(readers(['mail', 'chat'])).toEqual(EVERYBODY_ALL);
    expect(readers([])).toEqual(EVERYBODY_ALL);
    expect(readers(['mail'], below({ severity: ['critical'] }, 'pager'))).toEqual(EVERYBODY_ALL);
    const forToo = { ...below({ customer: ['beta'] }, 'beta-mail'), continue: true };
    expect(readers([], forToo, below({}, 'mail'))).toEqual(EVERYBODY_ALL);
  });

  test('nobody of what a route takes elsewhere', () => {
    expect(readers(['mail', 'chat'], below({ customer: ['beta'] }, 'beta-mail'))).toEqual([
      [
        ['mail', 'chat'],
        ['provider', 'acme'],
      ],
    ]);
    expect(readers(['mail'], below({ source: ['beta'], severity: ['critical'] }, 'pager'))).toEqual(EVERYBODY_ALL);
    const notices = below({ kind: ['notice.*', 'linewatch.*'] }, 'mail');
    expect(readers([], notices, below({ customer: ['*'] }, 'other-mail'))).toEqual([[['mail'], ['provider']]]);
  });

  test('those who read of the same together, and of nothing but Linewatch whom no source is led to', () => {
    const own = below({ source: ['linewatch'] }, 'mail', 'beta-mail', 'chat', 'ops');
    expect(readers(['mail', 'chat'], own, below({ customer: ['beta'] }, 'beta-mail'))).toEqual([
      [
        ['mail', 'chat'],
        ['provider', 'acme'],
      ],
      [['beta-mail'], ['beta']],
      [['ops'], []],
    ]);
  });

  test('only those whom the route leads it to', () => {
    const wishes = { minSeverity: 'warning' as const };
    expect(
      readers(['mail'], below({ kind: ['linewatch.state'] }, 'ops'), below({ customer: ['beta'] }, 'beta-mail')),
    ).toEqual([[['ops'], []]]);
    expect(readers([], { ...below({}, 'mail'), ...wishes, continue: true }, below({}, 'ops'))).toEqual(EVERYBODY_ALL);
  });

  test('who reads of no source reads of Linewatch all the same', () => {
    const receiver = {
      type: 'slack',
      isRemoved: false,
      oldestWaitingAt: NOW,
      refusal: null,
      last: null,
      failing: null,
      tries: null,
    };
    const waiting = { ...receiver, name: 'chat', waiting: 2, refused: 0 };
    expect(composeDigest({ ...statusWith({ now: NOW, sources: {} }), receivers: [waiting] }, 'UTC')).toEqual({
      what: 'daily digest — Linewatch itself, nothing open, nothing ended in 24 hours',
      reason: '2 messages wait to be delivered',
    });
  });
});

test('the daemon sends it at its time, once, with what is open', async () => {
  const startAt = Date.parse('2026-03-27T07:00:00Z');
  const provider = await startProvider({ clock: { now: () => startAt } });
  provider.simulator.status.openNotice({ subject: 'No calls', content: 'We look.', components: [] });
  const status = (): SystemStatus =>
    statusWith({ now: running.clock.now(), sources: { provider: running.daemon.sources[0]!.state } });
  const running: RunningDaemon = await runDaemon({
    statusUrl: provider.statusUrl,
    startAt,
    options: { digest: { due: { at: '08:00', days: EVERY_DAY, timezone: 'UTC' }, status } },
  });
  try {
    await running.sweep();
    await running.sweepAt(Date.parse('2026-03-27T08:00:00Z'));
    await running.sweepAt(Date.parse('2026-03-27T09:00:00Z'));
    const digests = running.people.sent.filter(({ changes }) =>
      changes.some(({ transition }) => transition.kind === 'linewatch.state'),
    );
    expect(digests.flatMap(({ changes }) => changes.map(({ transition }) => transition.to))).toEqual([
      'daily digest — watching 1 source, 1 open, nothing ended in 24 hours',
    ]);
  } finally {
    await running.stop();
    await provider.close();
  }
});
