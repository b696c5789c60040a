/** An alert of several accounts as one of its readers may see it. */
import { expect, test } from 'vitest';
import { sharedAlert, type Reading } from '../../../src/core/alert/shared-alert.ts';

interface Paper {
  readers?: readonly string[];
  down?: number;
  most?: number;
  id?: string;
  status?: 'open' | 'resolved';
  suspected?: boolean;
  residual?: boolean;
}

function part({ readers = ['firm'], down = 3, most = down, id = 'outage', status = 'open', ...rest }: Paper = {}) {
  const told = readers.map((receiver) => ({ receiver, at: 0, reminders: 0 }));
  return { id, status, told, phones: { total: 10, down, most }, ...rest };
}

function reading(given: Partial<Reading> = {}): Reading {
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
  const names = (given: Partial<Reading>) =>
    sharedAlert(reading(given), all, null)?.accounts.map(({ source }) => source) ?? null;
  expect(names({})).toEqual(['acme', 'dune']);
  expect(names({ sources: new Set(['cyan']) })).toEqual(['acme', 'cyan', 'dune']);
  expect(names({ receiver: 'blue' })).toBeNull();
});

test('parts of one account are added up, but never to more than it has', () => {
  const all = of({
    acme: [part({ down: 2, most: 4 }), part({ down: 3, most: 9 }), part({ id: 'another', down: 5 })],
    blue: [part({ down: 0, most: 3, status: 'resolved' })],
  });
  expect(sharedAlert(reading(), all, null)?.accounts).toEqual([
    { source: 'acme', total: 10, down: 5, most: 10 },
    { source: 'blue', total: 10, down: 0, most: 3 },
  ]);
});

test('it is as certain as its parts that are open', () => {
  const phase = (...parts: Paper[]) =>
    sharedAlert(reading(), of({ acme: parts.map(part), blue: [part({ down: 1 })] }), null)?.phase;
  expect(phase({})).toBe('open');
  expect(phase({ suspected: true })).toBe('suspected');
  expect(phase({ suspected: true, residual: true })).toBe('residual');
  expect(phase({ suspected: true, residual: true, status: 'resolved' })).toBe('open');
});
