/** What is given up on this side ends in the server, too: its locks, its connections, and what waits for them. */
import { connect, createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/store/postgres/connection.ts';
import { DatabaseError } from '../../src/store/postgres/database-error.ts';
import { openWay } from './members.ts';
import { hasPooler, startPooler } from './pooler.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const TIMEOUT_MS = 1_000;
const CONNECTIONS = 3;

describe.skipIf(whyNoPostgres !== null)(
  `limits of a session${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let administrator: Database;

    beforeAll(async () => {
      postgres = await startPostgres();
      administrator = await openDatabase({ url: postgres.url, timeoutMs: 60_000, connections: 2 });
      postgres.sql('create table held (n integer); insert into held values (1)');
    });

    afterAll(async () => {
      await administrator.close();
      await postgres[Symbol.asyncDispose]();
    });

    const openMember = (url: string): Promise<Database> => openDatabase({ url, timeoutMs: TIMEOUT_MS });

    function urlOver(port: number): string {
      return Object.assign(new URL(postgres.url), { port: String(port) }).href;
    }

    /** With the administrator's one or two. */
    async function countConnections(where = 'true'): Promise<number> {
      const [row] = await administrator.ask<{ count: number }>(
        'count in',
        `select count(*)::int from pg_stat_activity
          where application_name = 'linewatch' and ${where}`,
      );
      return row?.count ?? 0;
    }

    it('give up what waits for a lock, in the server as well', async () => {
      const member = await openMember(postgres.url);
      await administrator.together('lock', async (ask) => {
        await ask('lock', 'lock table held');
        const asked = Array.from({ length: 20 }, () => member.ask('read from', 'select n from held'));
        const outcomes = await Promise.allSettled(asked);
        expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
        expect(outcomes[0]).toMatchObject({ reason: { code: '55P03', isAway: true, isDown: false } });
        expect(await countConnections(`wait_event_type = 'Lock'`)).toBe(0);
        expect(await countConnections()).toBeLessThanOrEqual(CONNECTIONS + 2);
      });
      expect(await member.ask('read from', 'select n from held')).toEqual([{ n: 1 }]);
      await member.close();
    });

    it('end a transaction whose member is cut off, so that its locks are free', async () => {
      await using way = await openWay(postgres.port);
      const member = await openMember(urlOver(way.port));
      const cut = member.together('lock', async (ask) => {
        await ask('lock', 'select n from held for update');
        way.let('silent');
        await ask('read from', 'select n from held');
      });
      await expect(cut).rejects.toThrow(DatabaseError);
      // Waits until the lock is free, for a minute at most.
      expect(await administrator.ask('write to', 'update held set n = 1 returning n')).toEqual([{ n: 1 }]);
      await member.close();
    });

    it('count the time of a statement, not that of the queue before it', async () => {
      const member = await openMember(postgres.url);
      const asked = Array.from({ length: 30 }, () => member.ask('wait in', 'select pg_sleep(0.2)'));
      expect(await Promise.all(asked)).toHaveLength(30);
      expect(await countConnections()).toBeLessThanOrEqual(CONNECTIONS + 2);
      await member.close();
    });

    it('leave statements their own time, which is not that of a lock', async () => {
      const member = await openDatabase({ url: postgres.url, timeoutMs: TIMEOUT_MS, statementMs: 10 * TIMEOUT_MS });
      const [row] = await member.ask(
        'wait in',
        `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock, pg_sleep(1.2)`,
      );
      expect(row).toMatchObject({ statement: '8s', lock: '500ms' });
      await member.close();
    });

    it('fail what waits in the queue with the first that is not answered', async () => {
      await using way = await openWay(postgres.port);
      const member = await openMember(urlOver(way.port));
      await member.ask('read from', 'select 1');
      way.let('silent');
      const began = performance.now();
      const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => member.ask('read from', 'select 1')));
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(200);
      // One after the other they would take 200 / 3 times as long as one.
      expect(performance.now() - began).toBeLessThan(20 * TIMEOUT_MS);
      way.let('open');
      expect(await member.ask('read from', 'select 1 as n')).toEqual([{ n: 1 }]);
      await member.close();
    });

    it('leave the options of an address as they are', async () => {
      const url = new URL(postgres.url);
      url.searchParams.set('options', '-c search_path=elsewhere');
      const member = await openMember(url.href);
      const [row] = await member.ask(
        'read from',
        `select current_setting('search_path') as path, current_setting('lock_timeout') as lock`,
      );
      expect(row).toEqual({ path: 'elsewhere', lock: '500ms' });
      await member.close();
    });

    describe.each([
      { pooler: 'refuses them', open: openPooler, isThere: true },
      { pooler: 'drops them', open: startPooler, isThere: hasPooler },
    ])('where a pooler $pooler', ({ open, isThere }) => {
      const LIMITS = `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`;

      it.skipIf(!isThere)('are set for each statement', async () => {
        await using pooler = await open(postgres.port);
        const member = await openMember(urlOver(pooler.port));
        const shown = await Promise.all([1, 2, 3, 4].map(() => member.ask('read from', LIMITS)));
        expect(shown).toEqual(shown.map(() => [{ lock: '500ms', statement: '800ms' }]));
        await administrator.together('lock', async (ask) => {
          await ask('lock', 'lock table held');
          await expect(member.ask('read from', 'select n from held')).rejects.toMatchObject({ code: '55P03' });
          expect(await countConnections(`wait_event_type = 'Lock'`)).toBe(0);
        });
        expect(await member.ask('write to', 'update held set n = n + 1 returning n')).toEqual([{ n: 2 }]);
        expect(await administrator.ask('write to', 'update held set n = 1 returning n')).toEqual([{ n: 1 }]);
        await member.close();
      });

      it.skipIf(!isThere)('are those of the user if the server has some', async () => {
        await using pooler = await open(postgres.port);
        const limits = ['statement', 'lock', 'idle_in_transaction_session'];
        for (const limit of limits) postgres.sql(`alter role linewatch set ${limit}_timeout = '7s'`);
        const member = await openMember(urlOver(pooler.port));
        expect(await member.ask('read from', LIMITS)).toEqual([{ lock: '7s', statement: '7s' }]);
        await member.close();
        for (const limit of limits) postgres.sql(`alter role linewatch reset ${limit}_timeout`);
      });
    });
  },
);

interface OpenPooler extends AsyncDisposable {
  port: number;
}

/** Refuses options at the start of a session, in the words of PgBouncer. */
async function openPooler(to: number): Promise<OpenPooler> {
  const server = createServer((near) => {
    near.once('data', (start) => {
      if (start.includes('lock_timeout')) return void near.end(refusal('unsupported startup parameter: options'));
      const far = connect(to, '127.0.0.1');
      far.write(start);
      near.pipe(far).pipe(near);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        one.on('error', () => other.destroy());
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}

/** An ErrorResponse of PostgreSQL's protocol. */
function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
