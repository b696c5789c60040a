/**
 * Applies names of sites that a reload has added, removed or changed. Losses there stay the same: their groups continue
 * under the current site of their phones. No notification is sent, as the operator made the change.
 *
 * 1. A group of a site belongs to the site of most of its lost phones, if none is at the old one. Without lost phones
 *    its address determines the site.
 * 2. Two addresses that get one name become one site. Its oldest mass loss continues and absorbs the others.
 * 3. Two addresses may lose their shared name: the group keeps its phones until they return.
 */
import { findSite, takeCensus, type Census, type Sites } from '../census.ts';
import { toSiteAddress, type Domain } from '../domain.ts';
import type { AccountSettings } from '../settings.ts';
import type { AccountSnapshot, LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { findMaximum } from '../../transition/collections.ts';
import { compareAge, isOpenMass } from './loss-state.ts';

/** The snapshot with current names; the same object if none has changed. */
export function renameSites(
  snapshot: AccountSnapshot,
  { sites, registrations: { mass } }: Pick<AccountSettings, 'sites' | 'registrations'>,
): AccountSnapshot {
  const { phones, groups } = snapshot;
  if (phones === null || groups.length === 0) return snapshot;
  const census = takeCensus(phones, sites);
  const lostBy = Map.groupBy(phones, ({ lost }) => lost?.group);
  const keys = new Set(census.allSites().map(({ key }) => key));
  const changed = new Set<string>();
  const named = groups.map((group): LossGroup => {
    const lost = lostBy.get(group.id) ?? [];
    const domain = group.domain.kind === 'site' ? siteNow(group.domain, lost, census, sites) : group.domain;
    const reported = group.toldSites?.filter((key) => keys.has(key));
    const isKnown = reported?.length === group.toldSites?.length;
    if (domain.key === group.domain.key && isKnown) return group;
    changed.add(group.id);
    return {
      ...group,
      domain,
      ...(domain.key !== group.domain.key && { up: registeredAt(domain, census) }),
      // People were notified of all phones offline there, under the old name.
      ...(!isKnown && { toldSites: [...new Set([...(reported ?? []), ...census.massiveSites(lost, mass)])] }),
    };
  });
  if (changed.size === 0) return snapshot;
  return merged({ ...snapshot, groups: named }, namesakes(named, changed), census);
}

/** The address of its lost phones shows the site. */
function siteNow(domain: Domain, lost: readonly PhoneMemory[], census: Census, sites: Sites): Domain {
  const at = [...census.tally(lost).values()].filter((each) => each.domain.kind === 'site');
  if (at.some((each) => each.domain.key === domain.key)) return domain;
  const [most] = at.toSorted((a, b) => b.count - a.count);
  return most?.domain ?? siteAtItsAddress(domain, sites);
}

/** With IPv6 the name may belong to a single address of the site. */
function siteAtItsAddress(domain: Domain, sites: Sites): Domain {
  const { address, name } = domain;
  if (address === null) return domain;
  const isStillCalled = Object.entries(sites).some(([at, called]) => called === name && toSiteAddress(at) === address);
  return isStillCalled ? domain : findSite(address, sites);
}

function registeredAt(domain: Domain, census: Census): number {
  const { total, lost } = census.count(domain);
  return total - lost;
}

/** Events that now concern the same site: each that is absorbed, with the one that absorbs it. */
function namesakes(groups: readonly LossGroup[], changed: ReadonlySet<string>): Map<string, string> {
  const open = groups.filter(
    ({ domain, open: isOpen, flapping, late, absorbedBy }) =>
      isOpen && flapping === null && late === undefined && absorbedBy === undefined && domain.kind === 'site',
  );
  const into = new Map<string, string>();
  for (const some of Map.groupBy(open, ({ domain }) => domain.key).values()) {
    const [first] = some.filter(isOpenMass).toSorted(compareAge);
    // Two events at one site that was not renamed remain two.
    if (first === undefined || !some.some(({ id }) => changed.has(id))) continue;
    for (const { id } of some) if (id !== first.id) into.set(id, first.id);
  }
  return into;
}

/** Merges each group whose id is in `into` into the other one, with its phones. */
function merged(snapshot: AccountSnapshot, into: ReadonlyMap<string, string>, census: Census): AccountSnapshot {
  if (into.size === 0) return snapshot;
  const { phones, groups } = snapshot;
  const parts = Map.groupBy(groups, ({ id }) => into.get(id));
  return {
    ...snapshot,
    phones: (phones ?? []).map((phone) => {
      const group = into.get(phone.lost?.group ?? '');
      return phone.lost === null || group === undefined ? phone : { ...phone, lost: { ...phone.lost, group } };
    }),
    groups: groups.map((group): LossGroup => {
      const whole = into.get(group.id) ?? into.get(group.absorbedBy ?? '');
      if (whole !== undefined) return { ...group, joinable: false, absorbedBy: whole };
      const mine = parts.get(group.id);
      return mine === undefined ? group : withParts(group, mine, census);
    }),
  };
}

/** Its numbers covered a part only: they are counted again. */
function withParts(group: LossGroup, parts: readonly LossGroup[], census: Census): LossGroup {
  const { why: _, ...rest } = group;
  const all = [group, ...parts];
  return {
    ...rest,
    joinable: all.some(({ joinable }) => joinable),
    lastLossAt: findMaximum(all.map(({ lastLossAt }) => lastLossAt)),
    up: registeredAt(group.domain, census),
    toldDown: all.reduce((sum, { toldDown }) => sum + toldDown, 0),
  };
}
