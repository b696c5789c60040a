/**
 * Which member should lead which group: as evenly as it goes, and nothing moves without need. Each member works it out
 * for itself, and all come to the same from the same.
 */
import { compareTexts } from '../core/text/plain.ts';
import { hashIdentity } from '../core/transition/transition.ts';

/**
 * By group. `holders` says who leads which now; a group whose holder is not among the members is free. Empty where there
 * are no members.
 */
export function fairShare(
  groups: readonly number[],
  members: readonly string[],
  holders: ReadonlyMap<number, string>,
): Map<number, string> {
  const held = (member: string): number[] => groups.filter((group) => holders.get(group) === member);
  const least = Math.floor(groups.length / members.length);
  const withOneMore = groups.length % members.length;
  // Whoever has more may keep the one more that not all can have.
  const ranked = members.toSorted((a, b) => held(b).length - held(a).length || compareTexts(a, b));
  const room = new Map(ranked.map((member, rank) => [member, least + (rank < withOneMore ? 1 : 0)]));
  const share = new Map<number, string>();

  // Each is weighed once: whoever shares groups asks at every look.
  const pairs = groups
    .flatMap((group) => members.map((member) => ({ group, member, weight: hashIdentity('leads', group, member) })))
    .toSorted((a, b) => compareTexts(b.weight, a.weight));

  function give(some: readonly { group: number; member: string }[]): void {
    for (const { group, member } of some) {
      const left = room.get(member) ?? 0;
      if (share.has(group) || left === 0) continue;
      share.set(group, member);
      room.set(member, left - 1);
    }
  }

  give(pairs.filter(({ group, member }) => holders.get(group) === member));
  give(pairs);
  return share;
}

interface ExcessDeps {
  name: string;
  leaseMs: number;
  monotonic(): number;
}

/**
 * Called at each look with what is led here and who should lead what; answers what the same other one should have had for
 * a lease: whoever comes and goes gets nothing.
 */
export function createExcess({ name, leaseMs, monotonic }: ExcessDeps) {
  let wanted = new Map<number, { by: string; since: number }>();
  return (led: readonly number[], share: ReadonlyMap<number, string>): number[] => {
    const now = monotonic();
    wanted = new Map(
      led.flatMap((group) => {
        const by = share.get(group) ?? name;
        const before = wanted.get(group);
        return by === name ? [] : [[group, before?.by === by ? before : { by, since: now }] as const];
      }),
    );
    return [...wanted].flatMap(([group, { since }]) => (now - since >= leaseMs ? [group] : []));
  };
}
