/** Time from the answer that shows a change to the receiver's message, after two durable writes, and to an open page. */
import { closedPort } from '../support/http-receiver.ts';
import { startBus } from './bus.ts';
import { figure, type Figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { openPage } from './posted-page.ts';
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
      what: 'likewise, seen → on the page that is open',
      linewatch: small.page,
      wanted: { always: 1_000 },
    },
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

async function latencies(components: number): Promise<{ notice: Figure; page: Figure; flip: Figure }> {
  await using provider = await startBenchProvider();
  await using bus = await startBus();
  const page = `${provider.url}/page-${components}`;
  const listen = `127.0.0.1:${await closedPort()}`;
  await using place = await install({ pages: [page], interval: '2s', webhook: bus.url, listen });
  const baseline = bus.next('source.baseline');
  await using started = startProgram(['run', '--config', place.file], place.folder);
  await baseline;
  if (started.log().includes('error')) throw new Error(started.log());
  using alerts = await watchAlerts(`http://${listen}`);
  const [notices, pages, flips]: [number[], number[], number[]] = [[], [], []];
  for (let run = 0; run < RUNS; run += 1) {
    const noticed = bus.next('notice.opened');
    const shown = alerts.next();
    provider.openNotice(3);
    const listed = provider.next('timeline_state_eq]=present');
    notices.push((await noticed) - (await listed).at);
    pages.push((await shown) - (await listed).at);
  }
  for (let run = 0; run < RUNS; run += 1) {
    // Beyond the three that the open notice explains.
    const fell = bus.next('component.');
    provider.degrade(run % 2 === 0 ? 4 : 3);
    const seen = provider.next('/components');
    flips.push((await fell) - (await seen).at);
  }
  return {
    notice: figure(notices.slice(1)),
    page: figure(pages.slice(1)),
    flip: figure(flips.filter((_, run) => run % 2 === 0)),
  };
}

interface ShownAlerts extends Disposable {
  /** When an alert is shown that was not shown before, on the clock of `performance.now()`. */
  next(): Promise<number>;
}

/** The alerts on a page that is open. */
async function watchAlerts(url: string): Promise<ShownAlerts> {
  let [text, newest] = ['', 0];
  let shown: (at: number) => void = () => undefined;
  const page = await openPage(url, (piece) => {
    text += piece.toString('latin1');
    if (!text.endsWith('\n\n')) return;
    const numbers = [...text.matchAll(/alerts\/(\d+)/g)].map(([, number]) => Number(number));
    text = '';
    const before = newest;
    newest = Math.max(newest, ...numbers);
    if (newest > before) shown(performance.now());
  });
  return {
    next: () => new Promise((resolve) => (shown = resolve)),
    [Symbol.dispose]: () => page[Symbol.dispose](),
  };
}
