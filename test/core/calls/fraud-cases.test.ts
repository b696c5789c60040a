/** 200 planted frauds are found within two readings, and 90 ordinary days of 20 accounts raise no alarm. */
import { expect, test } from 'vitest';
import { findFraud, type FraudEpisode } from '../../../src/core/calls/fraud.ts';
import type { Call } from '../../../src/core/calls/call-model.ts';
import { createRandom, type Random } from '../../../src/simulator/random.ts';
import { callOf, MELBOURNE, NOON } from './call-stories.ts';
import { cases } from '../../support/runs.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const MINUTE = 60;
/** Outgoing calls are read every five minutes. */
const READING = 5 * MINUTE;
const SPEND = { daily: null, monthly: null, currency: 'AUD', alarm: 10, hotline: null, premium: ['19*'], allow: [] };

interface Account {
  name: string;
  /** Calls of a working day, and of them abroad. */
  perDay: number;
  abroad: number;
  /** Countries it calls, with the digits of their rates. */
  countries: readonly [string, ...string[]];
  /** Somebody is called at night, again and again until they wake. */
  isOnCall?: boolean;
  /** A first customer in a new country on these days, weekends among them. */
  newCustomers?: readonly number[];
}

/** Seconds after `NOON` of an hour of a day. */
function at(day: number, hour: number): number {
  return day * DAY + (hour - 13) * HOUR;
}

/** Tuesday is day 0. */
function isWorkday(day: number): boolean {
  return (((day + 1) % 7) + 7) % 7 < 5;
}

function ordinaryDays(account: Account, random: Random, first: number, days: number): Call[] {
  const { perDay, abroad, countries, isOnCall = false, newCustomers = [] } = account;
  const domestic = Array.from({ length: 60 }, () => `03${random.digits(8)}`) as [string, ...string[]];
  const foreign = countries.flatMap((code) =>
    Array.from({ length: 8 }, () => ({ code, to: `${code}${random.digits(9)}` })),
  );
  const calls: Call[] = [];
  const call = (began: number, to: string, rate: string, lasted: number, from = `10${random.whole(10, 29)}`): void => {
    calls.push(callOf('outgoing', began, { to, rate, lasted, talk: Math.max(0, lasted - 8), from }));
  };
  for (let day = first; day < first + days; day += 1) {
    if (isWorkday(day)) {
      for (let count = 0; count < perDay; count += 1) {
        const began = at(day, 8) + random.whole(0, 10 * HOUR);
        // Some are not reached at once and dialled again.
        const [to, tries] = [random.pick(domestic), random.chance(0.03) ? random.whole(2, 6) : 1];
        for (let index = 0; index < tries; index += 1) call(began + index * 90, to, '61', random.whole(10, 420));
      }
      for (let count = 0; count < abroad; count += 1) {
        const { code, to } = foreign[random.whole(0, foreign.length - 1)] ?? { code: '64', to: '6491234567' };
        call(at(day, 9) + random.whole(0, 8 * HOUR), to, code, random.whole(20, 900));
      }
    }
    if (isOnCall && random.chance(0.4)) {
      const to = random.pick(domestic);
      for (let index = random.whole(1, 9); index > 0; index -= 1) call(at(day, 2) + index * 120, to, '61', 20);
    }
    if (newCustomers.includes(day)) {
      const to = `49${random.digits(9)}`;
      const first = at(day, random.whole(7, 21));
      // The first try is not answered.
      call(first - 5 * MINUTE, to, '49', 8);
      for (let index = 0; index < 2; index += 1) call(first + index * 20 * MINUTE, to, '49', random.whole(30, 900));
    }
  }
  return calls;
}

function judge(calls: readonly Call[], now: number): FraudEpisode | null {
  const past = {
    calls,
    rates: new Map<string, number>(),
    knownSince: NOON - 60 * DAY,
    chargeOf: () => null,
    phonebook: () => new Set<string>(),
  };
  return findFraud(past, { now, country: '61', timezone: MELBOURNE, spend: SPEND }) ?? null;
}

const OFFICE: Account = { name: 'office', perDay: 30, abroad: 2, countries: ['64', '44'] };

/** Each: calls of a fraud that begins at a moment, and the end of the call that completes a rule. */
type Plant = (began: number, random: Random) => { calls: Call[]; completed: number };

function burst(
  began: number,
  count: number,
  apart: number,
  rest: Partial<Call> & { lasted?: number },
  to: (index: number) => string,
): Call[] {
  return Array.from({ length: count }, (_, index) =>
    callOf('outgoing', began + index * apart, { ...rest, to: to(index) }),
  );
}

const PLANTS: Readonly<Record<string, Plant>> = {
  'a new country': (began, random) => {
    const lasted = random.whole(70, 1200);
    const calls = burst(
      began,
      random.whole(1, 30),
      random.whole(20, 300),
      { lasted, talk: lasted - 8, rate: '53', from: '1012' },
      () => `537${random.digits(7)}`,
    );
    return { calls, completed: calls[0]?.ended ?? 0 };
  },
  'premium numbers': (began, random) => {
    const calls = burst(
      began,
      3,
      random.whole(60, 900),
      { lasted: 40, talk: 30, rate: '190', from: '1012' },
      () => `190${random.digits(7)}`,
    );
    return { calls, completed: calls[2]?.ended ?? 0 };
  },
  'one new number': (began, random) => {
    const to = `02${random.digits(8)}`;
    const calls = burst(
      began,
      random.whole(8, 40),
      random.whole(30, 300),
      { lasted: 25, talk: 15, from: '1012' },
      () => to,
    );
    return { calls, completed: calls[7]?.ended ?? 0 };
  },
  'a country that is called already, in a burst': (began, random) => {
    const calls = burst(
      began,
      30,
      60,
      { lasted: 50, talk: 40, rate: '44', from: '1012' },
      () => `4479${random.digits(8)}`,
    );
    return { calls, completed: calls[29]?.ended ?? 0 };
  },
  'a country that is called already, at night': (began, random) => {
    const night = at(Math.floor((began + 13 * HOUR) / DAY), 3);
    const calls = burst(
      night,
      4,
      random.whole(60, 600),
      { lasted: 200, talk: 190, rate: '44', from: '1012' },
      () => `4479${random.digits(8)}`,
    );
    return { calls, completed: calls[1]?.ended ?? 0 };
  },
  'many calls at once': (began, random) => {
    const calls = burst(began, 12, 5, { lasted: 600, talk: 590, from: '61390004100' }, () => `02${random.digits(8)}`);
    return { calls, completed: calls[11]?.ended ?? 0 };
  },
};

test('at least 95 % of 200 planted frauds are found within two readings of the call that completes a rule', () => {
  const kinds = Object.entries(PLANTS);
  const missed: string[] = [];
  for (let seed = 0; seed < 200; seed += 1) {
    const random = createRandom(seed + 1);
    const [name, plant] = kinds[seed % kinds.length] ?? ['', () => ({ calls: [], completed: 0 })];
    const ordinary = ordinaryDays(OFFICE, random, -40, 41);
    const { calls, completed } = plant(random.whole(0, 20 * HOUR), random);
    const now = completed + 2 * READING;
    const known = [...ordinary, ...calls].filter(({ ended }) => ended <= now).toSorted((a, b) => a.ended - b.ended);
    const episode = judge(known, now);
    const isFound = episode?.calls.some(({ id }) => calls.some((one) => one.id === id)) === true;
    if (!isFound) missed.push(`${name} (${seed})`);
  }
  expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(10);
});

const FIRMS: readonly Account[] = [
  ...Array.from({ length: 10 }, (_, index): Account => ({
    ...OFFICE,
    name: `office ${index}`,
    perDay: 15 + 3 * index,
  })),
  ...Array.from({ length: 4 }, (_, index): Account => ({ ...OFFICE, name: `on call ${index}`, isOnCall: true })),
  ...Array.from({ length: 4 }, (_, index): Account => ({
    ...OFFICE,
    name: `new customer ${index}`,
    newCustomers: [11 + index, 46 + index, 82 + index],
  })),
  { name: 'call centre', perDay: 20, abroad: 80, countries: ['64', '44', '1'] },
  { name: 'call centre at home', perDay: 120, abroad: 1, countries: ['64'] },
];

test('90 ordinary days of 20 accounts raise no alarm, and at most one warning a month each', () => {
  const alarms: string[] = [];
  const warnings: string[] = [];
  for (const [index, account] of cases([...FIRMS.entries()], 4, 1)) {
    const calls = ordinaryDays(account, createRandom(1000 + index), -40, 130).toSorted((a, b) => a.ended - b.ended);
    // No rule concerns fewer than eight calls at home to one number, or five at once; an episode ends after a quiet hour.
    const byHour = Map.groupBy(calls, ({ ended }) => Math.ceil((ended + READING) / HOUR));
    const looks = [...byHour].flatMap(([hour, some]) => {
      const now = hour * HOUR;
      const isWithin = now >= NOON && now < NOON + 90 * DAY;
      return isWithin && (some.length >= 5 || some.some(({ rate }) => rate !== '61')) ? [now] : [];
    });
    let told = 0;
    let last = -Infinity;
    for (const now of looks) {
      const recent = calls.filter(({ ended }) => ended <= now && ended > now - 62 * DAY);
      const episode = judge(recent, now);
      if (episode === null) continue;
      if (episode.level === 'critical') alarms.push(`${account.name}: ${episode.rules.map(({ rule }) => rule).join()}`);
      if (episode.since !== last) told += 1;
      last = episode.since;
    }
    if (told > 3) warnings.push(`${account.name}: ${told}`);
  }
  expect(alarms).toEqual([]);
  expect(warnings).toEqual([]);
});
