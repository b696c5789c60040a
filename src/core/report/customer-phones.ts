/** One's own phones by customer, where there are several: the sums of their sites. */
import { compareNames } from '../text/plain.ts';
import type { SiteLosses } from './site-losses.ts';
import { computeShare } from './uptime.ts';

export interface CustomerPhones extends Pick<SiteLosses, 'phones' | 'losses' | 'lostMs' | 'phonesMs' | 'percent'> {
  customer: string;
  /** Names of its accounts. */
  accounts: string[];
}

/** By name; none where there is one customer alone. `findCustomer`: null for what is no account any more. */
export function groupByCustomer(
  sites: readonly SiteLosses[],
  customerOf: (account: string) => string | null,
): CustomerPhones[] {
  const groups = [...Map.groupBy(sites, ({ source }) => customerOf(source) ?? source)];
  if (groups.length < 2) return [];
  return groups
    .map(([customer, all]) => {
      const sum = (of: (site: SiteLosses) => number): number => all.reduce((total, site) => total + of(site), 0);
      const [lostMs, phonesMs] = [sum((site) => site.lostMs), sum((site) => site.phonesMs)];
      return {
        customer,
        accounts: [...new Set(all.map(({ source }) => source))],
        phones: sum(({ phones }) => phones),
        losses: sum(({ losses }) => losses),
        lostMs,
        phonesMs,
        percent: computeShare(phonesMs - lostMs, phonesMs),
      };
    })
    .toSorted((a, b) => compareNames(a.customer, b.customer));
}
