/**
 * Fault domains: what lost phones have in common. One external address is a site; else one model or firmware; else
 * the account. The domain that is named is the one that fits what is lost and little else.
 */
import { deviceName } from './device.ts';
import { siteAddress } from './network.ts';
import type { MassSettings } from './settings.ts';
import type { PhoneMemory } from './snapshot.ts';

export const DOMAIN_KINDS = ['site', 'model', 'firmware', 'account'] as const;
export type DomainKind = (typeof DOMAIN_KINDS)[number];

export interface Domain {
  kind: DomainKind;
  key: string;
  /** As people call it: `Richmond`, `203.0.113.7`, `Yealink SIP-T46S 66.86.0.15`. */
  name: string;
  address: string | null;
}

export const ACCOUNT: Domain = { kind: 'account', key: 'account', name: 'the account', address: null };

/** The longest registration in use is an hour, and a dead phone stays listed some minutes longer. */
export const DRIP_MS = 70 * 60_000;
/** So much of a loss has to be of one site for the site to be its cause. */
const SITE_SHARE = 0.8;
const DEVICE_SHARE = 0.9;
/** So many phones of other models have to be well, and would have been lost by chance, before a model is blamed. */
const CONTRAST = 2;

/** The phones of an account by what they have in common. */
export interface Census {
  siteOf(phone: PhoneMemory): Domain | null;
  belongs(phone: PhoneMemory, domain: Domain): boolean;
  /** Phones of a domain: all, and those lost. */
  count(domain: Domain): { total: number; lost: number };
  /** The domain that explains these losses as one event, or null where they are none. */
  explain(lost: readonly PhoneMemory[], mass: MassSettings): Domain | null;
  /** Tells of a phone whether these are a mass loss of a site, a model or the account that it is of. */
  massive(some: readonly PhoneMemory[], mass: MassSettings): (phone: PhoneMemory) => boolean;
  /** Keys of the sites of which these are a mass loss. */
  massiveSites(some: readonly PhoneMemory[], mass: MassSettings): string[];
  /** How many sites these phones are at. */
  sites(phones: readonly PhoneMemory[]): Domain[];
}

export function takeCensus(phones: readonly PhoneMemory[], sites: Readonly<Record<string, string>>): Census {
  const known = new Map<string, Domain>();
  const counts = new Map<string, { total: number; lost: number }>();

  function siteOf({ address }: PhoneMemory): Domain | null {
    if (address === null) return null;
    const found = known.get(address) ?? siteAt(address, sites);
    known.set(address, found);
    return found;
  }

  function domains(phone: PhoneMemory): Domain[] {
    return [siteOf(phone), ...deviceDomains(phone), ACCOUNT].filter((domain) => domain !== null);
  }

  function tally(): void {
    for (const phone of phones) {
      for (const { key } of domains(phone)) {
        const entry = counts.get(key) ?? { total: 0, lost: 0 };
        entry.total += 1;
        if (phone.lost !== null) entry.lost += 1;
        counts.set(key, entry);
      }
    }
  }

  function count(domain: Domain): { total: number; lost: number } {
    if (counts.size === 0) tally();
    return counts.get(domain.key) ?? { total: 0, lost: 0 };
  }

  function hits(some: readonly PhoneMemory[]): { domain: Domain; hit: number; total: number }[] {
    const hit = new Map<string, { domain: Domain; hit: number }>();
    for (const phone of some) {
      for (const domain of domains(phone)) {
        const entry = hit.get(domain.key) ?? { domain, hit: 0 };
        entry.hit += 1;
        hit.set(domain.key, entry);
      }
    }
    return [...hit.values()].map((entry) => ({ ...entry, total: count(entry.domain).total }));
  }

  function massive(some: readonly PhoneMemory[], mass: MassSettings): (phone: PhoneMemory) => boolean {
    const keys = new Set(hits(some).flatMap((each) => (isMass(each, mass) ? [each.domain.key] : [])));
    return (phone) => domains(phone).some(({ key }) => keys.has(key));
  }

  function explain(lost: readonly PhoneMemory[], mass: MassSettings): Domain | null {
    if (lost.length < mass.count) return null;
    const reached = hits(lost).filter((each) => isMass(each, mass));
    const everyone = count(ACCOUNT).total;
    const share = (each: { hit: number }): number => each.hit / lost.length;
    const candidates = reached.filter((each) => {
      if (each.domain.kind === 'site') return share(each) >= SITE_SHARE;
      if (each.domain.kind === 'account') return false;
      const others = everyone - each.total;
      const byChance = (lost.length * others) / Math.max(1, everyone);
      return share(each) >= DEVICE_SHARE && others - (lost.length - each.hit) >= CONTRAST && byChance >= CONTRAST;
    });
    const best = candidates.toSorted((a, b) => fit(b, lost.length) - fit(a, lost.length) || order(a) - order(b))[0];
    if (best !== undefined) return best.domain;
    const hurtSites = reached.filter((each) => each.domain.kind === 'site').toSorted((a, b) => b.hit - a.hit);
    const account = reached.some((each) => each.domain.kind === 'account');
    if (account || hurtSites.length > 1) return ACCOUNT;
    return hurtSites[0]?.domain ?? null;
  }

  return {
    siteOf,
    count,
    explain,
    massive,
    massiveSites: (some, mass) =>
      hits(some).flatMap((each) => (each.domain.kind === 'site' && isMass(each, mass) ? [each.domain.key] : [])),
    belongs: (phone, domain) => domain.kind === 'account' || domains(phone).some(({ key }) => key === domain.key),
    sites: (some) => [
      ...new Map(some.flatMap((phone) => siteOf(phone) ?? []).map((site) => [site.key, site])).values(),
    ],
  };
}

/** So many of so many are a mass loss. */
export function isMass({ hit, total }: { hit: number; total: number }, { count, percent }: MassSettings): boolean {
  return hit >= count && hit >= (total * percent) / 100;
}

/** How well a domain fits: what is lost of it against what is lost or in it at all. */
function fit({ hit, total }: { hit: number; total: number }, lost: number): number {
  return hit / (lost + total - hit);
}

function order({ domain }: { domain: Domain }): number {
  return ['site', 'firmware', 'model', 'account'].indexOf(domain.kind);
}

function siteAt(address: string, sites: Readonly<Record<string, string>>): Domain {
  const at = siteAddress(address);
  const name = Object.hasOwn(sites, address) ? sites[address] : Object.hasOwn(sites, at) ? sites[at] : undefined;
  return name === undefined
    ? { kind: 'site', key: `site ${at}`, name: at, address: at }
    : { kind: 'site', key: `site name ${name}`, name, address: at };
}

function deviceDomains({ device }: PhoneMemory): Domain[] {
  if (device === null) return [];
  const model: Domain = { kind: 'model', key: `model ${device.model}`, name: device.model, address: null };
  if (device.firmware === null) return [model];
  const name = deviceName(device);
  return [{ kind: 'firmware', key: `firmware ${name}`, name, address: null }, model];
}
