/** The laws that hold for every history of several accounts of one page: 2 to 50 of them, with notices and without. */
import { expect, test } from 'vitest';
import type { AccountAlert } from '../../src/core/correlation/account-alert.ts';
import { findLossPlace, type Place } from '../../src/core/correlation/correlate.ts';
import type { PaperAccount } from '../core/account/paper-town.ts';
import { breach } from '../support/runs.ts';
import { beginNeighbours, neighbourWalk } from './neighbour-walk.ts';

function going({ state }: PaperAccount): AccountAlert[] {
  return state.alerts.filter(
    ({ status, family, absorbedBy }) => status === 'open' && family === 'phones' && absorbedBy === undefined,
  );
}

/** What the second of two judgements on the same evidence says. */
function saidAgain(account: PaperAccount): string[] {
  account.tick();
  const known = account.state.alerts;
  account.tick();
  const said = account.steps.at(-1)?.out.entered ?? [];
  expect(account.state.alerts).toEqual(known);
  return said.map(({ transition }) => transition.kind);
}

test('to judge twice is to judge once', { timeout: 3_600_000 }, async () => {
  const broken = await breach(
    neighbourWalk,
    async ({ count, rounds }) => {
      const { accounts, play } = await beginNeighbours(count);
      await play(rounds, () => {
        for (const account of accounts) expect(saidAgain(account)).toEqual([]);
      });
    },
    2000,
  );
  expect(broken).toBeNull();
});

test('accounts that see each other come to rest, whatever they see', { timeout: 3_600_000 }, async () => {
  const broken = await breach(
    neighbourWalk,
    async ({ count, rounds }) => {
      const { accounts, play } = await beginNeighbours(count);
      await play(rounds, () => {
        // What one of them makes of it the others see, and the first of them sees what they make of that.
        for (let again = 0; again < 3; again += 1) for (const account of accounts) account.tick();
        for (const account of accounts) {
          account.tick();
          expect(account.steps.at(-1)?.out.entered).toEqual([]);
        }
      });
    },
    150,
  );
  expect(broken).toBeNull();
});

const RANK: Readonly<Record<Place, number>> = { own: 0, neighbours: 1, outage: 2, notice: 3 };

test('a loss moves up only, and the breaker is never needed', { timeout: 3_600_000 }, async () => {
  const broken = await breach(
    neighbourWalk,
    async ({ count, rounds }) => {
      const { accounts, play } = await beginNeighbours(count);
      let before = new Map<string, AccountAlert>();
      await play(rounds, () => {
        const now = new Map(
          accounts.flatMap((account) => going(account).map((alert) => [`${account.name} ${alert.group}`, alert])),
        );
        for (const [loss, alert] of now) {
          const was = before.get(loss);
          // One that begins anew begins in the order anew.
          if (was !== undefined) expect(RANK[findLossPlace(alert)]).toBeGreaterThanOrEqual(RANK[findLossPlace(was)]);
          if (was !== undefined && was.id !== alert.id) expect(findLossPlace(alert)).not.toBe(findLossPlace(was));
        }
        before = now;
      });
      const refused = accounts.flatMap(({ steps }) => steps.flatMap(({ out }) => out.refusedMoves));
      expect(refused).toEqual([]);
    },
    150,
  );
  expect(broken).toBeNull();
});
