/**
 * Three members under changing providers, a real PostgreSQL, and one fault after the other, with one lease for all and with
 * one for each group: what is told is complete, no provider is asked too often, and no commit of an older epoch comes after
 * one of a newer.
 *
 * `LINEWATCH_FAULTS=400` plays so many in all, and prints what each kind has cost; `LINEWATCH_SEED` moves them to other
 * moments and members, `LINEWATCH_KINDS=kill,shut` plays these kinds alone. `LINEWATCH_FAULT_LOGS=FOLDER` keeps what the
 * members logged around each fault with something told twice or a page unwatched for long.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAULT_KINDS, mostToldTwice, mostUnwatched, playFaults, sayCosts, whileDown } from './faults.ts';
import { whyNoPostgres } from './real-postgres.ts';
import { closeAll, openAll, type Notice } from './told.ts';
import { LEASE_MS, MINUTE, openWatch, type Watch } from './watch.ts';

/** Half of them with each arrangement; by default one of each kind. */
const FAULTS = Math.ceil(Number(process.env['LINEWATCH_FAULTS'] ?? FAULT_KINDS.length) / 2);

describe.skipIf(whyNoPostgres !== null).each([
  { how: 'with one shard', divided: undefined, first: 0 },
  { how: 'with three shards', divided: { shards: 3, pages: 3 }, first: FAULTS },
])(`members $how${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`, ({ divided, first }) => {
  const leases = divided?.shards ?? 1;
  let watch: Watch;

  beforeAll(async () => {
    watch = await openWatch(divided);
  });

  afterAll(async () => await watch[Symbol.asyncDispose]());

  it(
    `lose nothing and hold the limit over ${FAULTS} faults`,
    async () => {
      await watch.allLed();
      for (const { name } of watch.pages) {
        await watch.site.event('source.baseline', ({ source }) => String(source).endsWith(`/${name}`));
      }
      const { costs, opened } = await playFaults(watch, { first, count: FAULTS });
      sayCosts(costs);
      const { told } = watch;
      expect(opened).toHaveLength(FAULTS * watch.pages.length);
      expect(opened.filter((notice) => !told.has('opened', notice) || !told.has('closed', notice))).toEqual([]);
      expect(costs.filter((cost) => cost.toldTwice > mostToldTwice(cost, leases))).toEqual([]);
      // It is away for longer than that, and every page is watched meanwhile; a killed member is back by then.
      expect(costs.filter((cost) => cost.unwatchedMs > (mostUnwatched(cost) ?? Infinity) * LEASE_MS)).toEqual([]);
      expect(told.sharedNumbers()).toEqual([]);
      watch.judgePace();
      expect(watch.judgeEpochs()).toBeGreaterThan(2 * FAULTS);
    },
    (FAULTS + 13) * MINUTE,
  );

  it('watch on where they are given a new configuration while the database is away, and take it up afterwards', async () => {
    const { pages, members } = watch;
    await watch.settled();
    const twice = watch.told.twice();
    const takenUp = (): number[] =>
      members.map(({ process }) => process.err().split('The configuration was read again').length - 1);
    const looks = (): number[] => pages.map(({ provider }) => provider.simulator.log.all().length);
    const notices: Notice[] = [];
    await whileDown(watch, async () => {
      const opened = await openAll(watch, pages, 'While nothing can be saved');
      await opened.toldAfterMs;
      notices.push(...opened.notices);
      // By then all of them know. A leader behind a pooler has paused, and goes on only when no other can lead any more.
      await sleep(LEASE_MS);
      await watch.lookedAt(1);
      for (const one of members) one.process.signal('SIGHUP');
      await sleep(LEASE_MS / 4);
      const asked = looks();
      await sleep(LEASE_MS);
      expect(looks().filter((count, index) => count <= (asked[index] ?? 0))).toEqual([]);
    });
    await expect.poll(() => takenUp().filter((count) => count === 0)).toEqual([]);
    await closeAll(watch, notices);
    // A group may move as the database comes back, and whoever leads it then tells what could not be saved.
    const most = leases === 1 ? 0 : mostToldTwice({ fault: 'database', held: leases }, leases);
    expect(watch.told.twice() - twice).toBeLessThanOrEqual(most);
  });

  it('share the limit where one is cut off for so long that it goes on by itself', async () => {
    const [lease = '', name = ''] = Object.entries(await watch.allLed())[0] ?? [];
    const cutOff = watch.member(name);
    const [page] = watch.pagesUnder(lease);
    const log = page?.provider.simulator.log;
    const times = (): number => cutOff.process.err().split('with a part of its requests').length;
    const before = times();
    const goesOn = (): boolean => times() > before;
    cutOff.way.let('silent');
    await expect.poll(goesOn).toBe(true);
    const asked = log?.all().length ?? 0;
    const { notices, toldAfterMs } = await openAll(watch, page === undefined ? [] : [page], 'Told by both, perhaps');
    await toldAfterMs;
    await sleep(2 * LEASE_MS);
    cutOff.way.let('open');
    await cutOff.process.logged('Another member leads; this one stands by from now on');
    await closeAll(watch, notices);
    watch.judgePace();
    // Both do ask, and what both have told is the same.
    expect((log?.all().length ?? 0) - asked).toBeGreaterThan(10);
    const isOfIt = ({ source, subject }: { source: unknown; subject: string }): boolean =>
      subject === `notice/${notices[0]?.id}` && String(source).endsWith(`/${page?.name}`);
    const ids = watch.site.events().flatMap((event) => (isOfIt(event as never) ? [event.id] : []));
    expect(new Set(ids).size).toBe(2);
    watch.judgeEpochs();
    await expect.poll(async () => Object.keys(await watch.holders()).length).toBe(leases);
  });
});
