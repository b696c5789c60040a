/** An alert of several accounts as one of its readers may see it. */
import { expect, test } from 'vitest';
import { createSeenAlert, type AlertReading } from '../../../src/core/alert/shared-alert.ts';
import type { Severity } from '../../../src/core/transition/kind.ts';

interface Paper {
  number?: number;
  group?: string;
  absorbedBy?: string;
  explainedBy?: string | null;
  since?: number;
  openedAt?: number;
  reopenedAt?: number;
  resolvedAt?: number | null;
  readers?: readonly string[];
  down?: number;
  most?: number;
  id?: string;
  status?: 'open' | 'resolved';
  suspected?: boolean;
  residual?: boolean;
  withoutResolve?: true;
  cause?: string;
  severity?: Severity;
  again?: { count: number; since: number };
}

function part({ readers = ['firm'], down = 3, most = down, since, again, ...given }: Paper = {}) {
  const told = readers.map((receiver) => ({ receiver, at: 0, reminders: 0 }));
  const known = { id: 'outage', number: 1, status: 'open', openedAt: 0, resolvedAt: null, group: 'loss 1' } as const;
  const phones = {
    total: 10,
    down,
    most,
    ...(since !== undefined && { since }),
    ...(again !== undefined && { again }),
  };
  return { ...known, explainedBy: null, severity: 'warning' as Severity, told, phones, ...given };
}

function sharedAlert(by: AlertReading, all: Parameters<typeof createSeenAlert>[1]) {
  return createSeenAlert(by, all, new Map()).shared;
}

function reading(given: Partial<AlertReading> = {}): AlertReading {
  return { alert: 'outage', receiver: 'firm', sources: new Set(), ...given };
}

function of(parts: Record<string, ReturnType<typeof part>[]>) {
  return Object.entries(parts).map(([name, alerts]) => ({ name, alerts }));
}

test('a reader sees the accounts that he was told of, and those of the message', () => {
  const all = of({
    acme: [part()],
    blue: [part({ readers: ['blue'] })],
    cyan: [part({ readers: [] })],
    dune: [part()],
  });
  const names = (given: Partial<AlertReading>) =>
    sharedAlert(reading(given), all)?.accounts.map(({ source }) => source) ?? null;
  expect(names({})).toEqual(['acme', 'dune']);
  expect(names({ sources: new Set(['cyan']) })).toEqual(['acme', 'cyan', 'dune']);
  expect(names({ receiver: 'blue' })).toBeNull();
});

test('offline phones of one account are counted, those of several in their sums', () => {
  const all = of({ acme: [part({ down: 2 }), part({ down: 3 }), part({ id: 'another', down: 5 })], blue: [part()] });
  const { single, shared } = createSeenAlert(reading(), all.slice(0, 1), new Map());
  expect([single?.accounts, shared]).toEqual([[{ source: 'acme', total: 10, down: 5, most: 5 }], null]);
  expect(createSeenAlert(reading(), all, new Map())).not.toHaveProperty('single');
  expect(createSeenAlert(reading({ receiver: 'blue' }), all, new Map())).not.toHaveProperty('single');
});

test('phones are offline since the first loss of an account that is still hit, and of any once all are back', () => {
  const lostSince = (down: number) =>
    createSeenAlert(reading(), of({ acme: [part({ down: 0, since: 5 })], blue: [part({ down, since: 9 })] }), new Map())
      .lostSince;
  expect([lostSince(3), lostSince(0)]).toEqual([9, 5]);
});

test('parts of one account are added up, but never to more than it has', () => {
  const all = of({
    acme: [part({ down: 2, most: 4 }), part({ down: 3, most: 9 }), part({ id: 'another', down: 5 })],
    blue: [part({ down: 0, most: 3, status: 'resolved' })],
  });
  expect(sharedAlert(reading(), all)?.accounts).toEqual([
    { source: 'acme', total: 10, down: 5, most: 10 },
    { source: 'blue', total: 10, down: 0, most: 3 },
  ]);
});

test('it is as certain as its parts that are open', () => {
  const phase = (...parts: Paper[]) =>
    sharedAlert(reading(), of({ acme: parts.map(part), blue: [part({ down: 1 })] }))?.phase;
  expect(phase({})).toBe('open');
  expect(phase({ suspected: true })).toBe('suspected');
  expect(phase({ suspected: true, residual: true })).toBe('residual');
  expect(phase({ suspected: true, residual: true, status: 'resolved' })).toBe('open');
});

test('it began with the first phone that the reader knows to be lost', () => {
  const all = of({
    acme: [part({ since: 500 }), part({ since: 400 })],
    blue: [part({ since: 100, readers: ['blue'] })],
  });
  expect(createSeenAlert(reading(), all, new Map()).lostSince).toBe(400);
  expect(createSeenAlert(reading({ receiver: 'blue' }), all, new Map()).lostSince).toBe(100);
  expect(createSeenAlert(reading({ receiver: 'nobody' }), all, new Map()).lostSince).toBeNull();
});

test('an alert that became part of it is named to those who were told of that, in this life of both', () => {
  const merged = (given: Paper, by: Partial<AlertReading> = {}) =>
    createSeenAlert(
      reading(by),
      of({ acme: [part({ openedAt: 50 }), part({ id: 'early', number: 4, ...given })] }),
      new Map(),
    ).merged;
  expect(merged({ absorbedBy: 'loss 1' })).toEqual([4]);
  expect(merged({ absorbedBy: 'loss 1', group: 'loss 2', resolvedAt: 90, status: 'resolved' })).toEqual([4]);
  expect(merged({ absorbedBy: 'loss 1', resolvedAt: 10, status: 'resolved' })).toEqual([]);
  expect(merged({ absorbedBy: 'loss 1', readers: ['other'] })).toEqual([]);
  expect(merged({ group: 'loss 2' })).toEqual([]);
});

test('the notice is that which explains most of what is open, else its own', () => {
  const published = { by: { source: 'provider' }, called: 'Example Telecom', isPlanned: false };
  const notices = new Map([
    ['outage', { state: 'resolved', ...published }],
    ['later', { state: 'identified', ...published }],
  ]);
  const stateOf = (...parts: Paper[]) =>
    createSeenAlert(reading(), of({ acme: parts.map(part), blue: [part()] }), notices).shared?.notice?.state;
  expect(stateOf({})).toBe('resolved');
  expect(stateOf({ explainedBy: 'later' })).toBe('identified');
  expect(stateOf({ explainedBy: 'later', status: 'resolved' })).toBe('resolved');
});

test('an alert that the losses of several accounts were told in before is named once', () => {
  const merged = (number: number) => part({ id: `own ${number}`, number, group: 'loss 0', absorbedBy: 'loss 1' });
  const all = of({ acme: [part(), merged(1)], blue: [part(), merged(1)], cyan: [part(), merged(3)] });
  expect(createSeenAlert(reading(), all, new Map()).merged).toEqual([1, 3]);
});

test('what became part of a merged alert is named too, once nothing of that goes on by itself', () => {
  const merged = { id: 'merged', number: 2 } as const;
  const early = part({ id: 'early', number: 3, group: 'loss 3', absorbedBy: 'loss 2' });
  const acme = [part(), part({ ...merged, absorbedBy: 'loss 1' })];
  const numbers = (status: 'open' | 'resolved') =>
    createSeenAlert(
      reading(),
      of({ acme, blue: [part({ ...merged, group: 'loss 2', status, resolvedAt: null }), early] }),
      new Map(),
    ).merged;
  expect(numbers('resolved')).toEqual([2, 3]);
  expect(numbers('open')).toEqual([2]);
});

test('the notice that explained it is named at the end and for what is left, unless its page has not said that it is over', () => {
  const published = { by: { source: 'provider' }, called: 'Example Telecom', isPlanned: false };
  const notices = new Map([['later', { state: 'resolved', ...published }]]);
  const stateOf = (given: Paper) =>
    createSeenAlert(reading(), of({ acme: [part(given)], blue: [part(given)] }), notices).shared?.notice?.state ?? null;
  expect(stateOf({ status: 'resolved', explainedBy: 'later' })).toBe('resolved');
  expect(stateOf({ status: 'resolved', residual: true, cause: 'later' })).toBe('resolved');
  expect(stateOf({ residual: true, cause: 'later' })).toBe('resolved');
  expect(stateOf({ residual: true, cause: 'later', withoutResolve: true })).toBeNull();
  // It began anew, and nothing explains it yet.
  expect(stateOf({ residual: false, cause: 'later' })).toBeNull();
  expect(stateOf({ status: 'resolved', cause: 'later' })).toBeNull();
});

test('it is lost as often as the accounts whose phones are offline now', () => {
  const again = (...parts: Paper[]) =>
    sharedAlert(reading(), of({ acme: parts.map(part), blue: [part({ again: { count: 3, since: 5 } })] }))?.again;
  expect(again({ down: 0, most: 3 })).toEqual({ count: 3, since: 5 });
  expect(again({ down: 0, most: 3, again: { count: 2, since: 4 } })).toEqual({ count: 3, since: 5 });
  expect(again({ again: { count: 2, since: 4 } })).toEqual({ count: 2, since: 4 });
  expect(again({ down: 1 })).toBeUndefined();
});

test('once all phones are back, it was lost as often as each account at least', () => {
  const again = (count: number | null) =>
    sharedAlert(
      reading(),
      of({
        acme: [part({ down: 0, most: 3, ...(count !== null && { again: { count, since: 4 } }) })],
        blue: [part({ down: 0, most: 3, again: { count: 3, since: 5 } })],
      }),
    )?.again;
  expect(again(2)).toEqual({ count: 2, since: 4 });
  expect(again(null)).toBeUndefined();
});

test('it is open again once all that the reader knows of it had ended', () => {
  const reopened = (...parts: Paper[]) =>
    createSeenAlert(reading(), of(Object.fromEntries(parts.map((one, index) => [`a${index}`, [part(one)]]))), new Map())
      .reopenedAt;
  const ended = (resolvedAt: number): Paper => ({ status: 'resolved', resolvedAt });
  expect(reopened({})).toBeUndefined();
  expect(reopened({ reopenedAt: 80 })).toBe(80);
  expect(reopened({ reopenedAt: 80 }, { reopenedAt: 90 }, ended(70))).toBe(80);
  expect(reopened({ reopenedAt: 80 }, {})).toBeUndefined();
  expect(reopened({ reopenedAt: 80 }, ended(85))).toBeUndefined();
  // Another reader's part that goes on does not count.
  expect(reopened({ reopenedAt: 80 }, { readers: ['blue'] })).toBe(80);
  expect(reopened(ended(70))).toBeUndefined();
});

test('its severity is the worst of the losses that the receiver was notified of, also after their end', () => {
  const over = part({ severity: 'critical', status: 'resolved', resolvedAt: 1 });
  const all = of({ acme: [part()], blue: [part({ severity: 'critical', readers: ['blue'] })] });
  expect(createSeenAlert(reading(), all, new Map()).severity).toBe('warning');
  expect(createSeenAlert(reading({ receiver: 'blue' }), all, new Map()).severity).toBe('critical');
  expect(createSeenAlert(reading(), of({ acme: [part(), over] }), new Map()).severity).toBe('critical');
  expect(createSeenAlert(reading({ receiver: 'nobody' }), all, new Map()).severity).toBeUndefined();
});

test('phones that it explains in another alert of the receiver are counted by alert', () => {
  const mine = { id: 'loss', number: 1, explainedBy: 'outage' };
  const elsewhere = (...parts: Paper[]) =>
    createSeenAlert(reading(), of(Object.fromEntries(parts.map((one, index) => [`a${index}`, [part(one)]]))), new Map())
      .elsewhere;
  expect(elsewhere(mine, { ...mine, down: 4 })).toEqual([{ alert: 'loss', number: 1, phones: 7 }]);
  // The notice has ended, and its phones are still offline.
  expect(elsewhere({ ...mine, explainedBy: null, cause: 'outage', residual: true })).toHaveLength(1);
  const others: Paper[] = [
    { id: 'outage' },
    { ...mine, explainedBy: 'other' },
    { ...mine, status: 'resolved' },
    { ...mine, down: 0 },
    { ...mine, readers: ['blue'] },
  ];
  for (const other of others) expect(elsewhere(other)).toBeUndefined();
});

test('an account that cannot be read is marked, and no other', () => {
  const all = [
    { name: 'acme', alerts: [part()], unread: true },
    { name: 'blue', alerts: [part()], unread: false },
  ];
  const { accounts = [] } = createSeenAlert(reading(), all, new Map()).shared ?? {};
  expect(accounts.map(({ source, unread }) => [source, unread])).toEqual([
    ['acme', true],
    ['blue', undefined],
  ]);
});
