/**
 * 10 MB of body, one byte a second, a gzip bomb, a byte-order mark, a wrong charset, duplicate keys: limits on size and
 * time; the sweep failed; memory stays flat. What can be read in spite of it (a byte-order mark, of twice the same key
 * the last) is read. On both interfaces.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/simulator/fault/fault.ts';
import { cases } from '../support/runs.ts';
import { watchAccount } from './watched-account.ts';
import { watchProvider } from './watched-provider.ts';
import { SOURCES, watchSource, type SourceLimits, type WatchedSource } from './watched-source.ts';

const KB = 1024;
const MB = 1024 * KB;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function watch(...given: Parameters<typeof watchSource>): Promise<WatchedSource> {
  const source = await watchSource(...given);
  open.push(source);
  return source;
}

describe.each(SOURCES)('%s that answers with', (kind) => {
  test.each<[string, Fault, SourceLimits, string]>(
    cases(
      [
        ['a body beyond the limit', { kind: 'big_body', bytes: 300 * KB }, { bodyLimit: 256 * KB }, 'larger than'],
        [
          'a small body that unpacks beyond it',
          { kind: 'gzip_bomb', bytes: 2 * MB },
          { bodyLimit: 256 * KB },
          'larger than',
        ],
        [
          'one byte at a time',
          { kind: 'drip', every_ms: 60 },
          { timeouts: { response: 2_000, read: 600, request: 2_000 } },
          'in time|within',
        ],
        ['a wrong charset', { kind: 'charset' }, {}, 'not valid UTF-8'],
      ],
      2,
      SOURCES.indexOf(kind),
    ),
  )('%s: the sweep failed, and is told once with the reason', async (_, fault, limits, reason) => {
    const source = await watch(kind, limits);
    const { provider, daemon, told, rounds, known } = source;
    const before = known();
    provider.simulator.status.addComponent({ id: 999, name: 'Café' });
    provider.simulator.accounts.account().world.toggles.add('Café', false);
    provider.simulator.accounts.account().world.phones.setAgent({}, 'Téléphone 1.2');
    provider.simulator.faults.add({ fault });
    await rounds(3);
    expect(told()).toEqual(['source.unreachable source (open)']);
    expect(daemon.people.sent.at(-1)?.changes[0]?.transition.to).toMatch(new RegExp(reason));
    expect(known()).toEqual(before);
    provider.simulator.faults.clear();
    await rounds(1);
    expect(told()).toContain('source.recovered source (resolved)');
    expect(JSON.stringify(known())).toContain('Café');
  });

  test.each<[string, Fault]>(
    cases(
      [
        ['a byte-order mark', { kind: 'bom' }],
        ['keys that come twice', { kind: 'duplicate_keys' }],
      ],
      2,
      SOURCES.indexOf(kind),
    ),
  )('%s is read', async (_, fault) => {
    const { provider, told, rounds, known } = await watch(kind);
    const before = known();
    provider.simulator.faults.add({ fault });
    await rounds(3);
    expect(told()).toEqual([]);
    expect(known()).toEqual(before);
    provider.simulator.status.setComponentState('SMS', 'degraded');
    provider.simulator.accounts.account().world.setToggle('After hours', true);
    await rounds(1);
    expect(told()).toEqual([
      kind === 'an account' ? 'toggle.state toggle/301 (info)' : 'component.state component/120 (open)',
    ]);
  });
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory in use once collection frees no more; buffers are freed in the background, after the collection that found them. */
async function memoryAfterCollection(): Promise<NodeJS.MemoryUsage> {
  for (let last = Infinity; ;) {
    collect();
    await setImmediate();
    const usage = process.memoryUsage();
    const used = usage.heapUsed + usage.external;
    if (used >= last) return usage;
    last = used;
  }
}

/** Sends far more than anybody should take, from a piece of memory of its own, until the client hangs up. */
async function flood(packed: boolean): Promise<{ base: string; sent: () => number; close: () => Promise<void> }> {
  const piece = packed ? gzipSync(Buffer.alloc(32 * MB, ' ')) : Buffer.alloc(64 * KB, ' ');
  let sent = 0;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...(packed && { 'content-encoding': 'gzip' }) });
    function pour(): void {
      while (!response.destroyed) {
        sent += piece.byteLength;
        if (packed) return void response.end(piece);
        if (!response.write(piece)) return void response.once('drain', pour);
      }
    }
    pour();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

describe.each([
  ['a body without an end', false],
  ['a gzip bomb', true],
])('%s, round after round', (_, packed) => {
  test.each(cases(SOURCES, 2, packed ? 0 : 1))('from %s leaves memory flat', async (kind) => {
    const server = await flood(packed);
    open.push(server);
    const source =
      kind === 'an account'
        ? await watchAccount({ baseUrl: () => server.base, client: { retry: { retries: 0 } } })
        : await watchProvider({ statusUrl: server.base });
    open.unshift(source);
    const rounds = 4;
    const held: NodeJS.MemoryUsage[] = [];
    const before = process.resourceUsage().maxRSS;
    for (let round = 1; round <= rounds; round += 1) {
      await source.rounds(1);
      if (round === 2 || round === rounds) held.push(await memoryAfterCollection());
    }
    const [early, last] = held as [NodeJS.MemoryUsage, NodeJS.MemoryUsage];
    // Memory in use, not the resident size: the allocator returns freed pages to the machine when it pleases.
    expect(last.heapUsed - early.heapUsed).toBeLessThan(2 * MB);
    expect(last.external - early.external).toBeLessThan(2 * MB);
    // Three listings at once, each no larger than the limit of 10 MB, and as much again where they are put together.
    expect((process.resourceUsage().maxRSS - before) * KB).toBeLessThan(200 * MB);
    expect(server.sent()).toBeGreaterThan(0);
  });
});
