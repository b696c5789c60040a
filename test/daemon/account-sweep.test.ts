/** What one round over an account asks for. */
import { expect, test } from 'vitest';
import type { Extension, Registered, Toggle } from '../../src/core/account/account-model.ts';
import { emptyAccountSnapshot, type AccountSnapshot } from '../../src/core/account/account-snapshot.ts';
import { createAccountSweeper } from '../../src/daemon/account-sweep.ts';
import type { Listing, Miss } from '../../src/core/observation/listing.ts';
import { missed, SETTINGS } from '../core/account/paper-town.ts';

const MINUTE = 60_000;

const PHONE: Registered = { extension: '101', contacts: [] };
const SNAPSHOT: AccountSnapshot = {
  ...emptyAccountSnapshot(),
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
    monotonic: () => minute * MINUTE,
    snapshot: () => SNAPSHOT,
    step(observation) {
      if (observation.kind === 'registrations') {
        order.push(`${minute} told with ${observation.extensions?.kind ?? 'no list'}`);
      }
      if (observation.kind === 'end') lacked.push(observation.parts['extensions']);
      return Promise.resolve();
    },
  });
  for (; minute < 9; minute += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one round after the other
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

test('a list of extensions that did not answer keeps no loss waiting: it is asked for afterwards, and counts in the next round', async () => {
  const { order } = await rounds(missed());
  expect(order.filter((line) => /^[345]/.test(line))).toEqual([
    '3 extensions',
    '3 told with missed',
    '4 told with no list',
    '4 extensions',
    '5 told with observed',
  ]);
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
    monotonic: () => clock.now,
    snapshot: () => SNAPSHOT,
    step(observation) {
      if (observation.kind === 'registrations') askedAgo.push(observation.askedAgoMs);
      return Promise.resolve();
    },
  });
  for (const [minute, registrationsTake] of [0, 20_000, 0].entries()) {
    Object.assign(clock, { now: minute * MINUTE, registrationsTake });
    // oxlint-disable-next-line no-await-in-loop -- one round after the other
    await sweeper.sweep(new AbortController().signal);
  }
  expect(readAt).toEqual([0, MINUTE + 20_000, 2 * MINUTE]);
  expect(askedAgo).toEqual([0, 20_000, 0]);
});
