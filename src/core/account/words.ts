/** What is said of phones and toggles, in the shape that leaves the house. */
import type { Draft } from '../transition/transition.ts';
import { timestamp, type PhoneDetails, type PhonesDetails, type SiteCount } from '../transition/details.ts';
import { deviceName } from './device.ts';
import { ACCOUNT, type Domain } from './domain.ts';
import type { Census } from './census.ts';
import type { Extension } from './model.ts';
import { usualOf } from './losses/habits.ts';
import type { PhoneMemory } from './snapshot.ts';

/**
 * A draft with the event it belongs to. `later` may wait for company: programs hear of it at once, people a little
 * later or with the next that cannot wait.
 */
export interface Word {
  draft: Draft;
  /** What holds its alert together: a group of losses, an expectation, the credentials; null for what opens no alert. */
  group: string | null;
  pace: 'now' | 'later';
}

/** More phones than this are counted and not listed. */
const LISTED = 200;
const SITES_COUNTED = 50;

export function subjectOfPhone(extension: string): string {
  return `registration/${extension}`;
}

export interface Teller {
  phone(phone: PhoneMemory, since: number | null): PhoneDetails;
  phones(domain: Domain, about: readonly PhoneMemory[], since: number): PhonesDetails;
}

export function tellerOf(census: Census, extensions: readonly Extension[] | null): Teller {
  const names = new Map((extensions ?? []).map(({ number, name }) => [number, name]));
  const nameOf = (extension: string): string | null => names.get(extension) ?? null;
  const bySite = (): SiteCount[] =>
    census
      .countBySite()
      .slice(0, SITES_COUNTED)
      .map(({ site, total, lost }) => ({ site: site.name, total, down: lost }));
  return {
    phone(phone, since) {
      const { total, lost } = census.count(ACCOUNT);
      const away = census.away.length;
      const usual = usualOf([phone.lost?.habit]);
      return {
        extension: phone.extension,
        name: nameOf(phone.extension),
        device: phone.device === null ? null : deviceName(phone.device),
        address: phone.address,
        site: census.siteOf(phone)?.name ?? null,
        since: timestamp(since),
        ...(usual !== null && { usual }),
        phones: { registered: total - lost, total, ...(away > 0 && { away }) },
      };
    },
    phones(domain, about, since) {
      const { total, lost } = census.count(domain);
      const usual = usualOf(about.map((phone) => phone.lost?.habit));
      return {
        domain: { kind: domain.kind, name: domain.name, address: domain.address },
        total,
        down: lost,
        phones: about.slice(0, LISTED).map(({ extension }) => ({ extension, name: nameOf(extension) })),
        more: Math.max(0, about.length - LISTED),
        sites: census.sites(about).map(({ name }) => name),
        ...(domain.kind === 'account' && { by_site: bySite() }),
        since: timestamp(since),
        ...(usual !== null && { usual }),
        ...awayOf(census, domain),
      };
    },
  };
}

function awayOf({ away, belongs }: Census, domain: Domain): Pick<PhonesDetails, 'away'> {
  const there = away.filter((phone) => belongs(phone, domain));
  const usual = usualOf(there.map(({ missing }) => missing?.habit));
  return usual === null ? {} : { away: { count: there.length, ...usual } };
}
