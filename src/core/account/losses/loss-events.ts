/** Mass losses: which losses form one, and how it is named, kept, renamed and merged. */
import { ACCOUNT } from '../domain.ts';
import type { Census } from '../census.ts';
import { isMissing } from '../presence.ts';
import type { MassSettings } from '../settings.ts';
import type { LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { computeDomainChance, findCauses, without, type LossCause } from './common-cause.ts';
import {
  gatherEvidence,
  isRepeatedlyMissing,
  isProvenLocal,
  computeLossWindow,
  findMissingStart,
  type LossEvidence,
} from './evidence.ts';
import { DRIP_MS, NARROWED_BELOW, SPREAD_ABOVE, TOGETHER_WITHIN_MS } from './loss-rules.ts';
import {
  compareAge,
  countDown,
  listDown,
  isOpenMass,
  addToGroup,
  removeFromGroup,
  openGroup,
  type LossState,
} from './loss-state.ts';
import { findMaximum, findMinimum } from '../../transition/collections.ts';
import type { WhyDetails } from '../../transition/details.ts';

/** Finds the mass losses and assigns their phones. */
export function assignMasses(state: LossState): void {
  const { census, mass } = state;
  const phones = [...state.phones.values()];
  // Losses of a past event are no evidence about the next one.
  const settled = new Set([...state.groups.values()].flatMap((group) => (isSettled(group) ? [group.id] : [])));
  const windowMs = computeLossWindow(phones);
  const evidence = gatherEvidence(phones, windowMs, settled);
  if (evidence.lost.length === 0) return;
  const certain = phones.some(isMissing) ? gatherEvidence(phones.map(asIfThere), windowMs, settled) : evidence;
  const masses = openMasses(state);
  const local = new Set(
    masses.filter((group) => isProvenLocal(group, phones, (phone) => census.belongs(phone, group.domain))),
  );
  const findings = judge(masses, local, { evidence, certain }, census, mass);
  const claimed = new Set(findings.map(({ domain }) => domain.key));
  for (const finding of findings) applyFinding(state, finding, { claimed, local, evidence });
  joinOtherLosses(state);
  updateEvidence(state, findings);
}

/** Earlier and later losses join the event they belong to, as do flapping phones. */
function joinOtherLosses(state: LossState): void {
  const lost = [...state.phones.values()].filter((phone) => phone.lost !== null);
  const newest = findMaximum(lost.map(findMissingStart));
  const masses = new Map(
    openMasses(state).flatMap((group): [string, LossGroup][] => (group.joinable ? [[group.domain.key, group]] : [])),
  );
  if (masses.size === 0) return;
  for (const phone of lost) {
    if (newest - findMissingStart(phone) > DRIP_MS || !isFree(state, phone)) continue;
    const [group] = state.census.domainsOf(phone).flatMap(({ key }) => masses.get(key) ?? []);
    if (group !== undefined) take(state, group, state.phones.get(phone.extension) ?? phone);
  }
}

function isSettled(group: LossGroup): boolean {
  return (
    group.late === true || group.unstable !== undefined || (isOpenMass(group) && (!group.joinable || isMending(group)))
  );
}

/** Once phones of a site or model return, the remaining ones no longer show the cause. */
function isMending({ domain, returned }: LossGroup): boolean {
  return returned === true && domain.kind !== ACCOUNT.kind;
}

function openMasses(state: LossState): LossGroup[] {
  return [...state.groups.values()].filter(isOpenMass).toSorted(compareAge);
}

/** The phone is not part of an open mass loss. */
function isFree({ groups, phones }: LossState, { extension }: PhoneMemory): boolean {
  const group = groups.get(phones.get(extension)?.lost?.group ?? '');
  return group === undefined || (!isOpenMass(group) && group.late === undefined);
}

function asIfThere(phone: PhoneMemory): PhoneMemory {
  return isMissing(phone) ? { ...phone, missing: null } : phone;
}

interface EvidencePair {
  evidence: LossEvidence;
  /** The evidence as if phones missing but not lost yet were still registered. */
  certain: LossEvidence;
}

/** Causes to report now, apart from those that are known as separate events. */
function judge(
  masses: readonly LossGroup[],
  local: ReadonlySet<LossGroup>,
  { evidence, certain }: EvidencePair,
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
  // The losses of a named domain may be coincidence by now, while too few phones are lost to name the account.
  const spread = masses.find((group) => {
    const { domain } = group;
    const isOver = isSettled(group) || !evidence.lost.some(({ lost }) => lost?.group === group.id);
    if (domain.kind === 'account' || local.has(group) || isOver) return false;
    const elsewhere = without(evidence, [{ domain }], census).lost.length;
    // Phones that are only missing do not revoke a cause.
    const isSpread = [evidence, certain].every((known) => computeDomainChance(known, domain, census) > SPREAD_ABOVE);
    return elsewhere >= mass.count && isSpread;
  });
  return spread === undefined ? [] : [{ domain: ACCOUNT, chance: 1 }];
}

/**
 * Causes without the phones that are only missing: those do not change a cause to the account. None if the causes lack a
 * reported one, or name the account.
 */
function keptCauses(masses: readonly LossGroup[], certain: readonly LossCause[]): LossCause[] {
  const reported = masses.filter((group) => !isSettled(group));
  const keys = new Set(certain.map(({ domain }) => domain.key));
  const isKept =
    reported.length > 0 && reported.every(({ domain }) => domain.kind !== 'account' && keys.has(domain.key));
  return isKept && !namesAccount(certain) ? [...certain] : [];
}

function namesAccount(causes: readonly LossCause[]): boolean {
  return causes.some(({ domain }) => domain.kind === 'account');
}

/** Inputs shared by all findings of a sweep. */
interface FindingContext {
  /** Domains of the other findings. */
  claimed: ReadonlySet<string>;
  /** Mass losses proven not to be an outage of the registrar. */
  local: ReadonlySet<LossGroup>;
  evidence: LossEvidence;
}

function applyFinding(state: LossState, finding: LossCause, context: FindingContext): void {
  const { claimed, evidence } = context;
  const { key } = finding.domain;
  const mine = evidence.lost
    .flatMap(({ extension }) => state.phones.get(extension) ?? [])
    .filter((phone) => isPartOf(state, finding, phone, context));
  if (mine.length === 0) return;
  const owners = new Set(mine.map(({ lost }) => lost?.group ?? ''));
  const known = [...state.groups.values()].filter((group) => isOpenTo(group, key, claimed)).toSorted(compareAge);
  const masses = known.filter(isOpenMass);
  const same = masses.find(({ domain }) => domain.key === key);
  const other = masses.find((group) => owners.has(group.id) && mayRename(group, finding));
  const held = masses.some((group) => owners.has(group.id) && group.domain.kind === 'account');
  // It was reported as part of a larger event, and the evidence is too weak to revoke that.
  if (same === undefined && other === undefined && (held || isPartOfAccount(masses, finding, evidence))) return;
  const target =
    same ??
    other ??
    known.find(({ domain, mass }) => mass && domain.key === key) ??
    known.find((group) => group.open && !group.mass && coversGroup(state, group, finding, evidence)) ??
    openGroup(state, finding.domain, findMinimum(mine.map(({ lost }) => lost?.since ?? Infinity)));
  const isNew = target.domain.key !== key || !target.mass || !target.open;
  const emptied = new Set(mine.map(({ lost }) => lost?.group ?? '').filter((id) => id !== '' && id !== target.id));
  for (const { extension } of mine) addToGroup(state, target, extension);
  target.domain = finding.domain;
  target.mass = true;
  if (isNew) releaseOthers(state, target);
  for (const id of emptied) absorb(state, id, target);
}

/**
 * True if the account's loss is reported and this finding falls into the same time: on weak evidence its phones are
 * more losses of the account, not a separate event.
 */
function isPartOfAccount(masses: readonly LossGroup[], { chance }: LossCause, { lost }: LossEvidence): boolean {
  if (chance < NARROWED_BELOW) return false;
  const now = new Set(lost.map((phone) => phone.lost?.group));
  return masses.some(({ id, domain, returned }) => domain.kind === 'account' && returned !== true && now.has(id));
}

/** True unless another finding of this sweep concerns the group. */
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
 * True if the finding covers all losses of a group, including earlier ones: the group continues in its alert. Otherwise
 * its other losses continue there, and the finding gets an alert of its own.
 */
function coversGroup(state: LossState, group: LossGroup, { domain }: LossCause, { lost }: LossEvidence): boolean {
  const down = listDown(state, group);
  const newest = findMaximum(lost.map(findMissingStart));
  return (
    down.length > 0 &&
    down.every((phone) => newest - findMissingStart(phone) <= DRIP_MS && state.census.belongs(phone, domain))
  );
}

/** Keeps phones of the group's own domain only: others are reported separately. */
function releaseOthers(state: LossState, group: LossGroup): void {
  for (const phone of listDown(state, group)) {
    if (!state.census.belongs(phone, group.domain)) removeFromGroup(state, phone);
  }
}

/** False for phones of another mass loss that has evidence of its own. */
function isPartOf(
  state: LossState,
  { domain }: LossCause,
  phone: PhoneMemory,
  { claimed, local }: FindingContext,
): boolean {
  if (!state.census.belongs(phone, domain)) return false;
  const group = state.groups.get(phone.lost?.group ?? '');
  if (group === undefined || !isOpenMass(group) || group.domain.key === domain.key) return true;
  return !claimed.has(group.domain.key) && !(domain.kind === 'account' && local.has(group));
}

/** True if a reported cause may be replaced by another. */
function mayRename({ domain, returned }: LossGroup, finding: LossCause): boolean {
  if (returned === true) return false;
  if (finding.domain.kind === 'account') return true;
  if (domain.kind === 'account') return finding.chance < NARROWED_BELOW;
  // A loss at one site cannot become that of another site: that is another loss.
  return domain.kind !== 'site' || finding.domain.kind !== 'site';
}

function take(state: LossState, group: LossGroup, phone: PhoneMemory): void {
  const from = phone.lost?.group ?? '';
  addToGroup(state, group, phone.extension);
  if (from !== '') absorb(state, from, group);
}

/** Merges a group without remaining phones into another. */
function absorb(state: LossState, id: string, into: LossGroup): void {
  const group = state.groups.get(id);
  if (group === undefined || group.flapping !== null || countDown(state, group) > 0) return;
  const parts = [...state.groups.values()].filter(({ absorbedBy }) => absorbedBy === id);
  for (const part of [group, ...parts]) part.absorbedBy = into.id;
  group.joinable = false;
  delete group.unstable;
}

/** A new or growing cause gets its current numbers. */
function updateEvidence(state: LossState, findings: readonly LossCause[]): void {
  const { census } = state;
  const masses = openMasses(state);
  const chances = new Map(findings.map(({ domain, chance }) => [domain.key, chance]));
  for (const group of masses) {
    const isNamed = state.before.get(group.id)?.domain.key !== group.domain.key;
    if (group.why !== undefined && !isNamed && !state.joined.has(group.id)) continue;
    const chance = chances.get(group.domain.key);
    // The numbers of later or remaining losses are no evidence for a cause named earlier.
    if (group.why === undefined && (chance === undefined || group.returned === true)) continue;
    const others = masses.filter((each) => each.domain.kind !== 'account' && each.domain.key !== group.domain.key);
    const why = describeEvidence(group, others, chance ?? group.why?.chance ?? null, census);
    const isSpread = group.domain.kind === 'account';
    group.why = isSpread ? { ...why, sites: census.sites(listAffected(state, group)).length } : why;
  }
}

/** Phones that are lost or repeatedly missing: their sites show that it is not one site. */
function listAffected(state: LossState, group: LossGroup): PhoneMemory[] {
  return [...listDown(state, group), ...[...state.phones.values()].filter(isRepeatedlyMissing)];
}

/** Two sites that lost their first phones at nearly the same time. */
function failedTogether(group: LossGroup, other: LossGroup): boolean {
  const areSites = group.domain.kind === 'site' && other.domain.kind === 'site';
  return areSites && Math.abs(group.startedAt - other.startedAt) <= TOGETHER_WITHIN_MS;
}

function describeEvidence(
  group: LossGroup,
  others: readonly LossGroup[],
  chance: number | null,
  census: Census,
): WhyDetails {
  const { domain } = group;
  const named = domain.kind === 'account' ? [] : others;
  const domains = [domain, ...named.map((other) => other.domain)];
  const left = census.phones.filter((phone) => !domains.some((each) => census.belongs(phone, each)));
  const beside = named.map((other) => {
    const { lost: down, total } = census.count(other.domain);
    const { kind, name, address } = other.domain;
    return {
      domain: { kind, name, address },
      down,
      total,
      ...(failedTogether(group, other) && { together: true as const }),
    };
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
