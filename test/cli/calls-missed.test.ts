/** `linewatch calls missed` and `forget` beside a daemon of answers alone. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MissedReport } from '../../src/core/view/standing/calls-view.ts';
import { missedReport } from '../support/missed-report.ts';
import { startStubDaemon, type StubDaemon } from '../support/stub-daemon.ts';

let daemon: StubDaemon;
let reports: MissedReport[];
let asked: unknown[];

beforeEach(async () => {
  [reports, asked] = [[], []];
  daemon = await startStubDaemon({
    routes: {
      'calls.missed': (question) => (asked.push(question), Promise.resolve(reports)),
      'calls.forget': (question) => (asked.push(question), Promise.resolve({ erased: 3 })),
    },
  });
});
afterEach(() => daemon.close());

function missed(...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  return daemon.linewatch('calls', 'missed', ...argv);
}

test('refuses an alert that has no calls', async () => {
  expect(await missed('--alert', '7')).toEqual({
    exit: 1,
    out: '',
    err: expect.stringContaining('There is no alert #7 of lost phones or a switch whose calls are watched.') as string,
  });
});

test('says of a span that no calls are watched', async () => {
  expect(await missed('--since', '2h')).toMatchObject({ exit: 0, out: 'No account’s calls are watched.\n' });
});

test('lists the callers of an alert, or since a time, with whole numbers on the machine', async () => {
  reports = [missedReport('acme', '0412345209')];
  const ofAlert = await missed('--alert', '12');
  expect(ofAlert).toMatchObject({ exit: 0, err: '' });
  expect(ofAlert.out).toContain('1 of 3 callers');
  expect(ofAlert.out).toContain('0412 345 209');
  expect(ofAlert.out).toContain('left a message');
  await missed('--since', '3h');
  await missed();
  const now = Date.UTC(2026, 0, 1);
  expect(asked).toEqual([
    { alert: 12, since: null },
    { alert: null, since: now - 3 * 3_600_000 },
    { alert: null, since: now - 2 * 3_600_000 },
  ]);
});

test('writes them for a spreadsheet, in which a number is no formula', async () => {
  reports = [missedReport('acme', '+61412345209')];
  const { exit, out } = await missed('--since', '2h', '--csv');
  expect(exit).toBe(0);
  const [heading, row] = out.trim().split('\r\n');
  expect(heading).toContain('"account","number","times"');
  expect(row).toContain('"acme",');
  expect(row).toMatch(/"2026-03-24T03:07:00.000Z 2026-03-24T03:12:00.000Z"/);
  expect(row).not.toMatch(/"[=+@-]/);
});

test('refuses an alert with a span, and a spreadsheet with JSON', async () => {
  expect(await missed('--alert', '7', '--since', '2h')).toMatchObject({ exit: 2 });
  expect(await missed('--csv', '--json')).toMatchObject({ exit: 2 });
  expect(asked).toEqual([]);
});

test('erases a number and says in how many rows', async () => {
  expect(await daemon.linewatch('calls', 'forget', '+61 491 570 156')).toMatchObject({
    exit: 0,
    out: 'Erased in 3 rows.\n',
  });
  expect(asked).toEqual([{ number: '+61 491 570 156' }]);
});
