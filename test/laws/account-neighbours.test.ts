/** The laws that hold for every history of several accounts of one page: 2 to 50 of them, with notices and without. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccountAlert } from '../../src/core/alert/account-alert.ts';
import { placeOf, type Place } from '../../src/core/alert/loss-place.ts';
import { MINUTE, phones, SETTINGS, town, type PaperAccount, type PaperTown } from '../core/account/paper-town.ts';
import { breach } from '../support/runs.ts';

const MOVES = [
  'lose one',
  'lose site',
  'lose half',
  'lose all',
  'return some',
  'return all',
  'notice',
  'better notice',
  'work',
  'close',
  'withdraw',
  'nothing',
] as const;

interface Round {
  move: (typeof MOVES)[number];
  which: number;
  /** The share of the accounts that it is about, in quarters. */
  quarters: number;
  minutes: number;
  /** No account sees yet what the others make of this minute. */
  atOnce: boolean;
}

interface Walk {
  count: number;
  rounds: Round[];
}

const round: fc.Arbitrary<Round> = fc.record({
  move: fc.constantFrom(...MOVES),
  which: fc.nat(200),
  quarters: fc.constantFrom(0, 0, 1, 2, 4),
  minutes: fc.constantFrom(1, 2, 4, 8),
  atOnce: fc.boolean(),
});
const walk: fc.Arbitrary<Walk> = fc.record({
  // Few are quick to try, and find nearly everything.
  count: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 2, max: 5 }) },
    { weight: 4, arbitrary: fc.integer({ min: 6, max: 20 }) },
    { weight: 1, arbitrary: fc.integer({ min: 21, max: 50 }) },
  ),
  rounds: fc.array(round, { minLength: 2, maxLength: 12 }),
});

interface Game {
  all: PaperTown;
  accounts: readonly PaperAccount[];
  play(rounds: readonly Round[], after: () => void): Promise<void>;
}

async function begin(count: number): Promise<Game> {
  const all = town(() => ['programs']);
  await all.sweepPage();
  const registrations = { ...SETTINGS.registrations, offlineAfter: 2 * MINUTE };
  const accounts = Array.from({ length: count }, (_, index) =>
    all.account(
      `customer-${index}`,
      [
        ...phones(100, 3, `192.0.2.${index}`),
        ...phones(200, 3, `198.51.100.${index}`),
        ...phones(300, 2, `203.0.113.${index}`),
      ],
      { registrations, sites: {} },
    ),
  );
  for (const account of accounts) account.sweep(0);
  const notices: number[] = [];

  function make({ move, which, quarters }: Round): void {
    const first = which % count;
    const some = Math.max(1, Math.round((count * quarters) / 4));
    const meant = Array.from({ length: some }, (_, index) => accounts[(first + index) % count]).filter(
      (account) => account !== undefined,
    );
    const extension = String(100 * (1 + (which % 3)) + (which % 2));
    for (const account of meant) {
      if (move === 'lose one') account.lose((phone) => phone.extension === extension);
      if (move === 'lose site') account.lose((phone) => phone.extension.startsWith(extension.slice(0, 1)));
      if (move === 'lose half') account.lose((phone) => Number(phone.extension) % 2 === which % 2);
      if (move === 'lose all') account.lose(() => true);
      if (move === 'return some') account.bringBack((phone) => Number(phone.extension) % 2 === which % 2);
      if (move === 'return all') account.bringBack();
    }
    if (move === 'notice') notices.push(all.world.openNotice({ subject: 'Some calls fail' }));
    if (move === 'better notice') {
      notices.push(all.world.openNotice({ subject: 'Registrations failing', components: [2] }));
    }
    if (move === 'work') {
      const [beginsAt, endsAt] = [all.now(), all.now() + 60 * MINUTE];
      const work = all.world.scheduleMaintenance({ subject: 'Registrars', components: [2], beginsAt, endsAt });
      if (which % 2 === 0) all.world.updateNotice(work, { state: 'underway' });
      notices.push(work);
    }
    const [notice] = move === 'close' || move === 'withdraw' ? notices.splice(which % (notices.length + 1), 1) : [];
    if (notice !== undefined && move === 'close') all.world.closeNotice(notice);
    if (notice !== undefined && move === 'withdraw') all.world.withdrawNotice(notice);
  }

  function look(): void {
    for (const account of accounts) account.sweep(0);
  }

  return {
    all,
    accounts,
    async play(rounds, after) {
      for (const each of rounds) {
        make(each);
        for (let minute = 0; minute < each.minutes; minute += 1) {
          all.pass(MINUTE);
          await all.sweepPage();
          if (each.atOnce) all.atOnce(look);
          else look();
          after();
        }
      }
    },
  };
}

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
    walk,
    async ({ count, rounds }) => {
      const { accounts, play } = await begin(count);
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
    walk,
    async ({ count, rounds }) => {
      const { accounts, play } = await begin(count);
      await play(rounds, () => {
        // What one of them makes of it the others see, and the first of them sees what they make of that.
        for (let again = 0; again < 3; again += 1) for (const account of accounts) account.tick();
        for (const account of accounts) {
          account.tick();
          expect(account.steps.at(-1)?.out.entered).toEqual([]);
        }
      });
    },
    300,
  );
  expect(broken).toBeNull();
});

const RANK: Readonly<Record<Place, number>> = { own: 0, neighbours: 1, notice: 2 };

test('a loss moves up only, and the breaker is never needed', { timeout: 3_600_000 }, async () => {
  const broken = await breach(
    walk,
    async ({ count, rounds }) => {
      const { accounts, play } = await begin(count);
      let before = new Map<string, AccountAlert>();
      await play(rounds, () => {
        const now = new Map(
          accounts.flatMap((account) => going(account).map((alert) => [`${account.name} ${alert.group}`, alert])),
        );
        for (const [loss, alert] of now) {
          const was = before.get(loss);
          // One that begins anew begins in the order anew.
          if (was !== undefined) expect(RANK[placeOf(alert)]).toBeGreaterThanOrEqual(RANK[placeOf(was)]);
          if (was !== undefined && was.id !== alert.id) expect(placeOf(alert)).not.toBe(placeOf(was));
        }
        before = now;
      });
      const refused = accounts.flatMap(({ steps }) => steps.flatMap(({ out }) => out.refusedMoves));
      expect(refused).toEqual([]);
    },
    300,
  );
  expect(broken).toBeNull();
});
