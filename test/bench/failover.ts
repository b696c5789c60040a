/**
 * How long nobody watches when the member that leads is killed or stopped: from the signal until another one asks the
 * provider. With PostgreSQL of the machine; without one it says so and measures nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../src/simulator/random.ts';
import { openSite, type Site } from '../support/site.ts';
import { startMember, type Member } from '../system/members.ts';
import { startPostgres, whyNoPostgres } from '../system/real-postgres.ts';
import { figure, type Row } from './figures.ts';

/** The default. */
const LEASE_MS = 6_000;
const RUNS = 10;
const INTERVAL_MS = 5_000;

export async function measureFailover(): Promise<Row[]> {
  if (whyNoPostgres !== null) {
    process.stdout.write(`failover is not measured: ${whyNoPostgres}\n`);
    return [];
  }
  await using postgres = await startPostgres();
  await using site = await openSite();
  const receivers = site.config.receivers.filter(({ name }) => name === 'bus');
  const pages = site.config.status_pages.map((page) => ({ ...page, interval: `${INTERVAL_MS}ms` }));
  const config = { ...site.config, status_pages: pages, receivers, route: { receivers: ['bus'] } };
  const url = new URL(postgres.url);
  await using one = await startMember('one', url, config, `${LEASE_MS}ms`);
  await one.process.logged('watching');
  await using two = await startMember('two', url, config, `${LEASE_MS}ms`);
  const pair: Pair = { leads: one, standsBy: two };
  const killed = await times(pair, site, (one) => one.kill());
  const stopped = await times(pair, site, (one) => one.stop());
  const row = { bare: null, unit: 's' };
  return [
    {
      ...row,
      what: `from the kill of the one of two members that leads to the next sweep, lease ${LEASE_MS / 1000} s`,
      linewatch: figure(killed),
      wanted: { always: (2 * LEASE_MS) / 1000 + 1 },
    },
    {
      ...row,
      what: 'from its clean stop to the next sweep',
      linewatch: figure(stopped),
      wanted: { most: 1 },
    },
  ];
}

interface Pair {
  leads: Member;
  standsBy: Member;
}

/** In seconds; they take turns. */
async function times(pair: Pair, { provider }: Site, end: (member: Member) => Promise<void>): Promise<number[]> {
  const random = createRandom(RUNS);
  const measured: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { leads, standsBy } = pair;
    // At any moment between two sweeps and two renewals, with the other one ready.
    await sleep(LEASE_MS / 2 + random.next() * INTERVAL_MS);
    const at = performance.now();
    const ending = end(leads);
    await standsBy.process.logged('leading');
    await provider.simulator.log.next();
    measured.push((performance.now() - at) / 1000);
    await ending;
    await leads.start();
    Object.assign(pair, { leads: standsBy, standsBy: leads });
  }
  return measured;
}
