/** From the start of the process to its first request, and likewise beside a year of history. */
import { closeSync, copyFileSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { startBare, startProgram, type Measured } from './process.ts';
import { startBenchProvider, type BenchProvider } from './provider.ts';
import { DAY, writeDays } from './year.ts';

const RUNS = 15;
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
    await using young = await install({ pages: [page], interval: '1s', webhook: `${provider.url}/bus` });
    await using old = await install({ pages: [page], interval: '1s', webhook: `${provider.url}/bus` });
    giveHistory(old.folder, year);
    const asked = [`${page}/api/v1/status`];
    const kinds = [
      { measured: bare, start: () => startBare(1000, provider.url, asked) },
      { measured: linewatch, start: () => startProgram(['run', '--config', young.file], young.folder) },
      { measured: withYear, start: () => startProgram(['run', '--config', old.file], old.folder) },
    ];
    // Each is first as often as the others.
    for (const { measured, start } of [...kinds.slice(run % kinds.length), ...kinds.slice(0, run % kinds.length)]) {
      const ms = await firstRequest(provider, start);
      // The first run of each warms the caches of the disk and of compiled code.
      if (run > 0) measured.push(ms);
    }
  }
  return [
    {
      what: 'spawn → first request, warm',
      bare: figure(bare),
      linewatch: figure(linewatch),
      unit: 'ms',
      wanted: { ratio: 2.4 },
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

/** It is on the disk before anything is measured. */
function giveHistory(folder: string, year: string): void {
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  const file = join(state, 'history.db');
  copyFileSync(join(year, 'history.db'), file);
  const opened = openSync(file, 'r+');
  fsyncSync(opened);
  closeSync(opened);
}

async function firstRequest(provider: BenchProvider, start: () => Measured): Promise<number> {
  const asked = provider.next('/api/v1/');
  await using started = start();
  const { at } = await asked;
  return at - started.startedAt;
}
