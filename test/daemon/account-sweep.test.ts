/** What one round over an account asks for. */
import { manualClock } from '../support/manual-clock.ts';
import { expect, test } from 'vitest';
import type { Extension, Registered, Toggle } from '../../src/core/account/account-model.ts';
import { createAccountSnapshot, type AccountSnapshot } from '../../src/core/account/account-snapshot.ts';
import { createAccountSweeper } from '../../src/daemon/loop/account-sweep.ts';
import type { Listing, Miss } from '../../src/core/observation/listing.ts';
import { missed, SETTINGS } from '../core/account/paper-town.ts';

const MINUTE = 60_000;

const PHONE: Registered = { extension: '101', contacts: [] };
const SNAPSHOT: AccountSnapshot = {
  ...createAccountSnapshot(),
  phones: [
    {
      extension: '101',
      listed: true,
      address: null,
      device: null,
      devices: [],
      networks: [],
      missing: null,
      lost: null,
      losses: [],
      flapping: null,
    },
  ],
};

function listing<T>(items: T[]): Promise<Listing<T>> {
  return Promise.resolve({ kind: 'observed', items, defects: [], missing: null });
}

/** Ten rounds, one a minute, with the phone missing at minute 3; `fault` is what the list of extensions answers then. */
async function rounds(fault: Miss | null) {
  let minute = 0;
  const asked: number[] = [];
  /** What was asked and handed on, in order. */
  const order: string[] = [];
  const lacked: (Miss | null | undefined)[] = [];
  const sweeper = createAccountSweeper({
    reader: {
      registrations: () => listing(minute === 3 ? [] : [PHONE]),
      extensions: () => {
        asked.push(minute);
        order.push(`${minute} extensions`);
        return minute === 3 && fault !== null ? Promise.resolve(fault) : listing<Extension>([]);
      },
      toggles: () => listing<Toggle>([]),
      restMs: () => 0,
    },
    registrationsEveryMs: MINUTE,
    togglesEveryMs: MINUTE,
    settings: SETTINGS,
    sleep: () => new Promise(() => undefined),
    monotonic: () => minute * MINUTE,
    snapshot: () => SNAPSHOT,
    step(observation) {
      if (observation.kind === 'registrations') {
        order.push(`${minute} told`);
      }
      if (observation.kind === 'extensions') order.push(`${minute} taken ${observation.extensions.kind}`);
      if (observation.kind === 'end') lacked.push(observation.parts['extensions']);
      return Promise.resolve();
    },
  });
  for (; minute < 9; minute += 1) {
    await sweeper.sweep(new AbortController().signal);
  }
  return { asked, lacked, order };
}

test('the list of extensions is asked for with the first round, and when a phone is missing', async () => {
  expect((await rounds(null)).asked).toEqual([0, 3]);
});

test('a list of extensions that could not be read is asked for again, and not called unreadable until it is due', async () => {
  const fault = missed();
  const { asked, lacked } = await rounds(fault);
  expect(asked).toEqual([0, 3, 4]);
  expect(lacked.slice(2)).toEqual([null, fault, null, null, null, null, null]);
});

test('what the registrations show is told before the list of extensions has answered, which is a step of its own', async () => {
  const { order } = await rounds(missed());
  expect(order.filter((line) => /^[345]/.test(line))).toEqual([
    '3 told',
    '3 extensions',
    '3 taken missed',
    '4 told',
    '4 extensions',
    '4 taken observed',
    '5 told',
  ]);
});

/** A round in each minute, in which the lists named hang until they are let go; what happened, in order. */
async function hanging(parts: readonly ('extensions' | 'toggles')[]) {
  const clock = manualClock(0);
  const order: string[] = [];
  const held = new Map(parts.map((part) => [part, Promise.withResolvers<void>()]));
  const stop = new AbortController();
  async function ask<T>(part: 'extensions' | 'toggles', items: T[]): Promise<Listing<T>> {
    order.push(`${clock.now() / MINUTE} ask ${part}`);
    await held.get(part)?.promise;
    return { kind: 'observed', items, defects: [], missing: null };
  }
  const sweeper = createAccountSweeper({
    reader: {
      registrations: () => listing(clock.now() === 0 ? [PHONE] : []),
      extensions: () => ask<Extension>('extensions', []),
      toggles: () => ask<Toggle>('toggles', []),
      restMs: () => 0,
    },
    registrationsEveryMs: MINUTE,
    togglesEveryMs: MINUTE,
    settings: SETTINGS,
    monotonic: clock.monotonic,
    sleep: clock.sleep,
    snapshot: () => ({ ...SNAPSHOT, baselineTold: true }),
    step(observation) {
      order.push(`${clock.now() / MINUTE} ${observation.kind}`);
      return Promise.resolve();
    },
  });

  /** Resolves when the round is over or waits for nothing but the clock. */
  async function round(): Promise<void> {
    const over = sweeper.sweep(stop.signal);
    await new Promise((resolve) => setImmediate(resolve));
    const left = clock.next();
    if (left !== null) clock.advance(left);
    await over;
    clock.advanceTo(Math.ceil((clock.now() + 1) / MINUTE) * MINUTE);
  }

  return { order, round, letGo: (part: 'extensions' | 'toggles') => held.get(part)?.resolve() };
}

test('side lists that hang hold no round, are not asked again meanwhile, and count when they answer', async () => {
  const { order, round, letGo } = await hanging(['extensions', 'toggles']);
  for (let minute = 0; minute < 3; minute += 1) await round();
  expect(order.filter((line) => !line.endsWith(' end'))).toEqual([
    '0 registrations',
    '0 ask extensions',
    '0 ask toggles',
    '1 registrations',
    '2 registrations',
  ]);
  expect(order.filter((line) => line.endsWith(' end'))).toHaveLength(3);
  letGo('extensions');
  letGo('toggles');
  await round();
  expect(order.filter((line) => line.startsWith('3 ') && !line.endsWith(' end'))).toEqual([
    '3 registrations',
    '3 extensions',
    '3 toggles',
  ]);
});

test('side lists that answer are part of their round', async () => {
  const { order, round } = await hanging([]);
  await round();
  expect(order).toEqual(['0 registrations', '0 ask extensions', '0 ask toggles', '0 extensions', '0 toggles', '0 end']);
});

test('toggles are read in every round, also after one in which the registrations took long; how long is handed on', async () => {
  const clock = { now: 0, registrationsTake: 0 };
  const readAt: number[] = [];
  const askedAgo: (number | undefined)[] = [];
  const sweeper = createAccountSweeper({
    reader: {
      registrations: () => {
        clock.now += clock.registrationsTake;
        return listing([PHONE]);
      },
      extensions: () => listing<Extension>([]),
      toggles: () => {
        readAt.push(clock.now);
        return listing<Toggle>([]);
      },
      restMs: () => 0,
    },
    registrationsEveryMs: MINUTE,
    togglesEveryMs: MINUTE,
    settings: SETTINGS,
    sleep: () => new Promise(() => undefined),
    monotonic: () => clock.now,
    snapshot: () => SNAPSHOT,
    step(observation) {
      if (observation.kind === 'registrations') askedAgo.push(observation.askedAgoMs);
      return Promise.resolve();
    },
  });
  for (const [minute, registrationsTake] of [0, 20_000, 0].entries()) {
    Object.assign(clock, { now: minute * MINUTE, registrationsTake });
    await sweeper.sweep(new AbortController().signal);
  }
  expect(readAt).toEqual([0, MINUTE + 20_000, 2 * MINUTE]);
  expect(askedAgo).toEqual([0, 20_000, 0]);
});

/** What is asked for in three rounds, a minute apart, where toggles are due every hour and the key is withdrawn. */
async function withdrawn(isRefused: (asked: readonly string[]) => boolean): Promise<string[]> {
  let minute = 0;
  const asked: string[] = [];
  const refusal = missed('credentials');
  async function ask<T>(part: string, items: T[]): Promise<Listing<T>> {
    asked.push(`${minute} ${part}`);
    return isRefused(asked) ? refusal : await listing(items);
  }
  const sweeper = createAccountSweeper({
    reader: {
      registrations: () => ask('registrations', [PHONE]),
      extensions: () => listing<Extension>([]),
      toggles: () => ask<Toggle>('toggles', []),
      restMs: () => 0,
    },
    registrationsEveryMs: MINUTE,
    togglesEveryMs: 60 * MINUTE,
    settings: SETTINGS,
    sleep: () => new Promise(() => undefined),
    monotonic: () => minute * MINUTE,
    snapshot: () => SNAPSHOT,
    step(observation) {
      if (observation.kind === 'end') {
        const refused = Object.entries(observation.parts).filter(([, miss]) => miss === refusal);
        if (refused.length > 0) asked.push(`${minute} refused: ${refused.map(([part]) => part).join(' ')}`);
      }
      return Promise.resolve();
    },
  });
  for (; minute < 3; minute += 1) {
    await sweeper.sweep(new AbortController().signal);
  }
  return asked;
}

test('a key that is refused for the registrations is tried for the toggles at once, due or not', async () => {
  const asked = await withdrawn((all) => all.length > 2);
  expect(asked.filter((line) => line.startsWith('1 '))).toEqual([
    '1 registrations',
    '1 toggles',
    '1 refused: registrations toggles',
  ]);
});

test('a key that is refused for the toggles is tried for the registrations once more, and not again', async () => {
  const asked = await withdrawn((all) => all.at(-1)?.endsWith(' toggles') === true);
  expect(asked).toEqual([
    '0 registrations',
    '0 toggles',
    '0 registrations',
    '0 refused: toggles',
    '1 registrations',
    '1 toggles',
    '1 refused: toggles',
    '2 registrations',
    '2 refused: toggles',
  ]);
});
