/** The shards that this member leads: taking their leases, giving them back, and reporting it to the others. */
import type { SourceShard } from '../../config/shards.ts';
import { DAY } from '../../core/text/duration.ts';
import { findMaximum, findMinimum } from '../../core/transition/collections.ts';
import type { Log } from '../../log/log.ts';
import type { Database } from '../../store/postgres/connection.ts';
import { giveBackLease, renewLease, takeLease, type Claim, type Term } from '../../store/postgres/lease.ts';
import type { Leads, Member, MemberStanding } from '../../store/postgres/members.ts';
import type { Wakeups } from '../../store/postgres/wakeups.ts';
import type { Clock } from '../common/clock.ts';
import { FORMAT } from '../common/documents.ts';
import { holdLease, type HeldLease, type LeaseAccess } from './held-lease.ts';
import type { MemberRegistry } from './member-registry.ts';

/** A shard that this member leads. */
export interface LedShard {
  shard: SourceShard;
  heldLease: HeldLease;
}

export interface HeldShardsDeps {
  instance: string;
  name: string;
  /** This process, and no other that ever was. */
  holder: string;
  leaseMs: number;
  database: Database;
  /** Failures of receivers, by shard with a daemon here. */
  troubles(): NonNullable<Leads['troubles']>;
  /** The others hear at once what is given back. */
  wakeups: Pick<Wakeups, 'wake'>;
  memberRegistry: MemberRegistry;
  clock: Clock;
  log: Log;
}

/** The lease as this member has observed it. */
interface ObservedClaim extends Pick<Claim, 'lapsed' | 'freeMs'> {
  /** Since the database was away: until then the former leader may have watched from memory. */
  reachedMs: number;
}

/** How this member divides the sources now. */
export interface Division {
  /** Null for one shard. */
  layout(): string | null;
  /** The name of its lease. */
  leaseNameOf(shard: number): string;
}

/** Holds nothing before `take`. */
export function createHeldShards(
  { instance, name, holder, leaseMs, database, troubles, wakeups, memberRegistry, clock, log }: HeldShardsDeps,
  { layout, leaseNameOf }: Division,
) {
  const led = new Map<number, LedShard>();
  let isRetired = false;
  const term = (shard: number, epoch: number): Term => ({ instance, name: leaseNameOf(shard), holder, epoch });

  /** `taken`: what it leads from now on, by shard. */
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
    const leads = {
      layout: layout(),
      groups: all.map(({ shard }) => shard).toSorted((a, b) => a - b),
      troubles: troubles(),
    };
    const says = standing ?? (all.length > 0 ? 'leading' : 'standing by');
    const epoch = findMaximum(all.map((one) => one.epoch));
    const share = findMinimum(all.map((one) => one.share));
    await memberRegistry.say(isRetired ? 'stopped' : says, all.length === 0 ? null : { epoch, share }, leads);
  }

  function accessTo(shard: number): LeaseAccess {
    return {
      renew: (epoch) => memberRegistry.timed(renewLease(database, term(shard, epoch), leaseMs)),
      async giveBack(epoch, slots) {
        const own = term(shard, epoch);
        led.delete(shard);
        // In this order the next one knows that it asks no more.
        await report();
        await giveBackLease(database, own, slots);
        await wakeups.wake();
      },
      rivals: () =>
        memberRegistry.members.filter((other) => other.name !== name && mayLeadShard(other, shard, layout())).length,
    };
  }

  return {
    led,
    term,
    report,
    async take(shard: SourceShard, { reachedMs, ...seen }: ObservedClaim): Promise<void> {
      const { number } = shard;
      const asked = { at: clock.monotonic(), wall: clock.now() };
      const claim = { instance, name: leaseNameOf(number), holder, format: FORMAT, leaseMs, layout: layout(), ...seen };
      const taken = await takeLease(database, claim);
      if (taken === null) return;
      try {
        await report(undefined, [[number, taken.epoch]]);
      } catch (error) {
        // The next leader must be able to know of this term; otherwise the term must not begin.
        await giveBackLease(database, term(number, taken.epoch), taken.slots).catch(() => undefined);
        throw error;
      }
      const unledMs = taken.unledMs === null ? null : Math.min(taken.unledMs, reachedMs);
      const lease = accessTo(number);
      const heldLease = holdLease({ lease, leaseMs, clock, log }, { ...taken, unledMs }, asked);
      led.set(number, { shard, heldLease });
    },
    async retire(): Promise<void> {
      isRetired = true;
      if (memberRegistry.said !== null) await report();
    },
  };
}

/**
 * A member that was cut off never said that it stands by: after a day it is considered gone. A program that knows of no
 * shards leads them all, and by another division any source of this one may be among its own.
 */
function mayLeadShard({ standing, silentMs, leads }: Member, shard: number, layout: string | null): boolean {
  if (standing !== 'leading' || silentMs >= DAY) return false;
  return leads === null || leads.layout !== layout || leads.groups.includes(shard);
}
