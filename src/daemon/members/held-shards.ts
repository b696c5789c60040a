/** Shards that this member leads: takes their leases, returns them, and reports both to the other members. */
import type { MemberBase } from './member-base.ts';
import { toLayout, type SourceShard } from '../../config/shards.ts';
import { findMaximum, findMinimum } from '../../core/transition/collections.ts';
import { giveBackLease, renewLease, takeLease, type Claim, type Term } from '../../store/postgres/lease.ts';
import type { Leads, Member, MemberStanding } from '../../store/postgres/members.ts';
import { leaseOf } from '../../store/postgres/shard-leases.ts';
import type { Wakeups } from '../../store/postgres/wakeups.ts';
import { FORMAT } from '../common/documents.ts';
import type { Division } from './division.ts';
import { holdLease, type HeldLease, type LeaseAccess } from './held-lease.ts';
import type { MemberRegistry } from './member-registry.ts';
import { toRivals } from './request-share.ts';

/** A shard that this member leads. */
export interface LedShard {
  shard: SourceShard;
  heldLease: HeldLease;
}

export interface HeldShardsDeps extends Omit<MemberBase, 'digest'> {
  /** Unique id of this process. */
  holder: string;
  /** Failures of receivers, in shards whose daemons run here. */
  troubles(): NonNullable<Leads['troubles']>;
  /** Notifies the other members of a returned lease. */
  wakeups: Pick<Wakeups, 'wake'>;
  memberRegistry: MemberRegistry;
}

/** State of the lease as observed by this member. */
interface ObservedClaim extends Pick<Claim, 'lapsed' | 'freeMs'> {
  /** Since the database was unreachable: until then the former leader may have continued from memory. */
  reachedMs: number;
}

/** Fraction of a lease after its first report in which a member takes one shard only: others may start with it. */
const STARTING = 0.5;

/** Has no lease before `take`. */
export function createHeldShards(
  { instance, name, holder, leaseMs, database, troubles, wakeups, memberRegistry, clock, log }: HeldShardsDeps,
  division: Pick<Division, 'layout' | 'hashes' | 'wanted'>,
) {
  const led = new Map<number, LedShard>();
  /** Names of leases that this process may hold without knowing: no answer came to its last takeover. */
  const unsure = new Set<string>();
  let isRetired = false;
  /** Time of the first report. */
  let joinedAt: number | null = null;
  const term = (shard: number, epoch: number): Term => ({
    instance,
    name: leaseOf(shard, division.layout),
    holder,
    epoch,
  });

  /** `taken`: the shards that it leads from now on. */
  async function report(
    standing?: MemberStanding,
    taken: readonly [shard: number, epoch: number][] = [],
  ): Promise<void> {
    const here = [...led].map(([shard, { heldLease }]) => ({
      shard,
      epoch: heldLease.epoch,
      share: heldLease.share(),
    }));
    const all = [...here, ...taken.map(([shard, epoch]) => ({ shard, epoch, share: 1 }))];
    const { layout, hashes, wanted } = division;
    const leads = {
      layout,
      hashes,
      ...(wanted !== null && { wanted: toLayout(wanted) }),
      groups: all.map(({ shard }) => shard).toSorted((a, b) => a - b),
      troubles: troubles(),
    };
    const says = standing ?? (all.length > 0 ? 'leading' : 'standing by');
    const epoch = findMaximum(all.map((one) => one.epoch));
    const share = findMinimum(all.map((one) => one.share));
    await memberRegistry.report(isRetired ? 'stopped' : says, all.length === 0 ? null : { epoch, share }, leads);
    joinedAt ??= clock.monotonic();
  }

  function accessTo(shard: number): LeaseAccess {
    return {
      renew: (epoch) => memberRegistry.timed(renewLease(database, term(shard, epoch), leaseMs)),
      async giveBack(epoch, slots) {
        const own = term(shard, epoch);
        led.delete(shard);
        // In this order the next leader knows that this one sends no more requests.
        await report();
        await giveBackLease(database, own, slots);
        await wakeups.wake();
      },
      rivals: () =>
        toRivals(
          memberRegistry.members
            .filter((other) => other.name !== name && mayLeadShard(other, shard, division))
            .map(({ silentMs }) => silentMs),
        ),
    };
  }

  return {
    led,
    /** True if this process may hold the lease of this name without knowing. */
    isUnsure: (lease: string) => unsure.has(lease),
    /** Term in which this member writes for a shard that it leads. */
    termOf: ({ shard, heldLease }: LedShard) => term(shard.number, heldLease.epoch),
    report,
    async take(shard: SourceShard, { reachedMs, ...seen }: ObservedClaim): Promise<void> {
      if (led.size > 0 && clock.monotonic() - (joinedAt ?? 0) < leaseMs * STARTING) return;
      const { number } = shard;
      const asked = { at: clock.monotonic(), wall: clock.now() };
      const { layout } = division;
      const lease = leaseOf(number, layout);
      unsure.add(lease);
      const claim = { instance, name: lease, holder, format: FORMAT, leaseMs, layout, ...seen };
      const taken = await takeLease(database, claim);
      if (taken === null) return void unsure.delete(lease);
      try {
        await report(undefined, [[number, taken.epoch]]);
        unsure.delete(lease);
      } catch (error) {
        // If the next leader could not know that this one has led, it must not start.
        await giveBackLease(database, term(number, taken.epoch), taken.slots).catch(() => undefined);
        throw error;
      }
      const unledMs = taken.unledMs === null ? null : Math.min(taken.unledMs, reachedMs);
      const heldLease = holdLease({ lease: accessTo(number), leaseMs, clock, log }, { ...taken, unledMs }, asked);
      led.set(number, { shard, heldLease });
    },
    /** Takes no leases any more, and reports that its shards will be returned. Rejects with `DatabaseError`. */
    async retire(): Promise<void> {
      isRetired = true;
      if (memberRegistry.standing !== null) await report();
    },
  };
}

/**
 * A member that was cut off may lead until it is forgotten, as it has not reported the end of that. A program without shards
 * leads all. A member whose shard of this number has other sources may have sources of this one in any of its shards.
 */
function mayLeadShard(
  { standing, leads }: Member,
  shard: number,
  { layout, hashes }: Pick<Division, 'layout' | 'hashes'>,
): boolean {
  if (standing !== 'leading') return false;
  if (leads === null || leads.groups.includes(shard)) return true;
  return leads.layout !== layout && leads.hashes?.[shard - 1] !== hashes[shard - 1];
}
