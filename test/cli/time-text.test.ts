/** Commands tell people times in their own zone, and how long ago that is; programs get ISO 8601. */
import { expect, test } from 'vitest';
import { formatDelivery } from '../../src/cli/alert/deliveries-commands.ts';
import { formatSilence } from '../../src/cli/alert/silence-commands.ts';
import { checkLines } from '../../src/cli/status/check-text.ts';
import { formatStatus } from '../../src/cli/status/status-text.ts';
import type { StatusReport } from '../../src/core/view/status-report.ts';
import type { AccountReport, SourceReport } from '../../src/core/view/status-schema.ts';

const NOW = Date.parse('2026-03-24T04:00:00.000Z');
const EARLIER = '2026-03-24T03:43:00.000Z';
const reader = { timezone: 'Australia/Melbourne', now: NOW };
const SINCE = 'Tue 24 Mar 14:43 AEDT (17 min';

const alerts: SourceReport['alerts'] = [
  { id: 'a', number: 3, severity: 'critical', title: 'Calls fail', started_at: EARLIER },
];
const page: SourceReport = {
  name: 'provider',
  base_url: 'https://status.example.com',
  last_read_at: EARLIER,
  blind: [],
  page: { name: 'Southern Cross Voice', state: 'degraded' },
  components: { total: 1, not_operational: [] },
  notices: [],
  alerts,
};
const account: AccountReport = {
  name: 'head-office',
  base_url: 'https://api.example.com',
  last_read_at: null,
  blind: [],
  phones: null,
  toggles: null,
  alerts,
};

test('check', () => {
  const report = {
    verdict: 'critical' as const,
    sources: [{ ...page, verdict: 'critical' as const }],
    accounts: [{ ...account, verdict: 'critical' as const }],
  };
  const wrong = `  critical: Calls fail, since ${SINCE})`;
  expect(checkLines(report, reader).filter((line) => line === wrong)).toHaveLength(2);
});

test('status', () => {
  const report: StatusReport = {
    instance: 'hq',
    running: true,
    started_at: '2025-12-31T12:00:00.000Z',
    sources: [page],
    accounts: [account],
    deliveries: [
      {
        receiver: 'ops-slack',
        waiting: 1,
        oldest_waiting_at: EARLIER,
        refused: 0,
        failing: { since: EARLIER, reason: 'it answered 503' },
      },
    ],
  };
  const lines = formatStatus(report, reader, '/state');
  expect(lines[0]).toBe('2 open: 2 critical');
  expect(lines[1]).toBe('Linewatch hq is running, started Wed 31 Dec 2025 23:00 AEDT (82 days 16 h ago).');
  expect(lines).toContain(`  Southern Cross Voice: degraded; last read ${SINCE} ago)`);
  expect(lines).toContain('  phones not read yet');
  expect(lines.filter((line) => line === `    #3 critical: Calls fail, since ${SINCE})`)).toHaveLength(2);
  expect(lines.at(-1)).toBe(
    `receiver ops-slack: 1 waiting, the oldest since ${SINCE}); failing since ${SINCE}): it answered 503`,
  );
});

test('silence', () => {
  const silence = { id: '3f2a91bc', matchers: { source: ['provider'] }, comment: 'carrier\u001b[2J\nworks' };
  expect(formatSilence({ ...silence, from: EARLIER, until: '2026-03-24T05:43:00.000Z', state: 'active' }, reader)).toBe(
    '3f2a91bc  active  Tue 24 Mar 14:43–16:43 AEDT  source=provider  “carrier[2J works”',
  );
});

test('deliveries', () => {
  const delivery = { id: '0123456789abcdef', receiver: 'ops-slack', alert: 3, title: 'Calls fail' };
  const lines = formatDelivery(
    { ...delivery, state: 'refused', kinds: ['notice.opened'], promised_at: EARLIER, reason: 'no_service' },
    reader,
  );
  expect(lines).toEqual([
    `01234567  ops-slack  refused, promised ${SINCE} ago)  #3 Calls fail (notice.opened)`,
    '          no_service',
  ]);
});
