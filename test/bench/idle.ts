/** Memory and processor while nothing happens: a page of 100 components and an account of 100 phones, every second. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE } from '../../src/core/text/duration.ts';
import { figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { startBare, startProgram, type Measured } from './process.ts';
import { startBenchProvider, type BenchProvider } from './provider.ts';

const STARTED_MS = 10_000;
/** Code that runs once a second is compiled in its third minute, and a daemon runs for months. */
const SETTLED_MS = 4 * MINUTE;
const WINDOWS = 5;
const WINDOW_MS = 6_000;

export interface Idle {
  rssMb: number[];
  anonymousMb: number[];
  /** Processor time of each request. */
  cpuMs: number[];
}

export async function measureIdle(): Promise<Row[]> {
  await using provider = await startBenchProvider();
  const [page, account] = [`${provider.url}/page-100`, `${provider.url}/account-100-0`];
  const timeline = (one: string): string => `${page}/api/v1/notices?filter[timeline_state_eq]=${one}`;
  const asked = [
    `${page}/api/v1/status`,
    ...[1, 2, 3, 4].map((number) => `${page}/api/v1/components?page=${number}`),
    timeline('present'),
    timeline('future'),
    `${account}/api/v1/pbx/registrations`,
    `${account}/api/v1/pbx/action-toggles`,
  ];
  // One after the other, so that neither takes processor time from the other.
  const bare = await watch(provider, () => startBare(1000, provider.url, asked));
  await using place = await install({ pages: [page], accounts: [account], interval: '1s', webhook: provider.url });
  const ours = await watch(provider, () => startProgram(['run', '--config', place.file], place.folder));
  return [
    {
      what: 'memory, page of 100 and account of 100 at 1 s, first minute',
      bare: figure(bare.first.rssMb),
      linewatch: figure(ours.first.rssMb),
      unit: 'MB',
      wanted: { ratio: 1.75 },
    },
    {
      what: '… after four minutes',
      bare: figure(bare.settled.rssMb),
      linewatch: figure(ours.settled.rssMb),
      unit: 'MB',
      wanted: { ratio: 1.6 },
    },
    {
      what: '… of it anonymous',
      bare: figure(bare.settled.anonymousMb),
      linewatch: figure(ours.settled.anonymousMb),
      unit: 'MB',
      wanted: null,
    },
    {
      what: 'processor a request, likewise, first minute',
      bare: figure(bare.first.cpuMs),
      linewatch: figure(ours.first.cpuMs),
      unit: 'ms',
      wanted: null,
    },
    {
      what: '… after four minutes',
      bare: figure(bare.settled.cpuMs),
      linewatch: figure(ours.settled.cpuMs),
      unit: 'ms',
      wanted: { most: 2 },
    },
  ];
}

async function watch(provider: BenchProvider, start: () => Measured): Promise<{ first: Idle; settled: Idle }> {
  await using started = start();
  await sleep(STARTED_MS);
  const first = await watchFor(provider, started, () => sleep(WINDOW_MS), WINDOWS);
  await sleep(SETTLED_MS);
  const settled = await watchFor(provider, started, () => sleep(WINDOW_MS), WINDOWS);
  return { first, settled };
}

/** Cost in this many windows; each begins when it is requested and ends when it resolves. */
export async function watchFor(
  provider: BenchProvider,
  started: Measured,
  window: () => Promise<unknown>,
  windows: number,
): Promise<Idle> {
  const idle: Idle = { rssMb: [], anonymousMb: [], cpuMs: [] };
  while (idle.rssMb.length < windows) {
    const [cpuBefore, before] = [await started.cpuMs(), provider.asked.length];
    await window();
    idle.cpuMs.push(((await started.cpuMs()) - cpuBefore) / (provider.asked.length - before));
    const { mb, anonymousMb } = await started.memory();
    idle.rssMb.push(mb);
    idle.anonymousMb.push(anonymousMb);
  }
  return idle;
}
