/** Leases of groups in a real PostgreSQL: nobody leads by two divisions at a time, and what was told is known after each. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createOwnState, type OwnState } from '../../src/core/engine/self-source.ts';
import { openDocumentsOf, createReceiverState, type ReceiverState } from '../../src/daemon/common/documents.ts';
import { toLayout } from '../../src/config/shards.ts';
import { systemClock } from '../../src/daemon/common/clock.ts';
import { createShardTurns, type ShardTurns, type TurnsDeps } from '../../src/daemon/members/shard-turns.ts';
import { createLeaseWatch } from '../../src/daemon/members/lease-watch.ts';
import { reshard } from '../../src/daemon/members/reshard.ts';
import { openRegistry } from '../../src/daemon/members/member-registry.ts';
import { quietLog } from '../support/running-daemon.ts';
import { putAsk } from '../../src/store/postgres/asks.ts';
import { reportMember } from '../../src/store/postgres/members.ts';
import type { Database } from '../../src/store/postgres/connection.ts';
import { DatabaseError } from '../../src/store/postgres/database-error.ts';
import { openDocuments } from '../../src/store/postgres/documents-in-database.ts';
import {
  adoptLayout,
  listConcernedLeases,
  leaseOf,
  readLeases,
  reserveNumbers,
  type SeenLease,
} from '../../src/store/postgres/shard-leases.ts';
import { ALL, giveBackLease, renewLease, takeLease, type Term } from '../../src/store/postgres/lease.ts';
import { DEAF } from './members.ts';
import { startPreparedPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const LEASE_MS = 60_000;
const REPORT = {
  version: '1.0.0',
  process: 'p',
  takesName: true,
  startedAt: 0,
  lagMs: null,
  now: 0,
  share: null,
  configuration: null,
  parts: null,
} as const;
const ALONE = { log: quietLog, digest: () => ({ hash: '', parts: {} }) };

describe.skipIf(whyNoPostgres !== null)(
  `leases of groups${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let database: Database;

    beforeAll(async () => {
      const prepared = await startPreparedPostgres();
      ({ postgres, database } = prepared);
      return prepared.close;
    });

    interface TurnsOf extends Pick<TurnsDeps, 'instance' | 'name' | 'shards' | 'clock'> {
      /** Default: that of all. */
      through?: Database;
      wakeups?: TurnsDeps['wakeups'];
    }

    /** The turns of a member. */
    function openTurns({ shards, through = database, wakeups = DEAF, ...of }: TurnsOf): ShardTurns {
      const member = { ...of, leaseMs: LEASE_MS, version: '1.0.0', database: through };
      return createShardTurns({
        ...member,
        holder: `${of.name}/1`,
        shards,
        records: through,
        memberRegistry: openRegistry({ ...ALONE, ...member, process: of.name }),
        log: quietLog,
        troubles: () => ({}),
        wakeups,
      });
    }

    interface Adopted {
      layout: string | null;
      groups: number;
      leases: readonly SeenLease[];
      hashes?: readonly string[];
      changed?: readonly number[] | null;
      freeMs?: number;
    }

    /** As one that sees for the first time what is there. */
    async function adopt(
      instance: string,
      layout: string | null,
      groups = 2,
      of: Pick<Adopted, 'hashes' | 'changed'> = {},
    ): Promise<boolean> {
      const known = await readLeases(database, instance);
      if (known.layout === layout) return true;
      const watch = createLeaseWatch({ leaseMs: LEASE_MS, clock: systemClock });
      watch.observe(known.leases);
      const concerned = listConcernedLeases(known.leases, { layout, changed: of.changed ?? null });
      if (!watch.areFree(concerned.map(({ name }) => name))) return false;
      return await adoptBy(database, instance, { layout, groups, leases: known.leases, ...of });
    }

    async function adoptBy(
      by: Database,
      instance: string,
      { layout, groups, leases, hashes = Array(groups).fill(layout) as string[], changed = null, freeMs = 0 }: Adopted,
    ): Promise<boolean> {
      const all = hashes.map((_hash, index) => index + 1);
      return await adoptLayout(by, {
        instance,
        layout,
        hashes,
        changed,
        format: 1,
        leases: leases.map((lease) => ({ ...lease, freeMs })),
        reshard: (documents) => reshard(documents, { shards: groups, changed: changed ?? all }),
      });
    }

    async function take(instance: string, name: string, layout: string | null): Promise<Term | null> {
      const claim = { instance, name, holder: 'one/1', format: 1, leaseMs: LEASE_MS, layout, lapsed: null };
      const taken = await takeLease(database, claim);
      return taken === null ? null : { instance, name, holder: 'one/1', epoch: taken.epoch };
    }

    it('are taken by one division only, and by the next when nobody leads by the first', async () => {
      expect(await take('a', leaseOf(1, 'groups/2/x'), 'groups/2/x')).toBeNull();
      expect(await adopt('a', 'groups/2/x')).toBe(true);
      expect(await adopt('a', 'groups/2/x')).toBe(true);
      const term = await take('a', leaseOf(1, 'groups/2/x'), 'groups/2/x');
      expect(term).not.toBeNull();
      expect(await take('a', leaseOf(2, 'groups/2/x'), 'groups/2/y')).toBeNull();
      expect(await take('a', ALL, null)).toBeNull();
      expect([await adopt('a', 'groups/2/y'), await adopt('a', null, 1)]).toEqual([false, false]);
      if (term !== null) await giveBackLease(database, term, {});
      expect(await adopt('a', 'groups/2/y')).toBe(true);
      // Whoever has not heard of it yet has nothing any more.
      expect(term === null ? null : await renewLease(database, term, LEASE_MS)).toBe(false);
      expect(await take('a', leaseOf(1, 'groups/2/x'), 'groups/2/x')).toBeNull();
      expect((await take('a', leaseOf(1, 'groups/2/x'), 'groups/2/y'))?.epoch).toBe((term?.epoch ?? 0) + 2);
      const { layout, leases } = await readLeases(database, 'a');
      expect([layout, leases.map(({ name, holder }) => [name, holder])]).toEqual([
        'groups/2/y',
        [
          ['all', 'groups/2/y'],
          ['group 1', 'one/1'],
          ['group 2', null],
        ],
      ]);
    });

    it('leave to every leader of the next division what is taken of the limits of requests', async () => {
      expect(await adopt('d', 'groups/2/x')).toBe(true);
      const [one, two] = [await take('d', 'group 1', 'groups/2/x'), await take('d', 'group 2', 'groups/2/x')];
      if (one !== null) await giveBackLease(database, one, { 'pages of x': [100, 400], 'pages of y': [50] });
      if (two !== null) await giveBackLease(database, two, { 'pages of z': [700] });
      const { leases } = await readLeases(database, 'd');
      // Three shards: the third was there before as little as its lease.
      expect(await adoptBy(database, 'd', { layout: 'groups/3/y', groups: 3, leases, freeMs: 60 })).toBe(true);
      const claim = { instance: 'd', holder: 'two/1', format: 1, leaseMs: LEASE_MS, lapsed: null };
      for (const name of ['group 1', 'group 2', 'group 3']) {
        const taken = await takeLease(database, { ...claim, name, layout: 'groups/3/y' });
        expect(taken?.slots).toEqual({ 'pages of x': [40, 340], 'pages of z': [640] });
      }
    });

    it('stay as they are where the next division changes none of their sources', async () => {
      const documentsOf = (term: Term | null, group: number) =>
        openDocumentsOf(openDocuments({ database, instance: 'i', group, term }), () => undefined);
      expect(await adopt('i', 'groups/3/x', 3, { hashes: ['a', 'b', 'c'] })).toBe(true);
      expect((await readLeases(database, 'i')).hashes).toEqual(['a', 'b', 'c']);
      const terms = await Promise.all([1, 2, 3].map((group) => take('i', `group ${group}`, 'groups/3/x')));
      const [one, two, three] = terms;
      for (const [index, term] of terms.entries()) {
        const mail = await documentsOf(term, index + 1).receiver('mail', createReceiverState());
        await mail.commit({ ...createReceiverState(), settled: [`m${index + 1}`] });
      }
      const next = { hashes: ['d', 'b', 'e'], changed: [1, 3] };
      expect(await adopt('i', 'groups/3/y', 3, next)).toBe(false);
      for (const term of [one, three]) if (term) await giveBackLease(database, term, {});
      expect(await adopt('i', 'groups/3/y', 3, next)).toBe(true);
      expect(two && (await renewLease(database, two, LEASE_MS))).toBe(true);
      expect(one && (await renewLease(database, one, LEASE_MS))).toBe(false);
      const { layout, hashes } = await readLeases(database, 'i');
      expect([layout, hashes]).toEqual(['groups/3/y', ['d', 'b', 'e']]);
      const settled = [1, 2, 3].map(async (group) => {
        const mail = await documentsOf(null, group).receiver('mail', createReceiverState());
        return mail.value.settled.toSorted();
      });
      expect(await Promise.all(settled)).toEqual([['m1', 'm3'], ['m2'], ['m1', 'm3']]);
      expect((await take('i', 'group 3', 'groups/3/y'))?.epoch).toBe((three?.epoch ?? 0) + 2);
    });

    it('are not divided anew where anything was written since they were read', async () => {
      expect(await adopt('h', 'groups/2/x')).toBe(true);
      const before = (await readLeases(database, 'h')).leases;
      const term = await take('h', leaseOf(1, 'groups/2/x'), 'groups/2/x');
      const wanted = { layout: 'groups/2/y', groups: 2 };
      expect(await adoptBy(database, 'h', { ...wanted, leases: before })).toBe(false);
      const taken = (await readLeases(database, 'h')).leases;
      const documents = openDocumentsOf(openDocuments({ database, instance: 'h', group: 1, term }), () => undefined);
      const mail = await documents.receiver('mail', createReceiverState());
      await mail.commit({ ...createReceiverState(), settled: ['m1'] });
      const meanwhile: Database = {
        ...database,
        async ask(doing, text, values) {
          const rows = await database.ask<never>(doing, text, values);
          if (text.startsWith('select kind')) await mail.commit({ ...createReceiverState(), settled: ['m1', 'm2'] });
          return rows;
        },
      };
      expect(await adoptBy(meanwhile, 'h', { ...wanted, leases: taken })).toBe(false);
      expect((await readLeases(database, 'h')).layout).toBe('groups/2/x');
      expect(await adoptBy(database, 'h', { ...wanted, leases: taken })).toBe(true);
      const after = openDocumentsOf(openDocuments({ database, instance: 'h', group: 2, term: null }), () => undefined);
      expect((await after.receiver('mail', createReceiverState())).value.settled).toEqual(['m1', 'm2']);
    });

    it('leave room to a leader that may still ask by another division, unless the shard has the same sources by it', async () => {
      const report = { ...REPORT, instance: 'e', epoch: 1 } as const;
      const divided = [['page-1'], ['page-2']].map((sources, index) => ({ number: index + 1, sources }));
      const own = toLayout(divided);
      let passed = 0;
      const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + passed };
      const turns = openTurns({ instance: 'e', name: 'one', shards: divided, clock });
      const others = { gone: 'groups/2/x', here: own };
      for (const [name, layout] of Object.entries(others)) {
        const leads = { layout, groups: [2], hashes: [name === 'gone' ? 'other' : '', 'other'] };
        await reportMember(database, { ...report, name, standing: 'leading', leads });
      }
      postgres.sql(`update linewatch_member set seen_at = seen_at - interval '1 hour' where instance = 'e'`);
      await turns.look();
      passed += LEASE_MS / 2;
      await turns.look();
      expect(turns.led().map(({ shard, heldLease }) => [shard.number, heldLease.share()])).toEqual([
        [1, 0.6],
        [2, 0.6],
      ]);
      for (const { heldLease } of turns.led()) await heldLease.end({});
    });

    it('are read with what others ask of them, and without where the table of asks lacks', async () => {
      expect(await adopt('g', 'groups/2/x')).toBe(true);
      for (const group of [1, 2]) await take('g', leaseOf(group, 'groups/2/x'), 'groups/2/x');
      const ask = { instance: 'g', id: 'x', lease: leaseOf(2, 'groups/2/x'), member: 'two', name: 'deed', ask: '1' };
      expect(await putAsk(database, ask)).toBe(true);
      const asked = async (withAsks?: boolean): Promise<unknown> =>
        (await readLeases(database, 'g', withAsks)).leases.map(({ name, isAsked }) => [name, isAsked]);
      expect(await asked(true)).toEqual([
        ['all', false],
        ['group 1', false],
        ['group 2', true],
      ]);
      postgres.sql('alter table linewatch_ask rename to linewatch_elsewhere');
      await expect(asked(true)).rejects.toMatchObject({ lacksTable: true });
      expect(await asked()).toEqual([
        ['all', false],
        ['group 1', false],
        ['group 2', false],
      ]);
      const shards = [{ number: 1, sources: ['page-1'] }];
      const turns = openTurns({ instance: 'g', name: 'one', shards, clock: systemClock });
      await turns.read();
      expect(turns.leaseOn(1)?.isAsked).toBe(false);
      postgres.sql('alter table linewatch_elsewhere rename to linewatch_ask');
    });

    it('are shared at once by members that start together, and taken all by one that starts alone', async () => {
      const divided = [['page-1'], ['page-2']].map((sources, index) => ({ number: index + 1, sources }));
      let passed = 0;
      const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + passed };
      const woken: string[] = [];
      function starts(instance: string, name: string) {
        const wake = (): Promise<void> => Promise.resolve(void woken.push(`those of ${instance} by ${name}`));
        const turns = openTurns({ instance, name, shards: divided, clock, wakeups: { ...DEAF, wake } });
        const led = (): number[] => turns.led().map(({ shard }) => shard.number);
        return { look: turns.look, led, excess: turns.excess, end: () => turns.led()[0]?.heldLease.end({}) };
      }
      const [one, two, alone] = [starts('both', 'one'), starts('both', 'two'), starts('single', 'one')];
      for (const member of [one, one, alone, alone]) await member.look();
      expect([one.led().length, alone.led().length]).toEqual([1, 1]);
      // Whoever has divided the sources wakes the others, who may be waiting for that.
      expect(woken).toEqual(['those of both by one', 'those of single by one']);
      await two.look();
      expect(new Set([...one.led(), ...two.led()])).toEqual(new Set([1, 2]));
      passed += LEASE_MS / 2;
      for (const member of [one, two, alone]) await member.look();
      expect([one.led().length, two.led().length, alone.led().length]).toEqual([1, 1, 2]);
      expect([one.excess(), two.excess()]).toEqual([[], []]);
      for (const member of [one, two, alone, alone]) await member.end();
    });

    it('are not handed over while the database is away, and are as soon as it answers', async () => {
      const divided = [['page-1'], ['page-2']].map((sources, index) => ({ number: index + 1, sources }));
      let [passed, isAway] = [0, false];
      const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + passed };
      const away: Database = {
        ...database,
        ask: (doing, ...rest) =>
          isAway ? Promise.reject(new DatabaseError(doing, 'it', new Error('away'))) : database.ask(doing, ...rest),
      };
      const turns = openTurns({ instance: 'f', name: 'one', shards: divided, clock, through: away });
      const leads = { layout: toLayout(divided), groups: [] };
      const other = { ...REPORT, instance: 'f', name: 'two', epoch: null, leads };
      await turns.look();
      passed += LEASE_MS / 2;
      await turns.look();
      expect(turns.led()).toHaveLength(2);
      for (const after of [0.4, 0.4]) {
        await reportMember(database, { ...other, standing: 'standing by' });
        passed += after * LEASE_MS;
        await turns.look();
        expect(turns.excess()).toEqual([]);
      }
      isAway = true;
      passed += 0.7 * LEASE_MS;
      await expect(turns.look()).rejects.toThrow(DatabaseError);
      expect(turns.excess()).toEqual([]);
      isAway = false;
      await reportMember(database, { ...other, standing: 'standing by' });
      await turns.look();
      expect(turns.excess()).toHaveLength(1);
      for (const { heldLease } of turns.led()) await heldLease.end({});
    });

    it('are taken again at once by a member that has no answer to its takeover, with the slots of its predecessor', async () => {
      let isLost = true;
      const lossy: Database = {
        ...database,
        ask: async (doing, ...rest) => {
          const rows = await database.ask<never>(doing, ...rest);
          if (!isLost || doing !== 'take the lease in') return rows;
          throw new DatabaseError(doing, 'it', new Error('no answer'));
        },
      };
      const slots = { 'pages of x': [900] };
      const shards = [{ number: 1, sources: ['page-1'] }];
      const member = { instance: 'lossy', shards, clock: systemClock };
      const former = await take('lossy', ALL, null);
      if (former !== null) await giveBackLease(database, former, slots);
      const [turns, other] = [
        openTurns({ ...member, name: 'two', through: lossy }),
        openTurns({ ...member, name: 'three' }),
      ];
      await expect(turns.look()).rejects.toThrow(DatabaseError);
      await other.look();
      expect([...turns.led(), ...other.led()]).toEqual([]);
      isLost = false;
      await turns.look();
      expect(turns.led()).toMatchObject([{ heldLease: { epoch: 3, slots: { 'pages of x': [expect.any(Number)] } } }]);
      for (const { heldLease } of turns.led()) await heldLease.end({});
    });

    it('are left to a leader while nobody can write, and taken from one that alone cannot', async () => {
      let [passed, isFull] = [0, false];
      const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + passed };
      const full = Object.assign(new Error('No space left on device'), { code: '53100' });
      const written: Database = {
        ...database,
        ask: (doing, text, ...rest) =>
          isFull && !/^\s*select/.test(text)
            ? Promise.reject(new DatabaseError(doing, 'it', full))
            : database.ask(doing, text, ...rest),
      };
      const shards = [{ number: 1, sources: ['page-1'] }];
      const turns = openTurns({ instance: 'full', name: 'two', shards, clock, through: written });
      async function look(times: number): Promise<void> {
        for (let time = 0; time < times; time += 1) {
          passed += LEASE_MS / 8;
          await turns.look().catch((error: unknown) => expect(error).toBeInstanceOf(DatabaseError));
        }
      }
      await take('full', ALL, null);
      await turns.look();
      isFull = true;
      await look(20);
      isFull = false;
      // It has most of a lease to renew it.
      await look(4);
      expect(turns.led()).toEqual([]);
      await look(4);
      expect(turns.led()).toHaveLength(1);
      for (const { heldLease } of turns.led()) await heldLease.end({});
    });

    it('begin where one has led everything, and end there', async () => {
      const all = await take('b', ALL, null);
      expect(await adopt('b', 'groups/2/x')).toBe(false);
      if (all !== null) await giveBackLease(database, all, {});
      expect(await adopt('b', 'groups/2/x')).toBe(true);
      expect(await take('b', ALL, null)).toBeNull();
      expect(await adopt('b', null, 1)).toBe(true);
      expect(await adopt('b', null, 1)).toBe(true);
      expect(await take('b', ALL, null)).not.toBeNull();
    });

    it('leave to every group what was told, and to the first what no group has any more', async () => {
      const documentsOf = (term: Term | null, group: number) =>
        openDocumentsOf(openDocuments({ database, instance: 'c', group, term }), () => undefined);
      const all = await take('c', ALL, null);
      const before = documentsOf(all, 1);
      const told: ReceiverState = { ...createReceiverState(), settled: ['m1'], owed: { 'a@example.com': ['m2'] } };
      await (await before.receiver('mail', createReceiverState())).commit(told);
      await (await before.own(createOwnState())).commit({ ...createOwnState(), lastNumber: 7 });
      if (all !== null) await giveBackLease(database, all, {});
      expect(await adopt('c', 'groups/2/x')).toBe(true);
      expect(await reserveNumbers(database, { instance: 'c', count: 2, above: 0 })).toBe(8);
      expect(await reserveNumbers(database, { instance: 'c', count: 1, above: 3 })).toBe(10);

      const second = await take('c', leaseOf(2, 'groups/2/x'), 'groups/2/x');
      const own = documentsOf(second, 2);
      const mail = await own.receiver('mail', createReceiverState());
      expect(mail.value).toMatchObject({ settled: ['m1'], owed: { 'a@example.com': ['m2'] } });
      await mail.commit({ ...mail.value, settled: ['m1', 'm3'] });
      const alert = { number: 8, status: 'open' } as OwnState['alerts'][number];
      await (await own.own(createOwnState('group 2'))).commit({ ...createOwnState('group 2'), alerts: [alert] });
      if (second !== null) await giveBackLease(database, second, {});

      expect(await adopt('c', null, 1)).toBe(true);
      const after = documentsOf(null, 1);
      expect((await after.receiver('mail', createReceiverState())).value.settled).toEqual(['m1', 'm3']);
      const { value } = await after.own(createOwnState());
      expect([value.lastNumber, value.part, value.alerts]).toEqual([7, undefined, [alert]]);
      expect(postgres.sql(`select count(*) from linewatch_document where kind like '% %' and instance = 'c'`)).toBe(
        '0',
      );
    });
  },
);
