/**
 * Assigns shards to members: as evenly as possible, with as few moves as possible. Each member computes it, and equal
 * input gives an equal result.
 */
import type { LeaseTiming } from './member-base.ts';
import { compareTexts } from '../../core/text/plain.ts';
import { hashIdentity } from '../../core/transition/transition.ts';

/** By shard. `holders`: current leaders; a shard without one among the members is free. Empty without members. */
export function assignShards(
  shards: readonly number[],
  members: readonly string[],
  holders: ReadonlyMap<number, string | null>,
): Map<number, string> {
  const held = (member: string): number[] => shards.filter((shard) => holders.get(shard) === member);
  const least = Math.floor(shards.length / members.length);
  const withOneMore = shards.length % members.length;
  // A member with more shards may keep the extra one, if the division has a remainder.
  const ranked = members.toSorted((a, b) => held(b).length - held(a).length || compareTexts(a, b));
  const room = new Map(ranked.map((member, rank) => [member, least + (rank < withOneMore ? 1 : 0)]));
  const share = new Map<number, string>();

  // Computed once for each, as every look needs it.
  const pairs = shards
    .flatMap((shard) => members.map((member) => ({ shard, member, weight: hashIdentity('leads', shard, member) })))
    .toSorted((a, b) => compareTexts(b.weight, a.weight));

  function give(some: readonly { shard: number; member: string }[]): void {
    for (const { shard, member } of some) {
      const left = room.get(member) ?? 0;
      if (share.has(shard) || left === 0) continue;
      share.set(shard, member);
      room.set(member, left - 1);
    }
  }

  give(pairs.filter(({ shard, member }) => holders.get(shard) === member));
  give(pairs);
  return share;
}

/**
 * Called at each look with the shards led here and their assigned members. Returns shards that were assigned to the
 * same other member for a whole lease: an unstable member gets none.
 */
export function createExcess({ name, leaseMs, clock: { monotonic } }: LeaseTiming & { name: string }) {
  let wanted = new Map<number, { by: string; since: number }>();
  return (led: readonly number[], share: ReadonlyMap<number, string>): number[] => {
    const now = monotonic();
    wanted = new Map(
      led.flatMap((shard) => {
        const by = share.get(shard) ?? name;
        const before = wanted.get(shard);
        return by === name ? [] : [[shard, before?.by === by ? before : { by, since: now }] as const];
      }),
    );
    return [...wanted].flatMap(([shard, { since }]) => (now - since >= leaseMs ? [shard] : []));
  };
}
