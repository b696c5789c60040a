/** Members that wake one another through a real PostgreSQL, over ways that let notifications through and that do not. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/store/postgres/connection.ts';
import { openWakeups, type Wakeups } from '../../src/store/postgres/wakeups.ts';
import { openWay, type Way } from './members.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const EVERY_MS = 6_000;

describe.skipIf(whyNoPostgres !== null)(
  `members that wake one another${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let database: Database;
    let way: Way;
    let now = 0;
    const opened: Wakeups[] = [];

    beforeAll(async () => {
      postgres = await startPostgres();
      database = await openDatabase({ url: postgres.url, timeoutMs: 2_000 });
      way = await openWay(Number(new URL(postgres.url).port));
    });

    afterEach(() => {
      for (const one of opened.splice(0)) one.close();
    });

    afterAll(async () => {
      await database.close();
      await way[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    });

    /** `over`: what it listens on; it notifies by a connection that always works. */
    async function member(name: string, { instance = 'one', over = postgres.url } = {}): Promise<Wakeups> {
      const deps = { database, instance, member: name, everyMs: EVERY_MS, monotonic: () => now };
      const one = await openWakeups({ url: over, timeoutMs: 500, ...deps });
      opened.push(one);
      return one;
    }

    async function listening(name: string, where: { instance?: string; over?: string } = {}): Promise<Wakeups> {
      const one = await member(name, where);
      one.prove();
      await expect.poll(() => one.comeThrough).toBe(true);
      return one;
    }

    const proxied = (): string => Object.assign(new URL(postgres.url), { port: String(way.port) }).href;

    it('hear each other, and nobody of another installation', async () => {
      const [two, three] = [await listening('two'), await listening('three')];
      const stranger = await listening('two', { instance: 'another' });
      const [woken, alsoWoken, notWoken] = [two.next(), three.next(), stranger.next()];
      await three.wake();
      if (!woken.aborted) await once(woken, 'abort');
      if (!alsoWoken.aborted) await once(alsoWoken, 'abort');
      expect(two.next().aborted).toBe(false);
      const own = stranger.next();
      await stranger.wake();
      if (!own.aborted) await once(own, 'abort');
      expect(notWoken).toBe(own);
    });

    it('are not woken by what proves that they hear', async () => {
      const [two, three] = [await listening('two'), await listening('three')];
      const [woken, alsoWoken] = [two.next(), three.next()];
      now += EVERY_MS;
      two.prove();
      now += EVERY_MS;
      await expect.poll(() => two.comeThrough).toBe(true);
      expect(three.comeThrough).toBe(false);
      expect([woken.aborted, alsoWoken.aborted]).toEqual([false, false]);
    });

    it('believe nothing before it is proved, nor for long after', async () => {
      const one = await member('one');
      expect(one.comeThrough).toBe(false);
      one.prove();
      await expect.poll(() => one.comeThrough).toBe(true);
      now += 1.4 * EVERY_MS;
      expect(one.comeThrough).toBe(true);
      now += 0.2 * EVERY_MS;
      expect(one.comeThrough).toBe(false);
    });

    it('look again where the connection is lost, and connect anew', async () => {
      const one = await listening('one', { over: proxied() });
      const lost = one.next();
      way.let('refuses');
      if (!lost.aborted) await once(lost, 'abort');
      expect(one.comeThrough).toBe(false);
      now += EVERY_MS;
      one.prove();
      way.let('open');
      await expect
        .poll(() => {
          now += EVERY_MS;
          one.prove();
          return one.comeThrough;
        })
        .toBe(true);
      const woken = one.next();
      await one.wake();
      if (!woken.aborted) await once(woken, 'abort');
    });

    it('hear nothing over a way that lets nothing through, and do not believe that they do', async () => {
      const one = await listening('one', { over: proxied() });
      const deaf = one.next();
      way.let('silent');
      const other = await listening('other');
      const heard = other.next();
      now += EVERY_MS;
      one.prove();
      await other.wake();
      if (!heard.aborted) await once(heard, 'abort');
      now += EVERY_MS;
      expect([one.comeThrough, deaf.aborted]).toEqual([false, false]);
      way.let('open');
    });

    it('prove seldom what was in vain several times, and soon again once it was not', async () => {
      let asked = 0;
      const counting: Pick<Database, 'ask'> = {
        ask(...what) {
          asked += 1;
          return database.ask(...what);
        },
      };
      const deps = { instance: 'one', member: 'deaf', everyMs: EVERY_MS, monotonic: () => now };
      way.let('refuses');
      const one = await openWakeups({ url: proxied(), timeoutMs: 500, database: counting, ...deps });
      opened.push(one);
      const proofs = async (looks: number): Promise<number> => {
        const before = asked;
        for (let look = 0; look < looks; look += 1) {
          now += EVERY_MS;
          const due = one.next();
          one.prove();
          // A connection that is refused is a wake-up, too; where nothing was due there is none.
          await Promise.race([due.aborted ? null : once(due, 'abort'), sleep(20)]);
        }
        return asked - before;
      };
      expect(await proofs(20)).toBe(3);
      way.let('open');
      now += 100 * EVERY_MS;
      one.prove();
      await expect.poll(() => one.comeThrough).toBe(true);
      expect(await proofs(5)).toBe(5);
    });

    it('wake nobody where the database is away, and fail nobody', async () => {
      const url = Object.assign(new URL(postgres.url), { port: '1' }).href;
      const away = await openDatabase({ url, timeoutMs: 500 });
      const deps = { instance: 'one', member: 'one', everyMs: EVERY_MS, monotonic: () => now };
      const one = await openWakeups({ url, timeoutMs: 500, database: away, ...deps });
      const lost = one.next();
      one.prove();
      if (!lost.aborted) await once(lost, 'abort');
      await one.wake();
      expect(one.comeThrough).toBe(false);
      one.close();
      await away.close();
    });
  },
);
