/** Present states of a source as the history stores them: states of components, phones of sites. */
import { takeCensus } from '../account/census.ts';
import { isAway } from '../account/presence.ts';
import type { AccountSnapshot, PhoneMemory } from '../account/account-snapshot.ts';
import type { Snapshot } from '../page/snapshot.ts';
import { LIMITS } from '../observation/limits.ts';

/** Separates the names of a component and its ancestors, outermost first. */
export const BELOW = ' › ';

/** State of the page or of a component. */
export interface StateStanding {
  /** `page`, `component/ID` */
  subject: string;
  /** Preceded by the names of its ancestors. */
  name: string;
  /** The provider's own state word. */
  state: string;
}

/** Counts of phones at one site of an account. */
export interface PhonesStanding {
  /** Name of the site, else its address; empty for phones without a known address. */
  site: string;
  total: number;
  registered: number;
  /** Habitually offline now. */
  away: number;
  /** Offline for longer than the hold-off. */
  lost: number;
  /** Start of each loss, in the order in which the losses were confirmed. Absent if there are none. */
  losses?: readonly PhoneLoss[];
}

export interface PhoneLoss {
  extension: string;
  /** Time when it was first missed while expected, before the loss was confirmed. */
  since: number;
}

/** Empty if the page was never read. */
export function listStates({ page, components }: Pick<Snapshot, 'page' | 'components'>): StateStanding[] {
  const known = new Map((components ?? []).map((component) => [component.id, component]));
  function formatPath(id: string, below: readonly string[] = []): string {
    const component = known.get(id);
    // A provider may name a component as its own ancestor.
    if (component === undefined || below.length > LIMITS.levels) return below.join(BELOW);
    const path = [component.name, ...below];
    return component.parentId === null ? path.join(BELOW) : formatPath(component.parentId, path);
  }
  return [
    ...(page === null ? [] : [{ subject: 'page', name: page.name, state: page.state }]),
    ...[...known.values()].map(({ id, state }) => ({ subject: `component/${id}`, name: formatPath(id), state })),
  ];
}

/** `sites`: names of external addresses. Empty if phones were never read. */
export function countPhonesBySite(
  { phones }: Pick<AccountSnapshot, 'phones'>,
  sites: Readonly<Record<string, string>>,
): PhonesStanding[] {
  if (phones === null) return [];
  const census = takeCensus(phones, sites);
  return [...Map.groupBy(phones, (phone) => census.siteOf(phone)?.name ?? '')].map(([site, there]) => {
    const losses = listLosses(there);
    return {
      site,
      total: there.length,
      registered: there.filter(({ missing, lost }) => missing === null && lost === null).length,
      away: there.filter(isAway).length,
      lost: losses.length,
      ...(losses.length > 0 && { losses }),
    };
  });
}

function listLosses(phones: readonly PhoneMemory[]): PhoneLoss[] {
  return phones
    .flatMap(({ extension, lost }) => (lost === null ? [] : [{ extension, lost }]))
    .toSorted((a, b) => a.lost.at - b.lost.at)
    .map(({ extension, lost: { since, expectedSince = since } }) => ({ extension, since: expectedSince }));
}
