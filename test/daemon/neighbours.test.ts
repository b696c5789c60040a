/** The accounts of a page beside each other: what is known of each is counted once, and counted anew when it changes. */
import { expect, test } from 'vitest';
import { findJoinableLosses, NO_NEIGHBOURS, toNeighbours } from '../../src/core/correlation/account-loss-count.ts';
import { createAccountState, type AccountState } from '../../src/core/engine/account-kind.ts';
import { createNeighbourhood } from '../../src/daemon/loop/neighbours.ts';
import type { PhoneMemory } from '../../src/core/account/account-snapshot.ts';

const ACCOUNTS = [
  { name: 'head-office', page: 'provider', settings: { sites: {} } },
  { name: 'branch', page: 'provider', settings: { sites: {} } },
  { name: 'depot', page: 'provider', settings: { sites: {} } },
  { name: 'elsewhere', page: 'another', settings: { sites: {} } },
  { name: 'alone', page: null, settings: { sites: {} } },
];

/** A state with so many phones, all of them lost a moment ago with no reason of the account's own. */
function stateOf(lost: number, looked: () => void = () => undefined): AccountState {
  const phones = Array.from({ length: lost }, (_, index): PhoneMemory => {
    const at = { address: null, device: null, devices: [], networks: [], losses: [], flapping: null, listed: true };
    return { extension: String(index), ...at, missing: null, lost: { since: 0, at: 0, group: 'group' } };
  });
  const state = createAccountState('https://pbx.example.test');
  const group = {
    id: 'group',
    domain: { kind: 'account', key: 'account', name: 'the account', address: null },
  } as const;
  const rest = {
    mass: true,
    open: true,
    flapping: null,
    joinable: true,
    startedAt: 0,
    lastLossAt: 0,
    up: 0,
    toldDown: 0,
  };
  const snapshot = { ...state.snapshot, groups: [{ ...group, ...rest }] };
  Object.defineProperty(snapshot, 'phones', { get: () => (looked(), phones), enumerable: true });
  return { ...state, snapshot };
}

test('an account is counted once as long as nothing is known of it that is new', () => {
  let looks = 0;
  const watched = new Map([['branch', { state: stateOf(8, () => (looks += 1)) }]]);
  const neighbours = createNeighbourhood(ACCOUNTS, watched);
  expect(neighbours.of('head-office')).toMatchObject({ count: 1, hit: 1, lead: null, outages: new Map() });
  expect(neighbours.of('depot')).toMatchObject({ count: 1, hit: 1, lead: null, outages: new Map() });
  expect(looks).toBe(1);
});

test('what is new of an account is seen by the others at once', () => {
  const watched = new Map([['branch', { state: stateOf(8) }]]);
  const neighbours = createNeighbourhood(ACCOUNTS, watched);
  expect(neighbours.of('head-office').hit).toBe(1);
  watched.set('branch', { state: stateOf(0) });
  neighbours.stepped('branch');
  expect(neighbours.of('head-office')).toMatchObject({ count: 1, hit: 0, lead: null, outages: new Map() });
  watched.set('depot', { state: stateOf(8) });
  neighbours.stepped('depot');
  expect(neighbours.of('head-office')).toMatchObject({ count: 2, hit: 1, lead: null, outages: new Map() });
});

test('a step that changes nothing for the others leaves their sums as they are', () => {
  const alert = { id: 'a', number: 1, status: 'open', family: 'phones', group: 'group', startedAt: 0, title: 'before' };
  const withAlert = (title: string): AccountState =>
    ({
      ...stateOf(8),
      alerts: [{ ...alert, suspected: true, explainedBy: null, title }],
    }) as unknown as AccountState;
  const watched = new Map([['branch', { state: withAlert('before') }]]);
  const neighbours = createNeighbourhood(ACCOUNTS, watched);
  const { lead, outages } = neighbours.of('head-office');
  expect(lead).toMatchObject({ number: 1 });
  watched.set('branch', { state: withAlert('after') });
  neighbours.stepped('branch');
  expect(neighbours.of('head-office').lead).toBe(lead);
  expect(neighbours.of('head-office').outages).toBe(outages);
});

test('nobody is his own neighbour, nor that of an account of another page or of none', () => {
  const all = new Map(ACCOUNTS.map(({ name }) => [name, { state: stateOf(8) }]));
  const neighbours = createNeighbourhood(ACCOUNTS, all);
  expect(neighbours.of('branch')).toMatchObject({ count: 2, hit: 2, lead: null, outages: new Map() });
  expect(neighbours.of('elsewhere')).toEqual(NO_NEIGHBOURS);
  expect(neighbours.of('alone')).toEqual(NO_NEIGHBOURS);
});

test('the alert that others join is the first; whoever has that one hears of the next', () => {
  const [first, second, third] = [
    { number: 7, suspected: true },
    { number: 1, suspected: false },
    { number: 3, suspected: false },
  ].map((trouble) => ({
    phones: 10,
    lost: 8,
    scattered: { phones: 2, sites: 1 },
    trouble: { ...trouble, id: '', startedAt: 0, explainedBy: null },
    explained: [],
  }));
  const calm = { phones: 10, lost: 0, scattered: { phones: 0, sites: 0 }, trouble: null, explained: [] };
  const losses = findJoinableLosses([third!, calm, first!, second!]);
  const counts = { count: 4, hit: 3, phones: 40, scattered: { phones: 6, sites: 3 } };
  const leads = [first, second, third, calm, undefined].map((own) => toNeighbours(counts, losses, own).lead?.number);
  expect(leads).toEqual([1, 7, 7, 7, 7]);
  expect(toNeighbours(counts, losses, calm)).toMatchObject({
    count: 3,
    hit: 3,
    phones: 30,
    scattered: { phones: 6, sites: 3 },
  });
  expect(toNeighbours(counts, losses, first)).toMatchObject({
    count: 3,
    hit: 2,
    phones: 30,
    scattered: { phones: 4, sites: 2 },
  });
});

test('sums after many changes are those of all accounts counted afresh', () => {
  const joinable = (lost: number, number: number): AccountState =>
    ({
      ...stateOf(lost),
      alerts: [
        {
          id: `a${number}`,
          number,
          status: 'open',
          family: 'phones',
          group: 'group',
          startedAt: 0,
          suspected: number % 2 === 0,
        },
      ].map((alert) => ({ ...alert, explainedBy: number % 3 === 0 ? `a${number - 1}` : null })),
    }) as unknown as AccountState;
  const names = ['head-office', 'branch', 'depot'];
  const watched = new Map<string, { state: AccountState }>();
  const neighbours = createNeighbourhood(ACCOUNTS, watched);
  const changes = [
    ['branch', joinable(8, 2)],
    ['depot', joinable(9, 1)],
    ['branch', stateOf(8)],
    ['head-office', joinable(4, 3)],
    ['depot', joinable(9, 6)],
    ['depot', stateOf(0)],
    ['head-office', stateOf(2)],
    ['branch', joinable(8, 5)],
  ] as const;
  for (const [name, state] of changes) {
    watched.set(name, { state });
    neighbours.stepped(name);
    const afresh = createNeighbourhood(ACCOUNTS, watched);
    for (const of of names) expect(neighbours.of(of)).toEqual(afresh.of(of));
  }
  expect(neighbours.of('head-office')).toMatchObject({ count: 2, phones: 8, lead: { number: 5 } });
});
