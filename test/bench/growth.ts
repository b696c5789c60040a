/** Processor time and memory of a request as pages, accounts and their number grow. */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatCount } from '../../src/core/text/plain.ts';
import { figure, type Row } from './figures.ts';
import { watchFor, type Idle } from './idle.ts';
import { install } from './installation.ts';
import { startBare, startProgram, type Measured } from './process.ts';
import { startBenchProvider, type BenchProvider } from './provider.ts';

const COMPONENTS_A_PAGE = 25;
const PAGE_REQUESTS_A_SECOND = 5;
/** Before that, a window says little: the kernel counts processor time in hundredths of a second. */
const LEAST_WINDOW_MS = 8_000;
/** As many requests as so many rounds have would ask for everything, were it asked for at all. */
const ROUNDS_UNTIL_REFUSED = 4;
/** A longer round is watched once. */
const LONG_ROUND_S = 10;

interface Size {
  what: string;
  /** Bases below the provider's. */
  pages?: string[];
  accounts?: string[];
  /** Addresses below the provider's: all that a round asks, as the bare poller does. */
  asked: string[];
  /** Between two rounds. */
  intervalS: number;
}

/** Measures the sizes whose names contain `part`. */
export async function measureGrowth(part: string): Promise<Row[]> {
  const sizes = [
    ...[1, 10, 100, 1_000].map(accountsOf),
    ...[100, 1_000, 10_000].map(phonesOf),
    ...[100, 1_000, 10_000].map(componentsOf),
  ];
  const rows: Row[] = [];
  for (const size of sizes.filter(({ what }) => what.includes(part))) rows.push(...(await measureSize(size)));
  return rows;
}

function accountsOf(count: number): Size {
  const accounts = Array.from({ length: count }, (_, index) => `/account-100-${index}`);
  // From two requests a second up to what one provider is asked at most.
  const intervalS = { 1: 1, 10: 1, 100: 10 }[count] ?? 60;
  return {
    what: `${formatCount(count, 'account')} of 100 phones`,
    accounts,
    asked: accounts.flatMap(listingsOf),
    intervalS,
  };
}

function phonesOf(count: number): Size {
  const account = `/account-${count}-0`;
  return { what: `an account of ${count} phones`, accounts: [account], asked: listingsOf(account), intervalS: 1 };
}

function listingsOf(account: string): string[] {
  return [`${account}/api/v1/pbx/registrations`, `${account}/api/v1/pbx/action-toggles`];
}

function componentsOf(count: number): Size {
  const page = `/page-${count}`;
  const components = Array.from(
    { length: count / COMPONENTS_A_PAGE },
    (_, index) => `${page}/api/v1/components?page=${index + 1}`,
  );
  const notices = ['present', 'future'].map((one) => `${page}/api/v1/notices?filter[timeline_state_eq]=${one}`);
  const asked = [`${page}/api/v1/status`, ...notices, ...components];
  const intervalS = Math.ceil(asked.length / PAGE_REQUESTS_A_SECOND);
  return { what: `a page of ${count} components`, pages: [page], asked, intervalS };
}

async function measureSize({ what, pages = [], accounts = [], asked, intervalS }: Size): Promise<Row[]> {
  await using provider = await startBenchProvider();
  const at = (paths: readonly string[]): string[] => paths.map((path) => `${provider.url}${path}`);
  await using place = await install({
    pages: at(pages),
    accounts: at(accounts),
    interval: `${intervalS}s`,
    webhook: provider.url,
    requestsPerSecond: 40,
  });
  // The first page of components is asked for by no number.
  const round = asked.filter((path) => !path.endsWith('?page=1'));
  const bare = await watch(provider, () => startBare(intervalS * 1_000, provider.url, at(asked)), round, intervalS);
  const run = (): Measured => startProgram(['run', '--config', place.file], place.folder);
  const ours = await watch(provider, run, round, intervalS);
  return [
    {
      what: `${what}: processor a request`,
      bare: figure(bare.cpuMs),
      linewatch: figure(ours.cpuMs),
      unit: 'ms',
      wanted: null,
    },
    { what: 'likewise: memory', bare: figure(bare.rssMb), linewatch: figure(ours.rssMb), unit: 'MB', wanted: null },
  ];
}

/** After a first round: whole rounds, so that what is done at the end of each counts. */
async function watch(
  provider: BenchProvider,
  start: () => Measured,
  round: readonly string[],
  intervalS: number,
): Promise<Idle> {
  await using started = start();
  await allAsked(provider, round);
  await sleep(2_000);
  const window = async (): Promise<unknown> =>
    await Promise.all([allAsked(provider, round), sleep(Math.max(LEAST_WINDOW_MS, intervalS * 1_000))]);
  return await watchFor(provider, started, window, intervalS > LONG_ROUND_S ? 1 : 3);
}

/** Resolves when each of these paths has been asked for once more. Rejects where one is not, although others are. */
async function allAsked(provider: BenchProvider, paths: readonly string[]): Promise<void> {
  const missing = new Set(paths);
  const most = provider.asked.length + ROUNDS_UNTIL_REFUSED * paths.length;
  for (let next = provider.asked.length; missing.size > 0; await sleep(50)) {
    for (; next < provider.asked.length; next += 1) missing.delete(provider.asked[next]?.path ?? '');
    if (provider.asked.length > most) throw new Error(`never asked for: ${[...missing].slice(0, 3).join(', ')}`);
  }
}
