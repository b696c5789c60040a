/**
 * Exports of a history at its limit, requested at once by more clients than get one, some of which read nothing: time to
 * report a healthy page's outage meanwhile, and size of a process with 256 MB of heap.
 */
import { mkdirSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillHistory } from '../support/full-history.ts';
import { closedPort } from '../support/http-receiver.ts';
import { startBus } from './bus.ts';
import { figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { startProgram } from './process.ts';
import { startBenchProvider } from './provider.ts';

/** Limit of the history. */
const BYTES = 500_000_000;
const WATCHED_MS = 10_000;
const LONGEST_EXPORT_MS = 300_000;

export async function measurePapers(): Promise<Row[]> {
  await using provider = await startBenchProvider();
  await using bus = await startBus();
  const listen = `127.0.0.1:${await closedPort()}`;
  await using place = await install({
    pages: [`${provider.url}/page-25`],
    interval: '1s',
    webhook: bus.url,
    listen,
  });
  const directory = join(place.folder, 'state');
  mkdirSync(directory, { mode: 0o700 });
  await fillHistory({ directory, until: Date.now() - 60_000, bytes: BYTES, source: 'page0' });
  const month = new Date().toISOString().slice(0, 7);
  await using started = startProgram(['run', '--config', place.file], place.folder, ['--max-old-space-size=256']);
  await provider.next('timeline_state_eq]=present');
  await untilReady(`http://${listen}/healthz`);
  const whole = takeAll(`http://${listen}/history.csv`);
  const others = ['/history.csv', '/history.csv', `/report?month=${month}`, `/api/report?month=${month}`];
  const deaf = others.map((path) => takeNothing(`http://${listen}${path}`));
  await sleep(WATCHED_MS);
  const told = bus.next('notice.opened');
  provider.openNotice(3);
  const seen = await provider.next('timeline_state_eq]=present');
  const toldMs = (await told) - seen.at;
  const exported = await whole;
  for (const leave of deaf) leave();
  const { mostMb } = await started.memory();
  const code = await started.end();
  if (code !== 0) throw new Error(`exit code ${code}: ${started.log()}`);
  const row = (what: string, value: number, unit: string, always: number): Row => ({
    what,
    bare: null,
    linewatch: figure([value]),
    unit,
    wanted: { always },
  });
  return [
    row('beside 5 exports of a history of 500 MB: a notice, seen → told', toldMs, 'ms', 4_000),
    row('likewise: most memory, with 256 MB of heap', mostMb, 'MB', 300),
    row(`one of them whole: ${Math.round(exported.bytes / 1_000_000)} MB of CSV`, exported.ms / 1_000, 's', 300),
  ];
}

async function untilReady(url: string): Promise<void> {
  while (
    await fetch(url).then(
      (answer) => !answer.ok,
      () => true,
    )
  ) {
    await sleep(100);
  }
}

async function takeAll(url: string): Promise<{ bytes: number; ms: number }> {
  const began = performance.now();
  const answer = await fetch(url, { signal: AbortSignal.timeout(LONGEST_EXPORT_MS) });
  if (!answer.ok || answer.body === null) throw new Error(`${url}: ${answer.status}`);
  let bytes = 0;
  for await (const piece of answer.body) bytes += piece.length;
  return { bytes, ms: performance.now() - began };
}

/** Asks and reads nothing of the answer; what comes back goes away. */
function takeNothing(url: string): () => void {
  const asked = get(url, { agent: false }, (answer) => answer.pause().on('error', () => undefined));
  asked.on('error', () => undefined);
  return () => asked.destroy();
}
