/** Memory of many accounts that watch calls: only one of them loads, or reads a long window, at a time. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CallSettings } from '../../src/core/calls/call-settings.ts';
import { createAccountState } from '../../src/core/engine/account-kind.ts';
import { CallLedger } from '../../src/daemon/calls/call-ledger.ts';
import { createCallReader } from '../../src/daemon/calls/call-reader.ts';
import { CallsLoop } from '../../src/daemon/calls/calls-loop.ts';
import { createLongWork, type LongWork } from '../../src/daemon/calls/long-work.ts';
import { createMemoryDocuments } from '../../src/daemon/common/call-documents.ts';
import { createVirtualClock } from '../../src/daemon/common/clock.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2026-03-24T01:00:00.000Z');
const ANSWER_MS = 20 * SECOND;
const SETTINGS: CallSettings = {
  missed: true,
  routes: false,
  keepMs: 35 * DAY,
  country: '61',
  billingTimezone: null,
  unreachableCauses: [],
  spend: null,
  skillsets: [],
  timezone: 'UTC',
};

/** Days that a request spans; 0 for one without a window. */
function daysOf({ start_time: from, end_time: to }: Readonly<Record<string, unknown>>): number {
  return typeof from === 'number' && typeof to === 'number' ? (to - from) / 86_400 : 0;
}

/** Lets accounts with slow answers run for an hour; the most requests at once, with a window of a day and shorter. */
async function watchTogether(longWorks: readonly LongWork[]) {
  const clock = createVirtualClock(START);
  const stop = new AbortController();
  const [going, most] = [
    { long: 0, short: 0 },
    { long: 0, short: 0 },
  ];
  const firsts: number[] = [];
  const loops = longWorks.map(
    (longWork, index) =>
      new CallsLoop({
        account: `account${index}`,
        settings: SETTINGS,
        reader: createCallReader({
          async readOnce(_operation, input) {
            firsts[index] ??= clock.now() - START;
            const size = daysOf(input) >= 0.9 ? 'long' : 'short';
            going[size] += 1;
            most[size] = Math.max(most[size], going[size]);
            await clock.sleep(ANSWER_MS, stop.signal);
            going[size] -= 1;
            return { value: [] };
          },
          waitMs: () => 0,
        }),
        ledger: new CallLedger({
          account: `account${index}`,
          documents: createMemoryDocuments(),
          keepMs: SETTINGS.keepMs,
          timezone: 'UTC',
          billingTimezone: null,
        }),
        clock,
        unsaved: { refused: () => undefined, savedAgain: () => undefined },
        log: { debug: () => undefined, warn: () => undefined },
        state: () => createAccountState('https://pbx.example.test'),
        pace: { everyMs: MINUTE, offlineAfterMs: 5 * MINUTE },
        longWork,
        delayMs: index * SECOND,
        observe: () => Promise.resolve(),
      }),
  );
  const running = loops.map((loop) => loop.run(stop.signal));
  while (clock.now() - START < 60 * MINUTE) {
    await turn();
    clock.advance(clock.next() ?? MINUTE);
  }
  stop.abort();
  await Promise.all(running);
  const reaches = loops.map(({ ledger }) => (START - Math.min(...Object.values(ledger.main.readSince))) / DAY);
  return { most, firsts, reaches };
}

test('one account reads a day of the past at a time, while others read what is new, and all get their turn', async () => {
  const longWork = createLongWork();
  const { most, reaches } = await watchTogether([longWork, longWork, longWork]);
  expect(most).toEqual({ long: 1, short: 3 });
  for (const reach of reaches) expect(reach).toBeGreaterThan(5);
  const apart = await watchTogether([createLongWork(), createLongWork(), createLongWork()]);
  expect(apart.most.long).toBe(3);
});

test('accounts that start together read one after the other', async () => {
  const { firsts } = await watchTogether([createLongWork(), createLongWork(), createLongWork()]);
  expect(firsts).toEqual([0, SECOND, 2 * SECOND]);
});

test('long work runs in order, and goes on after a failure', async () => {
  const { run, isFree } = createLongWork();
  const steps: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    steps.push(`${name} begins`);
    await turn();
    steps.push(`${name} ends`);
    if (name === 'b') throw new Error('no');
    return name;
  };
  const done = Promise.allSettled([run(work('a')), run(work('b')), run(work('c'))]);
  expect(isFree()).toBe(false);
  expect((await done).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(isFree()).toBe(true);
});
