/** The time of the demonstration's night, on a machine whose clock the test moves. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createNightClock, createTimers, chooseNightZone, type NightClock } from '../../src/cli/demo/demo-clock.ts';
import { manualClock, type ManualClock } from '../support/manual-clock.ts';

const START = Date.parse('2026-03-02T02:00:00.000Z');
const alive = new AbortController().signal;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

interface Night {
  night: NightClock;
  machine: ManualClock;
  /** Lets so much time of the machine pass, a millisecond at a time. */
  pass(ms: number): Promise<void>;
}

function run(isBusy = (): boolean => false): Night {
  const machine = manualClock(0);
  const night = createNightClock({ start: START, machine, isBusy });
  const stop = new AbortController();
  const running = night.run(stop.signal);
  stops.push(async () => {
    stop.abort();
    await running;
  });
  return {
    night,
    machine,
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += 1) {
        for (let turns = 0; turns < 4; turns += 1) await turn();
        machine.advance(1);
      }
      for (let turns = 0; turns < 4; turns += 1) await turn();
    },
  };
}

describe('the clock of the night', () => {
  test('passes so many times as fast as that of the machine, whole milliseconds at a time', async () => {
    const { night, pass } = run();
    night.setPace(45);
    const woken: number[] = [];
    void night.sleep(30_000, alive).then(() => woken.push(night.now()));
    await pass(600);
    expect(woken).toEqual([]);
    await pass(100);
    expect(woken).toEqual([START + 30_000]);
    expect(Number.isInteger(night.now())).toBe(true);
    expect(night.now() - START).toBe(night.monotonic());
  });

  test('wakes everybody at the time they have asked for', async () => {
    const { night, pass } = run();
    night.setPace(1_000);
    const woken: number[] = [];
    for (const ms of [700, 20, 1_500]) void night.sleep(ms, alive).then(() => woken.push(night.now() - START));
    await pass(20);
    expect(woken).toEqual([20, 700, 1_500]);
  });

  test('stands still before it is given a pace, and where that is taken from it', async () => {
    const { night, pass } = run();
    await pass(100);
    expect(night.now()).toBe(START);
    night.setPace(10);
    await pass(1_000);
    night.setPace(0);
    await pass(1);
    const stood = night.now();
    expect(stood).toBeGreaterThan(START + 1_000);
    await pass(1_000);
    expect(night.now()).toBe(stood);
  });

  test('stands still while somebody is at work, but not for ever', async () => {
    let busy = true;
    const { night, pass } = run(() => busy);
    night.setPace(10);
    await pass(500);
    expect(night.now()).toBe(START);
    busy = false;
    await pass(600);
    expect(night.now()).toBeGreaterThan(START);
    const stood = night.now();
    busy = true;
    await pass(20_000);
    expect(night.now()).toBeGreaterThan(stood);
  });

  test('has timers for the simulator, which can be cancelled', async () => {
    const { night, pass } = run();
    night.setPace(1_000);
    const { after } = createTimers(night);
    const called: string[] = [];
    after(300, () => called.push('kept'));
    const cancel = after(200, () => called.push('cancelled'));
    cancel();
    await pass(10);
    expect(called).toEqual(['kept']);
    cancel();
  });
});

test.each(Array.from({ length: 24 }, (_, hour) => [hour]))('a night that begins at %i:30 UTC has its zone', (hour) => {
  const start = Date.UTC(2026, 2, 1, hour, 30);
  const { hour: there, minute } = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(
    chooseNightZone(start),
  );
  expect([there, minute]).toEqual([2, 30]);
});
