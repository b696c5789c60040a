/**
 * Three members under a changing provider, a real PostgreSQL, and one fault after the other: what is told is complete,
 * the provider is never asked too often, and no commit of an older epoch comes after one of a newer.
 *
 * `LINEWATCH_FAULTS=200` plays so many, and prints what each kind has cost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/simulator/random.ts';
import { mostInAnyWindow } from '../../src/simulator/request-log.ts';
import type { Posted } from '../support/http-receiver.ts';
import { openSite, type CloudEvent, type Site } from '../support/site.ts';
import { longestGap, startMember, type Member } from './members.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const LEASE_MS = 4_000;
const FAULTS = Number(process.env['LINEWATCH_FAULTS'] ?? 9);
const MINUTE = 60_000;

const FAULT_KINDS = ['kill', 'stop', 'pause', 'silent', 'half', 'slow', 'refuses', 'database', 'restart'] as const;
type Fault = (typeof FAULT_KINDS)[number];

/** What one fault has cost. */
interface Cost {
  fault: string;
  /** Between two requests at the provider, the longest. */
  unwatchedMs: number;
  /** From a notice that was opened about then until the bus had it. */
  toldAfterMs: number;
  /** Posts with something that was told before. */
  toldTwice: number;
}

describe.skipIf(whyNoPostgres !== null)(
  `members${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let site: Site;
    let members: Member[];

    beforeAll(async () => {
      [postgres, site] = [await startPostgres(), await openSite()];
      const receivers = site.config.receivers.filter(({ name }) => name === 'bus');
      const config = { ...site.config, receivers, route: { receivers: ['bus'] } };
      const url = new URL(postgres.url);
      members = [];
      for (const name of ['one', 'two', 'three']) {
        // oxlint-disable-next-line no-await-in-loop -- the first makes the tables, and leads
        members.push(await startMember(name, url, config, `${LEASE_MS}ms`));
      }
      beginAudit(postgres);
    }, MINUTE);

    afterAll(async () => {
      for (const member of members) await member[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    });

    /** Who leads by the database; null where nobody does. */
    function leader(): Member | null {
      const holder = postgres.sql('select holder from linewatch_lease where expires_at > clock_timestamp()');
      return members.find(({ name }) => holder.startsWith(`${name}/`)) ?? null;
    }

    async function someoneLeads(): Promise<Member> {
      await expect.poll(leader, { timeout: 10 * LEASE_MS, interval: 50 }).not.toBeNull();
      return leader() ?? (await someoneLeads());
    }

    const deeds: Record<Fault, (one: Member) => Promise<void>> = {
      async kill(one) {
        await one.kill();
        await sleep(LEASE_MS);
        await one.start();
      },
      async stop(one) {
        await one.stop();
        await one.start();
      },
      async pause(one) {
        one.process.signal('SIGSTOP');
        await sleep(2 * LEASE_MS);
        one.process.signal('SIGCONT');
      },
      silent: (one) => cutOff(one, 'silent'),
      half: (one) => cutOff(one, 'half'),
      slow: (one) => cutOff(one, 'slow'),
      refuses: (one) => cutOff(one, 'refuses'),
      async database() {
        await postgres.kill();
        // Whoever is refused knows that it is down; whoever only hears nothing may be cut off himself.
        await allShutWhile(async () => await sleep(2 * LEASE_MS));
        await postgres.start();
      },
      async restart() {
        await postgres.stop();
        await postgres.start();
      },
    };

    async function allShutWhile(work: () => Promise<void>, ways = members.map(({ way }) => way)): Promise<void> {
      const [way, ...others] = ways;
      if (way === undefined) return await work();
      await way.shutWhile(async () => await allShutWhile(work, others));
    }

    async function cutOff({ way }: Member, how: Parameters<Member['way']['let']>[0]): Promise<void> {
      way.let(how);
      await sleep(2 * LEASE_MS);
      way.let('open');
    }

    /** A notice of now, and how long it takes until the bus has it. */
    function openedNow(subject: string): { id: number; told: Promise<number> } {
      const id = site.provider.simulator.status.openNotice({ subject });
      const at = performance.now();
      const about = ({ subject: of }: CloudEvent): boolean => of === `notice/${id}`;
      return { id, told: site.event('notice.opened', about).then(() => performance.now() - at) };
    }

    it(
      `lose nothing and hold the limit over ${FAULTS} faults`,
      async () => {
        const random = createRandom(20_261_122);
        const { status } = site.provider.simulator;
        await someoneLeads();
        await site.event('source.baseline');
        const opened: number[] = [];
        const costs: Cost[] = [];
        for (let fault = 0; fault < FAULTS; fault += 1) {
          // oxlint-disable no-await-in-loop -- one after the other
          const kind = FAULT_KINDS[fault % FAULT_KINDS.length] ?? 'kill';
          const lead = await someoneLeads();
          // Mostly whoever leads, sometimes one that stands by.
          const hit = random.chance(0.8) ? lead : (members[random.whole(0, members.length - 1)] ?? lead);
          const before = toldTwice(site.bus.taken);
          const asked = site.provider.simulator.log.all().length;
          // One before the other, by chance: it is seen, written or being told when the fault comes.
          const [opens, strikes] = [random.next() * LEASE_MS, random.next() * LEASE_MS];
          const change = sleep(opens).then(() => openedNow(`Trouble ${fault}`));
          await sleep(strikes);
          await deeds[kind](hit);
          await someoneLeads();
          const { id, told } = await change;
          const toldAfterMs = await told;
          status.closeNotice(id);
          await site.event('notice.closed', ({ subject }) => subject === `notice/${id}`);
          opened.push(id);
          costs.push({
            fault: `${kind}${hit === lead ? '' : ' of another'}`,
            unwatchedMs: longestGap(site.provider.simulator.log.all().slice(Math.max(0, asked - 1))),
            toldAfterMs,
            toldTwice: toldTwice(site.bus.taken) - before,
          });
          // oxlint-enable no-await-in-loop
        }
        sayCosts(costs);

        const events = site.events();
        for (const id of opened) {
          const about = events.filter(({ subject }) => subject === `notice/${id}`).map(({ type }) => type);
          expect([id, about]).toEqual([
            id,
            expect.arrayContaining(['linewatch.notice.opened', 'linewatch.notice.closed']),
          ]);
        }
        // What was in flight; and what was told while nothing could be saved.
        expect(costs.filter(({ fault, toldTwice: posts }) => posts > mostToldTwice(fault))).toEqual([]);
        expect(mostInAnyWindow(site.provider.simulator.log.all())).toBeLessThanOrEqual(5);
        const epochs = committedEpochs(postgres);
        expect(epochs.length).toBeGreaterThan(2 * FAULTS);
        expect(epochs).toEqual(epochs.toSorted((one, other) => one - other));
      },
      (FAULTS + 2) * MINUTE,
    );

    it(
      'share the limit where one is cut off for so long that it goes on by itself',
      async () => {
        const { simulator } = site.provider;
        const cutOff = await someoneLeads();
        const goesOn = (): boolean => cutOff.process.err().includes('with a part of its requests');
        cutOff.way.let('silent');
        await expect.poll(goesOn, { timeout: 10 * LEASE_MS }).toBe(true);
        const asked = simulator.log.all().length;
        const id = simulator.status.openNotice({ subject: 'Told by both, perhaps' });
        const isOfIt = ({ subject }: CloudEvent): boolean => subject === `notice/${id}`;
        await site.event('notice.opened', isOfIt);
        await sleep(2 * LEASE_MS);
        cutOff.way.let('open');
        await cutOff.process.logged('Another member leads; this one stands by from now on');
        simulator.status.closeNotice(id);
        await site.event('notice.closed', isOfIt);
        const arrivals = simulator.log.all().slice(asked);
        expect(mostInAnyWindow(simulator.log.all())).toBeLessThanOrEqual(5);
        // Both do ask, and what both have told is the same.
        expect(arrivals.length).toBeGreaterThan(10);
        expect(
          new Set(
            site
              .events()
              .filter(isOfIt)
              .map(({ id: told }) => told),
          ).size,
        ).toBe(2);
        expect(committedEpochs(postgres)).toEqual(committedEpochs(postgres).toSorted((one, other) => one - other));
      },
      2 * MINUTE,
    );
  },
);

function toldTwice(posts: readonly Posted[]): number {
  const known = new Set<string>();
  let again = 0;
  for (const { body } of posts) {
    const ids = (JSON.parse(body) as CloudEvent[]).map(({ id }) => id);
    if (ids.some((id) => known.has(id))) again += 1;
    for (const id of ids) known.add(id);
  }
  return again;
}

function mostToldTwice(fault: string): number {
  return /^(?:kill|stop|pause)/.test(fault) ? 1 : 4;
}

/** For whoever plays many. */
function sayCosts(costs: readonly Cost[]): void {
  const rows = [...Map.groupBy(costs, ({ fault }) => fault)].map(([fault, all]) => ({
    fault,
    times: all.length,
    unwatchedMs: medianAndWorst(all.map(({ unwatchedMs }) => unwatchedMs)),
    toldAfterMs: medianAndWorst(all.map(({ toldAfterMs }) => toldAfterMs)),
    toldTwice: all.reduce((sum, { toldTwice: twice }) => sum + twice, 0),
  }));
  // oxlint-disable-next-line no-console -- it is what is asked for
  console.table(rows);
}

function medianAndWorst(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other).map(Math.round);
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted.at(-1)})`;
}

/** From here on the database's own log of what was written is kept. */
function beginAudit({ sql }: RealPostgres): void {
  sql(`select pg_create_logical_replication_slot('audit', 'test_decoding')`);
}

/** Of every taking of the lease and of every document written since then, in the order in which they were committed. */
function committedEpochs({ sql }: RealPostgres): number[] {
  const rows = sql(`select substring(data from ' epoch\\[bigint\\]:(\\d+)')
    from pg_logical_slot_peek_changes('audit', null, null)
    where data ~ '^table public.linewatch_(document|lease): (INSERT|UPDATE)'`);
  return rows.split('\n').map(Number);
}
