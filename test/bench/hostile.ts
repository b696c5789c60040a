/**
 * Beside each hostile source, or hostile pages of every type, in a process with 256 MB of heap: time to report a healthy
 * page's outage after the poll that sees it, longest answer of `/healthz`, size of the process, and time to end. Also the
 * duration of `config detect` with such pages.
 */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedPort } from '../support/http-receiver.ts';
import { HOSTILE_BODIES, type HostileBody } from '../support/hostile-bodies.ts';
import { startBus } from './bus.ts';
import { figure, type Row } from './figures.ts';
import { askHealth } from './health.ts';
import { measureProxy } from './hostile-proxy.ts';
import { install } from './installation.ts';
import { startProgram } from './process.ts';
import { measurePapers } from './papers.ts';
import { startBenchProvider } from './provider.ts';
import { measureDetection, repeatedPages, type HostilePage } from './repeated.ts';

/** How long the hostile source is watched before the healthy page has its outage. */
const WATCHED_MS = 15_000;

interface HostileSource extends Pick<HostileBody, 'name' | 'kind'> {
  respond?: RequestListener;
  pages: readonly HostilePage[];
}

interface Endured {
  name: string;
  toldMs: number;
  healthMs: number;
  mostMb: number;
  endMs: number;
}

/**
 * `the proxy` is one of the bodies, and measures the proxy before the page; so are `detection of one piece` and `papers`.
 * One row a figure, over all bodies whose names contain `part`; the worst must reach the limit.
 */
export async function measureHostile(part: string): Promise<Row[]> {
  const proxied = 'the proxy'.includes(part) ? await measureProxy() : [];
  const detected = 'detection of one piece'.includes(part) ? [await measureDetection()] : [];
  const all: Endured[] = [];
  const bodies: HostileSource[] = HOSTILE_BODIES.map((body) => ({ ...body, pages: [] }));
  const sources = [...bodies, ...repeatedPages().map((each) => ({ ...each, kind: 'page' as const }))];
  for (const source of sources.filter(({ name }) => name.includes(part))) all.push(await endure(source));
  const papers = 'papers'.includes(part) ? await measurePapers() : [];
  if (all.length === 0) return [...proxied, ...detected, ...papers];
  const row = (what: string, unit: string, always: number, of: (endured: Endured) => number): Row => {
    const worst = all.toSorted((a, b) => of(b) - of(a))[0]?.name;
    return { what: `${what} (worst: ${worst})`, bare: null, linewatch: figure(all.map(of)), unit, wanted: { always } };
  };
  return [
    row(`beside ${all.length} hostile sources: a notice, seen → told`, 'ms', 4_000, ({ toldMs }) => toldMs),
    row('likewise: slowest answer of /healthz', 'ms', 1_000, ({ healthMs }) => healthMs),
    row('likewise: most memory, with 256 MB of heap', 'MB', 300, ({ mostMb }) => mostMb),
    row('likewise: SIGTERM → ended', 'ms', 10_000, ({ endMs }) => endMs),
    ...proxied,
    ...detected,
    ...papers,
  ];
}

async function endure({ name, kind, respond, pages }: HostileSource): Promise<Endured> {
  await using provider = await startBenchProvider();
  await using bus = await startBus();
  await using servers = new AsyncDisposableStack();
  const serve = async (to: RequestListener): Promise<string> => servers.use(await serveBody(to)).url;
  const own = respond === undefined ? [] : [await serve(respond)];
  const typed: { type: string; base_url: string }[] = [];
  for (const { type, path, respond: to } of pages) typed.push({ type, base_url: `${await serve(to)}${path}` });
  const listen = `127.0.0.1:${await closedPort()}`;
  const healthy = `${provider.url}/page-25`;
  await using place = await install({
    pages: [healthy, ...(kind === 'page' ? own : [])],
    accounts: kind === 'account' ? own : [],
    typed,
    interval: '1s',
    webhook: bus.url,
    listen,
  });
  const heap = ['--max-old-space-size=256'];
  await using started = startProgram(['run', '--config', place.file], place.folder, heap);
  await provider.next('timeline_state_eq]=present');
  const stop = new AbortController();
  const health = askHealth(`http://${listen}/healthz`, stop.signal);
  await sleep(WATCHED_MS);
  const told = bus.next('notice.opened');
  provider.openNotice(3);
  const seen = await provider.next('timeline_state_eq]=present');
  const toldMs = (await told) - seen.at;
  stop.abort();
  const healthMs = await health;
  const { mostMb } = await started.memory();
  const asked = performance.now();
  const code = await started.end();
  if (code !== 0) throw new Error(`${name}: exit code ${code}: ${started.log()}`);
  return { name, toldMs, healthMs, mostMb, endMs: performance.now() - asked };
}

async function serveBody(respond: RequestListener): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
