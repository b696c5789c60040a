/** From the start of the process to its first request, and likewise beside a year of history. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { startBare, startProgram, type Measured } from './process.ts';
import { startBenchProvider, type BenchProvider } from './provider.ts';
import { DAY, writeDays } from './year.ts';

const RUNS = 11;
const DAYS_OF_HISTORY = 365;
/** With a history it may take as long as without, but for what a measurement is off. */
const NO_SLOWER = 1.05;

export async function measureStart(): Promise<Row[]> {
  const year = mkdtempSync(join(tmpdir(), 'linewatch-bench-year-'));
  try {
    const since = Date.now() - DAYS_OF_HISTORY * DAY;
    await writeDays({ directory: year, days: DAYS_OF_HISTORY, since, page: 'page0' });
    return await measuredBeside(year);
  } finally {
    rmSync(year, { recursive: true });
  }
}

/** `year`: a directory with a history of a year. */
async function measuredBeside(year: string): Promise<Row[]> {
  await using provider = await startBenchProvider();
  const [bare, linewatch, withYear]: [number[], number[], number[]] = [[], [], []];
  const page = `${provider.url}/page-100`;
  for (let run = 0; run <= RUNS; run += 1) {
    const plain = await firstRequest(provider, () => startBare(1000, provider.url, [`${page}/api/v1/status`]));
    await using place = await install({ pages: [page], interval: '1s', webhook: `${provider.url}/bus` });
    const ours = await firstRequest(provider, () => startProgram(['run', '--config', place.file], place.folder));
    await using old = await install({ pages: [page], interval: '1s', webhook: `${provider.url}/bus` });
    const state = join(old.folder, 'state');
    mkdirSync(state, { mode: 0o700 });
    cpSync(join(year, 'history.db'), join(state, 'history.db'));
    const beside = await firstRequest(provider, () => startProgram(['run', '--config', old.file], old.folder));
    // The first run of each warms the caches of the disk and of compiled code.
    if (run === 0) continue;
    bare.push(plain);
    linewatch.push(ours);
    withYear.push(beside);
  }
  return [
    {
      what: 'spawn → first request, warm',
      bare: figure(bare),
      linewatch: figure(linewatch),
      unit: 'ms',
      wanted: { ratio: 2.6 },
    },
    {
      what: 'likewise, beside a year of history; where the bare poller stands, Linewatch without one',
      bare: figure(linewatch),
      linewatch: figure(withYear),
      unit: 'ms',
      wanted: { ratio: NO_SLOWER },
    },
  ];
}

async function firstRequest(provider: BenchProvider, start: () => Measured): Promise<number> {
  const asked = provider.next('/api/v1/');
  await using started = start();
  const { at } = await asked;
  return at - started.startedAt;
}
