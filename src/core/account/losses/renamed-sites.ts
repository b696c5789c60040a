/**
 * A reload may give an address a name, take it away or give it another one. What is lost there is what it was. So its
 * groups go on under the site that their phones are at by the names of now, and nobody is told: the operator did it
 * himself.
 *
 * 1. A group of a site is about the site that most of its lost phones are at, where none is at its own any more. Where
 *    none is lost, its address says which site it is.
 * 2. Two addresses may get one name: they are one site from then on. Its oldest mass loss goes on, and the others are
 *    part of it.
 * 3. Two addresses may lose the name they shared: the group goes on with the phones it has, until they are back.
 */
import { siteAt, takeCensus, type Census, type Sites } from '../census.ts';
import { siteAddress, type Domain } from '../domain.ts';
import type { AccountSettings } from '../settings.ts';
import type { AccountSnapshot, LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { findMaximum } from '../../transition/collections.ts';
import { byAge, isOpenMass } from './loss-state.ts';

/** The snapshot by the names of now; itself where nothing has another one. */
export function callSitesAnew(
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
    const told = group.toldSites?.filter((key) => keys.has(key));
    const isKnown = told?.length === group.toldSites?.length;
    if (domain.key === group.domain.key && isKnown) return group;
    changed.add(group.id);
    return {
      ...group,
      domain,
      ...(domain.key !== group.domain.key && { up: registeredAt(domain, census) }),
      // People were told of all that is out of it, by whatever name.
      ...(!isKnown && { toldSites: [...new Set([...(told ?? []), ...census.massiveSites(lost, mass)])] }),
    };
  });
  if (changed.size === 0) return snapshot;
  return merged({ ...snapshot, groups: named }, namesakes(named, changed), census);
}

/** What is lost there says where it is. */
function siteNow(domain: Domain, lost: readonly PhoneMemory[], census: Census, sites: Sites): Domain {
  const at = [...census.tally(lost).values()].filter((each) => each.domain.kind === 'site');
  if (at.some((each) => each.domain.key === domain.key)) return domain;
  const [most] = at.toSorted((a, b) => b.count - a.count);
  return most?.domain ?? siteAtItsAddress(domain, sites);
}

/** With IPv6 the name may be that of a single address of the site. */
function siteAtItsAddress(domain: Domain, sites: Sites): Domain {
  const { address, name } = domain;
  if (address === null) return domain;
  const isStillCalled = Object.entries(sites).some(([at, called]) => called === name && siteAddress(at) === address);
  return isStillCalled ? domain : siteAt(address, sites);
}

function registeredAt(domain: Domain, census: Census): number {
  const { total, lost } = census.count(domain);
  return total - lost;
}

/** Of events that are about one site by its name of now: each that is part of another from now on, and of which. */
function namesakes(groups: readonly LossGroup[], changed: ReadonlySet<string>): Map<string, string> {
  const open = groups.filter(
    ({ domain, open: isOpen, flapping, late, absorbedBy }) =>
      isOpen && flapping === null && late === undefined && absorbedBy === undefined && domain.kind === 'site',
  );
  const into = new Map<string, string>();
  for (const some of Map.groupBy(open, ({ domain }) => domain.key).values()) {
    const [first] = some.filter(isOpenMass).toSorted(byAge);
    // Two events at one site that was always called so are two.
    if (first === undefined || !some.some(({ id }) => changed.has(id))) continue;
    for (const { id } of some) if (id !== first.id) into.set(id, first.id);
  }
  return into;
}

/** Each group whose id is in `into` is part of the other one, with its phones. */
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

/** The numbers it was named by were those of a part: they are counted again. */
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
