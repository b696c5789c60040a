/**
 * "The proxy": plain proxies before the page of a process with 256 MB of heap, where users are configured. Counts what they
 * pass without a name. Measures the time of a correct sign-in, and of reporting a healthy page's outage, while wrong
 * passwords come from ever new addresses.
 */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashPassword } from '../../src/web/access/password.ts';
import { closedPort } from '../support/http-receiver.ts';
import { PROXIES, startPlainProxy, type ProxyKind } from '../support/plain-proxy.ts';
import { startBus } from './bus.ts';
import { figure, type Row } from './figures.ts';
import { askHealth } from './health.ts';
import { install } from './installation.ts';
import { startProgram } from './process.ts';
import { startBenchProvider } from './provider.ts';

/** Wrong passwords that wait for their answer at any time. */
const FLOOD = 20;
const FLOODED_MS = 10_000;
const SIGN_INS = 5;

const OUTSIDE = 'lines.example.com';
const PASSWORD = 'correct horse battery';
const LOOKED_AT = ['/', '/?wall', '/api/status', '/metrics', '/readyz', '/events', '/deliveries', '/feed.atom'];
const CHANGED = ['/silences', '/deliveries', '/alerts/1'];

export async function measureProxy(): Promise<Row[]> {
  await using provider = await startBenchProvider();
  await using bus = await startBus();
  const listen = `127.0.0.1:${await closedPort()}`;
  const users = [{ name: 'alex', password_hash: await hashPassword(PASSWORD) }];
  await using place = await install({
    pages: [`${provider.url}/page-25`],
    interval: '1s',
    webhook: bus.url,
    listen,
    http: { users, silences: true, external_url: `https://${OUTSIDE}` },
  });
  await using started = startProgram(['run', '--config', place.file], place.folder, ['--max-old-space-size=256']);
  await provider.next('timeline_state_eq]=present');
  const page = `http://${listen}`;
  const past: string[] = [];
  for (const kind of Object.keys(PROXIES) as ProxyKind[]) past.push(...(await letPast(kind, page)));

  await using proxy = await startPlainProxy('adds X-Forwarded-For only', page);
  const stop = new AbortController();
  const health = askHealth(page, stop.signal);
  let wrong = 0;
  const flood = Array.from({ length: FLOOD }, async (_, worker) => {
    for (let time = 0; !stop.signal.aborted; time += 1) {
      // Each from another address of this machine, which the proxy adds.
      const from = `127.${1 + worker}.${(time >> 8) & 255}.${1 + (time & 127)}`;
      const { status } = await send(proxy.url, '/sign-in', from, credentials('alex', `guess ${time}`));
      if (status !== 422) throw new Error(`a wrong password is answered with ${status}`);
      wrong += 1;
    }
  });
  await Promise.race([sleep(FLOODED_MS), ...flood]);
  const signedMs: number[] = [];
  for (let time = 0; time < SIGN_INS; time += 1) {
    const asked = performance.now();
    const { status } = await send(proxy.url, '/sign-in', '127.200.0.1', credentials('alex', PASSWORD));
    if (status !== 303) throw new Error(`a right password is answered with ${status}`);
    signedMs.push(performance.now() - asked);
  }
  const told = bus.next('notice.opened');
  provider.openNotice(3);
  const seen = await provider.next('timeline_state_eq]=present');
  const toldMs = (await told) - seen.at;
  stop.abort();
  await Promise.all(flood);
  const healthMs = await health;
  const { mostMb } = await started.memory();
  const code = await started.end();
  if (code !== 0) throw new Error(`the proxy: exit code ${code}: ${started.log()}`);
  const row = (what: string, unit: string, always: number, values: number[]): Row => {
    return { what, bare: null, linewatch: figure(values), unit, wanted: { always } };
  };
  const names = past.length === 0 ? '' : ` (${past.join(', ')})`;
  return [
    row(`through ${Object.keys(PROXIES).length} plain proxies, without a name: let past${names}`, 'requests', 0, [
      past.length,
    ]),
    row(`beside wrong passwords (${wrong}, each from another address): a right sign-in`, 'ms', 5_000, signedMs),
    row('likewise: a notice, seen → told', 'ms', 4_000, [toldMs]),
    row('likewise: slowest answer of /healthz', 'ms', 1_000, [healthMs]),
    row('likewise: most memory, with 256 MB of heap', 'MB', 300, [mostMb]),
  ];
}

/** Lists what was read or changed without a name, each as `kind: path`. */
async function letPast(kind: ProxyKind, page: string): Promise<string[]> {
  await using proxy = await startPlainProxy(kind, page);
  const past: string[] = [];
  for (const path of LOOKED_AT) {
    const { status } = await send(proxy.url, path, '127.0.0.1', null);
    if (status !== 401) past.push(`${kind}: ${path} ${status}`);
  }
  for (const path of CHANGED) {
    const { status } = await send(proxy.url, path, '127.0.0.1', 'source=page0&length=3600000');
    if (status !== 401) past.push(`${kind}: ${path} ${status}`);
  }
  return past;
}

function credentials(name: string, password: string): string {
  return new URLSearchParams({ name, password }).toString();
}

/** With the name that people use; `body` is a form to post, null to look. */
function send(url: string, path: string, localAddress: string, body: string | null): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const options = { method: body === null ? 'GET' : 'POST', headers: { host: OUTSIDE }, agent: false, localAddress };
    const asked = request(`${url}${path}`, options, (answer) => {
      resolve({ status: answer.statusCode ?? 0 });
      // A stream of events would go on.
      answer.destroy();
    });
    asked.on('error', reject);
    asked.end(body ?? undefined);
  });
}
