/** What a member asks while others may ask as well, or have asked just before: no more than what they leave it. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { HeldLease } from '../../../src/daemon/members/held-lease.ts';
import { createLeaderLimiters, withLeaseCheck } from '../../../src/daemon/members/leader-limits.ts';
import { opened } from '../../support/messages.ts';
import { DELIVERED, paperReceiver } from '../../support/paper-daemon.ts';
import type { Slots } from '../../../src/store/postgres/lease.ts';

const PAGE = 'https://status.example.test';

function tenureWith({ slots = {}, ...state }: { slots?: Slots } & Partial<HeldLease> = {}): HeldLease {
  const over = new AbortController();
  return {
    epoch: 1,
    former: null,
    unledMs: null,
    hasLapsed: false,
    slots,
    mode: 'leading',
    mayAct: () => true,
    untilItMayAct: () => Promise.resolve(),
    share: () => 1,
    doubt: () => {},
    over: over.signal,
    lose: () => over.abort(),
    end: () => Promise.resolve(),
    ...state,
  };
}

async function turns(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await turn();
}

test('what waited until the lease was over is asked at the share of after it, though nothing may be sent then', async () => {
  const state = { share: 1 };
  const heldLease = tenureWith({
    mode: 'paused',
    mayAct: () => false,
    untilItMayAct: () => new Promise(() => {}),
    share: () => state.share,
    slots: { [`pages of ${PAGE}`]: [30, 30, 30, 30, 30] },
  });
  const limiter = createLeaderLimiters(heldLease, { monotonic: () => 0 }).page(PAGE, 5);
  let asked = 0;
  const stop = new AbortController();
  const runs = Array.from({ length: 5 }, () =>
    limiter.run(
      () => {
        asked += 1;
        return Promise.resolve();
      },
      { signal: stop.signal },
    ),
  );
  await turns();
  expect(asked).toBe(0);
  state.share = 0.4;
  await expect.poll(() => asked).toBe(2);
  await turns();
  expect(asked).toBe(2);
  stop.abort();
  await Promise.allSettled(runs);
  heldLease.lose();
  await expect(limiter.run(() => Promise.resolve())).rejects.toThrow('another member leads');
});

test('what waits for a small share is asked at once when the share has grown', async () => {
  const state = { share: 0.2 };
  const heldLease = tenureWith({ share: () => state.share });
  const limiter = createLeaderLimiters(heldLease, { monotonic: () => 0 }).page(PAGE, 5);
  const asked: number[] = [];
  const runs = Array.from({ length: 4 }, (_, index) =>
    limiter.run(() => {
      asked.push(index);
      return Promise.resolve(index);
    }),
  );
  await expect.poll(() => asked).toEqual([0]);
  state.share = 1;
  // The next in the queue finds out, and takes the others with it.
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  await turns();
  expect(asked).toEqual([0, 1, 2, 3]);
  await Promise.all(runs);
});

test('a request that fails as the share changes is not repeated', async () => {
  const state = { share: 0.2 };
  const limiter = createLeaderLimiters(tenureWith({ share: () => state.share }), { monotonic: () => 0 }).page(PAGE, 5);
  const answer = Promise.withResolvers<never>();
  let asked = 0;
  const failing = limiter.run(() => {
    asked += 1;
    return answer.promise;
  });
  await expect.poll(() => asked).toBe(1);
  state.share = 1;
  await limiter.run(() => Promise.resolve());
  answer.reject(new Error('no answer'));
  await expect(failing).rejects.toThrow('no answer');
  expect(asked).toBe(1);
});

test('whoever follows begins with the slots that were left taken, each of its own limit', async () => {
  const clock = { monotonic: () => performance.now() };
  const first = createLeaderLimiters(tenureWith(), clock);
  const asked: string[] = [];
  const ask = (what: string) => (): Promise<void> => {
    asked.push(what);
    return Promise.resolve();
  };
  const ended = Promise.withResolvers<void>();
  const endless = (): Promise<void> => {
    asked.push('once more');
    return ended.promise;
  };
  const page = first.page(PAGE, 5);
  await Promise.all([1, 2, 3].map(() => page.run(ask('page'))));
  await first.account('acme', 'https://account.example.test', 10, 20).run(ask('account'));
  const slots = first.slots();
  expect(Object.entries(slots).map(([limits, { length }]) => [limits, length])).toEqual([
    [`pages of ${PAGE}`, 3],
    ['account acme', 1],
    ['accounts of https://account.example.test', 1],
  ]);

  const taken = { [`pages of ${PAGE}`]: [60_000, 60_000, 60_000] };
  const second = createLeaderLimiters(tenureWith({ slots: taken }), clock);
  const stop = new AbortController();
  asked.length = 0;
  const runs = [1, 2, 3, 4].map(() => second.page(PAGE, 5).run(endless, { signal: stop.signal }));
  runs.push(second.page('https://other.example.test', 5).run(endless));
  await expect.poll(() => asked.length).toBe(3);
  await turns();
  expect(asked).toHaveLength(3);
  // And the third begins with those of both.
  expect(second.slots()[`pages of ${PAGE}`]).toHaveLength(5);
  stop.abort();
  ended.resolve();
  await Promise.allSettled(runs);
});

test.each([
  [3, 0],
  [2, 1],
  [0, 3],
])('of a share of three, %i requests of the previous leader leave %i', async (before, left) => {
  const taken = { [`pages of ${PAGE}`]: Array.from({ length: before }, () => 60_000) };
  const limiters = createLeaderLimiters(tenureWith({ slots: taken, share: () => 0.6 }), { monotonic: () => 0 });
  let asked = 0;
  const stop = new AbortController();
  const endless = (): Promise<void> => {
    asked += 1;
    return new Promise(() => {});
  };
  const runs = Array.from({ length: 5 }, () => limiters.page(PAGE, 5).run(endless, { signal: stop.signal }));
  await expect.poll(() => asked).toBe(left);
  await turns();
  expect(asked).toBe(left);
  stop.abort();
  await Promise.race([Promise.allSettled(runs), turns()]);
});

test('only a leader asks a medium whether somebody has acknowledged', async () => {
  const phone = {
    ...paperReceiver('phone', 'people'),
    type: 'paper',
    batch: 1,
    send: () => Promise.resolve(DELIVERED),
    receipts: { everyMs: 5000, read: () => Promise.resolve({ kind: 'acknowledged' as const, by: 'iphone' }) },
  };
  const heldLease = tenureWith();
  const { receipts } = withLeaseCheck(heldLease, phone);
  const { signal } = new AbortController();
  expect(await receipts?.read(opened(), signal)).toEqual({ kind: 'acknowledged', by: 'iphone' });
  heldLease.lose();
  expect(await receipts?.read(opened(), signal)).toEqual({ kind: 'waiting' });
  expect(withLeaseCheck(heldLease, { ...phone, receipts: undefined as never }).receipts).toBeUndefined();
});
