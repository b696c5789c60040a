/** Groups losses outside of mass losses: which of them share an alert. */
import type { LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { ACCOUNT, type Domain } from '../domain.ts';
import { findMinimum } from '../../transition/collections.ts';
import { DRIP_MS, FLAPPING_LOSSES, FLAPPING_WITHIN_MS, HIT_SHARE, SINGLES_WITHIN_MS } from './loss-rules.ts';
import { compareAge, listDown, addToGroup, openGroup, findDomainOfLoss, type LossState } from './loss-state.ts';

/**
 * Losses outside of mass losses continue an open event at their site, or any event of the last minutes: people find
 * several phones in one place. All others form one event.
 */
export function assignSingles(state: LossState, extensions: readonly string[]): void {
  const open = [...state.groups.values()].filter((group) => isOpenToSingles(state, group)).toSorted(compareAge);
  const again = [...state.groups.values()]
    .filter((group) => isLostAgain(state, group, extensions))
    .toSorted(compareAge);
  const sites = new Map([
    ...again.map((group): [string, LossGroup] => [group.domain.key, group]),
    ...open.flatMap((group) => [...sitesOf(state, group)].map((key): [string, LossGroup] => [key, group])),
  ]);
  const latest = open.toSorted((a, b) => b.lastLossAt - a.lastLossAt)[0];
  const recent = latest !== undefined && state.clock - latest.lastLossAt <= SINGLES_WITHIN_MS ? latest : undefined;
  const returning = new Set(again.filter((group) => isFlapping(state, group, extensions)));
  const begun: PhoneMemory[] = [];
  for (const extension of extensions) {
    const phone = state.phones.get(extension);
    if (phone === undefined) continue;
    const group = sites.get(findDomainOfLoss(state, phone).key) ?? recent ?? sites.get(ACCOUNT.key);
    if (group === undefined) begun.push(phone);
    else if (returning.has(group)) addToGroup(state, group, extension);
    else continueWith(state, group, phone);
  }
  for (const group of returning) group.mass = group.open;
  if (begun.length > 0) begin(state, begun);
}

function isOpenToSingles({ clock }: LossState, group: LossGroup): boolean {
  const { open, joinable, flapping, late, mass, absorbedBy, lastLossAt } = group;
  return (
    open &&
    joinable &&
    flapping === null &&
    late === undefined &&
    !mass &&
    absorbedBy === undefined &&
    clock - lastLossAt <= DRIP_MS
  );
}

/**
 * A site or account that was recently lost as a whole, and loses several phones again. A single one may fail for its
 * own reason.
 */
function isLostAgain(state: LossState, group: LossGroup, extensions: readonly string[]): boolean {
  const { open, mass, domain, joinable, late, absorbedBy } = group;
  const isWhole = domain.kind === 'site' || domain.kind === 'account';
  if (open || !mass || !isWhole || !joinable || late === true || absorbedBy !== undefined) return false;
  const phones = extensions.flatMap((extension) => state.phones.get(extension) ?? []);
  return phones.filter((phone) => state.census.belongs(phone, domain)).length > 1;
}

/** True if it was lost twice within the hour, and enough of it is lost again that it flaps as a whole. */
function isFlapping(state: LossState, group: LossGroup, extensions: readonly string[]): boolean {
  const falls = (group.falls ?? []).filter(({ at }) => state.clock - at < FLAPPING_WITHIN_MS);
  const phones = extensions.flatMap((extension) => state.phones.get(extension) ?? []);
  const { length } = phones.filter((phone) => state.census.belongs(phone, group.domain));
  return falls.length >= FLAPPING_LOSSES - 1 && length >= HIT_SHARE * state.census.count(group.domain).total;
}

/** Sites of the group's lost phones. */
function sitesOf(state: LossState, group: LossGroup): Set<string> {
  return new Set([group.domain.key, ...listDown(state, group).map((phone) => findDomainOfLoss(state, phone).key)]);
}

function continueWith(state: LossState, group: LossGroup, phone: PhoneMemory): void {
  if (group.domain.key !== findDomainOfLoss(state, phone).key) group.domain = severalSites(group.id);
  addToGroup(state, group, phone.extension);
}

function begin(state: LossState, phones: readonly PhoneMemory[]): void {
  const [site, ...others] = new Map(
    phones.map((phone) => [findDomainOfLoss(state, phone).key, findDomainOfLoss(state, phone)]),
  ).values();
  const since = findMinimum(phones.map(({ lost }) => lost?.since ?? Infinity));
  const isOneSite = site !== undefined && others.length === 0;
  const group = openGroup(state, isOneSite ? site : severalSites(`loss ${state.nextGroup}`), since);
  for (const { extension } of phones) addToGroup(state, group, extension);
}

/** No other event has this name. */
function severalSites(group: string): Domain {
  return { ...ACCOUNT, key: `together ${group}` };
}
