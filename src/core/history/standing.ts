/** How the things of a source stood at a time, as the history keeps it: states of components, phones of sites. */
import { takeCensus } from '../account/census.ts';
import { isAway } from '../account/presence.ts';
import type { AccountSnapshot, PhoneMemory } from '../account/account-snapshot.ts';
import type { Snapshot } from '../page/snapshot.ts';
import { LIMITS } from '../observation/limits.ts';

/** Parts the names of a component and of what it is part of, outermost first. */
export const BELOW = ' › ';

/** The page or a component of it. */
export interface StateStanding {
  /** `page`, `component/ID` */
  subject: string;
  /** With the names of its ancestors before it. */
  name: string;
  /** The provider's word. */
  state: string;
}

/** The phones of one site of an account. */
export interface PhonesStanding {
  /** Its name, else its address; empty for phones of which no address is known. */
  site: string;
  total: number;
  registered: number;
  /** Logged off as on most days. */
  away: number;
  /** Known to be lost: gone for longer than the hold-off. */
  lost: number;
  /** Those, each since when it is lost; in the order in which they were called so. Absent for none. */
  losses?: readonly PhoneLoss[];
}

export interface PhoneLoss {
  extension: string;
  /** When it was first missing though it was expected: before it was called lost. */
  since: number;
}

/** Nothing for what was never read. */
export function statesOf({ page, components }: Pick<Snapshot, 'page' | 'components'>): StateStanding[] {
  const known = new Map((components ?? []).map((component) => [component.id, component]));
  function pathOf(id: string, below: readonly string[] = []): string {
    const component = known.get(id);
    // A provider may name a component as its own ancestor.
    if (component === undefined || below.length > LIMITS.levels) return below.join(BELOW);
    const path = [component.name, ...below];
    return component.parentId === null ? path.join(BELOW) : pathOf(component.parentId, path);
  }
  return [
    ...(page === null ? [] : [{ subject: 'page', name: page.name, state: page.state }]),
    ...[...known.values()].map(({ id, state }) => ({ subject: `component/${id}`, name: pathOf(id), state })),
  ];
}

/** `sites`: the names of external addresses. Nothing where phones were never read. */
export function phonesBySite(
  { phones }: Pick<AccountSnapshot, 'phones'>,
  sites: Readonly<Record<string, string>>,
): PhonesStanding[] {
  if (phones === null) return [];
  const census = takeCensus(phones, sites);
  return [...Map.groupBy(phones, (phone) => census.siteOf(phone)?.name ?? '')].map(([site, there]) => {
    const losses = lossesOf(there);
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

function lossesOf(phones: readonly PhoneMemory[]): PhoneLoss[] {
  return phones
    .flatMap(({ extension, lost }) => (lost === null ? [] : [{ extension, lost }]))
    .toSorted((a, b) => a.lost.at - b.lost.at)
    .map(({ extension, lost: { since, expectedSince = since } }) => ({ extension, since: expectedSince }));
}
