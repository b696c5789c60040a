/**
 * Three members under a changing provider, a real PostgreSQL, and one fault after the other: what is told is complete,
 * the provider is never asked too often, and no commit of an older epoch comes after one of a newer.
 *
 * `LINEWATCH_FAULTS=200` plays so many.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/simulator/random.ts';
import { mostInAnyWindow } from '../../src/simulator/request-log.ts';
import { openSite, type CloudEvent, type Site } from '../support/site.ts';
import { startMember, type Member } from './members.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const LEASE_MS = 4_000;
const FAULTS = Number(process.env['LINEWATCH_FAULTS'] ?? 6);
const MINUTE = 60_000;

const FAULT_KINDS = ['kill', 'stop', 'pause', 'silent', 'refuses', 'database'] as const;
type Fault = (typeof FAULT_KINDS)[number];

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
      auditCommits(postgres);
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
        one.process.signal('SIGTERM');
        await one.process.ended;
        await one.start();
      },
      async pause(one) {
        one.process.signal('SIGSTOP');
        await sleep(2 * LEASE_MS);
        one.process.signal('SIGCONT');
      },
      async silent(one) {
        one.way.let('silent');
        await sleep(2 * LEASE_MS);
        one.way.let('open');
      },
      async refuses(one) {
        one.way.let('refuses');
        await sleep(2 * LEASE_MS);
        one.way.let('open');
      },
      async database() {
        await postgres.kill();
        await sleep(LEASE_MS);
        await postgres.start();
      },
    };

    it(
      `lose nothing and hold the limit over ${FAULTS} faults`,
      async () => {
        const random = createRandom(20_261_122);
        const { status } = site.provider.simulator;
        await someoneLeads();
        await site.event('source.baseline');
        const opened: number[] = [];
        const told: string[] = [];
        for (let fault = 0; fault < FAULTS; fault += 1) {
          // oxlint-disable no-await-in-loop -- one after the other
          const kind = FAULT_KINDS[fault % FAULT_KINDS.length] ?? 'kill';
          const lead = await someoneLeads();
          // Mostly whoever leads, sometimes one that stands by.
          const hit = random.chance(0.8) ? lead : (members[random.whole(0, members.length - 1)] ?? lead);
          const id = status.openNotice({ subject: `Trouble ${fault}` });
          await sleep(random.next() * LEASE_MS);
          await deeds[kind](hit);
          await someoneLeads();
          await site.event('notice.opened', ({ subject }) => subject === `notice/${id}`);
          status.closeNotice(id);
          await site.event('notice.closed', ({ subject }) => subject === `notice/${id}`);
          opened.push(id);
          told.push(kind);
          // oxlint-enable no-await-in-loop
        }
        expect(told).toHaveLength(FAULTS);

        const events = site.events();
        for (const id of opened) {
          const about = events.filter(({ subject }) => subject === `notice/${id}`).map(({ type }) => type);
          expect([id, about]).toEqual([
            id,
            expect.arrayContaining(['linewatch.notice.opened', 'linewatch.notice.closed']),
          ]);
        }
        expect(toldTwice(events)).toBeLessThanOrEqual(2 * FAULTS);
        expect(mostInAnyWindow(site.provider.simulator.log.all())).toBeLessThanOrEqual(5);
        expect(commitsOutOfOrder(postgres)).toBe('0');
      },
      (FAULTS + 2) * MINUTE,
    );
  },
);

/** How many events came again after they had come. */
function toldTwice(events: readonly CloudEvent[]): number {
  return events.length - new Set(events.map(({ id }) => id)).size;
}

/** The database notes by itself the epoch of every commit, in the order in which they took effect. */
function auditCommits({ sql }: RealPostgres): void {
  sql(`create table audit (at bigserial primary key, epoch bigint not null);
       create function note() returns trigger language plpgsql as $$
         begin insert into audit (epoch) values (new.epoch); return new; end $$;
       create trigger noted before insert or update on linewatch_document for each row execute function note()`);
}

function commitsOutOfOrder({ sql }: RealPostgres): string {
  return sql('select count(*) from audit a where exists (select from audit b where b.at < a.at and b.epoch > a.epoch)');
}
