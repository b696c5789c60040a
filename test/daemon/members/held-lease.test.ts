/** Who leads, on clocks of the test's own: with a lease that is renewed, cut off, taken by another, or away for all. */
import { manualClock, type ManualClock } from '../../support/manual-clock.ts';
import { describe, expect, test } from 'vitest';
import { holdLease, type HeldLease, type LeaseAccess } from '../../../src/daemon/members/held-lease.ts';
import { toRivals } from '../../../src/daemon/members/request-share.ts';
import type { Slots, TakenLease } from '../../../src/store/postgres/lease.ts';
import { quietLog } from '../../support/running-daemon.ts';
import { DatabaseError } from '../../../src/store/postgres/database-error.ts';

const LEASE_MS = 6_000;

/** What the database holds, by its own clock. */
interface Row {
  holder: string | null;
  last: string | null;
  epoch: number;
  expiresAt: number;
  slots: Slots;
}

/** `down`: the server says so itself. */
type Way = 'open' | 'silent' | 'refuses' | 'down';

const CODES = { silent: 'ETIMEDOUT', refuses: 'ECONNREFUSED', down: '57P03' } as const;

interface Held {
  lease: LeaseAccess;
  way: Way;
  take(): Promise<TakenLease | null>;
}

const LOOK_MS = 250;

/** A lease as the database keeps it, for several members, each with a way to it. */
function database(clock: ManualClock) {
  const row: Row = { holder: null, last: null, epoch: 0, expiresAt: -1, slots: {} };
  /** Who has said last that it leads. */
  const leading = new Set<string>();

  function member(name: string): Held {
    const own = { way: 'open' as Way };
    async function through<T>(work: () => T): Promise<T> {
      await Promise.resolve();
      if (own.way === 'open') return work();
      const cause = Object.assign(new Error('x'), { code: CODES[own.way] });
      throw new DatabaseError('ask', 'the database', cause);
    }
    const take = (): Promise<TakenLease | null> =>
      through(() => {
        if (row.expiresAt >= clock.now()) return null;
        const [former, hasLapsed] = [row.last, row.holder !== null];
        const unledMs = former === null ? null : clock.now() - row.expiresAt;
        Object.assign(row, { holder: name, last: name, epoch: row.epoch + 1, expiresAt: clock.now() + LEASE_MS });
        leading.add(name);
        return { epoch: row.epoch, former, unledMs, hasLapsed, slots: hasLapsed ? {} : row.slots };
      });
    const lease: LeaseAccess = {
      renew: (epoch) =>
        through(() => {
          if (row.epoch !== epoch || row.holder !== name) return false;
          row.expiresAt = clock.now() + LEASE_MS;
          return true;
        }),
      giveBack: (epoch, slots) =>
        through(() => {
          leading.delete(name);
          if (row.epoch === epoch) Object.assign(row, { holder: null, expiresAt: clock.now() - 1, slots });
        }),
      rivals: () => toRivals([...leading].flatMap((other) => (other === name ? [] : [0]))),
    };
    return Object.assign(own, { lease, take });
  }

  return { row, member, leading };
}

/** Moves the clock in small steps, so that whoever wakes gets to do what he does. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    clock.advance(Math.min(100, left));
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }
}

function scene(leaseMs = LEASE_MS) {
  const clock = manualClock(Date.UTC(2026, 0, 1));
  const { row, member, leading } = database(clock);
  /** Resolves as soon as it has it. */
  async function leads({ lease, take }: Held): Promise<HeldLease> {
    for (;;) {
      const asked = { at: clock.monotonic(), wall: clock.now() };
      const taken = await take().catch(() => null);
      if (taken !== null) return holdLease({ lease, leaseMs, clock, log: quietLog }, taken, asked);
      await clock.sleep(LOOK_MS, new AbortController().signal);
    }
  }
  return { clock, row, leading, leads, a: member('a'), b: member('b'), c: member('c') };
}

describe('the lease', () => {
  test('is kept by whoever has it, for as long as it renews it', async () => {
    const { clock, leads, a, row } = scene();
    const heldLease = await leads(a);
    await pass(clock, 10 * LEASE_MS);
    expect([heldLease.mayAct(), heldLease.mode, heldLease.share(), row.epoch]).toEqual([true, 'leading', 1, 1]);
    await heldLease.end({});
  });

  test('passes to the other at once after a clean end, with what is taken of the limits of requests', async () => {
    const { clock, leads, a, b } = scene();
    const first = await leads(a);
    const waiting = leads(b);
    await pass(clock, 3_000);
    const endedAt = clock.now();
    await first.end({ 'pages of x': [900, 1_005] });
    expect(first.mayAct() && first.mode === 'leading').toBe(true);
    let tookAt = 0;
    void waiting.then(() => (tookAt = clock.now()));
    await pass(clock, 2_000);
    expect(tookAt - endedAt).toBeLessThanOrEqual(400);
    const second = await waiting;
    expect(second).toMatchObject({ epoch: 2, former: 'a', hasLapsed: false, slots: { 'pages of x': [900, 1_005] } });
    expect(second.share()).toBe(1);
  });

  test('is used for a part of the requests before it ends, when no answer comes; and somebody else may have it', async () => {
    const { clock, leads, a, b } = scene();
    const cutOff = await leads(a);
    const waiting = leads(b);
    a.way = 'silent';
    let stoppedAt = Infinity;
    const took = { at: 0 };
    void waiting.then(() => (took.at = clock.now()));
    for (let step = 0; step < 100 && took.at === 0; step += 1) {
      await pass(clock, 100);
      expect(cutOff.share() === 1 || !cutOff.mayAct()).toBe(true);
      if (cutOff.share() < 1) stoppedAt = Math.min(stoppedAt, clock.now());
    }
    expect(took.at - stoppedAt).toBeGreaterThanOrEqual(1_005);
    expect(cutOff.mode).toBe('paused');
    const other = await waiting;
    expect(cutOff.share() + other.share()).toBeLessThan(1);
  });

  test('is lost at once where another has it: whoever was cut off hears it when he hears again', async () => {
    const { clock, leads, a, b } = scene();
    const cutOff = await leads(a);
    const waiting = leads(b);
    a.way = 'silent';
    await pass(clock, 2 * LEASE_MS);
    await waiting;
    a.way = 'open';
    await pass(clock, 1_000);
    expect([cutOff.over.aborted, cutOff.mayAct()]).toEqual([true, false]);
  });

  test('is not needed while the database is down for all: the last leader goes on, and leads again when it is back', async () => {
    const { clock, leads, a, b, row } = scene();
    const heldLease = await leads(a);
    void leads(b);
    [a.way, b.way] = ['down', 'down'];
    await pass(clock, 5 * LEASE_MS);
    // It may go on so for long: it leaves room for another.
    expect([heldLease.mode, heldLease.mayAct(), heldLease.share()]).toEqual(['from memory', true, 0.3]);
    a.way = 'open';
    await pass(clock, 1_000);
    expect([heldLease.mode, row.epoch, heldLease.share()]).toEqual(['leading', 1, 1]);
  });

  test.each(['silent', 'refuses'] as const)('%s: is watched on with, though nothing is sent', async (way) => {
    const { clock, leads, a } = scene();
    const heldLease = await leads(a);
    a.way = way;
    await pass(clock, LEASE_MS / 2);
    expect([heldLease.mode, heldLease.mayAct(), heldLease.share()]).toEqual(['leading', false, 1]);
    await pass(clock, LEASE_MS / 2);
    expect([heldLease.mode, heldLease.mayAct(), heldLease.share()]).toEqual(['paused', false, 0.3]);
    a.way = 'open';
    await pass(clock, 1_000);
    expect([heldLease.mode, heldLease.mayAct(), heldLease.share()]).toEqual(['leading', true, 1]);
  });

  test('is renewed at once after a failed save, and nothing is sent until then', async () => {
    const { clock, leads, a, row } = scene();
    const heldLease = await leads(a);
    await pass(clock, 500);
    const until = row.expiresAt;
    heldLease.doubt();
    expect(heldLease.mayAct()).toBe(false);
    await pass(clock, 100);
    expect(heldLease.mayAct()).toBe(true);
    expect(row.expiresAt).toBeGreaterThan(until);
    // A save that fails while the database is down for all delays nothing.
    a.way = 'down';
    heldLease.doubt();
    await pass(clock, 100);
    expect([heldLease.mode, heldLease.mayAct()]).toEqual(['from memory', true]);
    heldLease.doubt();
    expect(heldLease.mayAct()).toBe(true);
  });

  test('is gone on with by whoever paused, where the database is found down before another could have it', async () => {
    const { clock, leads, a, b } = scene();
    const heldLease = await leads(a);
    void leads(b);
    // As a machine is that takes its time to go down.
    a.way = 'silent';
    b.way = 'silent';
    for (let step = 0; step < 100 && heldLease.mode === 'leading'; step += 1) await pass(clock, 100);
    [a.way, b.way] = ['down', 'down'];
    await pass(clock, 700);
    expect([heldLease.mode, heldLease.mayAct(), heldLease.share()]).toEqual(['from memory', true, 0.3]);
  });

  test('is not gone on with by whoever paused, where the database is found down too late', async () => {
    const { clock, leads, a, b } = scene();
    const heldLease = await leads(a);
    const waiting = leads(b);
    a.way = 'silent';
    const other = await Promise.race([waiting, pass(clock, 3 * LEASE_MS).then(() => waiting)]);
    a.way = 'down';
    await pass(clock, LEASE_MS);
    expect([heldLease.mode, other.mode]).toEqual(['paused', 'leading']);
  });

  test('cut off for long, the last leader goes on with his part of the requests, and both parts are one', async () => {
    const { clock, leads, a, b, leading } = scene();
    const cutOff = await leads(a);
    const waiting = leads(b);
    a.way = 'silent';
    await pass(clock, 6 * LEASE_MS);
    const other = await waiting;
    expect(cutOff.mode).toBe('from memory');
    expect([cutOff.share(), other.share()]).toEqual([0.3, 0.6]);
    leading.delete('a');
    const standsBySince = clock.now();
    // Renewals are 2 s apart; the last requests of the other may be of just before.
    for (let step = 0; step < 100 && other.share() < 1; step += 1) await pass(clock, 100);
    expect(clock.now() - standsBySince).toBeGreaterThanOrEqual(1_005);
    expect(clock.now() - standsBySince).toBeLessThanOrEqual(3_200);
  });

  test.each([
    [6_000, 30_000],
    [60_000, 90_000],
  ])('of %i ms is paused until %i ms after its last renewal, and no longer', async (leaseMs, untilMs) => {
    const { clock, leads, a } = scene(leaseMs);
    const heldLease = await leads(a);
    a.way = 'silent';
    await pass(clock, untilMs - 500);
    expect(heldLease.mode).toBe('paused');
    await pass(clock, leaseMs / 12 + 600);
    expect([heldLease.mode, heldLease.mayAct()]).toEqual(['from memory', true]);
  });

  test('is shared by all who may believe that they have it, however many were cut off one after the other', async () => {
    const { clock, leads, a, b, c } = scene();
    const first = await leads(a);
    const following = leads(b);
    a.way = 'silent';
    await pass(clock, 7 * LEASE_MS);
    const second = await following;
    const last = leads(c);
    b.way = 'down';
    await pass(clock, 7 * LEASE_MS);
    const all = [first, second, await last];
    expect(all.map(({ mode }) => mode)).toEqual(['from memory', 'from memory', 'leading']);
    // However many are gone, the one that leads has its part once.
    expect(all.map((heldLease) => heldLease.share())).toEqual([0.3, 0.3 * 0.25, 0.6]);
    // The next to lead by a clean end leaves them their parts as well.
    const again = leads(b);
    b.way = 'open';
    await all[2]?.end({});
    await pass(clock, 2 * LEASE_MS);
    expect(first.share() + (await again).share()).toBeLessThanOrEqual(1);
  });

  test('holds whoever wants to act until it may', async () => {
    const { clock, leads, a } = scene();
    const heldLease = await leads(a);
    a.way = 'silent';
    await pass(clock, LEASE_MS);
    let went = false;
    void heldLease.untilItMayAct(new AbortController().signal).then(() => (went = true));
    await pass(clock, 200);
    expect(went).toBe(false);
    a.way = 'open';
    await pass(clock, 1_000);
    expect(went).toBe(true);
  });

  test('is over for a machine that slept, though its clock of intervals stood still', async () => {
    const { clock, leads, a } = scene();
    const heldLease = await leads(a);
    clock.jump(LEASE_MS);
    expect(heldLease.mayAct()).toBe(false);
    await pass(clock, LEASE_MS);
    expect(heldLease.mayAct()).toBe(true);
  });
});
