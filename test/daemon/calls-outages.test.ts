/** An outage as calls see it, from the account's own alert, and skillsets of which was told before a restart. */
import { expect, test } from 'vitest';
import type { AccountAlert } from '../../src/core/correlation/account-alert.ts';
import { judgeSkillsets } from '../../src/core/calls/agents.ts';
import { type AccountState, createAccountState } from '../../src/core/engine/account-kind.ts';
import { listOutages, listToldUnstaffed } from '../../src/daemon/calls/phones-and-calls.ts';

const MINUTE = 60_000;
const NOON = Date.parse('2026-03-24T01:00:00.000Z');
const PACE = { everyMs: MINUTE, offlineAfterMs: 5 * MINUTE };

function stateWith(alert: Partial<AccountAlert>): AccountState {
  const whole = {
    id: 'a',
    group: 'g',
    family: 'phones',
    status: 'resolved',
    startedAt: NOON,
    openedAt: NOON + 5 * MINUTE,
    resolvedAt: NOON + 30 * MINUTE,
    outage: true,
    subjects: [],
    hits: {},
    ...alert,
  };
  // Only what an outage is made of.
  return { ...createAccountState('https://pbx.example.test'), alerts: [whole as unknown as AccountAlert] };
}

function spanOf(alert: Partial<AccountAlert>): (number | undefined)[] {
  const [outage] = listOutages(stateWith(alert), PACE, NOON + 40 * MINUTE);
  return [outage?.from, outage?.to].map((at) => (at === undefined ? undefined : (at - NOON) / MINUTE));
}

test('it lasts from the look before the first lost phone to the end of its alert', () => {
  expect(spanOf({})).toEqual([-1, 30]);
});

test('an alert that began with a notice does not make callers of before the loss its own', () => {
  expect(spanOf({ startedAt: NOON - 60 * MINUTE })).toEqual([-3, 30]);
});

test('an alert that is open, of another kind, or part of another has no callers of its own', () => {
  expect(spanOf({ status: 'open', resolvedAt: null })).toEqual([undefined, undefined]);
  expect(spanOf({ family: 'calls' })).toEqual([undefined, undefined]);
  expect(spanOf({ absorbedBy: 'other' })).toEqual([undefined, undefined]);
});

test('a restart does not end that a skillset has no agent, and tells its beginning', () => {
  const empty = createAccountState('https://pbx.example.test');
  const details = {
    skillset: 'Support',
    since: new Date(NOON).toISOString(),
    available: 0,
    wanted: 1,
    unregistered: [],
    gave_up: null,
    severity: 'warning' as const,
  };
  const told = { 'skillset/Support': { kind: 'agents.none' as const, key: 'Support', group: null, to: 0, details } };
  const state: AccountState = {
    ...empty,
    snapshot: { ...empty.snapshot, calls: { told, once: {}, news: [] } },
  };
  const staffed = {
    ranges: [{ days: [0, 1, 2, 3, 4, 5, 6], start: 0, endDay: 0, end: 1440 }],
    except: [],
    timezone: 'UTC',
  };
  const settings = [{ name: '21', staffed, atLeast: 1, forMs: 5 * MINUTE }];
  const rows = [{ id: '21', name: 'Support', agents: [] }];
  const now = { now: NOON + 30 * MINUTE, isRegistered: () => true };
  expect(judgeSkillsets(listToldUnstaffed(state), rows, settings, now).found).toMatchObject([{ since: NOON }]);
  expect(judgeSkillsets(listToldUnstaffed(empty), rows, settings, now).found).toEqual([]);
});
