/** Callers of an outage where the provider's clock and ours are apart: its reports have the provider's times. */
import { expect, test } from 'vitest';
import { findMissedCallers } from '../../src/core/calls/missed-callers.ts';
import { CLOCKS, updateDifference } from '../../src/core/calls/clock-difference.ts';
import { createMemoryDocuments } from '../../src/daemon/common/call-documents.ts';
import { CallLedger } from '../../src/daemon/calls/call-ledger.ts';
import { createCallReader } from '../../src/daemon/calls/call-reader.ts';
import { createWatchClient } from '../../src/provider/account-requests.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { manualTime } from '../simulator/support/manual-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-24T01:00:00.000Z');
const SIGNAL = new AbortController().signal;
const DID = '1300555019';

/** Minutes of our clock at which callers gave up; the outage lasts from 30 to 60. */
const CALLERS = {
  '0412345201': 20,
  '0412345202': 29,
  '0412345203': 32,
  '0412345204': 45,
  '0412345205': 58,
  '0412345206': 62,
  '0412345207': 70,
} as const;
const MISSED_IN_OUTAGE = ['0412345203', '0412345204', '0412345205'];

/** Callers of the outage, and the minutes of our clock at which they called, as read an hour and a half after START. */
async function readCallers(aheadMs: number) {
  const theirs = manualTime(START + aheadMs);
  const provider = await startProvider({ ...theirs, accounts: [{ extensions: 2, seed: 3 }] });
  try {
    const { world } = provider.simulator.accounts.account();
    const seconds = (minute: number): number => (START + aheadMs + minute * MINUTE) / 1000;
    for (const [from, minute] of Object.entries(CALLERS)) {
      const call = { direction: 'incoming', did: DID, rings: ['1001'], from, waitSeconds: 30 } as const;
      world.placeCall({ ...call, endedAt: seconds(minute), voicemail: from === '0412345204' });
    }
    const talk = { talkSeconds: 60, to: '0412345203', endedAt: seconds(66) };
    const outgoing = { direction: 'outgoing', extension: '1001', callerId: '61390004100' } as const;
    world.placeCall({ ...outgoing, ...talk });
    theirs.pass(90 * MINUTE);
    const now = START + 90 * MINUTE;
    const limiter = createLimiter({ requestsPerSecond: 1000 });
    const address = { baseUrl: provider.accountUrl, apiKey: provider.token };
    const client = createWatchClient({ ...address, limiter, wallClock: () => now });
    const reader = createCallReader(client);
    const options = { account: 'acme', keepMs: 35 * DAY, timezone: 'UTC', billingTimezone: null };
    const ledger = new CallLedger({ ...options, documents: createMemoryDocuments() });
    for (const kind of ['missed', 'outgoing'] as const) {
      const read = await reader.calls(kind, { from: START, to: now }, SIGNAL);
      if (read.kind === 'missed') throw new Error(read.why);
      await ledger.takeCalls(read.rows);
    }
    const mails = await reader.mails(SIGNAL);
    if (mails.kind === 'missed') throw new Error(mails.why);
    client.close();
    const span = { from: (START + 30 * MINUTE) / 1000, to: (START + HOUR) / 1000 };
    const found = findMissedCallers({ calls: ledger.calls(), mails: mails.rows }, span);
    return { reader, found, numbers: found.callers.map(({ number }) => number) };
  } finally {
    await provider.close();
  }
}

function toMinute(seconds: number | null): number | null {
  return seconds === null ? null : (seconds * 1000 - START) / MINUTE;
}

test.each([
  ['ten minutes ahead', 10 * MINUTE],
  ['ten minutes behind', -10 * MINUTE],
  ['the same', 0],
  ['20 seconds ahead', 20_000],
])('the clock of the provider is %s: callers of the outage are those of our clock', async (_, aheadMs) => {
  const { found, numbers, reader } = await readCallers(aheadMs);
  expect(numbers).toEqual(MISSED_IN_OUTAGE);
  expect(found).toMatchObject({ calledBack: 1, messages: 1, waiting: 2 });
  const left = aheadMs - reader.aheadMs();
  expect(Math.abs(left)).toBeLessThan(CLOCKS.smallest);
  const [first] = found.callers;
  const began = toMinute(first?.times[0] ?? null) ?? 0;
  expect(Math.abs(began - 31.5)).toBeLessThan(1);
});

test('a difference is applied from a minute on, and only changed by half a minute or more', () => {
  expect(updateDifference(0, 10 * MINUTE + 400)).toBe(10 * MINUTE);
  expect(updateDifference(10 * MINUTE, 10 * MINUTE + 29_000)).toBe(10 * MINUTE);
  expect(updateDifference(10 * MINUTE, 11 * MINUTE)).toBe(11 * MINUTE);
  expect(updateDifference(10 * MINUTE, 59_000)).toBe(0);
  expect(updateDifference(0, -59_000)).toBe(0);
});

test('an answer without a date, or with one hours away, changes no difference', () => {
  expect(updateDifference(10 * MINUTE, undefined)).toBe(10 * MINUTE);
  expect(updateDifference(0, -20 * 365 * DAY)).toBe(0);
  expect(updateDifference(10 * MINUTE, 3 * HOUR)).toBe(10 * MINUTE);
});
