/** What `status` and `check` show of an account. JSON only: it crosses a socket. */
import type { AccountState } from '../engine/account.ts';
import { isAway } from '../account/presence.ts';
import { takeCensus } from '../account/census.ts';
import { usualOf } from '../account/losses/habits.ts';
import type { AccountSnapshot, PhoneMemory, ToggleMemory } from '../account/snapshot.ts';
import { refuses, unreadOf } from '../observation/health.ts';
import { timestamp, type PhoneCount, type Timestamp, type UsualDetails } from '../transition/details.ts';
import { ACCOUNT_PARTS, type AccountPart } from '../observation/listing.ts';
import type { OpenReport } from './alert-report.ts';

export interface AccountReport extends OpenReport {
  name: string;
  base_url: string;
  /** When it was last read in full; null if never since the start. */
  last_read_at: Timestamp | null;
  /** What the last sweep lacked, a sentence each. */
  blind: string[];
  /** What is shown as it was before: the last look at it failed. A daemon of before did not say. */
  unread?: AccountPart[];
  /** Null while the phones were never read. */
  phones: (PhoneCount & { missing: string[]; sites: SiteReport[] }) | null;
  toggles: ToggleReport[] | null;
}

/** The phones last seen at one external address, or at those of one name. */
export interface SiteReport extends PhoneCount {
  /** Null for phones whose address is not known. */
  site: string | null;
  missing: { extension: string; name: string | null; since: Timestamp | null }[];
  /** When those that are away usually log off and are back. */
  usual?: UsualDetails;
}

export interface ToggleReport {
  id: string;
  name: string;
  status: boolean | null;
  /** What its hours said when it was last read; null where nothing is expected of it. */
  expected: boolean | null;
}

/** `sites`: the names of external addresses. */
export function reportAccount(
  name: string,
  state: AccountState,
  lastReadAt: number | null,
  open: OpenReport,
  sites: Readonly<Record<string, string>> = {},
): AccountReport {
  const { snapshot } = state;
  const missing = snapshot.phones?.filter(isMissing) ?? [];
  const { refused, health } = snapshot;
  return {
    name,
    base_url: state.baseUrl,
    last_read_at: timestamp(lastReadAt),
    blind: unreadOf(snapshot),
    unread: ACCOUNT_PARTS.filter((part) => refuses(refused, part) || health.blind[part] !== undefined),
    phones:
      snapshot.phones === null
        ? null
        : {
            ...countPhones(snapshot.phones),
            missing: missing.map(({ extension }) => extension),
            sites: reportSites(snapshot, snapshot.phones, sites),
          },
    toggles:
      snapshot.toggles?.map((toggle) => ({
        id: toggle.id,
        name: toggle.name,
        status: toggle.status,
        expected: expectedOf(snapshot, toggle),
      })) ?? null,
    ...open,
  };
}

/** Lost, or not seen when last looked for at an hour at which it should be there. */
export function isMissing(phone: PhoneMemory): boolean {
  return phone.lost !== null || (phone.missing !== null && !isAway(phone));
}

export function countPhones(phones: readonly PhoneMemory[]): PhoneCount {
  const away = phones.filter(isAway).length;
  const total = phones.length - away;
  return { registered: total - phones.filter(isMissing).length, total, ...(away > 0 && { away }) };
}

function reportSites(
  { extensions }: AccountSnapshot,
  phones: readonly PhoneMemory[],
  sites: Readonly<Record<string, string>>,
): SiteReport[] {
  const census = takeCensus(phones, sites);
  const names = new Map((extensions ?? []).map(({ number, name }) => [number, name]));
  return [...Map.groupBy(phones, (phone) => census.siteOf(phone)?.name ?? null)].map(([site, there]) => {
    const usual = usualOf(there.filter(isAway).map(({ missing }) => missing?.habit));
    return {
      site,
      ...countPhones(there),
      ...(usual !== null && { usual }),
      missing: there.filter(isMissing).map(({ extension, lost, missing }) => ({
        extension,
        name: names.get(extension) ?? null,
        since: timestamp(lost?.since ?? missing?.since ?? null),
      })),
    };
  });
}

/** A toggle that is not wrong is as it should be. */
function expectedOf({ expectations, toggles }: AccountSnapshot, toggle: ToggleMemory): boolean | null {
  const isMeant = (word: string): boolean =>
    word === toggle.id || (word === toggle.name && toggles?.every(({ id }) => id !== word) === true);
  const meant = expectations.find((each) => isMeant(each.toggle) && each.told !== 'missing');
  return meant === undefined ? null : (meant.wrong?.expected ?? toggle.status);
}
