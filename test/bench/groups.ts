/**
 * Cost of watching 1,000 accounts with one member, and with three that share them in as many shards. Each page and its
 * accounts have their own origin, since one member makes all requests to one origin. Uses the machine's PostgreSQL;
 * without one it reports that and measures nothing.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { startPostgres, whyNoPostgres } from '../system/real-postgres.ts';
import { startBus } from './bus.ts';
import { figure, type Row } from './figures.ts';
import { startProgram, type Measured } from './process.ts';
import { startBenchProvider, type BenchProvider } from './provider.ts';

const ACCOUNTS = 1_000;
const PHONES = 100;
/** As many for each member. */
const ORIGINS = 21;
const INTERVAL_S = 60;
const MEMBERS = 3;
/** Shards are handed over, first findings are sent and saved, and sweeps are spread over the interval. */
const SETTLES_MS = 2 * INTERVAL_S * 1_000;
/** Two rounds of everything: the heap of each is collected several times within it. */
const WINDOW_MS = 2 * INTERVAL_S * 1_050;
/** A third, and a fifth more. */
const WANTED_PERCENT = (100 / MEMBERS) * 1.2;

export async function measureGroups(): Promise<Row[]> {
  if (whyNoPostgres !== null) {
    process.stdout.write(`groups are not measured: ${whyNoPostgres}\n`);
    return [];
  }
  await using postgres = await startPostgres();
  await using bus = await startBus();
  const providers = await Promise.all(Array.from({ length: ORIGINS }, () => startBenchProvider()));
  try {
    const of = configured(providers, bus.url);
    const [alone = 0] = await loads(['alone'], { ...of, instance: 'one' }, { url: postgres.url, shards: 1 }, providers);
    const names = Array.from({ length: MEMBERS }, (_, index) => `member-${index + 1}`);
    const shared = await loads(names, { ...of, instance: 'three' }, { url: postgres.url, shards: MEMBERS }, providers);
    const row = { bare: null, unit: '%' };
    const what = `${ACCOUNTS} accounts of ${PHONES} phones at ${INTERVAL_S} s`;
    return [
      { ...row, what: `${what}, in a database: processor of one member`, linewatch: figure([alone]), wanted: null },
      {
        ...row,
        what: `likewise, in ${MEMBERS} groups of ${MEMBERS} members: processor of each`,
        linewatch: figure(shared),
        wanted: null,
      },
      {
        ...row,
        what: 'likewise: processor of each, of that of one alone',
        linewatch: figure(shared.map((load) => (100 * load) / alone)),
        wanted: { always: WANTED_PERCENT },
      },
    ];
  } finally {
    for (const provider of providers) await provider[Symbol.asyncDispose]();
  }
}

function configured(providers: readonly BenchProvider[], webhook: string) {
  const origins = providers.map(({ url }, index) => ({ url, page: `page-${index}` }));
  return {
    timezone: 'UTC',
    http: { listen: 'off' },
    log: { level: 'warn' },
    status_pages: origins.map(({ url, page }) => ({ name: page, base_url: `${url}/page-100`, interval: '60s' })),
    accounts: Array.from({ length: ACCOUNTS }, (_, index) => {
      const { url, page } = origins[index % ORIGINS] ?? { url: '', page: '' };
      const every = { interval: `${INTERVAL_S}s` };
      return {
        name: `account-${index}`,
        base_url: `${url}/account-${PHONES}-${index}`,
        api_key: 'key',
        status_page: page,
        registrations: every,
        toggles: every,
      };
    }),
    receivers: [{ name: 'bus', type: 'webhook', url: webhook }],
    route: { receivers: ['bus'] },
  };
}

/** Percent of a processor that each of the members takes, while together they read everything. */
async function loads(
  names: readonly string[],
  config: ReturnType<typeof configured> & { instance: string },
  database: { url: string; shards: number },
  providers: readonly BenchProvider[],
): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linewatch-groups-'));
  const members: Measured[] = [];
  try {
    const before = asked(providers);
    for (const name of names) {
      const file = join(folder, `${name}.yaml`);
      const own = { ...config, state_dir: join(folder, name), database: { ...database, member: name } };
      await writeFile(file, stringify(own), { mode: 0o600 });
      members.push(startProgram(['run', '--config', file], folder));
    }
    while (asked(providers) - before < 3 * ACCOUNTS) await sleep(1_000);
    await sleep(SETTLES_MS);
    const [began, first] = [performance.now(), asked(providers)];
    const costs = await Promise.all(members.map((member) => member.cpuMs()));
    await sleep(WINDOW_MS);
    const elapsedMs = performance.now() - began;
    const after = await Promise.all(members.map((member) => member.cpuMs()));
    if (asked(providers) - first < 4 * ACCOUNTS) throw new Error('not every account was read in time');
    return after.map((cpuMs, index) => (100 * (cpuMs - (costs[index] ?? 0))) / elapsedMs);
  } finally {
    for (const member of members) await member[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

function asked(providers: readonly BenchProvider[]): number {
  return providers.reduce((sum, provider) => sum + provider.asked.length, 0);
}
