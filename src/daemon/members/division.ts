/**
 * The division of the sources into shards: the one in use, and the one that this member wants after a reload. Members
 * change it together. Each reports the division it wants and keeps the one in use until all want the same; then each
 * gives back the shards whose sources change, and one of them adopts the new layout.
 */
import type { MemberBase } from './member-base.ts';
import { findChangedShards, hashShards, toLayout, type SourceShard } from '../../config/shards.ts';
import type { Database } from '../../store/postgres/connection.ts';
import { findWantedLayout, type Member } from '../../store/postgres/members.ts';
import { adoptLayout, listConcernedLeases } from '../../store/postgres/shard-leases.ts';
import { FORMAT } from '../common/documents.ts';
import type { LeaseReader } from './lease-reader.ts';
import type { MemberRegistry } from './member-registry.ts';
import { reshard } from './reshard.ts';

export type Division = ReturnType<typeof createDivision>;

export interface DivisionDeps extends Pick<MemberBase, 'instance' | 'name' | 'leaseMs'> {
  shards: readonly SourceShard[];
  /** With time for statements that take longer than a look. */
  records: Database;
  reader: LeaseReader;
  memberRegistry: Pick<MemberRegistry, 'members' | 'refresh'>;
  /** Reports to the other members now, and wakes them. Rejects with `DatabaseError`. */
  announce(): Promise<void>;
}

export function createDivision(deps: DivisionDeps) {
  const { instance, name, leaseMs, records, reader, memberRegistry, announce } = deps;
  let { shards } = deps;
  let layout = toLayout(shards);
  let hashes = hashShards(shards);
  let wanted: readonly SourceShard[] | null = null;

  function changedBy(next: readonly SourceShard[]): number[] {
    return findChangedShards(reader.known.hashes, hashShards(next));
  }

  return {
    get shards(): readonly SourceShard[] {
      return shards;
    },
    /** Null for one shard. */
    get layout(): string | null {
      return layout;
    },
    /** Hashes of the sources of each shard. */
    get hashes(): readonly string[] {
      return hashes;
    },
    /** Taken up as soon as all members want it; null for no change. */
    get wanted(): readonly SourceShard[] | null {
      return wanted;
    },
    /**
     * Reports that this member wants this division. True as soon as all present members want the same. Rejects with
     * `DatabaseError`.
     */
    async agree(next: readonly SourceShard[]): Promise<boolean> {
      const wantedNow = toLayout(next);
      const isReported = wanted !== null && toLayout(wanted) === wantedNow;
      wanted = next;
      await (isReported ? memberRegistry.refresh() : announce());
      const others = memberRegistry.members.filter((member) => member.name !== name && isPresent(member, leaseMs));
      return others.every((member) => hasWanted(member, wantedNow));
    },
    /** Numbers of the shards to give back before this division is used. */
    movedBy(next: readonly SourceShard[]): number[] {
      if (toLayout(next) === layout) return [];
      return [...new Set([...changedBy(next), ...findChangedShards(hashes, hashShards(next))])];
    },
    use(next: readonly SourceShard[]): void {
      [shards, layout, hashes, wanted] = [next, toLayout(next), hashShards(next), null];
    },
    /**
     * Makes it the layout of all members, as long as no member leads a shard whose sources change. False otherwise. Rejects
     * with `DatabaseError`.
     */
    async adopt(): Promise<boolean> {
      const { hashes: before, leases } = reader.known;
      const all = changedBy(shards);
      const division = { layout, changed: before?.length === hashes.length ? all : null };
      if (!reader.watch.areFree(listConcernedLeases(leases, division).map((lease) => lease.name))) return false;
      const isAdopted = await adoptLayout(records, {
        ...division,
        instance,
        hashes,
        format: FORMAT,
        leases: leases.map((lease) => ({ ...lease, freeMs: reader.watch.claimOf(lease.name).freeMs })),
        reshard: (documents) => reshard(documents, { shards: hashes.length, changed: all }),
      });
      // The others take their shards at once, not at their next look.
      if (isAdopted) await announce();
      return isAdopted;
    },
  };
}

/** Members that use this layout, or are about to. */
export function listPresent(
  members: readonly Member[],
  { layout, withinMs }: { layout: string | null; withinMs: number },
): string[] {
  return members.flatMap((member) => {
    const isAmong = member.leads?.layout === layout || hasWanted(member, layout);
    return isAmong && isPresent(member, withinMs) ? [member.name] : [];
  });
}

function isPresent({ standing, silentMs }: Member, withinMs: number): boolean {
  return (standing === 'leading' || standing === 'standing by') && silentMs <= withinMs;
}

function hasWanted({ leads }: Member, layout: string | null): boolean {
  return leads !== null && findWantedLayout(leads) === layout;
}
