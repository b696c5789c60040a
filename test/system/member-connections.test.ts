/**
 * Connections of a member, as the database counts them: no more than nine, however long a table is locked and wherever
 * the member is cut off.
 *
 * `LINEWATCH_LOCKED=60000` locks each table for so many milliseconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/store/postgres/connection.ts';
import { closedPort } from '../support/http-receiver.ts';
import { openSite, type Site, type SiteConfig } from '../support/site.ts';
import { startMember, type Member } from './members.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const LEASE_MS = 4_000;
const LOCKED_MS = Number(process.env['LINEWATCH_LOCKED'] ?? 3 * LEASE_MS);
/** As docs/two-machines.md says. */
const MOST = 9;
const NAMES = ['one', 'two'];

describe.skipIf(whyNoPostgres !== null)(
  `connections of members${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let site: Site;
    let administrator: Database;
    let pages: string[];
    let members: Member[];

    beforeAll(async () => {
      [postgres, site] = [await startPostgres(), await openSite()];
      administrator = await openDatabase({ url: postgres.url, timeoutMs: 600_000, connections: 2 });
      const receivers = site.config.receivers.filter(({ name }) => name === 'bus');
      [pages, members] = [[], []];
      for (const name of NAMES) {
        // Each has a user of its own, by whom its connections are counted.
        postgres.sql(`create role ${name} superuser login`);
        const listen = `127.0.0.1:${await closedPort()}`;
        const config: SiteConfig = { ...site.config, receivers, route: { receivers: ['bus'] }, http: { listen } };
        const url = Object.assign(new URL(postgres.url), { username: name });
        members.push(await startMember(name, url, config, `${LEASE_MS}ms`));
        pages.push(`http://${listen}`);
      }
      await site.event('source.baseline');
    });

    afterAll(async () => {
      for (const member of members) await member[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await administrator.close();
      await postgres[Symbol.asyncDispose]();
    });

    async function count(): Promise<[name: string, count: number][]> {
      const rows = await administrator.ask<{ name: string; count: number }>(
        'count in',
        `select usename as name, count(*)::int as count from pg_stat_activity
          where usename in ('one', 'two') group by usename`,
      );
      return rows.map((row) => [row.name, row.count]);
    }

    /** The most connections that each member has meanwhile. */
    async function countWhile(work: () => Promise<void>): Promise<Record<string, number>> {
      const most: Record<string, number> = Object.fromEntries(NAMES.map((name) => [name, 0]));
      const over = new AbortController();
      async function counts(): Promise<void> {
        do {
          for (const [name, now] of await count()) most[name] = Math.max(most[name] ?? 0, now);
          await sleep(25);
        } while (!over.signal.aborted);
      }
      const counting = counts();
      try {
        await work();
      } finally {
        over.abort();
        await counting;
      }
      return most;
    }

    /** The member that leads now, or the next to do so. */
    async function leader(): Promise<Member> {
      let found: Member | undefined;
      async function find(): Promise<Member | undefined> {
        const [row] = await administrator.ask<{ name: string }>(
          'read the leases in',
          `select split_part(holder, '/', 1) as name from linewatch_lease where holder is not null`,
        );
        return (found = members.find(({ name }) => name === row?.name));
      }
      await expect.poll(find).toBeDefined();
      return found ?? expect.fail('none leads');
    }

    /** Everything that reads or writes the database for a user of the page. */
    async function askAll(): Promise<void> {
      for (const page of pages) {
        for (const path of ['', 'days', 'alerts', 'deliveries', 'silences', 'api/status']) {
          await (await fetch(`${page}/${path}`)).text();
        }
      }
    }

    /** Opens a notice and ends it. */
    async function happens(subject: string): Promise<void> {
      const { status } = site.provider.simulator;
      const notice = status.openNotice({ subject });
      await site.event('notice.opened', (event) => event.subject === `notice/${notice}`);
      status.closeNotice(notice);
      await site.event('notice.closed', (event) => event.subject === `notice/${notice}`);
    }

    function expectNineAtMost(how: string, most: Record<string, number>): void {
      // oxlint-disable-next-line no-console -- it is what is asked for
      console.log(`most connections ${how}`, most);
      for (const name of NAMES) {
        expect(most[name]).toBeGreaterThan(0);
        expect(most[name]).toBeLessThanOrEqual(MOST);
      }
    }

    it('are no more than nine while they watch and answer', async () => {
      const most = await countWhile(async () => {
        await happens('Calls fail');
        await askAll();
      });
      expectNineAtMost('as usual', most);
    });

    it.each(['linewatch_document', 'linewatch_lease', 'linewatch_member'])(
      'are no more than nine while %s is locked, and the watch goes on after that',
      async (table) => {
        const { log } = site.provider.simulator;
        let since = 0;
        const most = await countWhile(async () => {
          await administrator.together('lock', async (ask) => {
            await ask('lock', `lock table ${table} in access exclusive mode`);
            const asked = askAll();
            await sleep(LOCKED_MS);
            await asked;
          });
          since = performance.now();
          await log.next(({ operation }) => operation === 'notices.list');
          since = performance.now() - since;
          await happens(`After ${table} was locked`);
        });
        expectNineAtMost(
          `as ${table} was locked for ${LOCKED_MS} ms, watched again after ${Math.round(since)} ms`,
          most,
        );
      },
    );

    it.each(['half', 'silent', 'refuses', 'slow'] as const)(
      'are no more than nine for one that is cut off (%s) in the midst of what it does, and nothing it held stays locked',
      async (how) => {
        const led = await leader();
        const holder = led.name;
        const most = await countWhile(async () => {
          const opened = happens(`As ${holder} was cut off: ${how}`);
          led.way.let(how);
          await sleep(2 * LEASE_MS);
          // Another member or the same goes on, and saves what it finds.
          await opened;
          led.way.let('open');
          await happens(`After ${holder} was cut off: ${how}`);
        });
        expectNineAtMost(`as ${holder} was cut off: ${how}`, most);
      },
    );
  },
);
