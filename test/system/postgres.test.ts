/** State in a real PostgreSQL: tables, documents, and who may write them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { toSourceDocument } from '../../src/store/document-name.ts';
import { openDatabase, type Database } from '../../src/store/postgres/connection.ts';
import { DatabaseError } from '../../src/store/postgres/database-error.ts';
import { openDocuments } from '../../src/store/postgres/documents-in-database.ts';
import {
  giveBackLease,
  renewLease,
  takeLease,
  type Claim,
  type TakenLease,
  type Term,
} from '../../src/store/postgres/lease.ts';
import { readLeases } from '../../src/store/postgres/shard-leases.ts';
import { forgetMember, listMembers, reportMember } from '../../src/store/postgres/members.ts';
import { listMissingRights, prepareTables } from '../../src/store/postgres/tables.ts';
import { storeSuite } from '../store/suite.ts';
import { openWay } from './members.ts';
import { startPreparedPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const ANSWERING = `select count(*) from pg_stat_activity
  where application_name = 'linewatch' and wait_event is distinct from 'ClientRead'`;
const shape = { schema: 1, migrations: [], empty: { n: 0 } };
const claim = (instance: string, holder: string): Claim => ({
  instance,
  name: 'all',
  holder,
  format: 1,
  leaseMs: 60_000,
  lapsed: null,
});

describe.skipIf(whyNoPostgres !== null)(
  `PostgreSQL${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let database: Database;

    beforeAll(async () => {
      const prepared = await startPreparedPostgres();
      ({ postgres, database } = prepared);
      return prepared.close;
    });

    async function termOf(instance: string, holder: string): Promise<Term> {
      const taken = await takeLease(database, claim(instance, holder));
      if (taken === null) throw new Error(`${holder} got no lease`);
      return { instance, name: 'all', holder, epoch: taken.epoch };
    }

    /** As one that has seen no renewal for a whole lease takes it. */
    async function takeOver(instance: string, holder: string, format = 1): Promise<TakenLease | null> {
      const [lease] = (await readLeases(database, instance)).leases;
      return await takeLease(database, { ...claim(instance, holder), format, lapsed: lease?.sign ?? null });
    }

    it('is prepared once, by whoever comes first, however many come at once', async () => {
      const other = new URL(postgres.url);
      postgres.sql('create database several');
      other.pathname = '/several';
      const several = await Promise.all([1, 2, 3, 4].map(() => openDatabase({ url: other.href, timeoutMs: 5_000 })));
      await Promise.all(several.map(prepareTables));
      const [first] = several;
      expect(await first?.ask('count in', 'select version from linewatch_tables')).toEqual([{ version: 7 }]);
      await Promise.all(several.map((each) => each.close()));
    });

    it.each(['23505', '42P07', '42710'])(
      'is prepared where another makes a table in the same instant, which it hears as %s',
      async (code) => {
        postgres.sql('drop table linewatch_ask');
        const late: Database = {
          ...database,
          async ask(doing, text, ...rest) {
            const rows = await database.ask<never>(doing, text, ...rest);
            if (!text.startsWith('create table')) return rows;
            throw new DatabaseError(doing, 'it', Object.assign(new Error('it exists'), { code }));
          },
        };
        await prepareTables(late);
        expect(await database.ask('count in', 'select 1 from linewatch_ask')).toEqual([]);
      },
    );

    let places = 0;
    storeSuite(
      () => {
        places += 1;
        const term = { instance: `place ${places}`, name: 'all', holder: 'one/1', epoch: 1 };
        postgres.sql(
          `insert into linewatch_lease values ('${term.instance}', 'all', 'one/1', 'one/1', 1, 1, clock_timestamp() + interval '1 hour')`,
        );
        return (access) => openDocuments({ database, instance: term.instance, term: access === 'write' ? term : null });
      },
      { numRuns: 30 },
    );

    it('keeps installations apart', async () => {
      const term = await termOf('apart', 'a');
      await (
        await openDocuments({ database, instance: 'apart', term }).document(toSourceDocument('page'), shape)
      ).commit({ n: 1 });
      const other = openDocuments({ database, instance: 'another', term: null });
      expect((await other.document(toSourceDocument('page'), shape)).value).toEqual({ n: 0 });
    });

    it('gives the lease to one, and to nobody who has not seen it lapse, whatever its clock says', async () => {
      const taken = await Promise.all(['a', 'b', 'c', 'd'].map((holder) => takeLease(database, claim('one', holder))));
      expect(taken.filter((each) => each !== null)).toEqual([
        { epoch: 1, former: null, unledMs: null, hasLapsed: false, slots: {} },
      ]);
      postgres.sql(`update linewatch_lease set expires_at = '2001-01-01' where instance = 'one'`);
      expect(await takeLease(database, claim('one', 'b'))).toBeNull();
      const [seen] = (await readLeases(database, 'one')).leases;
      const term = { instance: 'one', name: 'all', holder: String(seen?.holder), epoch: 1 };
      expect(await renewLease(database, term, 60_000)).toBe(true);
      // It was renewed since the other has looked.
      expect(await takeLease(database, { ...claim('one', 'b'), lapsed: String(seen?.sign) })).toBeNull();
      expect(await takeOver('one', 'b')).toMatchObject({ epoch: 2, hasLapsed: true });
      expect(await renewLease(database, term, 60_000)).toBe(false);
    });

    it('gives a lease that was given back to the next at once, and one that lapsed with the name of its holder', async () => {
      const first = await termOf('next', 'a');
      await giveBackLease(database, first, { 'pages of x': [5, 60_000], 'pages of y': [5] });
      const taken = await takeLease(database, { ...claim('next', 'b'), freeMs: 20 });
      // What has become free since then is left out.
      expect(taken).toMatchObject({
        epoch: 2,
        former: 'a',
        hasLapsed: false,
        slots: { 'pages of x': [60_000 - 20] },
      });
      expect(await takeOver('next', 'c')).toMatchObject({
        epoch: 3,
        former: 'b',
        unledMs: 0,
        hasLapsed: true,
        slots: {},
      });
    });

    it('gives a lease with what was left taken, though it was asked for before that was said', async () => {
      const first = await termOf('meanwhile', 'a');
      const other = await openDatabase({ url: postgres.url, timeoutMs: 5_000 });
      const lock = `select from linewatch_lease where instance = 'meanwhile' for update`;
      const asked = Promise.withResolvers<TakenLease | null>();
      await other.together('give back in', async (ask) => {
        await ask('lock', lock);
        takeLease(database, claim('meanwhile', 'b')).then(asked.resolve, asked.reject);
        await expect
          .poll(() => postgres.sql(`select count(*) from pg_stat_activity where wait_event_type = 'Lock'`))
          .not.toBe('0');
        await giveBackLease({ ...other, ask }, first, { 'pages of x': [60_000] });
      });
      const taken = (await asked.promise) ?? (await takeLease(database, claim('meanwhile', 'b')));
      expect(taken).toMatchObject({ epoch: 2, former: 'a', hasLapsed: false });
      expect(taken?.slots).toEqual({ 'pages of x': [expect.any(Number)] });
      await other.close();
    });

    it('refuses what a member of an older epoch writes, and tells it so', async () => {
      const old = await termOf('fenced', 'a');
      let lost = 0;
      const store = openDocuments({ database, instance: 'fenced', term: old, lost: () => (lost += 1) });
      const document = await store.document(toSourceDocument('page'), shape);
      await document.commit({ n: 1 });
      expect(await takeOver('fenced', 'b')).toMatchObject({ epoch: 2 });
      await expect(document.commit({ n: 2 })).rejects.toMatchObject({ name: 'LeaseLost' });
      await expect(store.remove(toSourceDocument('page'))).rejects.toMatchObject({ name: 'LeaseLost' });
      expect([lost, document.value]).toEqual([2, { n: 1 }]);
      expect(await renewLease(database, old, 60_000)).toBe(false);
    });

    it('keeps the newer state where a save that was given up is executed after the next', async () => {
      const term = await termOf('late', 'a');
      const late: (() => Promise<unknown>)[] = [];
      const givesUp: Database = {
        ...database,
        async ask(doing, text, values) {
          if (doing !== 'save in' || late.length > 0) return await database.ask(doing, text, values);
          late.push(() => database.ask(doing, text, values));
          throw new DatabaseError(doing, database.place, new Error('no answer came in time'));
        },
      };
      const page = toSourceDocument('page');
      const document = await openDocuments({ database: givesUp, instance: 'late', term }).document(page, shape);
      await expect(document.commit({ n: 1 })).rejects.toThrow(DatabaseError);
      await document.commit({ n: 2 });
      for (const save of late) await save();
      const again = await openDocuments({ database, instance: 'late', term }).document(page, shape);
      expect(again.value).toEqual({ n: 2 });
      await again.commit({ n: 3 });
      const read = await openDocuments({ database, instance: 'late', term: null }).document(page, shape);
      expect(read.value).toEqual({ n: 3 });
      // Of two writers the one that has read an older state is refused.
      await expect(document.commit({ n: 4 })).rejects.toThrow('A newer source page is stored.');
    });

    it('gives no lease to an older program after a newer one has led', async () => {
      expect(await takeOver('newer', 'b', 2)).toMatchObject({ epoch: 1 });
      expect(await takeOver('newer', 'c', 2)).toMatchObject({ epoch: 2 });
      expect(await takeOver('newer', 'a')).toBeNull();
      expect((await readLeases(database, 'newer')).format).toBe(2);
    });

    it('knows its members', async () => {
      const report = {
        instance: 'members',
        version: '1.0.0',
        process: 'p1',
        takesName: false,
        share: 0.6,
        configuration: 'h1',
        parts: '{}',
        startedAt: Date.now(),
        lagMs: 4,
        leads: null,
        now: Date.now() + 5_000,
      };
      await reportMember(database, { ...report, name: 'one', standing: 'leading', epoch: 3 });
      await reportMember(database, { ...report, name: 'two', standing: 'standing by', epoch: null });
      const [one, two] = await listMembers(database, 'members');
      expect(one).toMatchObject({ name: 'one', standing: 'leading', epoch: 3, version: '1.0.0', lagMs: 4 });
      expect(one?.clockAheadMs).toBeGreaterThan(4_000);
      expect(two?.silentMs).toBeLessThan(60_000);
      expect([one?.process, two?.process, one?.share]).toEqual(['p1', 'p1', 0.6]);
      postgres.sql(`update linewatch_member set seen_at = seen_at - interval '8 days' where name = 'two'`);
      const kept = await reportMember(database, { ...report, name: 'one', standing: 'leading', epoch: 3 });
      expect([kept.map(({ name }) => name), (await listMembers(database, 'members')).length]).toEqual([['one'], 1]);
      for (const name of ['nobody', 'one']) await forgetMember(database, 'members', name);
      expect(await listMembers(database, 'members')).toEqual([]);
    });

    it('lets one process have a name, until another takes it', async () => {
      const report = {
        instance: 'names',
        name: 'one',
        version: '1.0.0',
        standing: 'leading',
        epoch: 1,
        share: 1,
        configuration: null,
        parts: null,
        startedAt: 0,
        lagMs: null,
        leads: null,
        now: 0,
      } as const;
      const ofOne = async (process: string, takesName: boolean): Promise<unknown> =>
        (await reportMember(database, { ...report, process, takesName })).map((member) => member.process);
      expect(await ofOne('p1', true)).toEqual(['p1']);
      expect(await ofOne('p2', false)).toEqual(['p1']);
      expect(await ofOne('p2', true)).toEqual(['p2']);
      expect(await ofOne('p1', false)).toEqual(['p2']);
    });

    it('says which rights are missing', async () => {
      expect(await listMissingRights(database)).toEqual([]);
      postgres.sql('create role poor login; revoke create on schema public from public');
      postgres.sql('grant select, insert, update on linewatch_lease to poor');
      const poor = await openDatabase({ url: postgres.url.replace('linewatch@', 'poor@'), timeoutMs: 5_000 });
      expect(await listMissingRights(poor)).toContain('DELETE on linewatch_lease');
      await poor.close();
    });

    it.each([
      ['nothing listens', (url: string) => url.replace(/:\d+\//, ':1/'), 'the connection was refused', false],
      [
        'no such database',
        (url: string) => url.replace('/postgres', '/nothing').replace('127.0.0.1:', '127.0.0.1:'),
        'there is no such database (3D000)',
        false,
      ],
    ])('says why it cannot be asked: %s', async (_name, broken, why, isDown) => {
      const other = await openDatabase({
        url: broken(postgres.url.replace('linewatch@', 'linewatch:s3cret@')),
        timeoutMs: 2_000,
      });
      const failure: unknown = await other.ask('read from', 'select 1').catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'DatabaseError', isDown });
      expect(String(failure)).toContain(why);
      expect(String(failure)).not.toContain('s3cret');
      await other.close();
    });

    it.each(['stop', 'kill'] as const)(
      'knows that it is down where it has said so to an idle connection: %s',
      async (how) => {
        const way = await openWay(postgres.port);
        const url = postgres.url.replace(`:${postgres.port}/`, `:${way.port}/`);
        const other = await openDatabase({ url, timeoutMs: 2_000 });
        const failure = async (): Promise<unknown> =>
          await other.ask('read from', 'select 1').catch((error: unknown) => error);
        expect(await failure()).toEqual([{ '?column?': 1 }]);
        await way.shutWhile(async () => expect(await failure()).toMatchObject({ isDown: false, isAway: true }));
        expect(await failure()).toHaveLength(1);
        // Killed while it sends an answer, it says nothing.
        await expect.poll(() => postgres.ask(ANSWERING)).toBe('0');
        await postgres[how]();
        await way.closed();
        await way.shutWhile(async () => {
          await expect.poll(failure).toMatchObject({ isDown: true, isAway: true });
          expect(await failure()).toMatchObject({ isDown: true });
        });
        await postgres.start();
        expect(await failure()).toHaveLength(1);
        await way.shutWhile(async () => expect(await failure()).toMatchObject({ isDown: false }));
        await other.close();
        await way[Symbol.asyncDispose]();
      },
    );
  },
);
