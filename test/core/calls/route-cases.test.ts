/** 90 ordinary days with announcements, closed days and menus raise no alarm of a route; each dead one is found in two readings. */
import { expect, test } from 'vitest';
import { findDeadRoutes, findRoutes } from '../../../src/core/calls/routes.ts';
import type { Call } from '../../../src/core/calls/call-model.ts';
import { createRandom, type Random } from '../../../src/simulator/random.ts';
import { callOf, MELBOURNE, NOON } from './call-stories.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Missed and answered calls are read every ten minutes. */
const READING = 600;
const OPEN = { dialplan: 'Main line', condition: 'Business hours' };
const ORDERS = { dialplan: 'Orders', condition: 'Always' };

/** Seconds after `NOON` of an hour of a day. */
function at(day: number, hour: number): number {
  return day * DAY + (hour - 13) * HOUR;
}

function rangOf(...extensions: string[]): Call['rang'] {
  return extensions.map((extension) => ({ extension, cause: 'NO_ANSWER' }));
}

/**
 * Calls of a day: an open line in whose greeting some hang up, a closed one with an announcement, a menu in which all hang
 * up, and one that leads two in five callers to somebody.
 */
function ordinaryDay(random: Random, day: number): Call[] {
  const caller = (): string => `04${random.digits(8)}`;
  const isClosed = (((day + 1) % 7) + 7) % 7 > 4 || random.chance(0.02);
  const calls: Call[] = [];
  for (let count = 0; count < 12; count += 1) {
    const began = at(day, 8) + random.whole(0, 10 * HOUR);
    const from = caller();
    if (isClosed) {
      calls.push(callOf('missed', began, { from, lasted: 25, dialplan: 'Main line', condition: 'Closed' }));
    } else if (random.chance(0.06)) {
      calls.push(callOf('missed', began, { from, lasted: random.whole(0, 12), rang: [], ...OPEN }));
    } else if (random.chance(0.8)) {
      calls.push(callOf('answered', began, { from, lasted: random.whole(20, 400), ...OPEN }));
    } else {
      calls.push(callOf('missed', began, { from, lasted: 30, rang: rangOf('1001', '1002'), ...OPEN }));
    }
    if (!isClosed && random.chance(0.3)) {
      // Callers who hang up in the menu ring nobody.
      calls.push(callOf('missed', began + 40, { from: caller(), lasted: 8, dialplan: 'Menu', condition: 'Always' }));
      calls.push(callOf('missed', began + 70, { from: caller(), lasted: 8, dialplan: 'Menu', condition: 'Always' }));
    }
  }
  for (let count = isClosed ? 15 : 0; count < 15; count += 1) {
    const [began, from] = [at(day, 8) + random.whole(0, 10 * HOUR), caller()];
    if (random.chance(0.4)) calls.push(callOf('answered', began, { from, lasted: 200, ...ORDERS }));
    else calls.push(callOf('missed', began, { from, lasted: random.whole(1, 20), rang: [], ...ORDERS }));
  }
  for (let count = 0; count < 3; count += 1) {
    calls.push(
      callOf('missed', at(day, 20) + count * 900, {
        from: caller(),
        lasted: 20,
        dialplan: 'Main line',
        condition: 'After hours',
      }),
    );
  }
  return calls;
}

function ordinaryDays(random: Random, first: number, days: number): Call[] {
  return Array.from({ length: days }, (_, index) => ordinaryDay(random, first + index)).flat();
}

function deadAt(calls: readonly Call[], seconds: number): { condition: string; callers: number; level: string }[] {
  const look = { now: NOON + seconds, timezone: MELBOURNE, unreachableCauses: [] };
  const known = calls.filter(({ ended }) => ended <= look.now).toSorted((a, b) => a.ended - b.ended);
  return findDeadRoutes(findRoutes(known, look), look).map(({ route, callers, level }) => ({
    condition: route.condition,
    callers,
    level,
  }));
}

test('90 ordinary days raise no alarm', () => {
  const calls = ordinaryDays(createRandom(7), -30, 120);
  const alarms: string[] = [];
  // A route can only be found dead by a call that rang nobody.
  const looks = calls.filter(({ kind, rang, ended }) => kind === 'missed' && rang.length === 0 && ended >= NOON);
  for (const { ended } of looks) {
    for (const { condition } of deadAt(calls, ended - NOON)) alarms.push(`${condition} at ${ended}`);
  }
  expect(looks.length).toBeGreaterThan(1_000);
  expect(alarms).toEqual([]);
});

test('a route in whose greeting callers hang up is dead once more of them in a row did than chance explains', () => {
  const begins = at(1, 11);
  const ordinary = ordinaryDays(createRandom(3), -30, 31).filter(({ ended }) => ended < NOON + begins);
  const deadAfter = (callers: number, lasted: number): boolean => {
    const dead = Array.from({ length: callers }, (_, index) =>
      callOf('missed', begins + index * 600, { from: `04912345${10 + index}`, lasted, rang: [], ...OPEN }),
    );
    return deadAt([...ordinary, ...dead], (dead.at(-1)?.ended ?? 0) - NOON).some(
      ({ condition }) => condition === OPEN.condition,
    );
  };
  // Two that waited longer than those who hang up are enough.
  expect(deadAfter(2, 20)).toBe(true);
  expect(deadAfter(2, 4)).toBe(false);
  expect(deadAfter(5, 4)).toBe(true);
});

const CAUSES = ['', 'USER_NOT_REGISTERED', 'NO_ROUTE_DESTINATION', 'DESTINATION_OUT_OF_ORDER'] as const;

test('each of 40 dead routes is a warning after its second caller and critical after its fifth, in two readings', () => {
  const wrong: object[] = [];
  for (let seed = 0; seed < 40; seed += 1) {
    const random = createRandom(seed + 1);
    const cause = random.pick(CAUSES);
    const rang = cause === '' ? [] : [{ extension: '1001', cause }];
    const begins = at(1, 11);
    const ordinary = ordinaryDays(random, -30, 31);
    const dead = Array.from({ length: 5 }, (_, index) =>
      callOf('missed', begins + index * 600, { from: `04${random.digits(8)}`, lasted: 20, rang, ...OPEN }),
    );
    const calls = [...ordinary, ...dead];
    const after = (index: number): number => (dead[index]?.ended ?? 0) - NOON + 2 * READING - 1;
    const [one, two, five] = [(dead[0]?.ended ?? 0) - NOON, after(1), after(4)].map((seconds) =>
      deadAt(calls, seconds),
    );
    const isRight =
      one?.length === 0 &&
      two?.some(({ condition, callers }) => condition === OPEN.condition && callers >= 2) === true &&
      five?.some(({ condition, level }) => condition === OPEN.condition && level === 'critical') === true;
    if (!isRight) wrong.push({ seed, cause, one, two, five });
  }
  expect(wrong).toEqual([]);
});
