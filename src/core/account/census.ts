/** Counts the phones of an account by fault domain: all, and the lost ones. */
import { isAway, isMissing } from './presence.ts';
import { formatDeviceName } from './device.ts';
import { ACCOUNT, toSiteAddress, type Domain } from './domain.ts';
import type { MassSettings } from './settings.ts';
import type { PhoneMemory } from './account-snapshot.ts';

/** Name of a site by its external address. */
export type Sites = Readonly<Record<string, string>>;

/** Phones of an account by shared properties. */
export interface Census {
  /** Phones expected at this hour; only these are counted. */
  readonly phones: readonly PhoneMemory[];
  /** All other phones. */
  readonly away: readonly PhoneMemory[];
  siteOf(phone: PhoneMemory): Domain | null;
  /** Its known site, firmware and model, and the account. */
  domainsOf(phone: PhoneMemory): Domain[];
  belongs(phone: PhoneMemory, domain: Domain): boolean;
  /** Phones of a domain: all, the lost ones, and those absent from the last answers that are not lost yet. */
  count(domain: Domain): PhoneTotals;
  /** Number of these phones in each domain. */
  tally(some: readonly PhoneMemory[]): ReadonlyMap<string, { domain: Domain; count: number }>;
  /** Number of domains of a kind with at least this many phones. */
  countOf(kind: Domain['kind'], least: number): number;
  allSites(): Domain[];
  /**
   * Tests whether these phones are a mass loss of a site, a model or the account; the returned function takes one of
   * the phones.
   */
  massive(some: readonly PhoneMemory[], mass: MassSettings): (phone: PhoneMemory) => boolean;
  /** Keys of the sites of which these are a mass loss. */
  massiveSites(some: readonly PhoneMemory[], mass: MassSettings): string[];
  /** Sites of these phones. */
  sites(phones: readonly PhoneMemory[]): Domain[];
  /** All sites with their phones, all and lost; most losses first. */
  countBySite(): { site: Domain; total: number; lost: number }[];
}

interface PhoneTotals {
  total: number;
  lost: number;
  notSeen: number;
}

/** Memoised: snapshots are immutable, and several rules count the same phones in one step. */
const taken = new WeakMap<readonly PhoneMemory[], { sites: Sites; census: Census }>();

/** Memoised by the list of phones. */
export function takeCensus(phones: readonly PhoneMemory[], sites: Sites): Census {
  const known = taken.get(phones);
  if (known?.sites === sites) return known.census;
  const census = censusOf(phones, sites);
  taken.set(phones, { sites, census });
  return census;
}

function censusOf(phones: readonly PhoneMemory[], sites: Sites): Census {
  // Phones that are habitually offline now are not counted.
  const away = phones.filter(isAway);
  const there = away.length === 0 ? phones : phones.filter((phone) => !isAway(phone));
  const known = new Map<string, Domain>();
  const counts = new Map<string, PhoneTotals & { domain: Domain }>();

  function siteOf(phone: PhoneMemory): Domain | null {
    const address = placeOf(phone, sites);
    if (address === null) return null;
    const found = known.get(address) ?? findSite(address, sites);
    known.set(address, found);
    return found;
  }

  function domains(phone: PhoneMemory): Domain[] {
    return [siteOf(phone), ...deviceDomains(phone), ACCOUNT].filter((domain) => domain !== null);
  }

  function count(domain: Domain): PhoneTotals {
    if (counts.size === 0) {
      for (const phone of there) {
        for (const each of domains(phone)) {
          const entry = counts.get(each.key) ?? { domain: each, total: 0, lost: 0, notSeen: 0 };
          entry.total += 1;
          if (phone.lost !== null) entry.lost += 1;
          else if (isMissing(phone)) entry.notSeen += 1;
          counts.set(each.key, entry);
        }
      }
    }
    return counts.get(domain.key) ?? { total: 0, lost: 0, notSeen: 0 };
  }

  function all(): (PhoneTotals & { domain: Domain })[] {
    count(ACCOUNT);
    return [...counts.values()];
  }

  function tally(some: readonly PhoneMemory[]): Map<string, { domain: Domain; count: number }> {
    const found = new Map<string, { domain: Domain; count: number }>();
    for (const phone of some) {
      for (const domain of domains(phone)) {
        const entry = found.get(domain.key) ?? { domain, count: 0 };
        entry.count += 1;
        found.set(domain.key, entry);
      }
    }
    return found;
  }

  /** Domains of which these are a mass loss. */
  function massiveDomains(some: readonly PhoneMemory[], mass: MassSettings): Domain[] {
    return [...tally(some).values()].flatMap(({ domain, count: hit }) =>
      isMass({ hit, total: count(domain).total }, mass) ? [domain] : [],
    );
  }

  function massive(some: readonly PhoneMemory[], mass: MassSettings): (phone: PhoneMemory) => boolean {
    const keys = new Set(massiveDomains(some, mass).map(({ key }) => key));
    return (phone) => domains(phone).some(({ key }) => keys.has(key));
  }

  return {
    phones: there,
    away,
    siteOf,
    domainsOf: domains,
    count,
    tally,
    countOf: (kind, least) => all().filter((each) => each.domain.kind === kind && each.total >= least).length,
    allSites: () => all().flatMap(({ domain }) => (domain.kind === 'site' ? [domain] : [])),
    countBySite: () =>
      all()
        .flatMap(({ domain, total, lost }) => (domain.kind === 'site' ? [{ site: domain, total, lost }] : []))
        .toSorted((a, b) => b.lost - a.lost || b.total - a.total),
    massive,
    massiveSites: (some, mass) => massiveDomains(some, mass).flatMap(({ kind, key }) => (kind === 'site' ? [key] : [])),
    belongs: (phone, domain) => domain.kind === 'account' || domains(phone).some(({ key }) => key === domain.key),
    sites: (some) => [
      ...new Map(some.flatMap((phone) => siteOf(phone) ?? []).map((site) => [site.key, site])).values(),
    ],
  };
}

/** True if this number of lost phones among all is a mass loss. */
export function isMass({ hit, total }: { hit: number; total: number }, { count, percent }: MassSettings): boolean {
  return hit >= count && hit >= (total * percent) / 100;
}

/**
 * The address that determines a phone's site: its own, or that of its site if it moved with it. A configured name takes
 * precedence.
 */
function placeOf({ address, relocation }: PhoneMemory, sites: Sites): string | null {
  if (address === null || relocation === undefined || relocation.state === 'alone') return address;
  return nameAt(address, sites) === undefined ? relocation.home : address;
}

/** Configured name of the site at an address. */
function nameAt(address: string, sites: Sites): string | undefined {
  const at = toSiteAddress(address);
  return Object.hasOwn(sites, address) ? sites[address] : Object.hasOwn(sites, at) ? sites[at] : undefined;
}

/** The site at an address, with its configured name. */
export function findSite(address: string, sites: Sites): Domain {
  const at = toSiteAddress(address);
  const name = nameAt(address, sites);
  return name === undefined
    ? { kind: 'site', key: `site ${at}`, name: at, address: at }
    : { kind: 'site', key: `site name ${name}`, name, address: at };
}

function deviceDomains({ device }: PhoneMemory): Domain[] {
  if (device === null) return [];
  const model: Domain = { kind: 'model', key: `model ${device.model}`, name: device.model, address: null };
  if (device.firmware === null) return [model];
  const name = formatDeviceName(device);
  return [{ kind: 'firmware', key: `firmware ${name}`, name, address: null }, model];
}
