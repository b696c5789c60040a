/** What is told when a member begins to lead: in whose place, and whether anybody watched meanwhile. */
import type { SelfEvent } from '../core/engine/itself.ts';
import type { MembersView, MemberView } from '../core/view/picture.ts';
import { span } from '../core/wording/time.ts';
import type { TakenLease } from '../store/postgres/lease.ts';
import { memberOf } from './membership.ts';

/** Nothing where the same one goes on, and nobody else should have. */
export function succession(
  { former: holder, unledMs, hasLapsed }: Pick<TakenLease, 'former' | 'unledMs' | 'hasLapsed'>,
  { self, all }: MembersView,
  leaseMs: number,
): SelfEvent[] {
  if (holder === null || unledMs === null) return [];
  const former = memberOf(holder);
  const others = all.filter(({ name, standing }) => name !== self && standing !== 'stopped');
  // Who stops all members wants nobody to watch.
  const isLate = unledMs > leaseMs && (hasLapsed || others.length > 0);
  const unwatched = `Nobody watched for about ${span(unledMs)}`;
  if (former !== self) {
    const known = all.find(({ name }) => name === former);
    const isSilent = hasLapsed && known?.standing !== 'standing by';
    const reason = whyFormerEnded(former, hasLapsed, known);
    return [{ kind: 'leader', from: former, to: self, reason: isLate ? `${reason} ${unwatched}.` : reason, isSilent }];
  }
  if (!isLate) return [];
  const how = hasLapsed ? `${self} ended without handing over` : `${self} was stopped`;
  return [
    {
      kind: 'state',
      what: `nobody watched for about ${span(unledMs)}`,
      reason: `${how}, and no other member took over until it was back.`,
    },
  ];
}

function whyFormerEnded(former: string, hasLapsed: boolean, known: MemberView | undefined): string {
  if (!hasLapsed) return `${former} was stopped and handed over.`;
  if (known?.standing === 'standing by') return `${former} ended or paused without handing over, and is back.`;
  return `${former} has not been heard of any more: look after it.`;
}
