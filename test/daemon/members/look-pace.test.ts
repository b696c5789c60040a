/** The time between two looks at the leases, on a clock of the test's own. */
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/daemon/common/clock.ts';
import { computeLookInterval, sleepUntilWoken, type LookTiming } from '../../../src/daemon/members/look-pace.ts';

const NEVER = new AbortController().signal;
const LOOKING: LookTiming = {
  leaseMs: 6_000,
  wakeups: { comeThrough: true },
  turns: { pace: 'calm', freeInMs: Infinity },
  isUnreachable: false,
  watchdogMs: null,
};

describe('a member', () => {
  test('looks seldom while all is calm and the others wake it, and often where they cannot', () => {
    expect(computeLookInterval(LOOKING)).toBe(2_000);
    expect(computeLookInterval({ ...LOOKING, leaseMs: 4_500 })).toBe(1_500);
    expect(computeLookInterval({ ...LOOKING, wakeups: { comeThrough: false } })).toBe(500);
    expect(computeLookInterval({ ...LOOKING, turns: { pace: 'watching', freeInMs: Infinity } })).toBe(500);
    expect(computeLookInterval({ ...LOOKING, turns: { pace: 'waiting', freeInMs: Infinity } })).toBe(250);
  });

  test('looks at the moment at which the lease of a vanished leader is free, and no sooner than due for a later one', () => {
    expect(computeLookInterval({ ...LOOKING, turns: { pace: 'watching', freeInMs: 120 } })).toBe(120);
    expect(computeLookInterval({ ...LOOKING, turns: { pace: 'watching', freeInMs: 2_500 } })).toBe(500);
  });

  test('looks twelve times a lease while the database does not answer, and in time for a watchdog', () => {
    expect(computeLookInterval({ ...LOOKING, isUnreachable: true })).toBe(500);
    expect(computeLookInterval({ ...LOOKING, watchdogMs: 4_000 })).toBe(1_000);
  });

  test('is woken at once, and no more often than ten times a second', async () => {
    const clock = createVirtualClock(0);
    const woken = new AbortController();
    let [isAwake, at] = [false, 0];
    const sleeps = sleepUntilWoken(clock, 2_000, { stop: NEVER, woken: woken.signal }).then(() => {
      [isAwake, at] = [true, clock.monotonic()];
    });
    const begunAt = clock.monotonic();
    clock.advance(1_000);
    woken.abort();
    await sleeps;
    expect([isAwake, at - begunAt]).toEqual([true, 1_000]);

    const again = sleepUntilWoken(clock, 2_000, { stop: NEVER, woken: AbortSignal.abort() });
    let isDone = false;
    void again.then(() => (isDone = true));
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect(isDone).toBe(false);
    clock.advance(100);
    await again;
  });
});
