/** What `check` and `status` show of an account: phones by site, who is missing since when, what toggles should be. */
import { expect, test } from 'vitest';
import { formatAccount } from '../../src/cli/status/status-text.ts';
import { reportStatus } from '../../src/core/view/status-report.ts';
import type { AccountReport } from '../../src/core/view/status-schema.ts';
import { statusWith } from '../support/system-status.ts';
import type { ToggleExpectation } from '../../src/core/account/settings.ts';
import {
  MINUTE,
  missed,
  phones,
  SETTINGS,
  town,
  type PaperAccount,
  type PaperTown,
} from '../core/account/paper-town.ts';

const ALWAYS = { ranges: [], except: [], timezone: 'Australia/Melbourne' };
const expectations: ToggleExpectation[] = [
  { toggle: '301', hours: ALWAYS, grace: 0, severity: 'warning' },
  { toggle: 'Holiday', hours: ALWAYS, grace: 0, severity: 'warning' },
];

function reported(all: PaperTown, { state }: PaperAccount): AccountReport {
  const { accounts } = reportStatus(statusWith({ now: all.now(), sources: { acme: state }, sites: SETTINGS.sites }));
  return accounts[0]!;
}

test('phones by site with who is missing since when, and toggles with what is expected of them', () => {
  const all = town();
  const account = all.account('acme', [...phones(100, 3, '203.0.113.7'), ...phones(200, 2, '192.0.2.9')], {
    ...SETTINGS,
    expectations,
  });
  account.toggles = [
    { id: '301', name: 'After hours', status: true },
    { id: '302', name: 'Holiday', status: false },
    { id: '303', name: 'Delay', status: null },
  ];
  account.sweep(0);
  account.lose(({ extension }) => extension === '101');
  for (let minute = 0; minute < 8; minute += 1) account.sweep(MINUTE);
  const lines = formatAccount(reported(all, account), all.now());
  expect(lines).toEqual([
    '  4 of 5 phones registered',
    '  at Richmond: 2 of 3, offline: 101 Desk 101 (for 7 min)',
    '  at 192.0.2.9: 2 of 2',
    '  toggle After hours: on, should be off',
    '  toggle Holiday: off, as it should be',
    '  toggle Delay: unknown',
  ]);
});

test('what could not be read is shown as it was, and said to be that', () => {
  const all = town();
  const account = all.account('acme', phones(100, 3, '203.0.113.7'), { ...SETTINGS, expectations });
  account.toggles = [{ id: '301', name: 'After hours', status: false }];
  account.sweep(0);
  account.instead.registrations = missed('timeout');
  account.sweep(MINUTE);
  const lines = (): string[] => formatAccount(reported(all, account), all.now());
  expect(lines()).toEqual([
    '  cannot be read: registrations: the question was not answered (timeout)',
    '  3 of 3 phones registered when last read',
    '  at Richmond: 3 of 3',
    '  toggle After hours: off, as it should be',
  ]);
  account.instead = { toggles: missed('credentials') };
  account.sweep(MINUTE);
  expect(lines().slice(0, 2)).toEqual([
    '  cannot be read: toggles: the question was not answered (credentials)',
    '  3 of 3 phones registered',
  ]);
  account.instead = { registrations: missed('credentials'), toggles: missed('credentials') };
  account.sweep(MINUTE);
  expect(lines()).toContain('  3 of 3 phones registered when last read');
  expect(lines()).toContain('  toggle After hours: off when last read');
});
