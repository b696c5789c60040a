/**
 * Beside each hostile source, in a process with 256 MB of heap: how long a healthy page's outage takes to be told after
 * the poll that sees it, how long `/healthz` takes at worst, how large the process grows, and how fast it ends.
 * `LINEWATCH_HOSTILE=chain` runs only those whose name holds the word.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HOSTILE_BODIES, type HostileBody } from '../support/hostile-bodies.ts';
import { openSite, type Site } from '../support/site.ts';

const ONLY = process.env['LINEWATCH_HOSTILE'] ?? '';
/** How long the hostile source is watched before the healthy page has its outage. */
const WATCHED_MS = 15_000;

interface Measured {
  tellMs: number;
  healthMs: number;
  rssMb: number;
  endMs: number;
}

async function serveBody({ respond }: HostileBody): Promise<{ base: string; close(): void }> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

async function largest(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Asks again and again until told to stop; resolves with the longest answer. */
async function askHealth(port: number, stop: AbortSignal): Promise<number> {
  let longest = 0;
  while (!stop.aborted) {
    const asked = performance.now();
    // A connection that was closed while it was kept is asked again: that is no answer either way.
    await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } }).then(
      (answer) => answer.text(),
      () => null,
    );
    longest = Math.max(longest, performance.now() - asked);
    await sleep(100);
  }
  return longest;
}

async function measure(site: Site, body: HostileBody): Promise<Measured> {
  const hostile = await serveBody(body);
  const port = await freePort();
  site.config['http'] = { listen: `127.0.0.1:${port}` };
  if (body.kind === 'page') site.config.status_pages.push({ name: 'hostile', base_url: hostile.base, interval: '1s' });
  else {
    const every = { interval: '1s' };
    const settings = { registrations: { ...every, offline_after: '1s' }, toggles: every };
    site.config['accounts'] = [{ name: 'hostile', base_url: hostile.base, api_key: 'key', ...settings }];
  }
  const daemon = await site.launch({ NODE_OPTIONS: '--max-old-space-size=256' });
  await site.event('source.baseline', ({ source }) => String(source).endsWith('/provider'));
  const stop = new AbortController();
  const health = askHealth(port, stop.signal);
  await sleep(WATCHED_MS);
  site.provider.simulator.log.clear();
  const id = site.provider.simulator.status.openNotice({ subject: 'No audio' });
  const told = await site
    .event('notice.opened', ({ subject }) => subject === `notice/${id}`)
    .then(() => performance.now());
  const seen = site.provider.simulator.log.all().find(({ path }) => path.endsWith(`/notices/${id}`));
  const tellMs = told - (seen?.at ?? 0);
  stop.abort();
  const healthMs = await health;
  const rssMb = await largest(daemon.pid);
  const asked = performance.now();
  daemon.signal('SIGTERM');
  const { code } = await daemon.ended;
  hostile.close();
  expect(code).toBe(0);
  return { tellMs, healthMs, rssMb, endMs: performance.now() - asked };
}

test.for(HOSTILE_BODIES.filter(({ name }) => name.includes(ONLY)))('$name', { timeout: 180_000 }, async (body) => {
  await using site = await openSite();
  const measured = await measure(site, body);
  const { tellMs, healthMs, rssMb, endMs } = measured;
  const figures = [`told ${tellMs.toFixed(0)} ms`, `healthz ${healthMs.toFixed(0)} ms`, `${rssMb.toFixed(0)} MB`];
  process.stdout.write(`${body.name}: ${[...figures, `end ${endMs.toFixed(0)} ms`].join(', ')}\n`);
  expect(tellMs).toBeLessThan(4_000);
  expect(healthMs).toBeLessThan(1_000);
  expect(rssMb).toBeLessThan(300);
  expect(endMs).toBeLessThan(10_000);
});
