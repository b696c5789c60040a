/** Phones of one account that one part of an alert costs it now, and the cause that is named for that. */
import type { AccountSnapshot } from '../../account/account-snapshot.ts';
import { takeCensus } from '../../account/census.ts';
import { ACCOUNT } from '../../account/domain.ts';
import type { AccountAlert } from '../../alert/account-alert.ts';
import type { Because } from '../../alert/alert.ts';
import { lossesBySite, lostPhonesOf } from '../../alert/phone-counts.ts';
import type { SiteLoss } from '../../alert/shared-alert.ts';

export interface PartPhones {
  offline: number;
  /** All phones of the account that should be there at this hour. */
  total: number;
  /** When the first of them was lost, epoch milliseconds. */
  since: number;
  /** Sites that lost phones, the most first. */
  sites: SiteLoss[];
  /** Null where nothing is blamed. */
  because: Because | null;
}

/** `sites`: the names of external addresses. Null for an alert that costs no phones now. */
export function partPhonesOf(
  { phones }: Pick<AccountSnapshot, 'phones'>,
  sites: Readonly<Record<string, string>>,
): (alert: AccountAlert) => PartPhones | null {
  const all = phones ?? [];
  // Most accounts have lost none, and every look asks all of them.
  const lostOf = all.some(({ lost }) => lost !== null) ? lostPhonesOf(all) : null;
  return (alert) => {
    const lost = lostOf?.(alert) ?? [];
    if (lost.length === 0) return null;
    const census = takeCensus(all, sites);
    return {
      offline: lost.length,
      total: census.count(ACCOUNT).total,
      since: lost.reduce((first, phone) => Math.min(first, phone.lost?.since ?? Infinity), Infinity),
      sites: lossesBySite(lost, census),
      because: alert.because ?? null,
    };
  };
}
