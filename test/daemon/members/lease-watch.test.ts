/** When a lease is free, as one member sees it by its own clock, whatever clock the database has. */
import { expect, test } from 'vitest';
import { createLeaseWatch } from '../../../src/daemon/members/lease-watch.ts';
import type { SeenLease } from '../../../src/store/postgres/shard-leases.ts';

const LEASE_MS = 6_000;
const lease = (sign: string, holder: string | null = 'one/1'): SeenLease => ({
  name: 'group 1',
  holder,
  epoch: 1,
  sign,
  isAsked: false,
});

function scene() {
  let now = 50_000;
  const watch = createLeaseWatch({ leaseMs: LEASE_MS, clock: { monotonic: () => now } });
  return {
    watch,
    /** A reading so much later; null for one that fails. */
    reads(afterMs: number, seen: SeenLease | null): boolean {
      now += afterMs;
      if (seen === null) watch.recordFailure();
      else watch.observe([seen]);
      return watch.isFree('group 1');
    },
  };
}

test('a lease is free when its sign was the same for a whole lease, and not while it changes', () => {
  const { watch, reads } = scene();
  expect(reads(0, lease('1/1'))).toBe(false);
  expect(reads(4_000, lease('1/2'))).toBe(false);
  expect(reads(4_000, lease('1/2'))).toBe(false);
  expect(reads(1_999, lease('1/2'))).toBe(false);
  expect(watch.hasLapsed()).toBe(false);
  expect(reads(1, lease('1/2'))).toBe(true);
  expect(watch.hasLapsed()).toBe(true);
  expect(watch.claimOf('group 1')).toEqual({ lapsed: '1/2', freeMs: 0 });
  expect(reads(10, lease('1/3'))).toBe(false);
});

test('the moment at which a lease is free is known before it; one that is free or divides the sources has none', () => {
  const { watch, reads } = scene();
  expect(watch.freeInMs()).toBe(Infinity);
  reads(0, lease('1/1'));
  reads(4_000, lease('1/1'));
  expect(watch.freeInMs()).toBe(2_000);
  reads(500, lease('1/2'));
  expect(watch.freeInMs()).toBe(LEASE_MS);
  reads(LEASE_MS, lease('1/2'));
  expect(watch.freeInMs()).toBe(Infinity);
  reads(10, lease('1/3', null));
  expect(watch.freeInMs()).toBe(Infinity);
  reads(10, lease('1/4', 'groups/2/x'));
  expect(watch.freeInMs()).toBe(Infinity);
});

test('one that was given back, or never taken, is free at once', () => {
  const { watch, reads } = scene();
  expect(watch.isFree('group 1')).toBe(true);
  expect(reads(0, lease('1/1'))).toBe(false);
  expect(reads(100, lease('1/2', null))).toBe(true);
  expect(watch.hasLapsed()).toBe(false);
  reads(300, lease('1/2', null));
  expect(watch.claimOf('group 1')).toEqual({ lapsed: null, freeMs: 300 });
});

test('time around a reading that failed does not count: the holder may not have reached the database either', () => {
  const { reads } = scene();
  reads(0, lease('1/1'));
  reads(5_000, null);
  expect(reads(500, lease('1/1'))).toBe(false);
  expect(reads(5_999, lease('1/1'))).toBe(false);
  expect(reads(1, lease('1/1'))).toBe(true);
});

test('time before it counts, so that a slow database does not keep a lease that has ended', () => {
  const { watch, reads } = scene();
  reads(0, lease('1/1'));
  expect(reads(4_000, lease('1/1'))).toBe(false);
  // Without an answer nothing is observed, however long it takes.
  expect(reads(2_500, null)).toBe(false);
  expect(watch.unchangedMs('group 1')).toBe(4_000);
  expect(reads(500, lease('1/1'))).toBe(false);
  expect(reads(1_000, null)).toBe(false);
  expect(reads(500, lease('1/1'))).toBe(false);
  expect(reads(1_999, lease('1/1'))).toBe(false);
  expect(reads(1, lease('1/1'))).toBe(true);
});

test('a lease without any reading begins the observation anew', () => {
  const { reads } = scene();
  reads(0, lease('1/1'));
  reads(4_000, lease('1/1'));
  reads(LEASE_MS, null);
  expect(reads(1, lease('1/1'))).toBe(false);
  expect(reads(LEASE_MS - 1, lease('1/1'))).toBe(false);
  expect(reads(1, lease('1/1'))).toBe(true);
});

test('so does a reading that comes more than a lease after the one before, as after a pause', () => {
  const { reads } = scene();
  reads(0, lease('1/1'));
  expect(reads(LEASE_MS + 1, lease('1/1'))).toBe(false);
  expect(reads(LEASE_MS, lease('1/1'))).toBe(true);
});

test('one that is missing in a database that was made anew is free after a whole lease', () => {
  const { watch, reads } = scene();
  reads(0, lease('7/7', null));
  watch.observe([{ ...lease('7/7', 'two/2'), name: 'group 1' }]);
  reads(500, null);
  watch.observe([]);
  expect([watch.isFree('group 1'), watch.areFree([])]).toEqual([false, false]);
  reads(LEASE_MS - 1, null);
  expect([watch.isFree('group 1'), watch.areFree([])]).toEqual([false, false]);
  reads(1, null);
  expect([watch.isFree('group 1'), watch.areFree([])]).toEqual([true, true]);
});

test('leases are free together where each of them is, whoever holds others; a layout leads nothing', () => {
  const { watch } = scene();
  const held = { ...lease('5/5', 'two/1'), name: 'group 2' };
  watch.observe([lease('1/1', null), held, { ...lease('7/7', 'groups/2/x'), name: 'all' }]);
  expect([watch.areFree(['group 1', 'all']), watch.areFree(['group 1', 'group 2', 'all'])]).toEqual([true, false]);
  watch.observe([lease('1/1', null), { ...lease('7/7', 'one/1'), name: 'all' }]);
  expect(watch.areFree(['group 1', 'all'])).toBe(false);
});

test('it is known for how long the database was reached, and so since when a leader cannot have gone on from memory', () => {
  const { watch, reads } = scene();
  reads(0, lease('1/1'));
  expect(watch.reachedMs()).toBe(Infinity);
  reads(1_000, null);
  reads(2_500, lease('1/1'));
  expect(watch.reachedMs()).toBe(2_500);
});
