/** From the start of the process to its first request. */
import { figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { startBare, startProgram, type Measured } from './process.ts';
import { startBenchProvider, type BenchProvider } from './provider.ts';

const RUNS = 11;

export async function measureStart(): Promise<Row[]> {
  await using provider = await startBenchProvider();
  const [bare, linewatch]: [number[], number[]] = [[], []];
  const page = `${provider.url}/page-100`;
  for (let run = 0; run <= RUNS; run += 1) {
    const plain = await firstRequest(provider, () => startBare(1000, provider.url, [`${page}/api/v1/status`]));
    await using place = await install({ pages: [page], interval: '1s', webhook: `${provider.url}/bus` });
    const ours = await firstRequest(provider, () => startProgram(['run', '--config', place.file], place.folder));
    // The first run of each warms the caches of the disk and of compiled code.
    if (run === 0) continue;
    bare.push(plain);
    linewatch.push(ours);
  }
  return [
    {
      what: 'spawn → first request, warm',
      bare: figure(bare),
      linewatch: figure(linewatch),
      unit: 'ms',
      wanted: { ratio: 2.6 },
    },
  ];
}

async function firstRequest(provider: BenchProvider, start: () => Measured): Promise<number> {
  const asked = provider.next('/api/v1/');
  await using started = start();
  const { at } = await asked;
  return at - started.startedAt;
}
