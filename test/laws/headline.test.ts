/** Over every history of several accounts the headline says what is lost, and all below it adds up to that. */
import { expect, test } from 'vitest';
import { sortOpenAlerts, countOfflineBy } from '../../src/core/view/verdict/alert-order.ts';
import { reportAlert } from '../../src/core/view/status-report.ts';
import { reportVerdict } from '../../src/core/view/verdict/verdict-report.ts';
import { computeVerdict } from '../../src/core/view/verdict/verdict.ts';
import type { SystemStatus } from '../../src/core/view/system-status.ts';
import { buildStatus } from '../../src/core/view/build-status.ts';
import type { PaperAccount } from '../core/account/paper-town.ts';
import { createOwnState } from '../../src/core/engine/self-source.ts';
import { knownSource } from '../support/system-status.ts';
import { breach } from '../support/runs.ts';
import { beginNeighbours, neighbourWalk, type Neighbours } from './neighbour-walk.ts';

const LATE = { unreadMs: 600_000 };

type Kept = Pick<PaperAccount, 'name' | 'state'>;

/** As another member reads it from where it is kept. */
function keptOf({ name, state }: Kept): Kept {
  return { name, state: JSON.parse(JSON.stringify(state)) as Kept['state'] };
}

/** `late`: an account that was not read in time. */
function statusAt({ all }: Neighbours, accounts: readonly Kept[], late?: Kept): SystemStatus {
  const now = all.now();
  return buildStatus({
    instance: 'hq',
    timezone: 'UTC',
    now,
    startedAt: 0,
    sources: [
      knownSource('provider', all.page, now),
      ...accounts.map((account) => knownSource(account.name, account.state, now, account === late ? LATE : {})),
    ],
    own: createOwnState(),
    receivers: [],
    unsaved: [],
    failed(_source, error) {
      throw error;
    },
  });
}

function lostIn(accounts: readonly Kept[]): number {
  return accounts.reduce(
    (sum, { state }) => sum + (state.snapshot.phones ?? []).filter(({ lost }) => lost !== null).length,
    0,
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** The numbers of the split that belong to the headline. */
function numbersOf(split: string): number[] {
  return [...split.matchAll(/(\d+) (?:(?:at (?:\d+ customers|customer-\d+) )?since|by \d+ other causes)/g)].map(
    ([, number]) => Number(number),
  );
}

function checkHeadline(status: SystemStatus, lost: number): void {
  const { losses, headline, split, todo, lead, title, tone } = computeVerdict(status);
  const report = reportVerdict(status);
  expect(losses?.offline ?? 0).toBe(lost);
  expect(report.phones.offline).toBe(lost);
  expect(sum(status.open.map(countOfflineBy))).toBe(lost);
  expect(sum(status.open.map((alert) => reportAlert(alert).phones?.offline ?? 0))).toBe(lost);
  expect(sum(report.causes.map(({ offline }) => offline))).toBe(lost);
  for (const { offline, customers } of report.causes) {
    expect(sum(customers.map((customer) => customer.offline))).toBe(offline);
    for (const customer of customers) expect(customer.offline).toBeLessThanOrEqual(customer.total);
  }
  if (losses === null) {
    expect([split, headline]).not.toContain(expect.stringMatching(/\d+ of \d+ phones? offline$/));
    return;
  }
  const { registered, offline, not_seen: notSeen, unknown } = report.phones;
  expect(headline).toBe(`${lost} of ${registered + offline + notSeen + unknown} phones offline`);
  expect(title.startsWith(headline)).toBe(true);
  expect(['crit', 'warn', 'work']).toContain(tone);
  expect(countOfflineBy(lead!)).toBeGreaterThan(0);
  expect(todo).toHaveLength(Math.min(5, report.causes.length));
  if (losses.watched === 1) expect(sum(losses.sites.map((site) => site.offline))).toBe(lost);
  if (report.causes.length > 1 && losses.watched > 1) expect(sum(numbersOf(split[0] ?? ''))).toBe(lost);
  // No notice that costs no phone stands before a loss.
  const first = status.open.findIndex((alert) => countOfflineBy(alert) === 0 && alert.sources.every(isPage));
  const after = first === -1 ? [] : status.open.slice(first);
  expect(after.filter((alert) => countOfflineBy(alert) > 0)).toEqual([]);
  expect(sortOpenAlerts(status.open.toReversed(), status.sources)).toEqual(status.open);
}

function isPage(source: string): boolean {
  return source === 'provider';
}

test('the headline is the sum of its causes, alerts, customers and lost phones', { timeout: 3_600_000 }, async () => {
  const broken = await breach(
    neighbourWalk,
    async ({ count, rounds }) => {
      const game = await beginNeighbours(count);
      const { accounts, play } = game;
      await play(rounds, () => {
        checkHeadline(statusAt(game, accounts), lostIn(accounts));
        // An account that was not read in time is in no number.
        const [late, ...others] = accounts;
        checkHeadline(statusAt(game, accounts, late), lostIn(others));
        // A reader of some accounts has sums of those alone.
        const some = accounts.filter((_, index) => index % 2 === 0);
        checkHeadline(statusAt(game, some), lostIn(some));
        // A member shows the same of what others lead.
        const verdict = reportVerdict(statusAt(game, accounts));
        expect(reportVerdict(statusAt(game, accounts.map(keptOf)))).toEqual(verdict);
      });
    },
    200,
  );
  expect(broken).toBeNull();
});
