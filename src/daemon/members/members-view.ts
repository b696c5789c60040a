/** The members as shown by one of them, with the content of their reports. */
import type { SourceShard } from '../../config/shards.ts';
import type { ShardView } from '../../core/view/shard-view.ts';
import type { MembersView, MemberView } from '../../core/view/system-status.ts';
import { toMemberName } from '../../store/postgres/lease.ts';
import type { ComparedMember } from './config-differences.ts';
import type { Mode } from './held-lease.ts';
import type { ShardTurns } from './shard-turns.ts';

export interface MembersViewInput {
  self: string;
  leaseMs: number;
  /** Milliseconds since the reports were read. */
  sinceMs: number;
  /** Null while it does not lead. */
  mode: Mode | null;
}

/** Silences are current, `sinceMs` after the reading of the reports; longer than a lease counts as silent. */
export function buildMembersView(
  members: readonly ComparedMember[],
  { self, leaseMs, sinceMs, mode }: MembersViewInput,
): MembersView {
  const all = members.map((member): MemberView => {
    const silentMs = member.silentMs + sinceMs;
    if (member.name === self) return { ...member, silentMs, standing: mode ?? member.standing };
    const isSilent = silentMs > leaseMs && member.standing !== 'stopped';
    return { ...member, silentMs, standing: isSilent ? 'silent' : member.standing };
  });
  const leader = mode === null ? all.find(({ standing }) => standing === 'leading')?.name : self;
  return { self, leader: leader ?? null, isCutOff: sinceMs > leaseMs, all };
}

/** The worst mode among the shards that this member leads; null without any. */
export function findWorstMode(turns: Pick<ShardTurns, 'led'>): Mode | null {
  const modes = turns.led().map(({ heldLease }) => heldLease.mode);
  return modes.find((mode) => mode !== 'leading') ?? modes[0] ?? null;
}

export function buildShardView(
  { number, sources }: SourceShard,
  { turns, name }: { turns: Pick<ShardTurns, 'led' | 'leaseOn'>; name: string },
): ShardView {
  const own = turns.led().find(({ shard }) => shard.number === number)?.heldLease;
  const lease = turns.leaseOn(number);
  const by = lease?.holder ?? null;
  const holder = own === undefined ? by && toMemberName(by) : name;
  return {
    shard: number,
    sources,
    holder,
    epoch: own?.epoch ?? lease?.epoch ?? 0,
    renewedMs: holder === null || lease === null ? null : lease.unchangedMs,
  };
}
