/** Mass losses: which losses are one, how it is named, kept, renamed and merged with others. */
import { ACCOUNT } from '../domain.ts';
import type { Census } from '../census.ts';
import { isAway } from '../presence.ts';
import type { MassSettings } from '../settings.ts';
import type { LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { chanceOfDomain, findCauses, without, type LossCause } from './common-cause.ts';
import { gatherEvidence, isGoing, isProvenLocal, lossWindow, missingFrom, type Evidence } from './evidence.ts';
import { DRIP_MS, NARROWED_BELOW, SPREAD_ABOVE, TOGETHER_WITHIN_MS } from './loss-rules.ts';
import { byAge, countDown, downOf, isOpenMass, join, leave, openGroup, type LossState } from './loss-state.ts';
import { findMaximum, findMinimum } from '../../transition/collections.ts';
import type { WhyDetails } from '../../transition/details.ts';

/** Finds the mass losses there are and puts their phones into them. */
export function assignMasses(state: LossState): void {
  const { census, mass } = state;
  const phones = [...state.phones.values()];
  // What an event of before has lost says nothing of the next one.
  const settled = new Set([...state.groups.values()].flatMap((group) => (isSettled(group) ? [group.id] : [])));
  const windowMs = lossWindow(phones);
  const evidence = gatherEvidence(phones, windowMs, settled);
  if (evidence.lost.length === 0) return;
  const certain = phones.some(isMissing) ? gatherEvidence(phones.map(asIfThere), windowMs, settled) : evidence;
  const masses = openMasses(state);
  const local = new Set(
    masses.filter((group) => isProvenLocal(group, phones, (phone) => census.belongs(phone, group.domain))),
  );
  const findings = judge(masses, local, { evidence, certain }, census, mass);
  const claimed = new Set(findings.map(({ domain }) => domain.key));
  for (const finding of findings) settle(state, finding, { claimed, local, evidence });
  gatherTheRest(state);
  giveReasons(state, findings);
}

/** Whoever was lost a little before or is lost later joins what he is part of, and so does a phone that comes and goes. */
function gatherTheRest(state: LossState): void {
  const lost = [...state.phones.values()].filter((phone) => phone.lost !== null);
  const newest = findMaximum(lost.map(missingFrom));
  const masses = new Map(
    openMasses(state).flatMap((group): [string, LossGroup][] => (group.joinable ? [[group.domain.key, group]] : [])),
  );
  if (masses.size === 0) return;
  for (const phone of lost) {
    if (newest - missingFrom(phone) > DRIP_MS || !isFree(state, phone)) continue;
    const [group] = state.census.domainsOf(phone).flatMap(({ key }) => masses.get(key) ?? []);
    if (group !== undefined) take(state, group, state.phones.get(phone.extension) ?? phone);
  }
}

function isSettled(group: LossGroup): boolean {
  return (
    group.late === true || group.unstable !== undefined || (isOpenMass(group) && (!group.joinable || isMending(group)))
  );
}

/** Once phones of a site or a model come back, those that are left say nothing of what they were lost with. */
function isMending({ domain, returned }: LossGroup): boolean {
  return returned === true && domain.kind !== ACCOUNT.kind;
}

function openMasses(state: LossState): LossGroup[] {
  return [...state.groups.values()].filter(isOpenMass).toSorted(byAge);
}

/** The phone is part of no open mass loss. */
function isFree({ groups, phones }: LossState, { extension }: PhoneMemory): boolean {
  const group = groups.get(phones.get(extension)?.lost?.group ?? '');
  return group === undefined || (!isOpenMass(group) && group.late === undefined);
}

/** Missing, and not called lost: it may be back in a minute. */
function isMissing(phone: PhoneMemory): boolean {
  return phone.lost === null && phone.missing !== null && !isAway(phone);
}

function asIfThere(phone: PhoneMemory): PhoneMemory {
  return isMissing(phone) ? { ...phone, missing: null } : phone;
}

interface KnownOfLosses {
  evidence: Evidence;
  /** The same if those that are missing, and not lost yet, were still there. */
  certain: Evidence;
}

/** The events that are to be told of now, after what is known to be events of their own. */
function judge(
  masses: readonly LossGroup[],
  local: ReadonlySet<LossGroup>,
  { evidence, certain }: KnownOfLosses,
  census: Census,
  mass: MassSettings,
): LossCause[] {
  const found = findCauses(evidence, census, mass);
  if (namesAccount(found)) {
    const kept = certain === evidence ? [] : keptCauses(masses, findCauses(certain, census, mass));
    if (kept.length > 0) return kept;
    return local.size === 0 ? found : findCauses(without(evidence, [...local], census), census, mass);
  }
  if (found.length > 0) return found;
  // What was named may have become no wonder, without so much being lost that it is the account.
  const spread = masses.find((group) => {
    const { domain } = group;
    const isOver = isSettled(group) || !evidence.lost.some(({ lost }) => lost?.group === group.id);
    if (domain.kind === 'account' || local.has(group) || isOver) return false;
    const elsewhere = without(evidence, [{ domain }], census).lost.length;
    // Phones that are only missing take nothing back.
    const isSpread = [evidence, certain].every((known) => chanceOfDomain(known, domain, census) > SPREAD_ABOVE);
    return elsewhere >= mass.count && isSpread;
  });
  return spread === undefined ? [] : [{ domain: ACCOUNT, chance: 1 }];
}

/**
 * The causes by what is certain, where what was told is among them: that is not left for the account because of phones
 * that are only missing. None where the account is named either way.
 */
function keptCauses(masses: readonly LossGroup[], certain: readonly LossCause[]): LossCause[] {
  const told = masses.filter((group) => !isSettled(group));
  const keys = new Set(certain.map(({ domain }) => domain.key));
  const isKept = told.length > 0 && told.every(({ domain }) => domain.kind !== 'account' && keys.has(domain.key));
  return isKept && !namesAccount(certain) ? [...certain] : [];
}

function namesAccount(causes: readonly LossCause[]): boolean {
  return causes.some(({ domain }) => domain.kind === 'account');
}

/** What every finding of one look is settled with. */
interface Settlement {
  /** Domains of the other findings. */
  claimed: ReadonlySet<string>;
  /** Mass losses that are no outage of the registrar. */
  local: ReadonlySet<LossGroup>;
  evidence: Evidence;
}

function settle(state: LossState, finding: LossCause, settlement: Settlement): void {
  const { claimed, evidence } = settlement;
  const { key } = finding.domain;
  const mine = evidence.lost
    .flatMap(({ extension }) => state.phones.get(extension) ?? [])
    .filter((phone) => isPartOf(state, finding, phone, settlement));
  if (mine.length === 0) return;
  const owners = new Set(mine.map(({ lost }) => lost?.group ?? ''));
  const known = [...state.groups.values()].filter((group) => isOpenTo(group, key, claimed)).toSorted(byAge);
  const masses = known.filter(isOpenMass);
  const same = masses.find(({ domain }) => domain.key === key);
  const other = masses.find((group) => owners.has(group.id) && mayRename(group, finding));
  const held = masses.some((group) => owners.has(group.id) && group.domain.kind === 'account');
  // It is told as part of something larger, and the evidence is not strong enough to take that back.
  if (same === undefined && other === undefined && (held || isPartOfAccount(masses, finding, evidence))) return;
  const target =
    same ??
    other ??
    known.find((group) => group.open && !group.mass && isTakenIn(state, group, finding, evidence)) ??
    known.find(({ domain, mass }) => mass && domain.key === key) ??
    openGroup(state, finding.domain, findMinimum(mine.map(({ lost }) => lost?.since ?? Infinity)));
  const isNew = target.domain.key !== key || !target.mass || !target.open;
  const emptied = new Set(mine.map(({ lost }) => lost?.group ?? '').filter((id) => id !== '' && id !== target.id));
  for (const { extension } of mine) join(state, target, extension);
  target.domain = finding.domain;
  target.mass = true;
  if (isNew) release(state, target);
  for (const id of emptied) absorb(state, id, target);
}

/**
 * The account loses phones, people read of that, and what is named now falls within the same time: on weak evidence its
 * phones are more of that loss and no event of their own.
 */
function isPartOfAccount(masses: readonly LossGroup[], { chance }: LossCause, { lost }: Evidence): boolean {
  if (chance < NARROWED_BELOW) return false;
  const now = new Set(lost.map((phone) => phone.lost?.group));
  return masses.some(({ id, domain, returned }) => domain.kind === 'account' && returned !== true && now.has(id));
}

/** Whether a finding may take up the group: not where another finding of this look is about it. */
function isOpenTo(
  { joinable, flapping, late, absorbedBy, domain }: LossGroup,
  key: string,
  claimed: ReadonlySet<string>,
): boolean {
  return (
    joinable &&
    late === undefined &&
    flapping === null &&
    absorbedBy === undefined &&
    (domain.key === key || !claimed.has(domain.key))
  );
}

/**
 * All of a group's losses are part of what was found, those of a little before among them: people go on reading of them
 * in the alert they know. Who was told of other losses, too, goes on reading of those where they are told.
 */
function isTakenIn(state: LossState, group: LossGroup, { domain }: LossCause, { lost }: Evidence): boolean {
  const down = downOf(state, group);
  const newest = findMaximum(lost.map(missingFrom));
  return (
    down.length > 0 &&
    down.every((phone) => newest - missingFrom(phone) <= DRIP_MS && state.census.belongs(phone, domain))
  );
}

/** A group keeps the phones of its own domain only: the others are told by themselves. */
function release(state: LossState, group: LossGroup): void {
  for (const phone of downOf(state, group)) if (!state.census.belongs(phone, group.domain)) leave(state, phone);
}

/** Phones of another event that is named with its own evidence stay there. */
function isPartOf(
  state: LossState,
  { domain }: LossCause,
  phone: PhoneMemory,
  { claimed, local }: Settlement,
): boolean {
  if (!state.census.belongs(phone, domain)) return false;
  const group = state.groups.get(phone.lost?.group ?? '');
  if (group === undefined || !isOpenMass(group) || group.domain.key === domain.key) return true;
  return !claimed.has(group.domain.key) && !(domain.kind === 'account' && local.has(group));
}

/** Whether what was told as one thing may now be called another. */
function mayRename({ domain, returned }: LossGroup, finding: LossCause): boolean {
  if (returned === true) return false;
  if (finding.domain.kind === 'account') return true;
  if (domain.kind === 'account') return finding.chance < NARROWED_BELOW;
  // A loss at one site is not renamed to another site: that is another loss.
  return domain.kind !== 'site' || finding.domain.kind !== 'site';
}

function take(state: LossState, group: LossGroup, phone: PhoneMemory): void {
  const from = phone.lost?.group ?? '';
  join(state, group, phone.extension);
  if (from !== '') absorb(state, from, group);
}

/** A group of which nothing is left goes on as part of another. */
function absorb(state: LossState, id: string, into: LossGroup): void {
  const group = state.groups.get(id);
  if (group === undefined || group.flapping !== null || countDown(state, group) > 0) return;
  const parts = [...state.groups.values()].filter(({ absorbedBy }) => absorbedBy === id);
  for (const part of [group, ...parts]) part.absorbedBy = into.id;
  group.joinable = false;
  delete group.unstable;
}

/** What is named, or has grown, is named by the numbers of now. */
function giveReasons(state: LossState, findings: readonly LossCause[]): void {
  const { census } = state;
  const masses = openMasses(state);
  const chances = new Map(findings.map(({ domain, chance }) => [domain.key, chance]));
  for (const group of masses) {
    const isNamed = state.before.get(group.id)?.domain.key !== group.domain.key;
    if (group.why !== undefined && !isNamed && !state.joined.has(group.id)) continue;
    const chance = chances.get(group.domain.key);
    // Where the numbers of when it was named are not known, those of a loss that joins it or of what is left are no reason.
    if (group.why === undefined && (chance === undefined || group.returned === true)) continue;
    const others = masses.filter((each) => each.domain.kind !== 'account' && each.domain.key !== group.domain.key);
    const why = whyOf(group, others, chance ?? group.why?.chance ?? null, census);
    const isSpread = group.domain.kind === 'account';
    group.why = isSpread ? { ...why, sites: census.sites(missingWith(state, group)).length } : why;
  }
}

/** Those that are lost, and those that are on their way: they are why it is not one site. */
function missingWith(state: LossState, group: LossGroup): PhoneMemory[] {
  return [...downOf(state, group), ...[...state.phones.values()].filter(isGoing)];
}

/** Two sites that lost their first phones at nearly the same time. */
function wentWith(group: LossGroup, other: LossGroup): boolean {
  const areSites = group.domain.kind === 'site' && other.domain.kind === 'site';
  return areSites && Math.abs(group.startedAt - other.startedAt) <= TOGETHER_WITHIN_MS;
}

function whyOf(group: LossGroup, others: readonly LossGroup[], chance: number | null, census: Census): WhyDetails {
  const { domain } = group;
  const named = domain.kind === 'account' ? [] : others;
  const domains = [domain, ...named.map((other) => other.domain)];
  const left = census.phones.filter((phone) => !domains.some((each) => census.belongs(phone, each)));
  const beside = named.map((other) => {
    const { lost: down, total } = census.count(other.domain);
    const { kind, name, address } = other.domain;
    return { domain: { kind, name, address }, down, total, ...(wentWith(group, other) && { together: true as const }) };
  });
  const { lost: down, total } = census.count(domain);
  return {
    down,
    total,
    ...(beside.length > 0 && { beside }),
    elsewhere: { down: left.filter(({ lost }) => lost !== null).length, total: left.length },
    chance: chance === null || chance >= 1 ? null : chance,
  };
}
