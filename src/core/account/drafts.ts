/** Drafts of transitions about phones and toggles. */
import { toTimestamp, type PhoneDetails, type PhonesDetails, type SiteCount } from '../transition/details.ts';
import type { Draft } from '../transition/transition.ts';
import type { Census } from './census.ts';
import { formatDeviceName, isOnTheMove, isOtherFirmware } from './device.ts';
import { ACCOUNT, type Domain } from './domain.ts';
import { computeUsualHours } from './losses/habits.ts';
import type { Extension } from './account-model.ts';
import type { PhoneUpdate } from './phone.ts';
import type { AccountSnapshot, LossGroup, PhoneMemory } from './account-snapshot.ts';

/** Longer lists of phones are counted only. */
const LISTED = 200;
/** Further sites are not counted one by one. */
const SITES_COUNTED = 50;

/**
 * When people are notified: at once; after a minute, with everything from that minute, or after the three in which phones
 * return; with the next urgent message or after twenty minutes; or, for expected gradual changes, after two hours.
 */
export type ObservationPace = 'now' | 'soon' | 'shortly' | 'later' | 'slowly';

/** A draft with its event. */
export interface GroupedDraft {
  draft: Draft;
  /** Key of its alert: a group of losses, an expectation, the credentials; null for a draft without an alert. */
  group: string | null;
  pace: ObservationPace;
}

/** Drafts of an observation, and the state after it. */
export interface DraftResult {
  drafts: GroupedDraft[];
  snapshot: AccountSnapshot;
  /** Groups whose alerts end without a message. */
  ended: string[];
}

export interface ListingCompared extends DraftResult {
  /** There were more new phones than are followed. */
  turnedAway: boolean;
}

export function toPhoneSubject(extension: string): string {
  return `registration/${extension}`;
}

/** Phones to count, and names of their extensions. */
export interface Roster {
  readonly census: Census;
  readonly names: ReadonlyMap<string, string>;
}

/** `extensions` is null before the first reading: then no phone has a name. */
export function createRoster(census: Census, extensions: readonly Extension[] | null): Roster {
  return { census, names: new Map((extensions ?? []).map(({ number, name }) => [number, name])) };
}

/** Details of one phone; `since`: start of its loss. */
export function describePhone({ census, names }: Roster, phone: PhoneMemory, since: number | null): PhoneDetails {
  const { total, lost, notSeen } = census.count(ACCOUNT);
  const away = census.away.length;
  const usual = computeUsualHours([phone.lost?.habit]);
  return {
    extension: phone.extension,
    name: names.get(phone.extension) ?? null,
    device: phone.device === null ? null : formatDeviceName(phone.device),
    address: phone.address,
    site: census.siteOf(phone)?.name ?? null,
    since: toTimestamp(since),
    ...(usual !== null && { usual }),
    phones: { registered: total - lost - notSeen, total, ...(away > 0 && { away }) },
  };
}

/** Details of the phones `about` in a domain. */
export function describePhones(
  { census, names }: Roster,
  domain: Domain,
  about: readonly PhoneMemory[],
  since: number,
): PhonesDetails {
  const { total, lost } = census.count(domain);
  const usual = computeUsualHours(about.map((phone) => phone.lost?.habit));
  const by_site = countsBySite(census);
  return {
    domain: { kind: domain.kind, name: domain.name, address: domain.address },
    total,
    down: lost,
    phones: about.slice(0, LISTED).map(({ extension }) => ({ extension, name: names.get(extension) ?? null })),
    more: Math.max(0, about.length - LISTED),
    sites: census.sites(about).map(({ name }) => name),
    ...((domain.kind === 'account' || by_site.length > 1) && { by_site }),
    since: toTimestamp(since),
    ...(usual !== null && { usual }),
    ...awayOf(census, domain),
  };
}

/** How often the phones of a group were lost; nothing for once. */
export function describeRepeat({ again }: LossGroup): Pick<PhonesDetails, 'again'> {
  return again === undefined ? {} : { again: { count: again.count, since: toTimestamp(again.since) } };
}

function countsBySite(census: Census): SiteCount[] {
  const away = Map.groupBy(census.away, (phone) => census.siteOf(phone)?.key);
  const most = census.countBySite().slice(0, SITES_COUNTED);
  return most.map(({ site, total, lost }) => {
    const gone = away.get(site.key)?.length ?? 0;
    return { site: site.name, total, down: lost, ...(gone > 0 && { away: gone }) };
  });
}

function awayOf({ away, belongs }: Census, domain: Domain): Pick<PhonesDetails, 'away'> {
  const there = away.filter((phone) => belongs(phone, domain));
  const usual = computeUsualHours(there.map(({ missing }) => missing?.habit));
  return usual === null ? {} : { away: { count: there.length, ...usual } };
}

/** A site whose phones register from another address. */
export interface SiteMove {
  site: Domain;
  from: string;
  to: string;
  /** Phones of the site that register from there now. */
  phones: readonly PhoneMemory[];
  of: number;
  /** It is the first known address of the site. */
  isHome: boolean;
  /** None of its phones was in that network before. */
  isNew: boolean;
  /** Its address changes often. */
  isUsual: boolean;
}

/** `countRoster` is called only if a site has moved. */
export function draftMoves(moves: readonly SiteMove[], countRoster: () => Roster, now: number): GroupedDraft[] {
  if (moves.length === 0) return [];
  const roster = countRoster();
  return moves.map(({ site, from, to, phones, of, isHome, isNew, isUsual }) => {
    const details = {
      ...describePhones(roster, site, phones, now),
      moved: phones.length,
      of,
      ...(isHome && { home: true as const }),
      ...(isNew && { new: true as const }),
    };
    const draft = { subject: `site/${site.name}`, kind: 'registration.moved', from, to, details } as const;
    return { draft, group: null, pace: isUsual ? 'later' : 'now' };
  });
}

export interface PhoneNews extends PhoneUpdate {
  before: PhoneMemory;
}

/** `countRoster` is called only if there is news. */
export function draftNews(news: readonly PhoneNews[], countRoster: () => Roster): GroupedDraft[] {
  if (news.length === 0) return [];
  const roster = countRoster();
  return news.flatMap(({ phone, before, device, network }): GroupedDraft[] => {
    const subject = toPhoneSubject(phone.extension);
    const details = describePhone(roster, phone, null);
    const of = (
      kind: 'registration.device' | 'registration.network',
      [from, to]: [string | null, string],
      isUsual: boolean,
    ): GroupedDraft => ({
      draft: { subject, kind, from, to, details },
      group: null,
      pace: isUsual ? 'later' : 'now',
    });
    const isNewDevice = device !== null && !isOtherFirmware(before, device[1]);
    return [
      ...(device === null ? [] : [of('registration.device', device, !isNewDevice)]),
      // A new device in a new network is classified as a possible intrusion.
      ...(network === null ? [] : [of('registration.network', network, !isNewDevice && isOnTheMove(before))]),
    ];
  });
}
