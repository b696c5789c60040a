/** Cost of detecting, judging and reporting the failure of a whole provider, beyond the cost of a sweep. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startBus } from './bus.ts';
import { figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { startProgram } from './process.ts';
import { startBenchProvider } from './provider.ts';

const COMPONENTS = 1_000;
const LAST = `"component/${COMPONENTS}"`;
const RUNS = 3;
const SETTLED_MS = 5_000;
const QUIET_MS = 8_000;

export async function measureFall(): Promise<Row[]> {
  await using provider = await startBenchProvider();
  await using bus = await startBus();
  const page = `${provider.url}/page-${COMPONENTS}`;
  await using place = await install({ pages: [page], interval: '2s', webhook: bus.url });
  const baseline = bus.next('source.baseline');
  await using started = startProgram(['run', '--config', place.file], place.folder);
  await baseline;
  const cpu: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    // Whatever came before is over, and only looking is left.
    await sleep(SETTLED_MS);
    const quietBefore = await started.cpuMs();
    await sleep(QUIET_MS);
    const quiet = ((await started.cpuMs()) - quietBefore) / QUIET_MS;
    // The last component: those on the first page are reported before the others are read.
    const told = bus.next(LAST);
    const [began, before] = [performance.now(), await started.cpuMs()];
    provider.degrade(COMPONENTS);
    const lastedMs = (await told) - began;
    cpu.push(((await started.cpuMs()) - before - quiet * lastedMs) / 1000);
    const recovered = bus.next(LAST);
    provider.degrade(0);
    await recovered;
  }
  return [
    {
      what: `${COMPONENTS.toLocaleString('en')} components fall at once, processor time until all are told`,
      bare: null,
      linewatch: figure(cpu),
      unit: 's',
      wanted: { most: 1 },
    },
  ];
}
