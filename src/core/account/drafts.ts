/** What is said of phones and toggles, in the shape that leaves the house. */
import { timestamp, type PhoneDetails, type PhonesDetails, type SiteCount } from '../transition/details.ts';
import type { Draft } from '../transition/transition.ts';
import { takeCensus, type Census } from './census.ts';
import { deviceName, isOnTheMove, isOtherFirmware } from './device.ts';
import { ACCOUNT, type Domain } from './domain.ts';
import { usualOf } from './losses/habits.ts';
import type { Extension } from './model.ts';
import type { Met } from './phone.ts';
import type { AccountSettings } from './settings.ts';
import type { AccountSnapshot, PhoneMemory } from './snapshot.ts';

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

export interface News extends Met {
  before: PhoneMemory;
}

export function tellNews(
  news: readonly News[],
  all: readonly PhoneMemory[],
  snapshot: AccountSnapshot,
  settings: AccountSettings,
): Word[] {
  if (news.length === 0) return [];
  const tell = tellerOf(takeCensus(all, settings.sites), snapshot.extensions);
  return news.flatMap(({ phone, before, device, network }): Word[] => {
    const subject = subjectOfPhone(phone.extension);
    const details = tell.phone(phone, null);
    const of = (
      kind: 'registration.device' | 'registration.network',
      [from, to]: [string | null, string],
      isUsual: boolean,
    ): Word => ({
      draft: { subject, kind, from, to, details },
      group: null,
      pace: isUsual ? 'later' : 'now',
    });
    const isNewDevice = device !== null && !isOtherFirmware(before, device[1]);
    return [
      ...(device === null ? [] : [of('registration.device', device, !isNewDevice)]),
      // A device that was never seen, in a network that was never seen, is told as what it may be.
      ...(network === null ? [] : [of('registration.network', network, !isNewDevice && isOnTheMove(before))]),
    ];
  });
}
