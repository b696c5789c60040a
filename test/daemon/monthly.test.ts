/** The report of a month goes out on the first of the next, once, whatever becomes of the process meanwhile. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TransitionRecord } from '../../src/core/history/record.ts';
import { recordedHistory } from '../support/recorded-history.ts';
import { findMonthlyEvent, makeMonthlyReport } from '../../src/daemon/recording/monthly.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { paperDisk, paperReceiver, startPaperDaemon, virtualClock } from '../support/paper-daemon.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const timezone = 'Australia/Melbourne';
const monthly = { receivers: ['mail'], timezone };

/** What a life of the daemon tells, from one time to the other. */
function livesOn() {
  const disk = paperDisk();
  const mail = paperReceiver('mail', 'people');
  const chat = paperReceiver('chat', 'people');
  return {
    mail,
    chat,
    async live(from: string, to: string, wanted = monthly) {
      const clock = virtualClock(Date.parse(from));
      const paper = await startPaperDaemon({
        source: createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] }),
        receivers: [mail, chat],
        clock,
        disk,
        intervalMs: 6 * HOUR,
        options: { monthly: wanted },
      });
      await paper.pass(Date.parse(to) - clock.now());
      await paper.stop();
    },
  };
}

function months(receiver: ReturnType<typeof paperReceiver>): [string, string][] {
  return receiver.calls.flatMap(({ at, messages }) =>
    messages.flatMap(({ changes }) =>
      changes.flatMap(({ transition }): [string, string][] =>
        transition.kind === 'linewatch.state' && transition.details.report !== undefined
          ? [[transition.details.report.month, new Date(at).toISOString()]]
          : [],
      ),
    ),
  );
}

test('it goes to those who asked for it, in the morning of the first, once over restarts', async () => {
  const { live, mail, chat } = livesOn();
  await live('2026-09-20T00:00:00Z', '2026-09-30T21:30:00Z');
  expect(months(mail)).toEqual([]);
  await live('2026-09-30T21:40:00Z', '2026-09-30T23:00:00Z');
  // 08:00 in Melbourne, before the clocks go forward and after.
  expect(months(mail)).toEqual([['2026-09', '2026-09-30T22:00:00.000Z']]);
  await live('2026-10-01T00:00:00Z', '2026-10-02T00:00:00Z');
  await live('2026-10-31T00:00:00Z', '2026-11-02T00:00:00Z');
  expect(months(mail)).toEqual([
    ['2026-09', '2026-09-30T22:00:00.000Z'],
    ['2026-10', '2026-10-31T21:00:00.000Z'],
  ]);
  expect(months(chat)).toEqual([]);
});

test('a month that ended while nobody ran is reported at the next start', async () => {
  const { live, mail } = livesOn();
  await live('2026-09-20T00:00:00Z', '2026-09-21T00:00:00Z');
  await live('2026-10-05T00:00:00Z', '2026-10-05T12:00:00Z');
  expect(months(mail).map(([month]) => month)).toEqual(['2026-09']);
});

test('of many such months the latest are', () => {
  const now = Date.parse('2027-02-10T00:00:00Z');
  expect(findMonthlyEvent(monthly, '2026-03', now)?.event).toMatchObject({ month: '2026-11' });
  expect(findMonthlyEvent({ receivers: [], timezone }, '2026-03', now)).toBeNull();
  expect((findMonthlyEvent(monthly, '2027-01', now)?.dueAt ?? 0) - now).toBeGreaterThan(10 * DAY);
});

test('nobody gets what nobody asked for', async () => {
  const { live, mail } = livesOn();
  await live('2026-09-29T00:00:00Z', '2026-10-02T00:00:00Z', { receivers: [], timezone });
  expect(months(mail)).toEqual([]);
});

const SINCE = Date.parse('2026-10-01T00:00:00Z');
const PHONES = { extension: '101', name: 'Reception', device: null, address: null, site: null, since: null };

test('a report is made beside the watch, which keeps the processor', async () => {
  const { history, directory } = recordedHistory(SINCE);
  const recorded = Array.from({ length: 2_000 }, (_, index): TransitionRecord => {
    const details = { ...PHONES, phones: { registered: 1, total: 2 } };
    const change = { kind: 'registration.lost', from: 'registered', to: 'unregistered', details } as const;
    const transition = {
      ...change,
      id: `id ${index}`,
      source: 'office',
      subject: 'registration/101',
      at: SINCE + index,
    };
    return { transition, status: 'open', alert: null };
  });
  history.committed('office', { at: SINCE, states: null, phones: null, alerts: [], unrecorded: recorded });
  await history.close();
  const config = {
    timezone: 'UTC',
    stateDir: directory,
    instance: 'hq',
    database: null,
    accounts: [],
    statusPages: [],
  };
  // What only the first call takes is no matter.
  await makeMonthlyReport(config, '2026-10', SINCE + DAY);
  const [all, own] = [process.cpuUsage(), process.threadCpuUsage()];
  const { name, html, text } = await makeMonthlyReport(config, '2026-10', SINCE + DAY);
  const spent = (usage: NodeJS.CpuUsage): number => usage.user + usage.system;
  expect(spent(process.threadCpuUsage(own))).toBeLessThan(spent(process.cpuUsage(all)) / 2);
  expect(name).toBe('linewatch-report-2026-10.html');
  expect(html).toContain('October 2026, hq');
  expect(text).toContain('October 2026');
});

test('where there is no history, no report is made, and the reason is said', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'linewatch-no-history-'));
  const config = {
    timezone: 'UTC',
    stateDir: directory,
    instance: 'hq',
    database: null,
    accounts: [],
    statusPages: [],
  };
  await expect(makeMonthlyReport(config, '2026-10', SINCE)).rejects.toThrow(`no history in ${directory}`);
});
