/** Sums of phones by customer. */
import { compareNames } from '../text/plain.ts';
import type { SiteLosses } from './site-losses.ts';
import { computeShare } from './uptime.ts';

/** Display name of a source and its customer; null for a page. */
export interface SourceName {
  called: string;
  customer: string | null;
}

export interface CustomerPhones extends Pick<SiteLosses, 'phones' | 'losses' | 'lostMs' | 'phonesMs' | 'percent'> {
  customer: string;
  /** Display name. */
  called: string;
  /** Names of its accounts. */
  accounts: string[];
}

/** Sorted by name; empty with a single customer. `nameOf` returns undefined for removed accounts. */
export function groupByCustomer(
  sites: readonly SiteLosses[],
  nameOf: (account: string) => SourceName | undefined,
): CustomerPhones[] {
  const groups = [...Map.groupBy(sites, ({ source }) => nameOf(source)?.customer ?? source)];
  if (groups.length < 2) return [];
  return groups
    .map(([customer, all]) => {
      const sum = (of: (site: SiteLosses) => number): number => all.reduce((total, site) => total + of(site), 0);
      const [lostMs, phonesMs] = [sum((site) => site.lostMs), sum((site) => site.phonesMs)];
      return {
        customer,
        called: pickSharedName(
          customer,
          all.map(({ source }) => nameOf(source)?.called ?? source),
        ),
        accounts: [...new Set(all.map(({ source }) => source))],
        phones: sum(({ phones }) => phones),
        losses: sum(({ losses }) => losses),
        lostMs,
        phonesMs,
        percent: computeShare(phonesMs - lostMs, phonesMs),
      };
    })
    .toSorted((a, b) => compareNames(a.called, b.called));
}

/** Accounts of a customer that are all called the same give it their name. */
export function pickSharedName(customer: string, accounts: readonly string[]): string {
  const [name = customer, ...others] = new Set(accounts);
  return others.length === 0 ? name : customer;
}
