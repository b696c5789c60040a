/**
 * Sites, models and accounts that flap as a whole: three mass losses within an hour are reported once, with their
 * number. People are notified again when the number has doubled, when it stays offline for half an hour, and when it
 * has been stable for an hour. Until then losses and returns are part of one event.
 */
import { describePhones } from '../drafts.ts';
import { toTimestamp } from '../../transition/details.ts';
import { findMinimum } from '../../transition/collections.ts';
import type { LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { FLAPPING_LOSSES, FLAPPING_WITHIN_MS, STABLE_MS, STAYS_LOST_MS } from './loss-rules.ts';
import { countDown, endGroup, listDown, addToGroup, type LossState } from './loss-state.ts';
import { draftMassLoss } from './loss-transitions.ts';

/** Assigns new losses of a flapping domain to its event. */
export function assignUnstable(state: LossState): void {
  const unstable = [...state.groups.values()].filter(isUnstable);
  if (unstable.length === 0) return;
  for (const extension of state.fresh) {
    const phone = state.phones.get(extension);
    if (phone?.lost?.group !== '') continue;
    const group = unstable.find(({ domain }) => state.census.belongs(phone, domain));
    if (group !== undefined) addToGroup(state, group, extension);
  }
}

/** Counts mass losses that start in this sweep, and new losses of a flapping domain. */
export function countFalls(state: LossState): void {
  for (const group of state.groups.values()) {
    if (!group.mass || !group.open || group.late === true || group.absorbedBy !== undefined) continue;
    const known = state.before.get(group.id);
    const wasLost = known?.open === true && known.mass && (known.unstable === undefined || known.unstable.isLost);
    const count = countDown(state, group);
    if (isUnstable(group)) {
      const isChanged = state.joined.has(group.id) || state.returned.some(({ lost }) => lost?.group === group.id);
      const { unstable } = group;
      const isLost = unstable.isLost ? count > 0 : 2 * count >= Math.max(unstable.most, 1);
      const falls = unstable.count + (isLost && !unstable.isLost ? 1 : 0);
      const changedAt = isChanged ? state.clock : unstable.changedAt;
      group.unstable = { ...unstable, isLost, count: falls, changedAt, most: Math.max(unstable.most, count) };
    } else if (!wasLost) {
      const down = listDown(state, group);
      const since = findMinimum(down.map(({ lost }) => lost?.since ?? Infinity));
      group.falls = [...fallsOf(state, group), { at: state.clock, since }];
      for (const phone of down) forgetLoss(state, phone);
    }
  }
}

/** Mass losses of the last hour, in any event. */
function fallsOf({ groups, clock }: LossState, { domain }: LossGroup): NonNullable<LossGroup['falls']> {
  const same = [...groups.values()].filter((group) => group.domain.key === domain.key);
  const falls = same.flatMap((group) => group.falls ?? []).filter(({ at }) => clock - at < FLAPPING_WITHIN_MS);
  return [...new Map(falls.map((fall) => [fall.at, fall])).values()].toSorted((a, b) => a.at - b.at);
}

/** Forgets its single loss, reported before the others followed: it does not flap alone. */
function forgetLoss({ phones }: LossState, phone: PhoneMemory): void {
  const losses = phone.losses.filter((at) => at !== phone.lost?.at);
  if (losses.length < phone.losses.length) phones.set(phone.extension, { ...phone, losses });
}

/** Reports that it flaps, or its new number of losses; true if people need no other report about it. */
export function draftUnstable(state: LossState, group: LossGroup): boolean {
  const { falls = [], unstable } = group;
  if (unstable === undefined) {
    if (falls.length < FLAPPING_LOSSES || !group.open || falls.at(-1)?.at !== state.clock) return false;
    const [first] = falls;
    const most = countDown(state, group);
    const { count, since } = group.again ?? { count: falls.length, since: first?.since ?? group.startedAt };
    group.unstable = { count, told: count, since, changedAt: state.clock, isLost: true, most };
    delete group.falls;
    tell(state, group, null, count);
  } else if (unstable.count >= 2 * unstable.told) {
    group.unstable = { ...unstable, told: unstable.count };
    tell(state, group, unstable.told, unstable.count);
  }
  return true;
}

/** After a stable hour: recovered. After half an hour offline: lost like any other. */
export function endUnstable(state: LossState): void {
  for (const group of state.groups.values()) {
    const { unstable, ...rest } = group;
    if (unstable === undefined || group.absorbedBy !== undefined) continue;
    const still = state.clock - unstable.changedAt;
    const isLost = countDown(state, group) > 0;
    if (still < (isLost ? STAYS_LOST_MS : STABLE_MS)) continue;
    delete group.unstable;
    group.again = { count: unstable.count, since: unstable.since };
    if (isLost) {
      group.toldDown = 0;
      draftMassLoss(state, group, null, countDown(state, group));
    } else {
      endGroup(state, group);
      tell(state, { ...rest, unstable }, unstable.count, null);
    }
  }
}

type UnstableLoss = LossGroup & Required<Pick<LossGroup, 'unstable'>>;

function isUnstable(group: LossGroup): group is UnstableLoss {
  return group.unstable !== undefined;
}

function tell(state: LossState, group: LossGroup, from: number | null, to: number | null): void {
  const since = group.unstable?.since ?? group.startedAt;
  const details = {
    ...describePhones(state, group.domain, listDown(state, group), group.startedAt),
    first_lost: toTimestamp(since),
  };
  const draft = { subject: 'registrations', kind: 'registration.flapping', from, to, details } as const;
  state.drafts.push({ draft, group: group.id, pace: 'now' });
}
