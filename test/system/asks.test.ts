/** What one member asks of another through a real PostgreSQL: done once, by whoever leads, or not at all. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ControlRefusal } from '../../src/control/protocol.ts';
import { systemClock, type Clock } from '../../src/daemon/common/clock.ts';
import type { Daemon } from '../../src/daemon/loop/daemon.ts';
import type { Performer } from '../../src/daemon/status/daemons.ts';
import { createMemberAsks, type HeldHere, type MemberAsks } from '../../src/daemon/members/member-asks.ts';
import { openDatabase, type Database } from '../../src/store/postgres/connection.ts';
import { readLeases } from '../../src/store/postgres/shard-leases.ts';
import { takeLease, type Term } from '../../src/store/postgres/lease.ts';
import { listMissingRights, prepareTables } from '../../src/store/postgres/tables.ts';
import { quietLog } from '../support/running-daemon.ts';
import { DEAF, openWay, type Way } from './members.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

/** Statements take seconds beside a heavy load: with ten times as long for all of them, only what they say counts. */
const PATIENT: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms > 5_000 ? 10 * ms : ms, signal),
};

const VIEW = { leader: 'one', isCutOff: false, all: [] };

interface Ready {
  mayAct?: boolean;
  isReady?(): boolean;
}

describe.skipIf(whyNoPostgres !== null)(
  `asks of members${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let database: Database;
    let way: Way;
    let cut: Database;
    const stop = new AbortController();
    const answering: Promise<void>[] = [];

    beforeAll(async () => {
      postgres = await startPostgres();
      database = await openDatabase({ url: postgres.url, timeoutMs: 20_000 });
      await prepareTables(database);
      const url = new URL(postgres.url);
      way = await openWay(Number(url.port));
      url.port = String(way.port);
      cut = await openDatabase({ url: url.href, timeoutMs: 1_000 });
    });

    afterAll(async () => {
      stop.abort();
      await Promise.all(answering);
      await Promise.all([database.close(), cut.close()]);
      await way[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    });

    function asksOf(instance: string, name: string, by: Database = database): MemberAsks {
      return createMemberAsks({
        database: by,
        instance,
        name,
        leaseOf: () => 'all',
        refresh: () => Promise.resolve(),
        view: () => ({ ...VIEW, self: name }),
        wakeups: DEAF,
        clock: PATIENT,
        log: quietLog,
      });
    }

    /** Over at once, so that the next may take it; nobody else does. */
    async function termOf(instance: string, holder: string, leaseMs = 1): Promise<Term> {
      const [lease] = (await readLeases(database, instance)).leases;
      const lapsed = lease?.sign ?? null;
      const taken = await takeLease(database, { instance, name: 'all', holder, format: 1, leaseMs, lapsed });
      if (taken === null) throw new Error(`${holder} got no lease`);
      return { instance, name: 'all', holder, epoch: taken.epoch };
    }

    /** It leads with this term, and does what it is asked. */
    function leads(term: Term, deed: Performer, { mayAct = true, isReady = () => true }: Ready = {}): void {
      const over = new AbortController();
      const heldLease = { mayAct: () => mayAct, over: over.signal, lose: () => over.abort() };
      const held = (): HeldHere => ({ term, heldLease, daemon: isReady() ? ({} as Daemon) : null });
      const asks = asksOf(term.instance, 'one');
      async function answer(): Promise<void> {
        while (!stop.signal.aborted) {
          await asks.answerOnce([held()], new Map([['deed', deed]]));
          await sleep(20);
        }
      }
      answering.push(answer());
    }

    const rows = (instance: string): string =>
      postgres.sql(`select count(*) from linewatch_ask where instance = '${instance}'`);

    it('are done once each, in order, and answered', async () => {
      const done: unknown[] = [];
      leads(await termOf('once', 'one/1'), (_, ask) => Promise.resolve({ heard: done.push(ask) }));
      const two = asksOf('once', 'two');
      const strange = { text: '\u0000\u2028 "quoted" \\ ' + 'ü'.repeat(100_000) };
      expect(await two.pass(1, 'deed', strange)).toEqual({ heard: 1 });
      expect(done).toEqual([strange]);
      await Promise.all(Array.from({ length: 30 }, (_, n) => two.pass(1, 'deed', n)));
      expect(new Set(done.slice(1))).toEqual(new Set(Array.from({ length: 30 }, (_, n) => n)));
      expect(done).toHaveLength(31);
      expect(rows('once')).toBe('0');
    });

    it('are refused there with the words of a refusal here; what fails there says where to look', async () => {
      leads(await termOf('refused', 'one/1'), (_, ask) => {
        throw ask === 'odd' ? new TypeError('secret') : new ControlRefusal('There is no silence ab.');
      });
      const two = asksOf('refused', 'two');
      await expect(two.pass(1, 'deed', 'ab')).rejects.toThrow(new ControlRefusal('There is no silence ab.'));
      await expect(two.pass(1, 'deed', 'odd')).rejects.toThrow('one leads, and could not do it; its log says why.');
      await expect(two.pass(1, 'newer', 1)).rejects.toThrow('is it an older version?');
    });

    it('that nobody takes are taken back, and never done', async () => {
      const done: unknown[] = [];
      let isReady = false;
      leads(await termOf('late', 'one/1'), (_, ask) => Promise.resolve(done.push(ask)), { isReady: () => isReady });
      await expect(asksOf('late', 'two').pass(1, 'deed', 1)).rejects.toThrow(
        'did not take it up in time: it was not done',
      );
      isReady = true;
      expect(await asksOf('late', 'two').pass(1, 'deed', 2)).toBe(1);
      expect(done).toEqual([2]);
    });

    it('wait for whoever is beginning to lead', async () => {
      let isReady = false;
      leads(await termOf('soon', 'one/1'), (_, ask) => Promise.resolve(ask), { isReady: () => isReady });
      const asked = asksOf('soon', 'two').pass(1, 'deed', 'x');
      await sleep(1_000);
      isReady = true;
      expect(await asked).toBe('x');
    });

    it('are not taken by one that no longer leads, nor by one that may not act', async () => {
      const done: string[] = [];
      const old = await termOf('lost', 'one/1');
      leads(old, () => Promise.resolve(done.push('old')));
      await sleep(50);
      leads(await termOf('lost', 'two/1'), () => Promise.resolve(done.push('paused')), { mayAct: false });
      await expect(asksOf('lost', 'three').pass(1, 'deed', 1)).rejects.toThrow('it was not done');
      expect(done).toEqual([]);
    });

    it('that were taken and not answered may have been done or not', async () => {
      const lost = await termOf('unknown', 'one/1');
      const hangs: Performer = async () => {
        // Another one leads before it is done.
        await sleep(20);
        await termOf('unknown', 'two/1');
        return 'done';
      };
      leads(lost, hangs);
      const asked = asksOf('unknown', 'two').pass(1, 'deed', 1);
      await expect(asked).rejects.toThrow('Whether it was done is not known');
      expect(rows('unknown')).toBe('1');
      postgres.sql(`update linewatch_ask set asked_at = asked_at - interval '2 minutes' where instance = 'unknown'`);
      const again = asksOf('unknown', 'two');
      leads({ instance: 'unknown', name: 'all', holder: 'two/1', epoch: 2 }, (_, ask) => Promise.resolve(ask));
      expect(await again.pass(1, 'deed', 2)).toBe(2);
      await expect.poll(() => rows('unknown')).toBe('0');
    });

    it('say so where the database is away', async () => {
      const two = asksOf('away', 'two', cut);
      way.let('refuses');
      await expect(two.pass(1, 'deed', 1)).rejects.toThrow('Cannot ask another member through the database');
      way.let('silent');
      await expect(two.pass(1, 'deed', 1)).rejects.toThrow('Whether it was done is not known');
      way.let('open');
      expect(rows('away')).toBe('0');
    });

    it('are bounded', async () => {
      const value = `'full', 'x' || n, 'all', 'm', 'deed', '1', clock_timestamp() from generate_series(1, 100) n`;
      postgres.sql(`insert into linewatch_ask (instance, id, lease, member, name, ask, asked_at) select ${value}`);
      await expect(asksOf('full', 'two').pass(1, 'deed', 1)).rejects.toThrow('Too much is asked');
      const done: unknown[] = [];
      postgres.sql(`insert into linewatch_ask (instance, id, lease, member, name, ask, asked_at)
                    values ('large', 'x', 'all', 'm', 'deed', '"' || repeat('x', 1000000) || '"', clock_timestamp()),
                           ('large', 'y', 'all', 'm', 'deed', '{not json', clock_timestamp())`);
      leads(await termOf('large', 'one/1'), (_, ask) => Promise.resolve(done.push(ask)));
      expect(await asksOf('large', 'two').pass(1, 'deed', 1)).toBe(1);
      expect(done).toEqual([1]);
    });

    it('need a table that a database of before gets without a new version, and may lack', async () => {
      postgres.sql('create database before');
      const url = new URL(postgres.url);
      url.pathname = '/before';
      const before = await openDatabase({ url: url.href, timeoutMs: 2_000 });
      await prepareTables(before);
      const version = await before.ask('read', 'select version from linewatch_tables');
      await before.ask('change', 'drop table linewatch_ask');
      await Promise.all([prepareTables(before), prepareTables(before)]);
      expect(await before.ask('read', 'select version from linewatch_tables')).toEqual(version);
      expect(await before.ask('read', 'select * from linewatch_ask')).toEqual([]);
      await before.ask('change', 'drop table linewatch_ask');
      await before.ask('change', 'create role watcher login');
      await before.ask('change', 'revoke create on schema public from public');
      await before.ask('change', 'grant select, insert, update, delete on all tables in schema public to watcher');
      const watcher = await openDatabase({ url: url.href.replace('linewatch@', 'watcher@'), timeoutMs: 2_000 });
      await prepareTables(watcher);
      expect(await listMissingRights(watcher)).toEqual(['CREATE in the schema public, to make its tables']);
      const refused = asksOf('x', 'two', watcher).pass(1, 'deed', 1);
      await expect(refused).rejects.toThrow('a table is missing (42P01). Nothing was changed.');
      await Promise.all([before.close(), watcher.close()]);
    });
  },
);
