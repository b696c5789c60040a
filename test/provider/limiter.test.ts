import { afterEach, describe, expect, it, vi } from 'vitest';
import { chainLimiters, createLimiter } from '../../src/provider/limiter.ts';
import { createStatusClient } from '../../src/provider/status-client.ts';
import { json, serve } from './local-server.ts';

/** The most arrivals of any window of the given length. */
function densest(times: readonly number[], windowMs: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.max(...sorted.map((start) => sorted.filter((time) => time >= start && time < start + windowMs).length));
}

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    // The event loop stands still, as under a long garbage collection.
  }
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the limiter', () => {
  it('lets no more than five requests arrive in any second, under failures, slow answers and a stalled event loop', async () => {
    await using server = await serve((_, response, index) => {
      if (index % 4 === 1) {
        json(response, { message: 'Too Many Attempts.' }, 429, { 'retry-after': '0' });
      } else if (index % 4 === 2) {
        response.destroy();
      } else if (index % 4 === 3) {
        setTimeout(() => json(response, { page: {} }), 120);
      } else {
        json(response, { page: {} });
      }
    });
    const client = createStatusClient({ baseUrl: server.base });
    const stalls = [150, 600, 1500].map((at) => setTimeout(() => block(at === 600 ? 700 : 250), at));
    const settled = await Promise.allSettled(Array.from({ length: 17 }, () => client.ask('status.show', {})));
    stalls.forEach(clearTimeout);
    client.close();
    const times = server.arrivals.map(({ at }) => at);
    expect(settled).toHaveLength(17);
    expect(times).toHaveLength(17);
    expect(densest(times, 1000)).toBeLessThanOrEqual(5);
  }, 600_000);

  it('keeps a slow pace below one request a second', async () => {
    const limiter = createLimiter({ requestsPerSecond: 0.5, windowMs: 20 });
    const starts: number[] = [];
    await Promise.all([1, 2, 3].map(() => limiter.run(async () => void starts.push(performance.now()))));
    expect((starts[2] ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(90 - 1);
  });

  it('begins with the slots that another has left taken, and says which are', async () => {
    const began = performance.now();
    const limiter = createLimiter({ requestsPerSecond: 3, windowMs: 300, held: [80, 40] });
    const starts: number[] = [];
    await Promise.all([1, 2, 3, 4].map(() => limiter.run(async () => void starts.push(performance.now() - began))));
    const [, second = 0, third = 0, fourth = 0] = starts;
    expect([second >= 40, third >= 80, fourth >= 300]).toEqual([true, true, true]);

    const taken = createLimiter({ requestsPerSecond: 2, held: [60_000] });
    const endless = Promise.withResolvers<void>();
    const underWay = taken.run(() => endless.promise);
    await expect.poll(() => taken.waiting()).toBe(0);
    expect(taken.held().toSorted((one, other) => other - one)).toEqual([expect.any(Number), 1_005]);
    expect(Math.max(...taken.held())).toBeGreaterThan(1_005);
    endless.resolve();
    await underWay;
  });

  it('refuses a rate that is none', () => {
    expect(() => createLimiter({ requestsPerSecond: 0 })).toThrow(RangeError);
    expect(() => createLimiter({ requestsPerSecond: Number.NaN })).toThrow(RangeError);
  });

  it('holds the slot of what was given up for longer: it may yet arrive', async () => {
    const limiter = createLimiter({ requestsPerSecond: 1, windowMs: 10 });
    const stop = new AbortController();
    const never = Promise.withResolvers<void>();
    const givenUp = limiter.run(() => never.promise, { signal: stop.signal }).catch(() => performance.now());
    await expect.poll(() => limiter.waiting()).toBe(0);
    stop.abort();
    never.reject(new Error('aborted'));
    const endedAt = (await givenUp) ?? 0;
    await limiter.run(async () => undefined);
    expect(performance.now() - endedAt).toBeGreaterThanOrEqual(200);
  });

  it('takes what is urgent first', async () => {
    const limiter = createLimiter({ requestsPerSecond: 1, windowMs: 10 });
    const order: string[] = [];
    const note = (name: string) => async () => void order.push(name);
    await Promise.all([
      limiter.run(note('first')),
      limiter.run(note('late'), { urgency: 'background' }),
      limiter.run(note('normal')),
      limiter.run(note('urgent'), { urgency: 'urgent' }),
    ]);
    expect(order).toEqual(['first', 'urgent', 'normal', 'late']);
  });

  it('goes on at once when the wall clock steps back by an hour', async () => {
    const limiter = createLimiter({ requestsPerSecond: 1, windowMs: 10 });
    await limiter.run(async () => undefined);
    const real = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => real - 3_600_000);
    await expect(limiter.run(async () => 'went on')).resolves.toBe('went on');
    expect(limiter.waiting()).toBe(0);
  });

  it('releases what waits when told to, and lets the rest pass', async () => {
    const limiter = createLimiter({ requestsPerSecond: 1, windowMs: 10 });
    const shutdown = new AbortController();
    let sent = 0;
    const under = limiter.run(async () => void (sent += 1));
    const released = limiter.run(async () => void (sent += 1), { signal: shutdown.signal });
    const after = limiter.run(async () => void (sent += 1));
    expect(limiter.waiting()).toBe(3);
    const outcome = released.catch((error: unknown) => error);
    shutdown.abort(new Error('over'));
    expect(await outcome).toEqual(new Error('over'));
    await Promise.all([under, after]);
    expect(sent).toBe(2);
    await expect(limiter.run(async () => 0, { signal: shutdown.signal })).rejects.toThrow('over');
  });

  it('keeps the order of thousands that wait', async () => {
    const limiter = createLimiter({ requestsPerSecond: 2_000, windowMs: 1 });
    const order: number[] = [];
    const attempts = Array.from({ length: 5_000 }, (_, index) => index);
    await Promise.all(attempts.map((index) => limiter.run(async () => order.push(index))));
    expect(order).toEqual(attempts);
    expect(limiter.waiting()).toBe(0);
  });

  it('goes on behind an attempt that throws, and holds its slot as long', async () => {
    const limiter = createLimiter({ requestsPerSecond: 1, windowMs: 20 });
    const failed = limiter.run(() => {
      throw new Error('before anything was sent');
    });
    await expect(failed).rejects.toThrow('before anything was sent');
    const failedAt = performance.now();
    await limiter.run(async () => undefined);
    expect(performance.now() - failedAt).toBeGreaterThanOrEqual(24);
  });

  it('asks every limiter of a chain', async () => {
    const wide = createLimiter({ requestsPerSecond: 10, windowMs: 10 });
    const narrow = createLimiter({ requestsPerSecond: 1, windowMs: 40 });
    const starts: number[] = [];
    const chained = chainLimiters(wide, narrow);
    await Promise.all([1, 2].map(() => chained.run(async () => void starts.push(performance.now()))));
    expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(44);
    await expect(chained.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
