/**
 * An account that lies of its sizes, by seed, through the real client: the daemon goes on and asks no more than it
 * would otherwise, loses no phone from the watch without a word, says of no lost phone that it is back, and remembers
 * no more than its bounds.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccountState } from '../../src/core/engine/account-kind.ts';
import { REMEMBERED } from '../../src/core/observation/limits.ts';
import { watchAccount } from '../hostile/watched-account.ts';
import { LIES, lyingAccount, PARTS, type Lie } from './lying-account.ts';
import { breach } from '../support/runs.ts';

interface Hour {
  /** Phones that are lost now, and whether all those that are lost come back first. */
  lose: number;
  back: boolean;
  /** What is said of each part; beyond the lies, the truth. */
  lies: number[];
  rounds: number;
}

const anyLie = fc.oneof(
  { weight: 1, arbitrary: fc.constant(LIES.length) },
  { weight: 3, arbitrary: fc.nat(LIES.length - 1) },
);

const days: fc.Arbitrary<Hour[]> = fc.array(
  fc.record({
    lose: fc.nat(6),
    back: fc.boolean(),
    lies: fc.array(anyLie, { minLength: PARTS.length, maxLength: PARTS.length }),
    rounds: fc.integer({ min: 1, max: 8 }),
  }),
  { minLength: 1, maxLength: 6 },
);

/** Of the whole state as it is written: 10,000 phones at 600 each, and as much again for what is told of them. */
const MOST_CHARACTERS = 12_000_000;

/** Three listings, each asked for a second time where it did not come through. */
const MOST_REQUESTS_A_ROUND = 6;

const write = (day: Hour[]): string =>
  JSON.stringify(
    day.map(({ lies, ...hour }) => ({ ...hour, lies: lies.map((lie) => LIES[lie]?.name ?? 'the truth') })),
  );

function saidOf(lies: readonly number[]): Partial<Record<(typeof PARTS)[number], Lie | null>> {
  return Object.fromEntries(PARTS.map((part, index) => [part, LIES[lies[index] ?? LIES.length] ?? null]));
}

function lostOf({ snapshot }: AccountState): Set<string> {
  return new Set(snapshot.phones?.flatMap(({ extension, lost }) => (lost === null ? [] : [extension])));
}

test(
  'nothing it says of its sizes loses a phone, brings one back or makes the daemon ask or remember without end',
  {
    timeout: 3_600_000,
  },
  async () => {
    expect(await breach(days, live, 10, write)).toBeNull();
  },
);

async function live(day: Hour[]): Promise<void> {
  const lying = await lyingAccount();
  const watched = await watchAccount({ baseUrl: ({ accountUrl }) => lying.before(accountUrl) });
  const { phones } = watched.account.world;
  const all = [...phones.registrations('UTC').keys()];
  const state = (): AccountState => {
    const [account] = watched.daemon.daemon.accounts;
    if (account === undefined) throw new Error('there is one account');
    return account.state;
  };
  const registered = (): Set<string> => new Set(phones.registrations('UTC').keys());

  async function round(): Promise<void> {
    const before = lostOf(state());
    lying.asked();
    watched.events();
    await watched.rounds(1);
    const events = watched.events();
    expect(lying.asked()).toBeLessThanOrEqual(MOST_REQUESTS_A_ROUND);
    const { snapshot, alerts } = state();
    const known = new Set(snapshot.phones?.map(({ extension }) => extension));
    const removed = new Set(
      events.flatMap((line) => /^registration\.removed registration\/(\S+)/.exec(line)?.[1] ?? []),
    );
    expect(all.filter((extension) => !known.has(extension) && !removed.has(extension))).toEqual([]);
    for (const extension of removed) all.splice(all.indexOf(extension), 1);
    const [lost, up] = [lostOf(state()), registered()];
    expect(
      [...before].filter((extension) => known.has(extension) && !lost.has(extension) && !up.has(extension)),
    ).toEqual([]);
    const isOpen = alerts.some(({ family, status }) => family === 'phones' && status === 'open');
    expect(lost.size > 0 && !isOpen).toBe(false);
    expect(snapshot.phones?.length ?? 0).toBeLessThanOrEqual(REMEMBERED.phones);
    expect(snapshot.extensions?.length ?? 0).toBeLessThanOrEqual(REMEMBERED.phones);
    expect(snapshot.toggles?.length ?? 0).toBeLessThanOrEqual(REMEMBERED.toggles);
  }

  try {
    for (const { lose, back, lies, rounds } of day) {
      if (back) phones.bringBack({});
      if (lose > 0) phones.lose({ count: lose });
      lying.tell(saidOf(lies));
      for (let count = 0; count < rounds; count += 1) await round();
    }
    lying.tell({});
    phones.bringBack({});
    // What is off is believed when it lasts, and so is what is right again.
    for (let clear = 0; clear < 8; clear += 1) await round();
    const { snapshot } = state();
    const up = new Map(
      snapshot.phones?.map((phone) => [phone.extension, phone.lost === null && phone.missing === null]),
    );
    expect(all.filter((extension) => up.get(extension) !== true)).toEqual([]);
    expect(snapshot.health.blind).toEqual({});
    expect(JSON.stringify(state()).length).toBeLessThan(MOST_CHARACTERS);
  } finally {
    await watched.close();
    await lying.close();
  }
}
