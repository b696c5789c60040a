/** Events when a member begins to lead a shard: the previous leader, and the time without one. */
import type { SourceShard } from '../../config/shards.ts';
import type { SelfEvent } from '../../core/engine/self-source.ts';
import { describeForgetting } from '../../core/engine/member-trouble.ts';
import { formatList } from '../../core/text/plain.ts';
import type { MembersView, MemberView } from '../../core/view/system-status.ts';
import { formatElapsed } from '../../core/wording/time.ts';
import { toMemberName, type TakenLease } from '../../store/postgres/lease.ts';

/** Number of names in a sentence. */
const NAMED_SOURCES = 5;

export interface Takeover {
  taken: Pick<TakenLease, 'former' | 'unledMs' | 'hasLapsed'>;
  shard: SourceShard;
  /** The other members from the view of the new leader. */
  view: MembersView;
  leaseMs: number;
}

/** Empty without news. With a single shard, a new leader is news; with several, only a time without a leader. */
export function listTakeoverEvents({ taken, shard, view, leaseMs }: Takeover): SelfEvent[] {
  const { former: holder, unledMs, hasLapsed } = taken;
  if (holder === null || unledMs === null || shard.sources.length === 0) return [];
  const { self, all, shards } = view;
  const former = toMemberName(holder);
  const others = all.filter(({ name, standing }) => name !== self && standing !== 'stopped');
  // An operator who stops all members wants no watch.
  const isLate = unledMs > leaseMs && (hasLapsed || others.length > 0);
  const how = hasLapsed ? 'ended without handing over' : 'was stopped';
  if (shards === undefined && former !== self) {
    const known = all.find(({ name }) => name === former);
    const isSilent = hasLapsed && known?.standing !== 'standing by';
    const why = reasonOf(former, hasLapsed, known);
    const late = isLate ? [`Nobody watched for about ${formatElapsed(unledMs)}.`] : [];
    const reason = [why, ...late, ...(isSilent ? [describeForgetting(former)] : [])].join(' ');
    return [{ kind: 'leader', from: former, to: self, reason, isSilent }];
  }
  if (!isLate) return [];
  if (shards === undefined) {
    const reason = `${self} ${how}, and no other member took over until it was back.`;
    return [{ kind: 'state', what: `nobody watched for about ${formatElapsed(unledMs)}`, reason }];
  }
  const what = `nobody watched shard ${shard.number} for about ${formatElapsed(unledMs)}`;
  const which = formatList(shard.sources, NAMED_SOURCES);
  return [{ kind: 'state', what, reason: `${former} ${how}, and ${self} goes on now. The shard is ${which}.` }];
}

function reasonOf(former: string, hasLapsed: boolean, known: MemberView | undefined): string {
  if (!hasLapsed) return `${former} was stopped and handed over.`;
  if (known?.standing === 'standing by') return `${former} ended or paused without handing over, and is back.`;
  return `${former} has not been heard of any more: look after it.`;
}
