/** The history in a real PostgreSQL does what it does in its file. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createHistoryQueries } from '../../src/history/postgres.ts';
import { openLeaderHistory } from '../../src/daemon/members/membership.ts';
import { openDatabase, type Database } from '../../src/store/postgres/connection.ts';
import { takeLease, type Term } from '../../src/store/postgres/lease.ts';
import { listMissingRights, prepareTables } from '../../src/store/postgres/tables.ts';
import { copySuite } from '../history/copy-suite.ts';
import { historySuite } from '../history/suite.ts';
import {
  placeInFile,
  readFrom,
  recordedFall,
  recordedIn,
  transitionsIn,
  type KeptPlace,
} from '../support/recorded-history.ts';
import { startPreparedPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const NOTHING = { states: null, phones: null, alerts: [], unrecorded: [] };

/** As the first version with a database made them. */
const OLDER_TABLES = [
  'create table linewatch_tables (only_one boolean primary key check (only_one), version integer not null)',
  'insert into linewatch_tables values (true, 1)',
  `create table linewatch_lease (
     instance text not null, name text not null, holder text, last_holder text not null, epoch bigint not null,
     format integer not null, expires_at timestamptz not null, primary key (instance, name))`,
  `create table linewatch_document (
     instance text not null, kind text not null, name text not null, schema integer not null, epoch bigint not null,
     saved_at timestamptz not null, value text not null, primary key (instance, kind, name))`,
  `create table linewatch_member (
     instance text not null, name text not null, version text not null, standing text not null, epoch bigint,
     clock_ahead_ms double precision not null, started_at timestamptz not null, seen_at timestamptz not null,
     primary key (instance, name))`,
];

describe.skipIf(whyNoPostgres !== null)(
  `history in PostgreSQL${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let database: Database;
    let places = 0;

    beforeAll(async () => {
      const prepared = await startPreparedPostgres();
      ({ postgres, database } = prepared);
      return prepared.close;
    });

    function nextTerm(): Term {
      places += 1;
      return { instance: `hq ${places}`, name: 'all', holder: 'one/1', epoch: 1 };
    }

    /** Led by nobody else. */
    function placeOf(term: Term): KeptPlace {
      const { instance, name, holder, epoch } = term;
      postgres.sql(
        `insert into linewatch_lease values ('${instance}', '${name}', '${holder}', '${holder}', ${epoch}, 1, clock_timestamp() + interval '1 hour')`,
      );
      return {
        archive: () => openLeaderHistory({ database, term }),
        open: () => ({ ...createHistoryQueries({ ask: database.ask, instance }), close: () => undefined }),
      };
    }

    historySuite(() => placeOf(nextTerm()));
    describe('from a file', () => {
      copySuite(placeInFile, () => placeOf(nextTerm()));
    });
    describe('to a file', () => {
      copySuite(() => placeOf(nextTerm()), placeInFile);
    });

    const committed = { ...NOTHING, at: START, unrecorded: [recordedFall('t1', START)] };
    const count = (): string => postgres.sql('select count(*) from linewatch_transition');

    it('takes nothing from a member that no longer leads, and tells nobody', async () => {
      const term = nextTerm();
      const { history, told, pass } = recordedIn(placeOf(term), START);
      history.committed('provider', committed);
      await history.flush();
      expect(history.isRecorded('t1')).toBe(true);
      const before = count();
      postgres.sql(`update linewatch_lease set epoch = 2, holder = 'two/2' where instance = '${term.instance}'`);
      history.committed('provider', { ...committed, unrecorded: [recordedFall('t2', START)] });
      await history.flush();
      pass(MINUTE);
      await history.flush();
      await history.close();
      expect([history.isRecorded('t2'), count(), told]).toEqual([false, before, []]);
    });

    it('goes on where another member left off', async () => {
      const term = nextTerm();
      const place = placeOf(term);
      const states = (state: string) => [{ subject: 'component/1', name: 'Trunks', state }];
      const first = recordedIn(place, START);
      first.history.committed('provider', { ...committed, states: states('operational') });
      first.history.swept('provider', { components: null }, START, 2 * MINUTE);
      await first.history.close();
      postgres.sql(`update linewatch_lease set epoch = 2, holder = 'two/2' where instance = '${term.instance}'`);
      const next: KeptPlace = {
        ...place,
        archive: () => openLeaderHistory({ database, term: { ...term, holder: 'two/2', epoch: 2 } }),
      };
      const second = recordedIn(next, START);
      second.history.committed('provider', { ...committed, at: START + MINUTE, states: states('operational') });
      second.history.swept('provider', { components: null }, START + MINUTE, 2 * MINUTE);
      await second.history.close();
      const all = { since: 0, until: Number.MAX_SAFE_INTEGER };
      const kept = await readFrom(place, async (reader) => ({
        transitions: (await transitionsIn(reader)).length,
        states: (await reader.states(all)).length,
        readings: (await reader.readings(all)).map(({ since, until }) => [since - START, until - START]),
      }));
      expect(kept).toEqual({ transitions: 1, states: 1, readings: [[0, MINUTE]] });
    });

    it('that refuses is told once and asked again', async () => {
      const { history, told, pass } = recordedIn(placeOf(nextTerm()), START);
      postgres.sql('alter table linewatch_transition rename to elsewhere');
      history.committed('provider', committed);
      for (let minute = 0; minute < 3; minute += 1) {
        await history.flush();
        pass(MINUTE);
      }
      expect(told).toMatchObject([{ what: 'its history cannot be written' }]);
      expect(told[0]?.reason).toMatch(
        /^Cannot \w+ the history in the database postgres at .*: a table is missing \(42P01\)\. /,
      );
      postgres.sql('alter table elsewhere rename to linewatch_transition');
      pass(MINUTE);
      await history.flush();
      expect(history.isRecorded('t1')).toBe(true);
      await history.close();
    });

    it('that is away is waited for, and told by whoever keeps the state', async () => {
      const { history, told, pass } = recordedIn(placeOf(nextTerm()), START);
      history.committed('provider', committed);
      await postgres.kill();
      await history.flush();
      expect(history.isRecorded('t1')).toBe(false);
      await postgres.start();
      pass(MINUTE);
      await history.flush();
      expect([history.isRecorded('t1'), told]).toEqual([true, []]);
      await history.close();
    });

    it('comes to tables of a version that had none, by a user without other rights', async () => {
      const url = new URL(postgres.url);
      postgres.sql('create database older');
      url.pathname = '/older';
      const older = await openDatabase({ url: url.href, timeoutMs: 5_000 });
      for (const statement of OLDER_TABLES) await older.ask('make older', statement);
      expect(await listMissingRights(older)).toEqual([]);
      await prepareTables(older);
      expect(await listMissingRights(older)).toEqual([]);
      await older.ask('grant in', 'create role writer login');
      await older.ask('grant in', 'grant select, insert, update, delete on all tables in schema public to writer');
      await older.ask('revoke in', 'revoke all on linewatch_transition from writer');
      const poor = new URL(url);
      poor.username = 'writer';
      const asWriter = await openDatabase({ url: poor.href, timeoutMs: 5_000 });
      expect(await listMissingRights(asWriter)).toEqual(
        ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].map((right) => `${right} on linewatch_transition`),
      );
      await older.ask('grant in', 'grant select, insert, update, delete on linewatch_transition to writer');
      const term = { instance: 'poor', name: 'all', holder: 'one/1', epoch: 1 };
      expect(await takeLease(asWriter, { ...term, format: 1, leaseMs: 60_000, lapsed: null })).toMatchObject({
        epoch: 1,
      });
      const place: KeptPlace = { archive: () => openLeaderHistory({ database: asWriter, term }), open: () => null };
      const { history } = recordedIn(place, START);
      history.committed('provider', {
        ...committed,
        states: [{ subject: 'page', name: 'Page', state: 'operational' }],
      });
      await history.flush();
      expect(history.isRecorded('t1')).toBe(true);
      await history.close();
      await Promise.all([older.close(), asWriter.close()]);
    });
  },
);
