/** From the request whose answer shows a change to the receiver that is told: through two durable writes. */
import { startBus } from './bus.ts';
import { figure, type Figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { startProgram } from './process.ts';
import { startBenchProvider } from './provider.ts';

const RUNS = 15;

export async function measureLatency(): Promise<Row[]> {
  const row = { bare: null, unit: 'ms' };
  const small = await latencies(25);
  const large = await latencies(100);
  return [
    { ...row, what: 'a notice about 3 components, seen → told', linewatch: small.notice, wanted: { most: 20 } },
    {
      ...row,
      what: 'a component of 25 flips without a notice, seen → told',
      linewatch: small.flip,
      wanted: { most: 40 },
    },
    {
      ...row,
      what: 'a component of 100 flips without a notice, seen → told',
      linewatch: large.flip,
      wanted: { most: 300 },
    },
  ];
}

async function latencies(components: number): Promise<{ notice: Figure; flip: Figure }> {
  await using provider = await startBenchProvider();
  await using bus = await startBus();
  const page = `${provider.url}/page-${components}`;
  await using place = await install({ pages: [page], interval: '2s', webhook: bus.url });
  const baseline = bus.next('source.baseline');
  await using started = startProgram(['run', '--config', place.file], place.folder);
  await baseline;
  if (started.log().includes('error')) throw new Error(started.log());
  const [notices, flips]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run += 1) {
    const noticed = bus.next('notice.opened');
    provider.openNotice(3);
    const listed = provider.next('timeline_state_eq]=present');
    notices.push((await noticed) - (await listed).at);
  }
  for (let run = 0; run < RUNS; run += 1) {
    // Beyond the three that the open notice explains.
    const fell = bus.next('component.');
    provider.degrade(run % 2 === 0 ? 4 : 3);
    const seen = provider.next('/components');
    flips.push((await fell) - (await seen).at);
  }
  return { notice: figure(notices.slice(1)), flip: figure(flips.filter((_, run) => run % 2 === 0)) };
}
