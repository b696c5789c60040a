/** What is told when a member begins to lead: in whose place, and whether anybody watched meanwhile. */
import type { SelfEvent } from '../core/engine/itself.ts';
import type { MembersView, MemberView } from '../core/view/picture.ts';
import { formatList } from '../core/text/plain.ts';
import { span } from '../core/wording/time.ts';
import type { TakenLease } from '../store/postgres/lease.ts';
import { memberOf } from './membership.ts';

/** As many as a sentence bears. */
const NAMED_SOURCES = 5;

/** Empty where the same member goes on and nobody else should have led meanwhile. */
export function succession(
  { former: holder, unledMs, hasLapsed }: Pick<TakenLease, 'former' | 'unledMs' | 'hasLapsed'>,
  { self, all }: MembersView,
  leaseMs: number,
): SelfEvent[] {
  if (holder === null || unledMs === null) return [];
  const former = memberOf(holder);
  const others = all.filter(({ name, standing }) => name !== self && standing !== 'stopped');
  // An operator who stops all members wants no watch.
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

/** Where several share the sources: whether nobody watched a group before this member leads it. That it moved is no news. */
export function lateSuccession(
  { former, unledMs, hasLapsed }: Pick<TakenLease, 'former' | 'unledMs' | 'hasLapsed'>,
  { leaseMs, view }: { leaseMs: number; view(): MembersView },
  { number, sources }: { number: number; sources: readonly string[] },
): SelfEvent[] {
  if (former === null || unledMs === null || unledMs <= leaseMs || sources.length === 0) return [];
  const { self, all } = view();
  // An operator who stops all members wants no watch.
  if (!hasLapsed && !all.some(({ name, standing }) => name !== self && standing !== 'stopped')) return [];
  const how = hasLapsed ? 'ended without handing over' : 'was stopped';
  const what = `nobody watched group ${number} for about ${span(unledMs)}`;
  const reason = `${memberOf(former)} ${how}, and ${self} goes on now. The group is ${formatList(sources, NAMED_SOURCES)}.`;
  return [{ kind: 'state', what, reason }];
}
