/**
 * The turns of members that share the shards of an installation: at each look a member reads the leases and the reports of
 * the others, takes the leases that it should have, and finds those that another should have.
 */
import { toLayout, type SourceShard } from '../../config/shards.ts';
import type { Database } from '../../store/postgres/connection.ts';
import { toMemberName, type Term } from '../../store/postgres/lease.ts';
import type { Member } from '../../store/postgres/members.ts';
import { adoptLayout, leaseOf } from '../../store/postgres/shard-leases.ts';
import { FORMAT } from '../common/documents.ts';
import { createHeldShards, type HeldShardsDeps, type LedShard } from './held-shards.ts';
import { createLeaseReader, type LeaseSeen } from './lease-reader.ts';
import { REPORTS_A_LEASE, type LookPace } from './look-pace.ts';
import { reshard } from './reshard.ts';
import { assignShards, createExcess } from './shard-assignment.ts';

export interface ShardTurns {
  readonly shards: readonly SourceShard[];
  /** How this member divides the sources; null for one shard. */
  readonly layout: string | null;
  /** False while others lead with another division of the sources. */
  readonly isDivided: boolean;
  /** Reports to the others, and takes what is this member's turn. Rejects with `DatabaseError`. */
  look(): Promise<void>;
  /** Reads the leases, and no more. Rejects with `DatabaseError`. */
  read(): Promise<void>;
  /** The shards that this member leads now. */
  led(): LedShard[];
  leaseNameOf(shard: number): string;
  /** As it was last read: its holder, and for how long this member has seen no change. */
  leaseOn(shard: number): LeaseSeen | null;
  readonly pace: LookPace;
  /** When the first shard last saved what it keeps for all, as it was last read; null where that is not known. */
  readonly savedForAllAt: string | null;
  /** Numbers of shards that another one should have by now, as the last look found; none where that failed. */
  excess(): number[];
  /** Divides the sources otherwise from now on; nothing may be led meanwhile. */
  divide(shards: readonly SourceShard[]): void;
  /** Takes nothing any more and says so: what it leads is to be given back. Rejects with `DatabaseError`. */
  retire(): Promise<void>;
  /** The term in which this member writes for a shard that it leads. */
  termOf(led: LedShard): Term;
}

export interface TurnsDeps extends HeldShardsDeps {
  version: string;
  shards: readonly SourceShard[];
  /** With time for what takes longer than a look. */
  records: Database;
}

/** Largest elapsed fraction of a lease that was renewed in time. */
const RENEWED_IN_TIME = 0.5;
const TOO_OLD = 'A newer Linewatch has led: this one cannot read what it writes, and never leads again';

/** Leads nothing before the first `look`. The sources are divided as `deps.shards` until `divide` says otherwise. */
export function createShardTurns(deps: TurnsDeps): ShardTurns {
  const { instance, name, leaseMs, records, memberRegistry, clock, log } = deps;
  const excessAmong = createExcess({ name, leaseMs, monotonic: clock.monotonic });
  let excess: readonly number[] = [];
  let pace: LookPace = 'watching';
  const reader = createLeaseReader({ ...deps, withAsks: true });
  const { read, watch } = reader;
  let { shards } = deps;
  let layout = toLayout(shards);
  let isDivided = true;
  const { led, report, take, retire, term } = createHeldShards(deps, { layout: () => layout, leaseNameOf });

  function leaseNameOf(shard: number): string {
    return leaseOf(shard, layout);
  }

  const leaseOn = (number: number): LeaseSeen | null => reader.lease(leaseNameOf(number));
  const isFree = (number: number): boolean => !led.has(number) && watch.isFree(leaseNameOf(number));

  /** Its leader is the member that should lead it, and has renewed its lease in time. */
  function isSettled(number: number, by: string | undefined): boolean {
    if (led.has(number)) return by === name;
    const { holder = null, unchangedMs = 0 } = leaseOn(number) ?? {};
    return holder !== null && toMemberName(holder) === by && unchangedMs <= leaseMs * RENEWED_IN_TIME;
  }

  async function reportInTime(): Promise<void> {
    if (clock.monotonic() - memberRegistry.saidAt < leaseMs / REPORTS_A_LEASE) return;
    const isTooOld = reader.known.format > FORMAT;
    if (isTooOld && memberRegistry.said !== 'too old') {
      log.error(TOO_OLD, { version: deps.version });
    }
    await report(isTooOld ? 'too old' : undefined);
  }

  /** Whether the sources are divided as this member does it. */
  async function isLayoutHere(): Promise<boolean> {
    if (reader.known.layout === layout) return (isDivided = true);
    const wanted = { instance, layout, format: FORMAT, leases: reader.known.leases };
    const adopted =
      watch.isEveryoneGone() &&
      (await adoptLayout(records, { ...wanted, reshard: (documents) => reshard(documents, shards.length) }));
    if (adopted) await read();
    if (adopted) log.info('The sources are divided anew', { shards: shards.map(({ sources }) => sources.length) });
    else if (isDivided) log.warn('Others lead with another division of the sources: this member waits for them');
    return (isDivided = adopted);
  }

  async function look(): Promise<void> {
    for (const [shard, { heldLease }] of led) if (heldLease.over.aborted) led.delete(shard);
    // While the database is away, no member could take a shard that is given up.
    excess = [];
    pace = 'watching';
    await read();
    if (!(await memberRegistry.hasName())) return;
    await reportInTime();
    if (memberRegistry.said === 'too old' || memberRegistry.said === 'stopped' || !(await isLayoutHere())) return;
    // A member that was there a moment ago may have stopped.
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

  function heldElsewhere(): [number, string][] {
    return shards.flatMap(({ number }): [number, string][] => {
      const holder = leaseOn(number)?.holder ?? null;
      return holder === null ? [] : [[number, toMemberName(holder)]];
    });
  }

  function assignNow(): Map<number, string> {
    const sinceMs = clock.monotonic() - memberRegistry.heardAt;
    const own = [...led.keys()].map((shard): [number, string] => [shard, name]);
    return assignShards(
      shards.map(({ number }) => number),
      presentAmong(memberRegistry.members, { layout, withinMs: leaseMs - sinceMs }),
      new Map([...heldElsewhere(), ...own]),
    );
  }

  return {
    get shards() {
      return shards;
    },
    get layout() {
      return layout;
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
    get savedForAllAt() {
      return reader.known.savedForAllAt;
    },
    excess: () => excess.filter((shard) => led.has(shard)),
    divide(others) {
      [shards, layout, isDivided] = [others, toLayout(others), true];
    },
    retire,
    termOf: ({ shard, heldLease }) => term(shard.number, heldLease.epoch),
  };
}

/** Those that are heard of and divide the sources so. */
function presentAmong(
  members: readonly Member[],
  { layout, withinMs }: { layout: string | null; withinMs: number },
): string[] {
  return members.flatMap(({ name, standing, silentMs, leads }) => {
    const isHere = standing === 'leading' || standing === 'standing by';
    return isHere && silentMs <= withinMs && leads !== null && leads.layout === layout ? [name] : [];
  });
}
