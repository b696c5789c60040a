/** Fraud against the account's own past: each rule at its threshold, and one call below it. */
import { describe, expect, test } from 'vitest';
import { findFraud, type FraudHistory } from '../../../src/core/calls/fraud.ts';
import type { Call } from '../../../src/core/calls/call-model.ts';
import { callOf, MELBOURNE, NOON } from './call-stories.ts';

const DAY = 86_400;
const spend = {
  daily: null,
  monthly: null,
  currency: 'AUD',
  alarm: 10,
  hotline: null,
  premium: ['19*'],
  allow: [] as { to: string }[],
};

/** An office that calls its own country in office hours, and New Zealand once a day. */
function ordinary(): Call[] {
  return Array.from({ length: 27 }, (_, day) => [
    ...[0, 1, 2, 3].map((hour) => callOf('outgoing', -(day + 2) * DAY + hour * 3_600, { to: `039876${1000 + day}` })),
    callOf('outgoing', -(day + 2) * DAY, { to: '6491234567', rate: '64', from: '61390004100' }),
  ]).flat();
}

function judge(
  fresh: Call[],
  { billed = {}, ...rest }: Partial<FraudHistory> & { billed?: Record<string, number> } = {},
  allow = spend.allow,
) {
  const calls = [...ordinary(), ...fresh].toSorted((a, b) => a.ended - b.ended);
  const past: FraudHistory = {
    calls,
    rates: new Map(),
    knownSince: NOON - 30 * DAY,
    chargeOf: ({ id }) => billed[id] ?? null,
    phonebook: () => new Set(),
    ...rest,
  };
  const now = Math.max(...calls.map(({ ended }) => ended)) + 60;
  return findFraud(past, { now, country: '61', timezone: MELBOURNE, spend: { ...spend, allow } });
}

function cuba(count: number, rest: Partial<Call> & { lasted?: number } = {}): Call[] {
  return Array.from({ length: count }, (_, index) =>
    callOf('outgoing', 60 * index, { to: `53712345${10 + index}`, rate: '53', lasted: 40, talk: 30, ...rest }),
  );
}

const rulesOf = (episode: ReturnType<typeof judge>): Record<string, string> =>
  Object.fromEntries((episode?.rules ?? []).map(({ rule, level }) => [rule, level]));

describe('F1, a class of rates that is new', () => {
  test('warns at one call of a minute, and not below', () => {
    expect(rulesOf(judge(cuba(1, { lasted: 70, talk: 60 })))).toEqual({ F1: 'warning' });
    expect(judge(cuba(1, { lasted: 70, talk: 59 }))).toBeNull();
  });

  test('is critical at three calls, or at charges of the alarm', () => {
    expect(judge(cuba(3))?.level).toBe('critical');
    const [one] = cuba(1);
    expect(judge([one as Call], { billed: { [one?.id ?? '']: 100_000 } })?.level).toBe('critical');
    expect(judge([one as Call], { billed: { [one?.id ?? '']: 99_999 } })).toBeNull();
  });

  test('is silent where the class was called within sixty days, and where it is allowed', () => {
    expect(judge(cuba(3), { rates: new Map([['53', NOON - 59 * DAY]]) })).toBeNull();
    expect(judge(cuba(3), { rates: new Map([['53', NOON - 62 * DAY]]) })?.level).toBe('critical');
    expect(judge(cuba(3), {}, [{ to: '53*' }])).toBeNull();
  });
});

test('F2, a busy hour abroad: more than twice the own busiest, and ten at least', () => {
  const zealand = (count: number): Call[] =>
    cuba(count, { rate: '64' }).map((call, index) => ({ ...call, to: `64912345${10 + index}` }));
  expect(rulesOf(judge(zealand(10)))).toMatchObject({ F2: 'warning' });
  expect(rulesOf(judge(zealand(9)))).toEqual({});
  expect(rulesOf(judge(zealand(20)))).toMatchObject({ F2: 'critical' });
});

test('F3, one number never called before: eight calls, and not one of a phonebook', () => {
  const redialled = (count: number): Call[] =>
    Array.from({ length: count }, (_, i) => callOf('outgoing', 60 * i, { to: '0355512345' }));
  expect(rulesOf(judge(redialled(8)))).toEqual({ F3: 'warning' });
  expect(judge(redialled(7))).toBeNull();
  expect(rulesOf(judge(redialled(20)))).toEqual({ F3: 'critical' });
  expect(judge(redialled(8), { phonebook: () => new Set(['355512345']) })).toBeNull();
});

test('F4, abroad at an hour of the week without calls: two warn, five are critical', () => {
  const night = (count: number): Call[] =>
    Array.from({ length: count }, (_, i) => callOf('outgoing', -9 * 3_600 + 60 * i, { to: '6491234567', rate: '64' }));
  expect(rulesOf(judge(night(2)))).toEqual({ F4: 'warning' });
  expect(judge(night(1))).toBeNull();
  expect(rulesOf(judge(night(5)))).toMatchObject({ F4: 'critical' });
});

test('two warnings are critical, and not of the same two calls', () => {
  const abroad = (count: number, rest: Partial<Call>): Call[] =>
    Array.from({ length: count }, (_, i) =>
      callOf('outgoing', -9 * 3_600 + 600 * i, { to: `4930123456${i}`, rate: '49', lasted: 120, ...rest }),
    );
  const customer = judge(abroad(2, { talk: 110 }));
  expect(rulesOf(customer)).toEqual({ F1: 'warning', F4: 'warning' });
  expect(customer?.level).toBe('warning');
  // A try that is not answered costs nothing.
  expect(judge([...abroad(2, { talk: 110 }), ...abroad(1, { talk: 0 })])?.level).toBe('warning');
  const night = abroad(2, { to: '6491234567', rate: '64' });
  const both = judge([...abroad(1, { talk: 110 }), ...night]);
  expect(rulesOf(both)).toEqual({ F1: 'warning', F4: 'warning' });
  expect(both?.level).toBe('critical');
});

test('F5, calls at once: the own most and two more, five at least; critical with any other', () => {
  const atOnce = (count: number): Call[] =>
    Array.from({ length: count }, (_, i) =>
      callOf('outgoing', i, { to: `0398761${100 + i}`, lasted: 120, from: '61390004100' }),
    );
  expect(rulesOf(judge(atOnce(5)))).toEqual({ F5: 'warning' });
  expect(judge(atOnce(4))).toBeNull();
  expect(judge(cuba(5, { lasted: 400, talk: 380, from: '61390004100' }))?.rules).toContainEqual({
    rule: 'F5',
    level: 'critical',
  });
});

describe('an episode', () => {
  test('is not judged before fourteen days are known', () => {
    expect(judge(cuba(5), { knownSince: NOON - 13 * DAY })).toBeUndefined();
    expect(judge(cuba(5), { knownSince: null })).toBeUndefined();
  });

  test('grows with further calls abroad and ends after a quiet hour', () => {
    expect(judge(cuba(14))?.calls).toHaveLength(14);
    const past = [...ordinary(), ...cuba(3)].toSorted((a, b) => a.ended - b.ended);
    const last = Math.max(...past.map(({ ended }) => ended));
    const given = {
      calls: past,
      rates: new Map<string, number>(),
      knownSince: NOON - 30 * DAY,
      chargeOf: () => null,
      phonebook: () => new Set<string>(),
    };
    const look = { country: '61', timezone: MELBOURNE, spend };
    expect(findFraud(given, { ...look, now: last + 3_600 })).not.toBeNull();
    expect(findFraud(given, { ...look, now: last + 3_601 })).toBeNull();
  });

  test('premium numbers count as abroad, 1300 does not', () => {
    const premium = (to: string): Call[] => cuba(3).map((call) => ({ ...call, to, rate: '190' }));
    expect(judge(premium('1902345678'))?.level).toBe('critical');
    expect(judge(premium('1300555019'))).toBeNull();
  });
});

test('a provider’s clock ten minutes ahead delays an alarm by as much, and one behind does not', () => {
  const calls = [...ordinary(), ...cuba(3)].toSorted((a, b) => a.ended - b.ended);
  const last = Math.max(...calls.map(({ ended }) => ended));
  const past: FraudHistory = {
    calls,
    rates: new Map(),
    knownSince: NOON - 30 * DAY,
    chargeOf: () => null,
    phonebook: () => new Set(),
  };
  const levelAt = (now: number) => findFraud(past, { now, country: '61', timezone: MELBOURNE, spend })?.level;
  expect(levelAt(last - 600)).toBeUndefined();
  expect(levelAt(last)).toBe('critical');
  expect(levelAt(last + 600)).toBe('critical');
});
