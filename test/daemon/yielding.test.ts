/** Many accounts are taken up, and first read, in pieces: a lease is renewed meanwhile. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createYielding } from '../../src/daemon/common/yielding.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { accountsOf } from '../support/paper-accounts.ts';
import { MINUTE, paperReceiver, START, startPaperDaemon, virtualClock } from '../support/paper-daemon.ts';

const ACCOUNTS = 60;

/**
 * Turns of the event loop while a daemon takes up its accounts, and turns in which it reads one for the first time, on a
 * clock that goes on so far at each look at it.
 */
async function turnsOfStart(stepMs: number): Promise<{ taking: number; reading: number }> {
  const virtual = virtualClock(START);
  let passedMs = 0;
  const clock = { ...virtual, monotonic: () => virtual.monotonic() + (passedMs += stepMs) };
  const [account] = accountsOf(() => new Set(), MINUTE);
  if (account === undefined) throw new Error('there is no account');
  const over = new AbortController();
  let turns = 0;
  async function count(): Promise<void> {
    while (!over.signal.aborted) {
      await turn();
      turns += 1;
    }
  }
  const counted = count();
  const readIn = new Map<string, number>();
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => {
    const name = `account-${index}`;
    const registrations: typeof account.reader.registrations = async (signal) => {
      if (!readIn.has(name)) readIn.set(name, turns);
      return await account.reader.registrations(signal);
    };
    return { ...account, name, reader: { ...account.reader, registrations } };
  });
  const running = await startPaperDaemon({
    source: createStatusWorld({ clock, name: 'Provider', components: [{ id: 1, name: 'Trunks' }] }),
    receivers: [paperReceiver('firm', 'people')],
    clock,
    options: { accounts },
  });
  const taking = turns;
  while (readIn.size < ACCOUNTS) await turn();
  over.abort();
  await counted;
  expect(running.daemon.accounts).toHaveLength(ACCOUNTS);
  await running.stop();
  return { taking, reading: new Set(readIn.values()).size };
}

test('a daemon that starts many accounts for long lets others run in between, and does not where it takes no time', async () => {
  const [quick, long] = [await turnsOfStart(0), await turnsOfStart(10)];
  expect(quick.taking).toBeLessThan(ACCOUNTS / 6);
  expect(long.taking).toBeGreaterThanOrEqual(quick.taking + ACCOUNTS / 6);
  expect(quick.reading).toBe(1);
  expect(long.reading).toBeGreaterThanOrEqual(ACCOUNTS / 6);
});

test('long work waits for a turn of the event loop only after a long piece', async () => {
  let now = 0;
  const yieldWhenLong = createYielding({ monotonic: () => now });
  let isReached = false;
  setImmediate(() => (isReached = true));
  now = 24;
  await yieldWhenLong();
  expect(isReached).toBe(false);
  now = 25;
  await yieldWhenLong();
  expect(isReached).toBe(true);
});
