/** Routes and skillsets that reach nobody, and those that only seem to. */
import { describe, expect, test } from 'vitest';
import { findDeadRoutes, findRoutes, findThreatenedRoutes } from '../../../src/core/calls/routes.ts';
import { judgeSkillsets } from '../../../src/core/calls/agents.ts';
import type { Call } from '../../../src/core/calls/call-model.ts';
import { callOf, MELBOURNE, NOON } from './call-stories.ts';

const DAY = 86_400;
const look = { now: NOON + 4_000, timezone: MELBOURNE, unreachableCauses: [] as string[] };
const DEAD = [{ extension: '1001', cause: 'USER_NOT_REGISTERED' }];

function weekOfCalls(answered = 8): Call[] {
  return Array.from({ length: 10 }, (_, day) =>
    callOf(day < answered ? 'answered' : 'missed', -(day + 1) * DAY, {
      from: `04110000${10 + day}`,
      rang: day < answered ? [] : [{ extension: '1002', cause: 'NO_ANSWER' }],
    }),
  );
}

function dead(calls: Call[], causes: string[] = []) {
  return findDeadRoutes(findRoutes(calls, look), { ...look, unreachableCauses: causes });
}

describe('a route', () => {
  test('warns at two callers within an hour who rang nobody, and is critical at five', () => {
    const one = callOf('missed', 60, { rang: DEAD });
    const two = callOf('missed', 900, { from: '0398765432', rang: [] });
    expect(dead([...weekOfCalls(), one])).toEqual([]);
    expect(dead([...weekOfCalls(), one, { ...one, id: 'again', began: one.began + 60 }])).toEqual([]);
    expect(dead([...weekOfCalls(), one, two])).toMatchObject([{ callers: 2, level: 'warning', since: one.began }]);
    const five = [1, 2, 3, 4, 5].map((n) => callOf('missed', 60 * n, { from: `039876543${n}`, rang: DEAD }));
    expect(dead([...weekOfCalls(), ...five])).toMatchObject([{ callers: 5, level: 'critical' }]);
  });

  test('works again once somebody answers, or a phone rings', () => {
    const both = [60, 300].map((at) => callOf('missed', at, { from: `04${at}34567`, rang: DEAD }));
    expect(dead([...weekOfCalls(), ...both, callOf('answered', 600)])).toEqual([]);
    expect(
      dead([...weekOfCalls(), ...both, callOf('missed', 600, { rang: [{ extension: '1002', cause: 'NO_ANSWER' }] })]),
    ).toEqual([]);
    expect(dead([...weekOfCalls(), ...both])).toHaveLength(1);
  });

  test('is no announcement: a fifth of its calls is usually answered', () => {
    const both = [60, 300].map((at) => callOf('missed', at, { from: `04${at}34567`, rang: [] }));
    expect(dead([...weekOfCalls(1), ...both])).toEqual([]);
  });

  test('with a cause of one’s own counts where the configuration says so', () => {
    const rang = [{ extension: '1001', cause: 'RECOVERY_ON_TIMER_EXPIRE' }];
    const both = [60, 300].map((at) => callOf('missed', at, { from: `04${at}34567`, rang }));
    expect(dead([...weekOfCalls(), ...both])).toEqual([]);
    expect(dead([...weekOfCalls(), ...both], ['RECOVERY_ON_TIMER_EXPIRE'])).toHaveLength(1);
  });

  test('would reach nobody where all its extensions are offline', () => {
    const routes = findRoutes(weekOfCalls(), look);
    expect(routes.map(({ extensions }) => extensions)).toEqual([['1001', '1002']]);
    expect(findThreatenedRoutes(routes, new Set(['1001', '1002']))).toHaveLength(1);
    expect(findThreatenedRoutes(routes, new Set(['1001']))).toEqual([]);
  });
});

describe('a skillset', () => {
  const settings = [
    {
      name: 'Support',
      staffed: {
        ranges: [{ days: [1, 2, 3, 4, 5], start: 480, endDay: 0, end: 1080 }],
        except: [],
        timezone: MELBOURNE,
      },
      atLeast: 1,
      forMs: 300_000,
    },
  ];
  const agent = (extension: string, status: string) => ({ extension, name: extension, status });
  const at = (minutes: number): number => NOON * 1000 + minutes * 60_000;
  const registered = { isRegistered: () => true };

  test('has no agent once that has lasted five minutes', () => {
    const rows = [{ id: '21', name: 'Support', agents: [agent('1002', 'On Break')] }];
    const first = judgeSkillsets({}, rows, settings, { now: at(0), ...registered });
    expect(first.found).toEqual([]);
    const later = judgeSkillsets(first.unstaffed, rows, settings, { now: at(5), ...registered });
    expect(later.found).toMatchObject([{ skillset: 'Support', since: at(0), available: 0, unregistered: [] }]);
    const shift = judgeSkillsets(
      first.unstaffed,
      [{ ...(rows[0] as (typeof rows)[0]), agents: [agent('1002', 'Available')] }],
      settings,
      { now: at(4), ...registered },
    );
    expect(shift.unstaffed).toEqual({});
  });

  test('has agents without phones, which are named', () => {
    const rows = [{ id: '21', name: 'Support', agents: [agent('1002', 'Available'), agent('1008', 'Available')] }];
    const given = { isRegistered: () => false };
    const { found } = judgeSkillsets({ Support: at(-5) }, rows, settings, { now: at(0), ...given });
    expect(found[0]?.unregistered.map(({ extension }) => extension)).toEqual(['1002', '1008']);
  });

  test('is not counted outside its hours', () => {
    const rows = [{ id: '21', name: 'Support', agents: [] }];
    expect(judgeSkillsets({ Support: at(0) }, rows, settings, { now: at(7 * 60), ...registered })).toEqual({
      unstaffed: {},
      found: [],
    });
  });
});
