/**
 * The page of 200 accounts with 100,000 rows of history: how soon it answers, and what a crowd in front of it costs the
 * watch: 500 who are kept posted, and 50 who ask for pages without a rest.
 */
import { mkdirSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedPort } from '../support/http-receiver.ts';
import { startBus } from './bus.ts';
import { figure, type Figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { startProgram, type Measured } from './process.ts';
import { startBenchProvider, type BenchProvider } from './provider.ts';
import { invite } from './visitors.ts';
import { DAY, writeDays } from './year.ts';

const ACCOUNTS = 200;
const PHONES = 20;
const INTERVAL_S = 10;
/** The spread of an interval. */
const JITTER_MS = INTERVAL_S * 50;
const REQUESTS_PER_SECOND = 60;
const POSTED = 500;
const ASKING = 50;
/** More than 100,000 rows. */
const DAYS_OF_HISTORY = 40;
const WATCHED_MS = 45_000;
/** Something changes this often meanwhile. */
const CHANGED_EVERY_MS = 3_000;
const SETTLED_MS = 5_000;
const LOOKS = 30;
const FIRST_BYTE_MS = 30;
const WHOLE_PAGE_MS = 60;
const PROCESSOR_MS = 50;
/** Alerts of the history have these numbers: of a notice and of a phone, at its beginning. */
const PAGES = {
  now: '/',
  wall: '/?wall',
  'ninety days': '/days',
  'an open alert': '/alerts/1',
  'an alert of the past': '/alerts/50011',
  'a phone of the past': '/alerts/100012',
  maintenance: '/maintenance',
  deliveries: '/deliveries',
  silences: '/silences',
  JSON: '/api/status',
};
const PROBE_EVERY_MS = 5;

export async function measurePage(): Promise<Row[]> {
  await using provider = await startBenchProvider();
  await using bus = await startBus();
  const listen = `127.0.0.1:${await closedPort()}`;
  await using place = await install({
    pages: [`${provider.url}/page-100`],
    accounts: Array.from({ length: ACCOUNTS }, (_, index) => `${provider.url}/account-${PHONES}-${index}`),
    interval: `${INTERVAL_S}s`,
    webhook: bus.url,
    requestsPerSecond: REQUESTS_PER_SECOND,
    listen,
  });
  const directory = join(place.folder, 'state');
  mkdirSync(directory, { mode: 0o700 });
  const named = Array.from({ length: 20 }, (_, index) => `account${index}`);
  const since = Date.now() - DAYS_OF_HISTORY * DAY;
  await writeDays({ directory, days: DAYS_OF_HISTORY, since, page: 'page0', accounts: named });
  await using started = startProgram(['run', '--config', place.file], place.folder);
  while (!pathsAsked(provider, ACCOUNTS)) await sleep(500);
  provider.openNotice(10);
  provider.degrade(10);
  await sleep(3 * INTERVAL_S * 1_000);
  const url = `http://${listen}`;
  const quiet = await watched(provider, started);
  const looks = [...(await coldDays(url, started)), ...(await firstBytes(url, started, quiet.processor))];
  await using visitors = await invite({ url, posted: POSTED, asking: 0, paths: [] });
  await sleep(SETTLED_MS);
  const posted = await watched(provider, started);
  await using asking = await invite({
    url,
    posted: 0,
    asking: ASKING,
    paths: ['/', '/?q=#', '/alerts/1', '/api/status', '/metrics'],
  });
  await visitors.seen();
  const flooded = await watched(provider, started);
  const posts = await visitors.seen();
  const asked = await asking.seen();
  const row = { bare: null };
  return [
    ...looks,
    {
      ...row,
      what: `${POSTED} pages that are kept posted: memory beyond that without them`,
      linewatch: figure([posted.mb - quiet.mb]),
      unit: 'MB',
      wanted: { always: 100 },
    },
    {
      ...row,
      what: `likewise, and ${ASKING} who ask without a rest: memory beyond that without them`,
      linewatch: figure([flooded.mb - quiet.mb]),
      unit: 'MB',
      wanted: { always: 100 },
    },
    {
      ...row,
      what: `how far sweeps are off their interval of ${INTERVAL_S} s, nobody looks`,
      linewatch: quiet.off,
      unit: 'ms',
      wanted: null,
    },
    {
      ...row,
      what: `likewise, ${POSTED} are kept posted and ${ASKING} ask without a rest`,
      linewatch: flooded.off,
      unit: 'ms',
      wanted: { always: Math.round(quiet.off.most + JITTER_MS) },
    },
    {
      ...row,
      what: 'likewise: processor beyond that without them',
      linewatch: figure([flooded.processor - quiet.processor]),
      unit: '%',
      wanted: null,
    },
    {
      ...row,
      what: 'likewise: pages that are asked for, a second',
      linewatch: figure([asked.answered / (WATCHED_MS / 1_000)]),
      unit: '',
      wanted: null,
    },
    {
      ...row,
      what: 'likewise: of all that is asked for, refused',
      linewatch: figure([(100 * asked.refused) / (asked.answered + asked.refused)]),
      unit: '%',
      wanted: null,
    },
    {
      ...row,
      what: 'likewise: pages that come by themselves, a second and each',
      linewatch: figure([posts.posted / POSTED / (WATCHED_MS / 1_000)]),
      unit: '',
      wanted: null,
    },
  ];
}

/** `idle`: percent of a processor for watching, without viewers. */
async function firstBytes(url: string, started: Measured, idle: number): Promise<Row[]> {
  const rows: Row[] = [];
  const of = `${ACCOUNTS} accounts and 100,000 rows of history`;
  for (const [name, path] of Object.entries(PAGES)) {
    // The first look loads what answers.
    await firstByte(`${url}${path}`);
    const [cpuBefore, began] = [await started.cpuMs(), performance.now()];
    const took: { head: number; all: number }[] = [];
    for (let look = 0; look < LOOKS; look += 1) took.push(await looked(`${url}${path}`));
    const watching = ((performance.now() - began) * idle) / 100;
    const processor = ((await started.cpuMs()) - cpuBefore - watching) / LOOKS;
    const row = { bare: null, unit: 'ms' };
    const [heads, wholes] = [figure(took.map(({ head }) => head)), figure(took.map(({ all }) => all))];
    rows.push(
      { ...row, what: `first byte of a page (${name}), ${of}`, linewatch: heads, wanted: { most: FIRST_BYTE_MS } },
      { ...row, what: 'likewise: the whole page', linewatch: wholes, wanted: { most: WHOLE_PAGE_MS } },
      {
        ...row,
        what: 'likewise: processor of a look',
        linewatch: figure([processor]),
        wanted: { most: PROCESSOR_MS },
      },
    );
  }
  return rows;
}

/** First request for ninety days: time until they begin and are complete, and the delay of other requests meanwhile. */
async function coldDays(url: string, started: Measured): Promise<Row[]> {
  // The code that answers is loaded with the first request.
  await firstByte(`${url}/healthz`);
  await firstByte(`${url}/maintenance`);
  const [cpuBefore, began] = [await started.cpuMs(), performance.now()];
  const days = looked(`${url}/days`);
  const over = days.then(() => true);
  const waits: number[] = [];
  do waits.push(await firstByte(`${url}/healthz`));
  while (!(await Promise.race([over, sleep(PROBE_EVERY_MS, false)])));
  const { head, all } = await days;
  const processor = (await started.cpuMs()) - cpuBefore;
  const row = { bare: null, unit: 'ms', wanted: null };
  const most = { most: FIRST_BYTE_MS };
  return [
    { ...row, what: 'first byte of ninety days that are not counted yet', linewatch: figure([head]), wanted: most },
    { ...row, what: 'likewise: the last byte', linewatch: figure([all]) },
    { ...row, what: 'likewise: processor, with that of the probes', linewatch: figure([processor]) },
    { ...row, what: 'likewise: how long others wait meanwhile', linewatch: figure(waits), wanted: most },
    { ...row, what: 'likewise: over how long', linewatch: figure([performance.now() - began]) },
  ];
}

/** Milliseconds from asking to the head of the answer. */
async function firstByte(url: string): Promise<number> {
  return (await looked(url)).head;
}

/** Milliseconds from asking to the first byte of what is shown, and to the last. */
function looked(url: string): Promise<{ head: number; all: number }> {
  const asked = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { accept: 'text/html' } }, (answer) => {
      let head: number | null = null;
      answer.on('data', () => (head ??= performance.now() - asked));
      answer.on('end', () => {
        const all = performance.now() - asked;
        if (answer.statusCode === 200) resolve({ head: head ?? all, all });
        else reject(new Error(`${url}: ${answer.statusCode}`));
      });
    }).on('error', reject);
  });
}

interface Watched {
  mb: number;
  /** Percent of one processor. */
  processor: number;
  /** By how much each round was further from the one before than its interval, or nearer. */
  off: Figure;
}

async function watched(provider: BenchProvider, started: Measured): Promise<Watched> {
  provider.asked.length = 0;
  const [cpuBefore, began] = [await started.cpuMs(), performance.now()];
  for (let passed = 0; passed < WATCHED_MS; passed += CHANGED_EVERY_MS) {
    provider.degrade((passed / CHANGED_EVERY_MS) % 10);
    await sleep(CHANGED_EVERY_MS);
  }
  const processor = (100 * ((await started.cpuMs()) - cpuBefore)) / (performance.now() - began);
  const rounds = Map.groupBy(
    provider.asked.filter(({ path }) => path.endsWith('/registrations') || path.endsWith('/status')),
    ({ path }) => path,
  );
  const off = [...rounds.values()].flatMap((asked) =>
    asked.slice(1).map(({ at }, index) => Math.abs(at - (asked[index]?.at ?? at) - INTERVAL_S * 1_000)),
  );
  return { mb: (await started.memory()).mb, processor, off: figure(off) };
}

function pathsAsked(provider: BenchProvider, accounts: number): boolean {
  return (
    new Set(provider.asked.filter(({ path }) => path.endsWith('/action-toggles')).map(({ path }) => path)).size ===
    accounts
  );
}
