/** The laws that hold for every history of an account, and however its answers arrive. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ACCOUNT, type AccountState } from '../../src/core/engine/account-kind.ts';
import { performStep } from '../../src/core/engine/step.ts';
import { NO_NEIGHBOURS } from '../../src/core/correlation/account-loss-count.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import {
  HOUR,
  MINUTE,
  missed,
  phones,
  SETTINGS,
  town,
  type PaperAccount,
  type PaperTown,
} from '../core/account/paper-town.ts';
import { allSettled, routingTo } from '../support/routing.ts';
import { breach } from '../support/runs.ts';
import { findMissingEnd } from '../support/thread-end.ts';

const FAULTS = ['clear', 'clear', 'clear', 'missed', 'partial', 'empty', 'credentials'] as const;
const MOVES = [
  'lose one',
  'lose site',
  'lose firmware',
  'lose all',
  'return one',
  'return all',
  'upgrade',
  'move',
  'delete',
  'toggle',
  'notice',
  'close',
  'nothing',
] as const;

interface Round {
  move: (typeof MOVES)[number];
  which: number;
  fault: (typeof FAULTS)[number];
  minutes: number;
  restart: boolean;
}

const round: fc.Arbitrary<Round> = fc.record({
  move: fc.constantFrom(...MOVES),
  which: fc.nat(40),
  fault: fc.constantFrom(...FAULTS),
  minutes: fc.constantFrom(1, 1, 1, 2, 6, 30, 90),
  restart: fc.constantFrom(false, false, false, true),
});
const history = fc.array(round, { minLength: 1, maxLength: 40 });

interface Game {
  all: PaperTown;
  account: PaperAccount;
  play(rounds: readonly Round[], after?: () => void): Promise<void>;
  /** Clear sweeps, one a minute. */
  calm(minutes: number): Promise<void>;
}

async function begin(): Promise<Game> {
  const all = town();
  await all.sweepPage();
  const account = all.account(
    'acme',
    [
      ...phones(100, 8, '203.0.113.7'),
      ...phones(200, 5, '203.0.113.8', 'Polycom VVX 6.3.1'),
      ...phones(300, 3, '198.51.100.3', 'Yealink SIP-T46S 66.85.0.5'),
    ],
    SETTINGS,
  );
  account.toggles = [{ id: '1', name: 'Night', status: false }];
  account.sweep(0);
  let notice: number | null = null;

  function make({ move, which }: Round): void {
    const phone = account.phones[which % Math.max(1, account.phones.length)];
    if (phone === undefined) return;
    const { extension, address, agent } = phone;
    switch (move) {
      case 'lose one':
        return account.lose((each) => each.extension === extension);
      case 'lose site':
        return account.lose((each) => each.address === address);
      case 'lose firmware':
        return account.lose((each) => each.agent === agent);
      case 'lose all':
        return account.lose(() => true);
      case 'return one':
        return account.bringBack((each) => each.extension === extension);
      case 'return all':
        return account.bringBack();
      case 'upgrade':
        phone.agent = `Yealink SIP-T46S 66.86.0.${which}`;
        return;
      case 'move':
        phone.address = `192.0.2.${which}`;
        return;
      case 'delete':
        account.phones = account.phones.length > 4 ? account.phones.filter((each) => each !== phone) : account.phones;
        return;
      case 'toggle':
        account.toggles = account.toggles.map((toggle) => ({
          ...toggle,
          status: which % 3 === 0 ? null : which % 2 === 0,
        }));
        return;
      case 'notice':
        notice ??= all.world.openNotice({ subject: 'Trouble' });
        return;
      case 'close':
        if (notice !== null) all.world.closeNotice(notice);
        notice = null;
        return;
      case 'nothing':
    }
  }

  function spoil(fault: Round['fault']): void {
    account.instead = {};
    if (fault === 'missed') account.instead.registrations = missed();
    if (fault === 'credentials') {
      account.instead = { registrations: missed('credentials'), toggles: missed('credentials') };
    }
    if (fault === 'partial') {
      account.instead.registrations = { kind: 'observed', items: [], defects: [], missing: missed() };
    }
    if (fault === 'empty') account.instead.registrations = { kind: 'observed', items: [], defects: [], missing: null };
  }

  return {
    all,
    account,
    async play(rounds, after = () => undefined) {
      for (const each of rounds) {
        if (each.restart) account.restart();
        make(each);
        spoil(each.fault);
        all.pass(each.minutes * MINUTE);
        await all.sweepPage();
        account.sweep(0);
        // An empty listing is confirmed by a second one, as any provider does that means it.
        account.instead = {};
        after();
      }
    },
    async calm(minutes) {
      account.instead = {};
      for (let minute = 0; minute < minutes; minute += 1) {
        all.pass(MINUTE);
        await all.sweepPage();
        account.sweep(0);
      }
    },
  };
}

function lost(account: PaperAccount): string[] {
  return (account.state.snapshot.phones ?? [])
    .flatMap(({ extension, lost: loss }) => (loss === null ? [] : [extension]))
    .toSorted();
}

test('after some clear sweeps exactly the phones that are gone are lost', { timeout: 600_000 }, async () => {
  const broken = await breach(
    history,
    async (rounds) => {
      const { account, play, calm } = await begin();
      await play(rounds);
      // A deletion is believed by two lists of extensions, and while no phone is newly missing one is read in ten minutes.
      await calm(18);
      const known = new Set((account.state.snapshot.phones ?? []).map(({ extension }) => extension));
      const gone = account.phones.flatMap(({ extension, up }) => (up || !known.has(extension) ? [] : [extension]));
      expect(lost(account)).toEqual(gone.toSorted());
    },
    150,
  );
  expect(broken).toBeNull();
});

test(
  'no phone is called lost that was there in one of the last two complete listings',
  { timeout: 600_000 },
  async () => {
    const broken = await breach(
      history,
      async (rounds) => {
        const { account, play } = await begin();
        let before = new Set<string>();
        let seen: ReadonlySet<string>[] = [];
        await play(rounds, () => {
          const [observed] = account.steps.slice(-3);
          if (observed?.observation.kind !== 'registrations') throw new Error('a sweep has three steps');
          const { registrations } = observed.observation;
          if (registrations.kind === 'observed' && registrations.missing === null) {
            seen = [...seen, new Set(registrations.items.map(({ extension }) => extension))].slice(-2);
          }
          const now = lost(account);
          for (const extension of now) {
            if (!before.has(extension)) expect(seen.some((listing) => listing.has(extension))).toBe(false);
          }
          before = new Set(now);
        });
      },
      150,
    );
    expect(broken).toBeNull();
  },
);

test(
  'when all is well again nothing stays open, and the end of every alert is told once, there or where it became a part',
  { timeout: 600_000 },
  async () => {
    const broken = await breach(
      history,
      async (rounds) => {
        const { all, account, play, calm } = await begin();
        await play(rounds);
        account.bringBack();
        for (const { id, closedAt } of all.page.snapshot.notices ?? []) {
          if (closedAt === null) all.world.closeNotice(Number(id));
        }
        await calm(75);
        expect(account.state.alerts.filter(({ status }) => status === 'open').map(({ title }) => title)).toEqual([]);
        expect(account.state.snapshot.phones?.filter((phone) => phone.lost ?? phone.missing ?? phone.flapping)).toEqual(
          [],
        );
        for (const [alert, messages] of Map.groupBy(all.people(), (message) => message.alert.id)) {
          expectToldOnce(messages);
          if (messages[0]?.alert.number !== null) expect(findMissingEnd(all.people(), alert)).toBeNull();
        }
      },
      100,
    );
    expect(broken).toBeNull();
  },
);

/** Open, then resolved, and perhaps again; never resolved twice in a row. */
function expectToldOnce(messages: readonly Message[]): void {
  if (messages[0]?.alert.number === null) return;
  const ends = messages.map(({ alert }) => alert.resolvedAt !== null);
  expect(ends[0]).toBe(false);
  for (const [index, end] of ends.entries()) {
    if (end && index > 0 && ends[index - 1] === true) throw new Error('an end was told twice');
  }
}

test('a step that need not be written leaves nothing behind but time', { timeout: 600_000 }, async () => {
  const broken = await breach(
    history,
    async (rounds) => {
      const { account, play } = await begin();
      await play(rounds);
      const lasting = ({ alerts, outbox, snapshot }: AccountState): unknown => [
        alerts,
        outbox.length,
        snapshot.phones?.map(({ extension, lost: loss, flapping, devices, networks }) => [
          extension,
          loss,
          flapping,
          devices,
          networks,
        ]),
        snapshot.toggles,
        snapshot.groups.map(({ id, open, mass }) => [id, open, mass]),
      ];
      for (const { before, out } of account.steps) {
        if (!out.changed) expect(lasting(out.state)).toEqual(lasting({ ...before, outbox: out.state.outbox }));
      }
    },
    100,
  );
  expect(broken).toBeNull();
});

test('the same step from the same state is the same', { timeout: 600_000 }, async () => {
  const broken = await breach(
    history,
    async (rounds) => {
      const [one, two] = [await begin(), await begin()];
      await one.play(rounds);
      await two.play(rounds);
      expect(one.all.sent).toEqual(two.all.sent);
      expect(one.account.state).toEqual(two.account.state);
      expect(JSON.parse(JSON.stringify(one.account.state))).toEqual(one.account.state);
    },
    40,
  );
  expect(broken).toBeNull();
});

test('a clock that jumps tells nothing', async () => {
  const { all, account, calm } = await begin();
  account.lose(({ extension }) => extension === '100');
  await calm(7);
  const told = all.sent.length;
  const [last] = account.steps.slice(-1);
  if (last === undefined) throw new Error('there are steps');
  for (const jump of [-9 * HOUR, 9 * HOUR]) {
    const out = performStep(
      ACCOUNT,
      account.state,
      { kind: 'tick' },
      {
        source: { name: 'acme', baseUrl: account.state.baseUrl },
        settings: account.settings,
        unreachableAfterMs: 5 * MINUTE,
        now: all.now() + jump,
        elapsedMs: 1000,
        sweep: 1,
        provider: null,
        neighbours: NO_NEIGHBOURS,
        nextNumber: 9,
        routing: routingTo([]),
        overrides: [],
        settled: allSettled(account.state),
      },
    );
    expect(out.entered).toEqual([]);
    expect(out.state.outbox).toEqual([]);
  }
  expect(all.sent.length).toBe(told);
});
