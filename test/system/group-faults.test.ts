/**
 * Faults at the moments that only groups have: as one is handed over to a member that joins, and as the sources are divided
 * anew. Whatever changes then at any page is told, no provider is asked too often, and no older epoch writes after a newer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SiteConfig } from '../support/site.ts';
import { whileLocked } from './faults.ts';
import type { Member } from './members.ts';
import { whyNoPostgres } from './real-postgres.ts';
import { closeAll, openAll } from './told.ts';
import { LEASE_MS, openWatch, type Watch } from './watch.ts';

const GROUPS = { shards: 3, pages: 4 };
const WAITS = 'Others lead with another division of the sources: this member waits for them';
const WAITS_TO_TAKE_UP =
  'The new configuration divides the sources otherwise: it is taken up as soon as every member has it';

describe.skipIf(whyNoPostgres !== null)(
  `faults of groups${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let watch: Watch;

    beforeAll(async () => {
      watch = await openWatch(GROUPS);
    });

    afterAll(async () => await watch[Symbol.asyncDispose]());

    afterEach(() => {
      watch.judgePace();
      watch.judgeEpochs();
    });

    /** One joins that was stopped: resolves as the member that leads two of the groups has given one of them back. */
    async function joins(): Promise<{ giver: Member; joiner: Member; group: string }> {
      await watch.evenly();
      const joiner = watch.member('three');
      await joiner.stop();
      const before = await watch.allLed();
      await joiner.start();
      let group = '';
      async function given(): Promise<string> {
        const now = await watch.holders();
        return (group = Object.keys(before).find((lease) => now[lease] !== before[lease]) ?? '');
      }
      await expect.poll(given, { interval: 10 }).not.toBe('');
      return { giver: watch.member(before[group] ?? ''), joiner, group };
    }

    const strikes: Record<string, (of: { giver: Member; joiner: Member }) => Promise<void>> = {
      async 'the one that joins is killed'({ joiner }) {
        await joiner.kill();
        await sleep(LEASE_MS);
        await joiner.start();
      },
      async 'the one that gives it back is killed'({ giver }) {
        await giver.kill();
        await sleep(LEASE_MS);
        await giver.start();
      },
      async 'the one that joins is cut off'({ joiner }) {
        joiner.way.let('silent');
        await sleep(2 * LEASE_MS);
        joiner.way.let('open');
      },
      async 'the one that gives it back is paused'({ giver }) {
        giver.process.signal('SIGSTOP');
        await sleep(2 * LEASE_MS);
        giver.process.signal('SIGCONT');
      },
      async 'the database is restarted'() {
        await watch.postgres.stop();
        await watch.postgres.start();
      },
    };

    it.each(Object.entries(strikes))('as a group is handed over, %s', async (_, strike) => {
      const of = await joins();
      const { notices, toldAfterMs } = await openAll(watch, watch.pages, 'As it was handed over');
      await strike(of);
      await toldAfterMs;
      await watch.evenly();
      await closeAll(watch, notices);
      expect(of.giver.name).not.toBe(of.joiner.name);
    });

    it('that has a message under way as it is handed over is not lost, nor told a third time', async () => {
      await watch.evenly();
      const joiner = watch.member('three');
      await joiner.stop();
      await watch.allLed();
      const { bus } = watch.site;
      const before = watch.told.twice();
      bus.react('hang');
      const { notices, toldAfterMs } = await openAll(watch, watch.pages, 'Nobody answers');
      await joiner.start();
      // Whoever gives a group back cuts short what is under way.
      await watch.evenly();
      bus.react({ status: 200 });
      await toldAfterMs;
      await closeAll(watch, notices);
      expect(watch.told.twice() - before).toBe(0);
    });

    it('are handed to one that joins only when their state can be saved, and are watched and told until then', async () => {
      await watch.evenly();
      const joiner = watch.member('three');
      await joiner.stop();
      const before = await watch.allLed();
      const twice = watch.told.twice();
      await whileLocked(watch, async () => {
        await joiner.start();
        await sleep(LEASE_MS);
        const { notices, toldAfterMs } = await openAll(watch, watch.pages, 'Nothing can be saved');
        await toldAfterMs;
        await watch.lookedAt(12);
        expect(await watch.holders()).toEqual(before);
        await closeAll(watch, notices);
      });
      await watch.evenly();
      expect(watch.told.twice() - twice).toBe(0);
    });

    it('keep their leader where what it saves hangs', async () => {
      const [, ...others] = watch.members;
      for (const one of others) await one.stop();
      const before = await watch.allLed();
      const epochs = (): string => watch.postgres.sql('select name, epoch from linewatch_lease order by name');
      const led = epochs();
      const { notices, toldAfterMs } = await openAll(watch, watch.pages, 'Nothing can be saved');
      await whileLocked(watch, () => sleep(2 * LEASE_MS));
      await toldAfterMs;
      expect([await watch.allLed(), epochs()]).toEqual([before, led]);
      for (const one of others) await one.start();
      await watch.evenly();
      await closeAll(watch, notices);
    });

    /** With the last so many of its accounts away. */
    function without(count: number): SiteConfig {
      const accounts = watch.config['accounts'] as unknown[];
      return { ...watch.config, accounts: accounts.slice(0, accounts.length - count) };
    }

    /** Resolves when each of them has said so once more than by now. */
    function sayAgain(members: readonly Member[], what: string): Promise<unknown> {
      return Promise.all(
        members.map(async ({ process }) => {
          const known = new Set(process.log().flatMap(({ msg, time }) => (msg === what ? [time] : [])));
          await process.logged(what, ({ time }) => !known.has(time));
        }),
      );
    }

    /** All but one, or all, take it up. */
    async function taken(config: SiteConfig, but?: Member): Promise<void> {
      const others = watch.members.filter((one) => one !== but);
      await watch.configure(config);
      const all = sayAgain(others, 'The configuration was read again');
      for (const one of others) one.process.signal('SIGHUP');
      await all;
    }

    it.each([
      [0, 3],
      [30, 2],
      [100, 3],
      [300, 2],
      [1_000, 3],
    ])('as the sources are divided anew, a member is killed after %i ms', async (afterMs, accounts) => {
      await watch.evenly();
      const [, name = ''] = Object.entries(await watch.holders())[1] ?? [];
      const killed = watch.member(name);
      const { notices, toldAfterMs } = await openAll(watch, watch.pages, 'As it was divided');
      const taking = taken(without(4 - accounts), killed);
      killed.process.signal('SIGHUP');
      await sleep(afterMs);
      await killed.kill();
      await taking;
      await watch.allLed();
      await toldAfterMs;
      await killed.start();
      await watch.evenly();
      await closeAll(watch, notices);
      // The lease of the killed process may have been taken for that of its next one until here.
      await expect.poll(async () => Object.values(await watch.holders())).toContain(name);
      await watch.evenly();
    });

    it('divided otherwise by one that hears nothing of it and is paused, are led without it', async () => {
      await watch.evenly();
      const [[, name] = ['', '']] = Object.entries(await watch.holders());
      const paused = watch.member(name);
      const others = watch.members.filter((one) => one !== paused);
      const wait = sayAgain(others, WAITS_TO_TAKE_UP);
      const taking = taken(without(3), paused);
      // The paused member has not read the new configuration.
      await wait;
      paused.process.signal('SIGSTOP');
      const { notices, toldAfterMs } = await openAll(watch, watch.pages, 'As it was paused');
      await taking;
      await watch.allLed();
      await toldAfterMs;
      const waits = sayAgain([paused], WAITS);
      paused.process.signal('SIGCONT');
      await waits;
      paused.process.signal('SIGHUP');
      await watch.evenly();
      await closeAll(watch, notices);
      expect(Object.values(await watch.holders())).toContain(name);
    });

    it('divided otherwise while the database is away, are watched on as before until it is back', async () => {
      await watch.evenly();
      const unreachable = sayAgain(watch.members, 'This member cannot take a lease');
      await watch.postgres.kill();
      await unreachable;
      const taking = taken(without(1));
      const { notices, toldAfterMs } = await openAll(watch, watch.pages, 'While it was away');
      await toldAfterMs;
      expect(await watch.holders()).toEqual({});
      await watch.postgres.start();
      await taking;
      await watch.evenly();
      await closeAll(watch, notices);
    });

    it('divided otherwise while one goes on by itself, ask its pages no more often than they may', async () => {
      await watch.evenly();
      const [[lease, name] = ['', '']] = Object.entries(await watch.holders());
      const cutOff = watch.member(name);
      const own = watch.pagesUnder(lease);
      cutOff.way.let('silent');
      await expect.poll(async () => (await watch.holders())[lease] ?? name).not.toBe(name);
      await taken(without(2), cutOff);
      await watch.allLed();
      await expect.poll(() => cutOff.process.err()).toContain('with a part of its requests');
      const { notices, toldAfterMs } = await openAll(watch, own, 'Told by both, perhaps');
      await toldAfterMs;
      await sleep(2 * LEASE_MS);
      cutOff.way.let('open');
      cutOff.process.signal('SIGHUP');
      await watch.evenly();
      await closeAll(watch, notices);
    });
  },
);
