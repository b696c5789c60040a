/**
 * 429 with Retry-After in seconds, as a date, 0, 86400 or absent: honoured within a cap, with jitter; one isolated 429
 * is silent. And whatever is answered, the limit of requests holds.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { RETRY_AFTER_CAP_MS } from '../../src/net/retry-after.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import type { Fault } from '../../src/simulator/fault/fault.ts';
import { countBusiestWindow } from '../../src/simulator/request-log.ts';
import { json, serve, type LocalServer } from '../provider/local-server.ts';
import { watchAccount } from './watched-account.ts';
import { MINUTE, watchProvider, type WatchedOptions } from './watched-provider.ts';

const SECOND = 1000;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

type Watched = Pick<
  Awaited<ReturnType<typeof watchAccount>>,
  'provider' | 'daemon' | 'told' | 'events' | 'rounds' | 'asked' | 'close'
>;

const SOURCES = {
  'a status page': (random: number) => watchProvider({ options: { random: () => random } }),
  // Without its own retry, which waits inside the round: that has tests of its own below.
  'an account': (random: number) =>
    watchAccount({ client: { retry: { retries: 0 } }, running: { options: { random: () => random } } }),
} satisfies Record<string, (random: number) => Promise<Watched>>;

async function watch(source: keyof typeof SOURCES, random = 0.5): Promise<Watched> {
  const watched = await SOURCES[source](random);
  open.push(watched.close);
  return watched;
}

/** What is asked for, and how long nothing is asked after it, beside the interval of a minute. */
const WAITS: [string, Fault, number][] = [
  ['absent', { kind: 'rate_limited' }, SECOND],
  ['of 0', { kind: 'rate_limited', retry_after: 0 }, 0],
  ['of 90 seconds', { kind: 'rate_limited', retry_after: 90 }, 90 * SECOND],
  ['of 86400, the cap', { kind: 'rate_limited', retry_after: 86_400 }, RETRY_AFTER_CAP_MS.reading],
  ['of a date in 90 seconds', { kind: 'rate_limited', retry_after_date: 90 }, 90 * SECOND],
  ['of a date in a year, the cap', { kind: 'rate_limited', retry_after_date: 31_536_000 }, RETRY_AFTER_CAP_MS.reading],
  ['of a date gone by', { kind: 'rate_limited', retry_after_date: -90 }, 0],
];

describe.each(Object.keys(SOURCES) as (keyof typeof SOURCES)[])('429 from %s', (source) => {
  test.each(WAITS)('with Retry-After %s is honoured and, alone, silent', async (_, fault, waitMs) => {
    const { provider, daemon, events, rounds, asked } = await watch(source);
    provider.simulator.faults.add({ fault, times: 1 });
    asked();
    await rounds(1);
    // A date has whole seconds.
    expect(daemon.rest()).toBeGreaterThan(Math.max(MINUTE, waitMs) - SECOND);
    expect(daemon.rest()).toBeLessThanOrEqual(Math.max(MINUTE, waitMs));
    // What was not under way already is not asked any more.
    if (waitMs > 0) expect(asked().length).toBeLessThanOrEqual(source === 'an account' ? 1 : 3);
    await rounds(2);
    expect(events()).toEqual([]);
    expect(daemon.rest()).toBe(MINUTE);
  });

  test('is left alone a little longer than it asked for, never shorter', async () => {
    for (const random of [0, 0.25, 0.999]) {
      const { provider, daemon, rounds } = await watch(source, random);
      provider.simulator.faults.add({ fault: { kind: 'rate_limited', retry_after: 200 }, times: 1 });
      await rounds(1);
      expect(daemon.rest()).toBeGreaterThan(200 * SECOND);
      expect(daemon.rest()).toBeLessThanOrEqual(210 * SECOND);
    }
  });

  test('that goes on is told once as unreachable, with the reason, and so is its end', async () => {
    const { provider, daemon, told, events, rounds } = await watch(source);
    provider.simulator.faults.add({ fault: { kind: 'rate_limited', retry_after: 90 } });
    await rounds(8);
    expect(told()).toEqual(['source.unreachable source (open)']);
    const [said] = daemon.people.sent.at(-1)?.changes ?? [];
    expect(said?.transition.to).toContain('too many requests (429)');
    provider.simulator.faults.clear();
    await rounds(1);
    expect(told()).toEqual(['source.recovered source (resolved)']);
    expect(events()).toEqual(['source.unreachable source (open)', 'source.recovered source (resolved)']);
  });
});

/** A server that answers 429 with this header, for what the embedded provider cannot write. */
async function limited(header: string): Promise<LocalServer> {
  const server = await serve((_, response) => json(response, {}, 429, { 'retry-after': header }));
  open.push(server.close);
  return server;
}

test.each(['soon', '-5', '1,5', 'null', '0x10', '90 seconds', '  ', 'Sun Nov  6 08:49:37 2094', '5 May 2094'])(
  'Retry-After %j says nothing: as if it were absent',
  async (header) => {
    const { base, arrivals } = await limited(header);
    const watched = await watchAccount({ baseUrl: () => base, client: { retry: { retries: 0 } } });
    open.push(watched.close);
    expect(arrivals).toHaveLength(1);
    expect(watched.daemon.rest()).toBe(MINUTE);
    await watched.rounds(1);
    expect(arrivals).toHaveLength(2);
  },
);

test('Retry-After of more digits than a number holds is the cap', async () => {
  const { base } = await limited('9'.repeat(400));
  const watched = await watchAccount({ baseUrl: () => base, client: { retry: { retries: 0 } } });
  open.push(watched.close);
  expect(watched.daemon.rest()).toBe(RETRY_AFTER_CAP_MS.reading);
});

describe('an account', () => {
  test('is asked once more inside the round where it wants to be left alone for seconds, and nothing is lost', async () => {
    const watched = await watchAccount();
    open.push(watched.close);
    const { provider, daemon, events, asked } = watched;
    provider.simulator.faults.add({
      on: 'registrations.list',
      fault: { kind: 'rate_limited', retry_after: 20 },
      times: 1,
    });
    const limitedAt = provider.simulator.log.next();
    daemon.clock.advance(daemon.rest());
    const ended = daemon.sweepAt(daemon.clock.now());
    await limitedAt;
    // The answer arrives, and the round goes to sleep for what was asked.
    while (daemon.clock.next() === null) await new Promise((resolve) => setImmediate(resolve));
    expect(daemon.rest()).toBe(20 * SECOND);
    expect(asked()).toEqual(['registrations.list']);
    daemon.clock.advance(20 * SECOND);
    await ended;
    expect(asked()).toEqual(['registrations.list', 'action-toggles.list']);
    expect(events()).toEqual([]);
  });
});

describe('the limit in any second', () => {
  const storm: Fault[] = [{ kind: 'rate_limited', retry_after: 0 }, { kind: 'reset' }, { kind: 'status', status: 503 }];

  test('of a status page holds through refusals, without a pause between its rounds', async () => {
    const limiter = createLimiter({ requestsPerSecond: 5 });
    const hurried: WatchedOptions = { intervalMs: 1, http: { limiter } };
    const { provider, rounds, asked, close } = await watchProvider(hurried);
    open.push(close);
    asked();
    const { faults, log } = provider.simulator;
    for (const fault of storm) {
      faults.add({ fault, times: 1 });
      await rounds(1);
    }
    const all = log.all();
    expect(all.length).toBeGreaterThan(8);
    expect(countBusiestWindow(all)).toBeLessThanOrEqual(5);
  });

  test('of an account holds through its retries', async () => {
    const limiter = createLimiter({ requestsPerSecond: 4 });
    const { provider, rounds, asked, close } = await watchAccount({
      client: { limiter, retry: { retries: 1, delayMs: 1 } },
    });
    open.push(close);
    asked();
    const { faults, log } = provider.simulator;
    for (const fault of storm) {
      faults.add({ fault, times: 1 });
      await rounds(1);
    }
    expect(log.all().length).toBeGreaterThanOrEqual(9);
    expect(countBusiestWindow(log.all())).toBeLessThanOrEqual(4);
  });
});
