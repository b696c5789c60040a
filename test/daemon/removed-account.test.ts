/** An account that is taken out of the configuration: what the history and the report of the month say of it. */
import { expect, test } from 'vitest';
import type { Registered } from '../../src/core/account/account-model.ts';
import { createRouteTo } from '../../src/core/alert/route.ts';
import type { Listing } from '../../src/core/observation/listing.ts';
import { formatReportCsv } from '../../src/core/report/csv.ts';
import { renderHtml } from '../../src/core/report/html-report.ts';
import { toJsonReport } from '../../src/core/report/json.ts';
import { makeReport } from '../../src/core/report/made-report.ts';
import { toMonth, toSpan } from '../../src/core/report/month.ts';
import { formatTextReport } from '../../src/core/report/text-report.ts';
import type { WatchedAccount } from '../../src/daemon/loop/options.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { SETTINGS } from '../core/account/paper-town.ts';
import {
  HOUR,
  MINUTE,
  paperDisk,
  paperReceiver,
  START,
  startPaperDaemon,
  virtualClock,
} from '../support/paper-daemon.ts';
import { readHistory, recordedHistory } from '../support/recorded-history.ts';

const TEN = Array.from({ length: 10 }, (_, index) => String(100 + index));

/** An outage of beta's phones that goes on when beta is taken out, or stays in; then half an hour passes. */
async function month({ isRemoved }: { isRemoved: boolean }) {
  const clock = virtualClock(START);
  const { directory, history } = recordedHistory(START, undefined, { now: clock.now, monotonic: clock.monotonic });
  const world = createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] });
  const disk = paperDisk();
  let isLost = false;
  const listing = <T>(items: T[]): Promise<Listing<T>> =>
    Promise.resolve({ kind: 'observed', items, defects: [], missing: null });
  const contacts = [{ protocol: 'UDP' as const, address: '203.0.113.7', device: null }];
  const beta: WatchedAccount = {
    name: 'beta',
    baseUrl: 'https://api.beta.example.test',
    reader: {
      registrations: () => listing(isLost ? [] : TEN.map((extension): Registered => ({ extension, contacts }))),
      extensions: () => listing(TEN.map((number) => ({ id: number, number, name: `Desk ${number}` }))),
      toggles: () => listing([]),
      restMs: () => 0,
    },
    registrationsEveryMs: MINUTE,
    togglesEveryMs: HOUR,
    unreachableAfterMs: 5 * MINUTE,
    settings: SETTINGS,
    page: 'provider',
    labels: {},
  };
  const receivers = [paperReceiver('mail', 'people')];
  const watch = (accounts: WatchedAccount[]) =>
    startPaperDaemon({
      source: world,
      receivers,
      clock,
      disk,
      route: createRouteTo(['mail']),
      options: { accounts, history },
    });
  const before = await watch([beta]);
  await before.pass(10 * MINUTE);
  isLost = true;
  await before.pass(10 * MINUTE);
  await before.stop();
  await history.flush();
  const removedAt = clock.now();
  const after = await watch(isRemoved ? [] : [beta]);
  await after.pass(30 * MINUTE);
  await after.stop();
  await history.close();
  const [timezone, madeAt] = ['UTC', clock.now()];
  const name = toMonth(START, timezone);
  const span = toSpan(name, timezone) ?? { since: 0, until: 0 };
  const watched = isRemoved ? ['provider'] : ['provider', 'beta'];
  return await readHistory(directory, async (reader) => ({
    removedAt,
    alerts: await reader.alerts({ since: 0, until: madeAt }, 'beta'),
    report: await makeReport(reader, { instance: 'hq', timezone, month: name, madeAt, span, watched }),
  }));
}

test('its outage neither goes on nor is over, and it is no longer watched', async () => {
  const { report, alerts, removedAt } = await month({ isRemoved: true });
  expect(alerts).toMatchObject([{ status: 'resolved' }]);
  const [outage, ...others] = report.outages;
  expect(others).toEqual([]);
  expect(outage).toMatchObject({ source: 'beta', until: null });
  expect(outage?.unwatchedSince).toBeGreaterThanOrEqual(removedAt);
  const reading = report.sources.find(({ source }) => source === 'beta');
  expect(reading?.unwatchedSince).toBeLessThanOrEqual(removedAt);
  expect(reading?.gaps.some(({ until }) => until > removedAt)).toBe(false);
  for (const text of [formatTextReport(report), renderHtml(report)]) {
    expect(text).toContain('beta: no longer watched since');
    expect(text).toContain('how it went on is unknown');
    expect(text).not.toContain('it goes on');
  }
  expect(formatReportCsv(report)).toContain('"no longer watched","beta",,,"unwatched","since"');
  expect(toJsonReport(report)).toMatchObject({
    outages: [{ source: 'beta', until: null, unwatched_since: expect.stringMatching(/Z$/) as string }],
  });
});

test('while it is watched its outage goes on', async () => {
  const { report, alerts } = await month({ isRemoved: false });
  expect(alerts).toMatchObject([{ status: 'open' }]);
  expect(report.outages).toMatchObject([{ source: 'beta', until: null, unwatchedSince: null }]);
  expect(report.sources.every(({ unwatchedSince }) => unwatchedSince === null)).toBe(true);
  expect(formatTextReport(report)).toContain('it goes on');
  expect(formatTextReport(report)).not.toContain('no longer watched');
});
