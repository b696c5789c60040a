/**
 * Phones and groups of losses during one sweep: a copy that the rules of this folder modify through these functions.
 */
import { takeCensus } from '../census.ts';
import type { Domain } from '../domain.ts';
import { createRoster, type GroupedDraft, type Roster } from '../drafts.ts';
import type { Extension } from '../account-model.ts';
import type { MassSettings } from '../settings.ts';
import type { Absence, LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { DRIP_MS, FLAPPING_LOSSES, FLAPPING_WITHIN_MS, LOST_AGAIN_WITHIN_MS } from './loss-rules.ts';

/** State before an observation, and the changes in it. */
export interface LossLook {
  /** By extension. Those in `lost` are still without a loss, those in `back` still have theirs. */
  phones: ReadonlyMap<string, PhoneMemory>;
  groups: readonly LossGroup[];
  nextGroup: number;
  lost: readonly { extension: string; absence: Absence }[];
  back: readonly string[];
  /** Phones whose extension was deleted; no longer among `phones`. */
  deleted: readonly PhoneMemory[];
  extensions: readonly Extension[] | null;
  mass: MassSettings;
  sites: Readonly<Record<string, string>>;
  /** Groups that people read about as part of an outage. */
  outages: ReadonlySet<string>;
  clock: number;
}

export interface LossState extends Roster {
  readonly phones: Map<string, PhoneMemory>;
  readonly groups: Map<string, LossGroup>;
  /** Groups before this observation. */
  readonly before: ReadonlyMap<string, LossGroup>;
  /** Lost phones by group. */
  readonly members: Map<string, Set<string>>;
  /** Phones that joined a group in this observation. */
  readonly joined: Map<string, string[]>;
  /** Extensions lost in this observation; phones that returned in it, in their state before. */
  readonly fresh: ReadonlySet<string>;
  readonly returned: readonly PhoneMemory[];
  /** Drafts of all changes. */
  readonly drafts: GroupedDraft[];
  readonly mass: MassSettings;
  readonly outages: ReadonlySet<string>;
  nextGroup: number;
  readonly clock: number;
}

/** Marks lost and returned phones first, so that counts are current. */
export function beginState(look: LossLook): LossState {
  const { groups: known, nextGroup, mass, outages, clock } = look;
  const phones = new Map(look.phones);
  const members = new Map<string, Set<string>>();
  for (const { extension, lost } of phones.values()) if (lost !== null) membersOf(members, lost.group).add(extension);
  const copies = known.map((group) => ({ ...group, joinable: group.joinable && isRecent(group, clock) }));
  const groups = new Map(copies.map((group) => [group.id, group]));
  const marked = { phones, groups, members, clock };
  const returned = look.back.flatMap((extension) => markReturned(marked, extension) ?? []);
  const fresh = new Set(look.lost.map(({ extension }) => extension));
  for (const { extension, absence } of look.lost) markLost(marked, extension, absence);
  const roster = countRoster(look, phones);
  const before = new Map(known.map((group) => [group.id, group]));
  return { ...marked, ...roster, before, joined: new Map(), fresh, returned, drafts: [], mass, outages, nextGroup };
}

/** Further losses may be part of it: of what was lost as a whole until an hour after its end. */
function isRecent(group: LossGroup, clock: number): boolean {
  return clock - group.lastLossAt <= DRIP_MS || hasEndedLately(group, clock);
}

/** It was lost as a whole, and all of it has been back for an hour at most. */
export function hasEndedLately({ endedAt = -Infinity }: LossGroup, clock: number): boolean {
  return clock - endedAt <= LOST_AGAIN_WITHIN_MS;
}

/** Counts these phones by site, with names of the extensions read. */
export function countRoster({ sites, extensions }: LossLook, phones: ReadonlyMap<string, PhoneMemory>): Roster {
  return createRoster(takeCensus([...phones.values()], sites), extensions);
}

/** The domain that counts further losses: the site of the phone, or the phone itself if its site is unknown. */
export function findDomainOfLoss({ census }: LossState, phone: PhoneMemory): Domain {
  const { extension } = phone;
  return census.siteOf(phone) ?? { kind: 'site', key: `extension ${extension}`, name: extension, address: null };
}

function membersOf(members: LossState['members'], group: string): Set<string> {
  const known = members.get(group) ?? new Set();
  members.set(group, known);
  return known;
}

/** A group without phones. `flapping` is the extension to which it is dedicated. */
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

/** Adds a lost phone to a group, and removes it from its previous one. */
export function addToGroup(state: LossState, group: LossGroup, extension: string): void {
  const phone = state.phones.get(extension);
  if (phone === undefined || phone.lost === null || phone.lost.group === group.id) return;
  const joined = state.joined.get(group.id) ?? [];
  joined.push(extension);
  state.joined.set(group.id, joined);
  if (!group.open) {
    const { count, since } = group.again ?? { count: 1, since: group.startedAt };
    group.again = { count: count + 1, since };
    Object.assign(group, { open: true, mass: false, toldDown: 0, startedAt: phone.lost.since, returned: false });
    delete group.toldSites;
    delete group.why;
    delete group.endedAt;
  }
  group.startedAt = Math.min(group.startedAt, phone.lost.since);
  group.lastLossAt = Math.max(group.lastLossAt, phone.lost.at);
  move(state, phone, group.id);
}

/** Removes a lost phone from its group. */
export function removeFromGroup(state: LossState, phone: PhoneMemory): void {
  move(state, phone, '');
}

function move({ phones, members }: LossState, phone: PhoneMemory, to: string): void {
  if (phone.lost === null) return;
  membersOf(members, phone.lost.group).delete(phone.extension);
  membersOf(members, to).add(phone.extension);
  phones.set(phone.extension, { ...phone, lost: { ...phone.lost, group: to } });
}

/** All of it is back. */
export function endGroup({ clock }: LossState, group: LossGroup): void {
  group.open = false;
  if (group.mass) group.endedAt = clock;
}

/** Lost phones of a group. */
export function listDown({ phones, members }: LossState, group: LossGroup): PhoneMemory[] {
  return [...(members.get(group.id) ?? [])].flatMap((extension) => phones.get(extension) ?? []);
}

/** Number of lost phones of a group. */
export function countDown({ members }: LossState, group: LossGroup): number {
  return members.get(group.id)?.size ?? 0;
}

/** Groups dedicated to flapping phones, by extension. */
export function listFlappingGroups({ groups }: LossState): Map<string | null, LossGroup[]> {
  return Map.groupBy(groups.values(), ({ flapping }) => flapping);
}

type Marked = Pick<LossState, 'phones' | 'groups' | 'members' | 'clock'>;

/** Its group is assigned later. */
function markLost({ phones, members, clock }: Marked, extension: string, absence: Absence): void {
  const phone = phones.get(extension);
  if (phone === undefined) return;
  const flapping =
    phone.flapping === null ? null : { ...phone.flapping, count: phone.flapping.count + 1, changedAt: clock };
  const { since, from, habit, cut, expectedSince } = absence;
  const lost = {
    since,
    at: clock,
    from,
    group: '',
    ...(habit !== undefined && { habit }),
    ...(cut !== undefined && { cut }),
    ...(expectedSince !== undefined && { expectedSince }),
  };
  phones.set(extension, { ...phone, missing: null, lost, flapping });
  membersOf(members, '').add(extension);
}

/** Returns the phone in its state before. */
function markReturned({ phones, groups, members, clock }: Marked, extension: string): PhoneMemory | null {
  const phone = phones.get(extension);
  if (phone === undefined || phone.lost === null) return null;
  const flapping = phone.flapping === null ? null : { ...phone.flapping, changedAt: clock };
  phones.set(extension, { ...phone, missing: null, lost: null, flapping });
  members.get(phone.lost.group)?.delete(extension);
  const group = groups.get(phone.lost.group);
  if (group !== undefined) group.returned = true;
  return phone;
}

/** Records a single loss; returns the number of losses if the phone starts to flap with it, else null. */
export function countLoss({ phones, clock }: LossState, extension: string): number | null {
  const phone = phones.get(extension);
  if (phone === undefined || phone.lost === null) return null;
  const losses = [...phone.losses.filter((at) => clock - at < FLAPPING_WITHIN_MS), clock];
  const isFlapping = losses.length >= FLAPPING_LOSSES;
  const flapping = isFlapping ? { count: losses.length, since: phone.lost.since, changedAt: clock } : phone.flapping;
  phones.set(extension, { ...phone, losses: isFlapping ? [] : losses, flapping });
  return isFlapping ? losses.length : null;
}

/** True for an ongoing, separate mass loss of phones that are not overdue. */
export function isOpenMass(group: LossGroup): boolean {
  return group.mass && group.open && group.absorbedBy === undefined && group.late === undefined;
}

/** Oldest first. */
export function compareAge(a: LossGroup, b: LossGroup): number {
  return a.startedAt - b.startedAt;
}
