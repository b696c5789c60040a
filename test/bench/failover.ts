/**
 * Time without a watch when the leading member is killed or stopped, and when one of several shards is handed over: from
 * the signal, or from the decision, until another member asks the provider. Uses the machine's PostgreSQL; without one it
 * reports that and measures nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { createRandom } from '../../src/simulator/random.ts';
import type { LogLine } from '../support/linewatch-process.ts';
import { openSite, type Site } from '../support/site.ts';
import { startMember, type Member } from '../system/members.ts';
import { startPostgres, whyNoPostgres } from '../system/real-postgres.ts';
import { figure, type Row } from './figures.ts';

/** The default. */
const LEASE_MS = 6_000;
const RUNS = 10;
const INTERVAL_MS = 5_000;
/** Short enough that requests of one leader are in the same second as those of the next. */
const SHORT_INTERVAL_MS = 1_000;
const CLEAN = { most: 1 };

export async function measureFailover(): Promise<Row[]> {
  if (whyNoPostgres !== null) {
    process.stdout.write(`failover is not measured: ${whyNoPostgres}\n`);
    return [];
  }
  const killed = await inTurns((one) => one.kill(), INTERVAL_MS);
  const stopped = await inTurns((one) => one.stop(), INTERVAL_MS);
  const stoppedShort = await inTurns((one) => one.stop(), SHORT_INTERVAL_MS);
  const { afterStop, handedOver } = await inGroups();
  const row = { bare: null, unit: 's' };
  const wanted = { always: (2 * LEASE_MS) / 1000 + 1 };
  const what = `from the kill of the one of two members that leads to the next sweep, lease ${LEASE_MS / 1000} s`;
  const ofOne = 'of two members with a group each: from the';
  return [
    { ...row, what, linewatch: figure(killed), wanted },
    { ...row, what: 'from its clean stop to the next sweep', linewatch: figure(stopped), wanted: CLEAN },
    { ...row, what: 'likewise, pages at 1 s', linewatch: figure(stoppedShort), wanted: CLEAN },
    { ...row, what: `${ofOne} clean stop of one, pages at 1 s`, linewatch: figure(afterStop), wanted: CLEAN },
    { ...row, what: `${ofOne} decision to hand one over, likewise`, linewatch: figure(handedOver), wanted: CLEAN },
  ];
}

function configured(site: Site, statusUrls: readonly string[], intervalMs: number) {
  const receivers = site.config.receivers.filter(({ name }) => name === 'bus');
  const every = { interval: `${intervalMs}ms` };
  const pages = statusUrls.map((url, index) => ({
    ...site.config.status_pages[0],
    ...every,
    name: `page-${index + 1}`,
    base_url: url,
  }));
  return { ...site.config, status_pages: pages, receivers, route: { receivers: ['bus'] } };
}

/** In seconds; two members take turns. */
async function inTurns(end: (member: Member) => Promise<void>, intervalMs: number): Promise<number[]> {
  await using postgres = await startPostgres();
  await using site = await openSite();
  const { simulator, statusUrl } = site.provider;
  const config = configured(site, [statusUrl], intervalMs);
  const url = new URL(postgres.url);
  await using one = await startMember('one', url, config, `${LEASE_MS}ms`);
  await one.process.logged('watching');
  await using two = await startMember('two', url, config, `${LEASE_MS}ms`);
  const pair = { leads: one, standsBy: two };
  const random = createRandom(RUNS);
  const measured: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { leads, standsBy } = pair;
    // At any moment between two sweeps and two renewals, with the other one ready.
    await sleep(LEASE_MS / 2 + random.next() * intervalMs);
    const at = Date.now();
    const ending = end(leads);
    const watching = await standsBy.process.logged('watching');
    measured.push((askedAfter(simulator.log.all(), watching) ?? (await nextOf(simulator))) - at);
    await ending;
    await leads.start();
    Object.assign(pair, { leads: standsBy, standsBy: leads });
  }
  return measured.map((ms) => ms / 1_000);
}

type Simulator = Site['provider']['simulator'];

/** When the first request came after that line was written, by the wall clock; null where none has. */
function askedAfter(arrivals: readonly { at: number }[], line: LogLine): number | null {
  const wall = Date.now() - performance.now();
  const since = Date.parse(String(line['time']));
  const found = arrivals.find(({ at }) => wall + at >= since);
  return found === undefined ? null : wall + found.at;
}

async function nextOf({ log }: Simulator): Promise<number> {
  await log.next();
  return Date.now();
}

/** In seconds: two members, two groups; one is stopped, and gets its group back when it has joined again. */
async function inGroups(): Promise<{ afterStop: number[]; handedOver: number[] }> {
  await using postgres = await startPostgres();
  await using site = await openSite();
  const providers = [await startProvider(), await startProvider()];
  const config = configured(
    site,
    providers.map(({ statusUrl }) => statusUrl),
    SHORT_INTERVAL_MS,
  );
  const url = new URL(postgres.url);
  await using one = await startMember('one', url, config, `${LEASE_MS}ms`, providers.length);
  await using two = await startMember('two', url, config, `${LEASE_MS}ms`, providers.length);
  const random = createRandom(RUNS);
  const [afterStop, handedOver]: [number[], number[]] = [[], []];

  /** Time from then until the member whose log names the page asks for it. */
  async function untilAsked(watching: LogLine, since: number): Promise<number> {
    const [name] = watching['sources'] as string[];
    const provider = providers[Number(String(name).slice('page-'.length)) - 1];
    if (provider === undefined) throw new Error(`unknown page ${name}`);
    const { simulator } = provider;
    return ((askedAfter(simulator.log.all(), watching) ?? (await nextOf(simulator))) - since) / 1_000;
  }

  try {
    await two.process.logged('watching');
    for (let run = 0; run < RUNS; run += 1) {
      const [stopped, other] = run % 2 === 0 ? [one, two] : [two, one];
      await sleep(LEASE_MS / 2 + random.next() * SHORT_INTERVAL_MS);
      const at = Date.now();
      const ending = stopped.stop();
      const watching = await other.process.logged('watching', (line) => isLater(line, at));
      afterStop.push(await untilAsked(watching, at));
      await ending;
      await stopped.start();
      const again = await stopped.process.logged('watching');
      const decided = await other.process.logged('handing over', (line) => isLater(line, at));
      handedOver.push(await untilAsked(again, Date.parse(String(decided['time']))));
    }
  } finally {
    for (const provider of providers) await provider.close();
  }
  return { afterStop, handedOver };
}

function isLater(line: LogLine, at: number): boolean {
  return Date.parse(String(line['time'])) >= at;
}
