/** Pages of other vendors: what a quiet one is asked, and what a hundred of them cost. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStatusWorld } from '../support/status-world.ts';
import { statuspage } from '../../src/simulator/vendors/statuspage.ts';
import { toVendorWorld } from '../../src/simulator/vendors/vendor-world.ts';
import { startBus } from './bus.ts';
import { figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { startProgram } from './process.ts';

const COMPONENTS = 100;
const PAGES = 100;
/** Share of the answers of a real page that differed from the previous one only in the time of the last change. */
const NOISE = 0.72;
/** A round over all pages, with what a wait for the next one may be longer. */
const ROUND_MS = 66_000;
const ROUNDS = 2;
const QUIET_MS = 60_000;

interface ForeignPages extends AsyncDisposable {
  url: string;
  /** Paths asked, with the status of the answer. */
  asked: { path: string; status: number }[];
  /** Bytes sent so far, with their heads. */
  sent(): number;
}

/** Pages of Statuspage under `/N`, each with an ETag; the share of answers that is noise has a new one each time. */
async function startForeignPages(noise: number): Promise<ForeignPages> {
  const components = Array.from({ length: COMPONENTS }, (_, index) => ({ name: `Component ${index}` }));
  const world = createStatusWorld({ clock: { now: () => Date.now() }, components });
  for (let past = 0; past < 50; past += 1) {
    const id = world.openNotice({ subject: `Incident ${past}`, components: ['Component 1'] });
    for (const state of ['identified', 'recovering']) world.updateNotice(id, { state, content: `It is ${state}.` });
    world.closeNotice(id);
  }
  const bodies = new Map(
    [...statuspage(toVendorWorld(world.documents()))].map(([path, answer]) => [
      path,
      JSON.stringify('json' in answer ? answer.json : null),
    ]),
  );
  const asked: ForeignPages['asked'] = [];
  const sockets = new Set<{ bytesWritten: number }>();
  /** Number of noise answers in 100, evenly spread. */
  let share = 0;

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const [, path = ''] = /^\/\d+(\/.*)$/.exec(request.url ?? '') ?? [];
    const known = bodies.get(path);
    share += noise;
    const isNoise = share >= 1;
    if (isNoise) share -= 1;
    const changed = `"updated_at":"${new Date().toISOString()}"`;
    const body = isNoise ? known?.replace(/"updated_at":"[^"]*"/, changed) : known;
    const etag = `W/"${createHash('sha256')
      .update(body ?? '')
      .digest('hex')}"`;
    const status = body === undefined ? 404 : request.headers['if-none-match'] === etag ? 304 : 200;
    asked.push({ path, status });
    const head = { etag, 'content-type': 'application/json', 'cache-control': 'max-age=10' };
    response.writeHead(status, head).end(status === 200 ? body : '');
  }

  const server = createServer(respond).on('connection', (socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    sent: () => [...sockets].reduce((all, socket) => all + socket.bytesWritten, 0),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

export async function measureForeign(): Promise<Row[]> {
  return [...(await measureQuiet()), ...(await measureMany())];
}

async function measureQuiet(): Promise<Row[]> {
  await using pages = await startForeignPages(0);
  await using bus = await startBus();
  await using place = await install({ foreign: [`${pages.url}/1`], interval: '10s', webhook: bus.url });
  await using started = startProgram(['run', '--config', place.file], place.folder);
  while (pages.asked.length < 2) await sleep(100);
  await sleep(5_000);
  const [before, sentBefore] = [pages.asked.length, pages.sent()];
  await sleep(QUIET_MS);
  const asked = pages.asked.slice(before);
  const sweeps = asked.filter(({ path }) => path === '/api/v2/summary.json').length;
  const unchanged = asked.filter(({ status }) => status === 304).length;
  if (started.log().includes('unreachable')) throw new Error(started.log());
  return [
    {
      what: 'quiet Statuspage: requests a sweep',
      bare: null,
      linewatch: figure([asked.length / sweeps]),
      unit: 'requests',
      wanted: { most: 1 },
    },
    {
      what: 'likewise: of them answered by 304',
      bare: null,
      linewatch: figure([(100 * unchanged) / asked.length]),
      unit: '%',
      wanted: null,
    },
    {
      what: 'likewise: bytes a sweep, with heads',
      bare: null,
      linewatch: figure([(pages.sent() - sentBefore) / sweeps]),
      unit: 'bytes',
      wanted: { most: 1_000 },
    },
  ];
}

async function measureMany(): Promise<Row[]> {
  const one = await cost(1);
  const many = await cost(PAGES);
  const of = `${PAGES} Statuspages of ${COMPONENTS} components at 60 s`;
  return [
    {
      what: `${of}: processor, over a daemon of one`,
      bare: null,
      linewatch: figure([many.percent - one.percent]),
      unit: '%',
      wanted: { most: 3 },
    },
    {
      what: 'likewise: memory',
      bare: null,
      linewatch: figure([many.mb - one.mb]),
      unit: 'MB',
      wanted: { most: 60 },
    },
    {
      what: 'likewise: memory of the whole daemon',
      bare: null,
      linewatch: figure([many.mb]),
      unit: 'MB',
      wanted: null,
    },
    {
      what: 'likewise: processor a sweep',
      bare: null,
      linewatch: figure([many.msASweep]),
      unit: 'ms',
      wanted: null,
    },
  ];
}

/** Cost of this many pages, after all were read once and the start is over. */
async function cost(count: number): Promise<{ percent: number; mb: number; msASweep: number }> {
  await using pages = await startForeignPages(NOISE);
  await using bus = await startBus();
  const foreign = Array.from({ length: count }, (_, index) => `${pages.url}/${index}`);
  await using place = await install({ foreign, interval: '60s', webhook: bus.url });
  await using started = startProgram(['run', '--config', place.file], place.folder);
  await sleep(ROUND_MS);
  const [cpuBefore, before, began] = [await started.cpuMs(), pages.asked.length, performance.now()];
  const sizes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(ROUND_MS);
    sizes.push((await started.memory()).mb);
  }
  const [cpuMs, sweeps] = [(await started.cpuMs()) - cpuBefore, pages.asked.length - before];
  if (sweeps < count * ROUNDS) throw new Error(`only ${sweeps} requests: ${started.log()}`);
  return { percent: (100 * cpuMs) / (performance.now() - began), mb: figure(sizes).median, msASweep: cpuMs / sweeps };
}
