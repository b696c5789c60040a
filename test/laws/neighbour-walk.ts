/** Random walks of several accounts of one page: losses, returns, notices and planned work. */
import fc from 'fast-check';
import { MINUTE, phones, SETTINGS, town, type PaperAccount, type PaperTown } from '../core/account/paper-town.ts';

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
/** Walks of 2 to 50 accounts. */
export const neighbourWalk: fc.Arbitrary<Walk> = fc.record({
  // Few are quick to try, and find nearly everything.
  count: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 2, max: 5 }) },
    { weight: 4, arbitrary: fc.integer({ min: 6, max: 20 }) },
    { weight: 1, arbitrary: fc.integer({ min: 21, max: 50 }) },
  ),
  rounds: fc.array(round, { minLength: 2, maxLength: 12 }),
});

export interface Neighbours {
  all: PaperTown;
  accounts: readonly PaperAccount[];
  play(rounds: readonly Round[], after: () => void): Promise<void>;
}

export async function beginNeighbours(count: number): Promise<Neighbours> {
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
