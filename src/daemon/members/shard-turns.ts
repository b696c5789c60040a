/**
 * Takes leases in turn: at each look a member reads the leases and the reports of the others, takes the leases assigned
 * to it, and finds those that it should return.
 */
import { toLayout, type SourceShard } from '../../config/shards.ts';
import type { Database } from '../../store/postgres/connection.ts';
import { toMemberName } from '../../store/postgres/lease.ts';
import { leaseOf } from '../../store/postgres/shard-leases.ts';
import { FORMAT } from '../common/documents.ts';
import { createDivision, listPresent, type Division } from './division.ts';
import { createHeldShards, type HeldShardsDeps } from './held-shards.ts';
import { createLeaseReader, type LeaseReader, type LeaseSeen } from './lease-reader.ts';
import type { KnownMember } from './member-registry.ts';
import { REPORTS_A_LEASE, type LookPace } from './look-pace.ts';
import { assignShards, createExcess } from './shard-assignment.ts';

export type ShardTurns = ReturnType<typeof createShardTurns>;

export interface TurnsDeps extends HeldShardsDeps {
  version: string;
  shards: readonly SourceShard[];
  /** With time for statements that take longer than a look. */
  records: Database;
}

/** Largest elapsed fraction of a lease that was renewed in time. */
const RENEWED_IN_TIME = 0.5;
const TOO_OLD = 'A newer Linewatch has led: this one cannot read what it writes, and never leads again';

/** Leads nothing before the first `look`. The layout is that of `deps.shards` until `divide` changes it. */
export function createShardTurns(deps: TurnsDeps) {
  const { name, leaseMs, memberRegistry, wakeups, clock, log } = deps;
  const excessAmong = createExcess(deps);
  let excess: readonly number[] = [];
  let pace: LookPace = 'watching';
  const reader = createLeaseReader({ ...deps, withAsks: true });
  const { read, watch } = reader;
  let isDivided = true;
  const division = createDivision({
    ...deps,
    reader,
    async announce() {
      await report();
      await wakeups.wake();
    },
  });
  const heldShards = createHeldShards(deps, division);
  const { led, report, take, retire, termOf } = heldShards;
  const { leaseNameOf, leaseOn, leaderOf, isFree, isSettled } = observeLeaders(deps, { heldShards, reader, division });

  async function reportInTime(): Promise<void> {
    if (clock.monotonic() - memberRegistry.reportedAt < leaseMs / REPORTS_A_LEASE) return;
    const isTooOld = reader.known.format > FORMAT;
    if (isTooOld && memberRegistry.standing !== 'too old') log.error(TOO_OLD, { version: deps.version });
    await report(isTooOld ? 'too old' : undefined);
  }

  /** True if the members use the division of this one. */
  async function isLayoutHere(): Promise<boolean> {
    if (reader.known.layout === division.layout) return (isDivided = true);
    const adopted = await division.adopt();
    if (adopted) {
      await read();
      log.info('Divided the sources into new shards', { shards: division.shards.map(({ sources }) => sources.length) });
    } else if (isDivided) log.warn('Others lead with another division of the sources: this member waits for them');
    return (isDivided = adopted);
  }

  /** Reports to the others, and takes leases assigned to this member. Rejects with `DatabaseError`. */
  async function look(): Promise<void> {
    for (const [shard, { heldLease }] of led) if (heldLease.over.aborted) led.delete(shard);
    // A shard released while the database is unreachable could not be taken.
    excess = [];
    pace = 'watching';
    await read();
    if (!(await memberRegistry.hasName())) return;
    await reportInTime();
    const { standing } = memberRegistry;
    if (standing === 'too old' || standing === 'stopped' || !(await isLayoutHere())) return;
    // A member that was present a moment ago may have stopped.
    const { shards } = division;
    if (shards.some(({ number }) => isFree(number))) await memberRegistry.refresh();
    const able = watch.hasLapsed() ? listAble(memberRegistry.members, { name, leaseMs }) : memberRegistry.members;
    const sinceMs = clock.monotonic() - memberRegistry.readAt;
    const assigned = assignShards(
      shards.map(({ number }) => number),
      listPresent(able, { layout: division.layout, withinMs: leaseMs - sinceMs }),
      new Map(shards.map(({ number }) => [number, leaderOf(number)])),
    );
    excess = excessAmong([...led.keys()], assigned);
    const own = shards.filter(({ number }) => assigned.get(number) === name);
    const reachedMs = watch.reachedMs();
    for (const shard of own) {
      if (isFree(shard.number)) await take(shard, { ...watch.claimOf(leaseNameOf(shard.number)), reachedMs });
    }
    if (own.some(({ number }) => !led.has(number))) pace = 'waiting';
    else if (shards.every(({ number }) => isSettled(number, assigned.get(number)))) pace = 'calm';
  }

  return {
    get shards() {
      return division.shards;
    },
    /** The layout that this member wants, in use or not; null for one shard. */
    get wantedLayout() {
      return division.wanted === null ? division.layout : toLayout(division.wanted);
    },
    /** False while others lead with another layout. */
    get isDivided() {
      return isDivided;
    },
    look: () => reader.during(look),
    /** Only reads the leases. Rejects with `DatabaseError`. */
    read: () => reader.during(read),
    /** Shards that this member leads now. */
    led: () => [...led.values()].filter(({ heldLease }) => !heldLease.over.aborted),
    leaseNameOf,
    leaseOn,
    get pace() {
      return pace;
    },
    get freeInMs() {
      return watch.freeInMs();
    },
    /** When the first shard last saved the state common to all, at the last reading; null if unknown. */
    get savedForAllAt() {
      return reader.known.savedForAllAt;
    },
    /** Numbers of shards led here and assigned to another member, at the last look; empty if that failed. */
    excess: () => excess.filter((shard) => led.has(shard)),
    /** True if this division can be used now, see `Division`. Rejects with `DatabaseError`. */
    async agree(next: readonly SourceShard[]): Promise<boolean> {
      // With a division other than that of the members, this one leads none of the shards that differ.
      return toLayout(next) === division.layout || !isDivided || (await division.agree(next));
    },
    movedBy: division.movedBy,
    /** Uses another division from now on; this member leads none of the shards that it moves. */
    divide(next: readonly SourceShard[]): void {
      division.use(next);
      isDivided = true;
    },
    retire,
    termOf,
  };
}

/**
 * Members that can take a lapsed lease. A process that was just started, such as that of the leader that was killed, has
 * not watched the lease long enough.
 */
function listAble(
  members: readonly KnownMember[],
  { name, leaseMs }: Pick<TurnsDeps, 'name' | 'leaseMs'>,
): KnownMember[] {
  return members.filter((one) => one.name === name || one.knownMs >= leaseMs);
}

interface LeadersDeps {
  heldShards: Pick<ReturnType<typeof createHeldShards>, 'led' | 'isUnsure'>;
  reader: LeaseReader;
  division: Pick<Division, 'layout'>;
}

/** Leaders of the shards, as the leases were last read. */
function observeLeaders(
  { name, holder: own, leaseMs }: Pick<TurnsDeps, 'name' | 'holder' | 'leaseMs'>,
  { heldShards: { led, isUnsure }, reader, division }: LeadersDeps,
) {
  const leaseNameOf = (shard: number): string => leaseOf(shard, division.layout);
  /** Holder at the last reading, and how long this member has seen no change. */
  const leaseOn = (shard: number): LeaseSeen | null => reader.lease(leaseNameOf(shard));

  /** Null for a free shard. */
  function leaderOf(shard: number): string | null {
    if (led.has(shard)) return name;
    const { holder = null } = leaseOn(shard) ?? {};
    return holder === null ? null : toMemberName(holder);
  }

  return {
    leaseNameOf,
    leaseOn,
    leaderOf,
    /** Also a lease that this process took without an answer: no other would take it before it ends. */
    isFree(shard: number): boolean {
      const isOwn = isUnsure(leaseNameOf(shard)) && leaseOn(shard)?.holder === own;
      return !led.has(shard) && (isOwn || reader.watch.isFree(leaseNameOf(shard)));
    },
    /** Its leader is the assigned member, and has renewed its lease in time. */
    isSettled(shard: number, by: string | undefined): boolean {
      const { unchangedMs = 0 } = led.has(shard) ? {} : (leaseOn(shard) ?? {});
      return leaderOf(shard) === by && unchangedMs <= leaseMs * RENEWED_IN_TIME;
    },
  };
}
