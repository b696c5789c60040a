/** Phones and groups of losses during one look: a copy that the steps of this folder change, each through these functions. */
import type { Domain } from '../domain.ts';
import type { Absence, LossGroup, PhoneMemory } from '../snapshot.ts';
import { DRIP_MS, FLAPPING_LOSSES, FLAPPING_WITHIN_MS } from './rules.ts';

export interface LossState {
  readonly phones: Map<string, PhoneMemory>;
  readonly groups: Map<string, LossGroup>;
  /** Groups as they were before this look. */
  readonly before: ReadonlyMap<string, LossGroup>;
  /** Lost phones by the group they are part of. */
  readonly members: Map<string, Set<string>>;
  /** Phones that joined a group in this look. */
  readonly joined: Map<string, string[]>;
  nextGroup: number;
  readonly clock: number;
}

export function beginState(
  phones: Map<string, PhoneMemory>,
  known: readonly LossGroup[],
  nextGroup: number,
  clock: number,
): LossState {
  const members = new Map<string, Set<string>>();
  for (const { extension, lost } of phones.values()) if (lost !== null) membersOf(members, lost.group).add(extension);
  const groups = known.map((group) => ({ ...group, joinable: group.joinable && clock - group.lastLossAt <= DRIP_MS }));
  return {
    phones,
    groups: new Map(groups.map((group) => [group.id, group])),
    before: new Map(known.map((group) => [group.id, group])),
    members,
    joined: new Map(),
    nextGroup,
    clock,
  };
}

function membersOf(members: LossState['members'], group: string): Set<string> {
  const known = members.get(group) ?? new Set();
  members.set(group, known);
  return known;
}

export function openGroup(
  state: LossState,
  domain: Domain,
  startedAt: number,
  flapping: string | null = null,
): LossGroup {
  const group: LossGroup = {
    id: `loss ${state.nextGroup}`,
    domain,
    mass: false,
    open: true,
    flapping,
    joinable: true,
    startedAt,
    lastLossAt: state.clock,
    up: 0,
    toldDown: 0,
  };
  state.nextGroup += 1;
  state.groups.set(group.id, group);
  return group;
}

/** A lost phone becomes part of a group, and leaves the one that it was part of. */
export function join(state: LossState, group: LossGroup, extension: string): void {
  const phone = state.phones.get(extension);
  if (phone === undefined || phone.lost === null || phone.lost.group === group.id) return;
  const joined = state.joined.get(group.id) ?? [];
  joined.push(extension);
  state.joined.set(group.id, joined);
  if (!group.open) {
    Object.assign(group, { open: true, mass: false, toldDown: 0, startedAt: phone.lost.since, returned: false });
    delete group.toldSites;
    delete group.why;
  }
  group.startedAt = Math.min(group.startedAt, phone.lost.since);
  group.lastLossAt = Math.max(group.lastLossAt, phone.lost.at);
  move(state, phone, group.id);
}

/** A lost phone is part of no group for now. */
export function leave(state: LossState, phone: PhoneMemory): void {
  move(state, phone, '');
}

function move({ phones, members }: LossState, phone: PhoneMemory, to: string): void {
  if (phone.lost === null) return;
  membersOf(members, phone.lost.group).delete(phone.extension);
  membersOf(members, to).add(phone.extension);
  phones.set(phone.extension, { ...phone, lost: { ...phone.lost, group: to } });
}

/** Those of a group that are lost. */
export function downOf({ phones, members }: LossState, group: LossGroup): PhoneMemory[] {
  return [...(members.get(group.id) ?? [])].flatMap((extension) => phones.get(extension) ?? []);
}

/** How many those are. */
export function countDown({ members }: LossState, group: LossGroup): number {
  return members.get(group.id)?.size ?? 0;
}

/** The groups of phones that come and go, by extension. */
export function flappingGroups({ groups }: LossState): Map<string | null, LossGroup[]> {
  return Map.groupBy(groups.values(), ({ flapping }) => flapping);
}

/** Its group is found afterwards. */
export function markLost(
  { phones, members, clock }: LossState,
  extension: string,
  absence: Absence,
): PhoneMemory | null {
  const phone = phones.get(extension);
  if (phone === undefined) return null;
  const flapping =
    phone.flapping === null ? null : { ...phone.flapping, count: phone.flapping.count + 1, changedAt: clock };
  const { since, from, habit } = absence;
  const lost = { since, at: clock, from, group: '', ...(habit !== undefined && { habit }) };
  const after = { ...phone, missing: null, lost, flapping };
  phones.set(extension, after);
  membersOf(members, '').add(extension);
  return after;
}

/** Returns the phone as it was. */
export function markReturned({ phones, groups, members, clock }: LossState, extension: string): PhoneMemory | null {
  const phone = phones.get(extension);
  if (phone === undefined || phone.lost === null) return null;
  const flapping = phone.flapping === null ? null : { ...phone.flapping, changedAt: clock };
  phones.set(extension, { ...phone, missing: null, lost: null, flapping });
  members.get(phone.lost.group)?.delete(extension);
  const group = groups.get(phone.lost.group);
  if (group !== undefined) group.returned = true;
  return phone;
}

/** Remembers a loss by itself; true for the one that makes it flapping. */
export function countLoss({ phones, clock }: LossState, extension: string): boolean {
  const phone = phones.get(extension);
  if (phone === undefined || phone.lost === null) return false;
  const losses = [...phone.losses.filter((at) => clock - at < FLAPPING_WITHIN_MS), clock];
  const isFlapping = losses.length >= FLAPPING_LOSSES;
  const flapping = isFlapping ? { count: losses.length, since: phone.lost.since, changedAt: clock } : phone.flapping;
  phones.set(extension, { ...phone, losses: isFlapping ? [] : losses, flapping });
  return isFlapping;
}

export function isOpenMass(group: LossGroup): boolean {
  return group.mass && group.open && group.absorbedBy === undefined;
}

/** The oldest first. */
export function byAge(a: LossGroup, b: LossGroup): number {
  return a.startedAt - b.startedAt;
}
