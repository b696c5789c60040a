/**
 * Takes leases in turn: at each look a member reads the leases and the reports of the others, takes the leases assigned
 * to it, and finds those that it should return.
 */
import { toLayout, type SourceShard } from '../../config/shards.ts';
import type { Database } from '../../store/postgres/connection.ts';
import { toMemberName, type Term } from '../../store/postgres/lease.ts';
import { leaseOf } from '../../store/postgres/shard-leases.ts';
import { FORMAT } from '../common/documents.ts';
import { createDivision, listPresent } from './division.ts';
import { createHeldShards, type HeldShardsDeps, type LedShard } from './held-shards.ts';
import { createLeaseReader, type LeaseSeen } from './lease-reader.ts';
import type { KnownMember } from './member-registry.ts';
import { REPORTS_A_LEASE, type LookPace } from './look-pace.ts';
import { assignShards, createExcess } from './shard-assignment.ts';

export interface ShardTurns {
  readonly shards: readonly SourceShard[];
  /** The layout that this member wants, in use or not; null for one shard. */
  readonly wantedLayout: string | null;
  /** False while others lead with another layout. */
  readonly isDivided: boolean;
  /** Reports to the others, and takes leases assigned to this member. Rejects with `DatabaseError`. */
  look(): Promise<void>;
  /** Only reads the leases. Rejects with `DatabaseError`. */
  read(): Promise<void>;
  /** Shards that this member leads now. */
  led(): LedShard[];
  leaseNameOf(shard: number): string;
  /** Holder at the last reading, and how long this member has seen no change. */
  leaseOn(shard: number): LeaseSeen | null;
  readonly pace: LookPace;
  /** Milliseconds until the first lease is free if no holder renews it; Infinity if none can become free so. */
  readonly freeInMs: number;
  /** When the first shard last saved the state common to all, at the last reading; null if unknown. */
  readonly savedForAllAt: string | null;
  /** Numbers of shards led here and assigned to another member, at the last look; empty if that failed. */
  excess(): number[];
  /** True if this division can be used now, see `Division`. Rejects with `DatabaseError`. */
  agree(shards: readonly SourceShard[]): Promise<boolean>;
  /** Numbers of the shards to give back before this division is used. */
  movedBy(shards: readonly SourceShard[]): number[];
  /** Uses another division from now on; this member leads none of the shards that it moves. */
  divide(shards: readonly SourceShard[]): void;
  /** Takes no leases any more, and reports that its shards will be returned. Rejects with `DatabaseError`. */
  retire(): Promise<void>;
  /** Term in which this member writes for a shard that it leads. */
  termOf(led: LedShard): Term;
}

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
export function createShardTurns(deps: TurnsDeps): ShardTurns {
  const { name, leaseMs, memberRegistry, wakeups, clock, log } = deps;
  const excessAmong = createExcess({ name, leaseMs, monotonic: clock.monotonic });
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
  const { led, report, take, retire, term } = createHeldShards(deps, division);
  const leaseNameOf = (shard: number): string => leaseOf(shard, division.layout);

  const leaseOn = (number: number): LeaseSeen | null => reader.lease(leaseNameOf(number));
  const isFree = (number: number): boolean => !led.has(number) && watch.isFree(leaseNameOf(number));

  /** Its leader is the assigned member, and has renewed its lease in time. */
  function isSettled(number: number, by: string | undefined): boolean {
    if (led.has(number)) return by === name;
    const { holder = null, unchangedMs = 0 } = leaseOn(number) ?? {};
    return holder !== null && toMemberName(holder) === by && unchangedMs <= leaseMs * RENEWED_IN_TIME;
  }

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
    const assigned = assignNow();
    excess = excessAmong([...led.keys()], assigned);
    const own = shards.filter(({ number }) => assigned.get(number) === name);
    const reachedMs = watch.reachedMs();
    for (const shard of own) {
      if (isFree(shard.number)) await take(shard, { ...watch.claimOf(leaseNameOf(shard.number)), reachedMs });
    }
    if (own.some(({ number }) => !led.has(number))) pace = 'waiting';
    else if (shards.every(({ number }) => isSettled(number, assigned.get(number)))) pace = 'calm';
  }

  function assignNow(): Map<number, string> {
    const own = [...led.keys()].map((shard): [number, string] => [shard, name]);
    const able = watch.hasLapsed() ? listAble(memberRegistry.members, { name, leaseMs }) : memberRegistry.members;
    return assignShards(
      division.shards.map(({ number }) => number),
      listPresent(able, { layout: division.layout, withinMs: leaseMs - (clock.monotonic() - memberRegistry.readAt) }),
      new Map([...listHolders(division.shards, leaseOn), ...own]),
    );
  }

  return {
    get shards() {
      return division.shards;
    },
    get wantedLayout() {
      return division.wanted === null ? division.layout : toLayout(division.wanted);
    },
    get isDivided() {
      return isDivided;
    },
    look,
    read,
    led: () => [...led.values()].filter(({ heldLease }) => !heldLease.over.aborted),
    leaseNameOf,
    leaseOn,
    get pace() {
      return pace;
    },
    get freeInMs() {
      return watch.freeInMs();
    },
    get savedForAllAt() {
      return reader.known.savedForAllAt;
    },
    excess: () => excess.filter((shard) => led.has(shard)),
    async agree(next) {
      // With a division other than that of the members, this one leads none of the shards that differ.
      return toLayout(next) === division.layout || !isDivided || (await division.agree(next));
    },
    movedBy: division.movedBy,
    divide(next) {
      division.use(next);
      isDivided = true;
    },
    retire,
    termOf: ({ shard, heldLease }) => term(shard.number, heldLease.epoch),
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

/** By number, as the leases were last read; without shards that are free. */
function listHolders(
  shards: readonly SourceShard[],
  leaseOn: (shard: number) => LeaseSeen | null,
): [shard: number, member: string][] {
  return shards.flatMap(({ number }): [number, string][] => {
    const holder = leaseOn(number)?.holder ?? null;
    return holder === null ? [] : [[number, toMemberName(holder)]];
  });
}
