/**
 * A thousand customers of one provider: what watching them costs, and whether all of them are read as often as is wanted.
 * `crowd:10000` measures ten thousand in one process, only where it is named.
 *
 * Phones and toggles of 1,000 accounts every 60 s are 33.3 requests a second. A slot of the limiter is taken until 5 ms
 * more than a second after the answer, so 30 a second would carry at most 29.8 of them and leave every account late.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startBus } from './bus.ts';
import { figure, type Row } from './figures.ts';
import { install } from './installation.ts';
import { startProgram, type Measured } from './process.ts';
import { startBenchProvider, type BenchProvider } from './provider.ts';

const PHONES = 100;
const INTERVAL_S = 60;
/** For 1,000 accounts. */
const REQUESTS_PER_SECOND = 40;
/** The interval is spread by 5 %, and a request waits its turn. */
const IN_TIME_MS = INTERVAL_S * 1_100;

interface Crowd {
  /** Kind of the bench provider. */
  kind: 'account' | 'counting';
  accounts: number;
  suffix: string;
  /** Most of a processor in percent, and most megabytes. */
  wanted: { processor: number; memory: number } | null;
}

/** Lists of phones that stay the same, and those of a registrar, which state the time left of each. */
const CROWDS: Readonly<Record<string, Crowd>> = {
  account: { kind: 'account', accounts: 1_000, suffix: '', wanted: { processor: 6, memory: 250 } },
  counting: { kind: 'counting', accounts: 1_000, suffix: ', whose lists state the time left', wanted: null },
};

const LONG: typeof CROWDS = {
  '10000': { kind: 'account', accounts: 10_000, suffix: ', in one process', wanted: { processor: 65, memory: 1_800 } },
};

/** Measures the crowds whose names contain `part`. */
export async function measureCrowd(part: string): Promise<Row[]> {
  const rows: Row[] = [];
  const named = Object.entries(CROWDS).flatMap(([name, crowd]) => (name.includes(part) ? [crowd] : []));
  for (const crowd of LONG[part] === undefined ? named : [LONG[part]]) rows.push(...(await measure(crowd)));
  return rows;
}

async function measure({ kind, accounts: count, suffix, wanted }: Crowd): Promise<Row[]> {
  await using provider = await startBenchProvider();
  await using bus = await startBus();
  const accounts = Array.from({ length: count }, (_, index) => `${provider.url}/${kind}-${PHONES}-${index}`);
  await using place = await install({
    pages: [`${provider.url}/page-100`],
    accounts,
    interval: `${INTERVAL_S}s`,
    webhook: bus.url,
    requestsPerSecond: (REQUESTS_PER_SECOND * count) / 1_000,
  });
  await using started = startProgram(['run', '--config', place.file], place.folder);
  while (readsOf(provider, 'action-toggles').size < count) await sleep(1_000);
  const allRead = performance.now() - started.startedAt;
  // All began at once; from the second round on they are spread over the interval.
  await sleep(2 * INTERVAL_S * 1_000);
  const { cpuMs, requests, elapsedMs, read } = await watched(provider, started);
  const { mb, mostMb, anonymousMb } = await started.memory();
  const row = { bare: null, wanted: null };
  const of = `${count} accounts of ${PHONES} phones at ${INTERVAL_S} s${suffix}`;
  return [
    {
      ...row,
      what: `${of}: processor`,
      linewatch: figure([(100 * cpuMs) / elapsedMs]),
      unit: '%',
      wanted: wanted && { most: wanted.processor },
    },
    { ...row, what: 'likewise: processor a request', linewatch: figure([cpuMs / requests]), unit: 'ms' },
    {
      ...row,
      what: 'likewise: memory',
      linewatch: figure([mb]),
      unit: 'MB',
      wanted: wanted && { most: wanted.memory },
    },
    { ...row, what: 'likewise: of it anonymous', linewatch: figure([anonymousMb]), unit: 'MB' },
    { ...row, what: 'likewise: most memory so far', linewatch: figure([mostMb]), unit: 'MB' },
    { ...row, what: 'likewise: start → every account read', linewatch: figure([allRead / 1_000]), unit: 's' },
    {
      ...row,
      what: 'likewise: accounts that were late',
      linewatch: figure([100 * (1 - read / count)]),
      unit: '%',
      wanted: { most: 0 },
    },
  ];
}

/** A window in which every account is to be read. */
async function watched(provider: BenchProvider, started: Measured) {
  const [cpuBefore, before, began] = [await started.cpuMs(), provider.asked.length, performance.now()];
  await sleep(IN_TIME_MS);
  const elapsedMs = performance.now() - began;
  const read = readsOf(provider, 'registrations', before).size;
  return { cpuMs: (await started.cpuMs()) - cpuBefore, requests: provider.asked.length - before, elapsedMs, read };
}

/** The addresses of such a listing that were asked since the request of that number. */
function readsOf(provider: BenchProvider, listing: string, since = 0): Set<string> {
  return new Set(
    provider.asked.slice(since).flatMap(({ path }) => (path.endsWith(`/api/v1/pbx/${listing}`) ? [path] : [])),
  );
}
