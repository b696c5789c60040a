/** Phones of one account that are offline in one part of an alert, with their named cause. */
import type { AccountSnapshot } from '../../account/account-snapshot.ts';
import { takeCensus } from '../../account/census.ts';
import { ACCOUNT } from '../../account/domain.ts';
import type { AccountAlert } from '../../correlation/account-alert.ts';
import type { Because } from '../../alert/alert.ts';
import { countLossesBySite, createLostPhonesOf } from '../../correlation/phone-counts.ts';
import type { SiteLoss } from '../../alert/shared-alert.ts';

export interface PartPhones {
  offline: number;
  /** All phones of the account expected at this hour. */
  total: number;
  /** When the first of them was lost, epoch milliseconds. */
  since: number;
  /** Sites with lost phones, most first. */
  sites: SiteLoss[];
  /** Null without a cause. */
  because: Because | null;
}

/** `sites`: names of external addresses. Null for an alert without phones offline now. */
export function createPartPhonesOf(
  { phones }: Pick<AccountSnapshot, 'phones'>,
  sites: Readonly<Record<string, string>>,
): (alert: AccountAlert) => PartPhones | null {
  const all = phones ?? [];
  // Most accounts have no losses, and every computation of the status calls this for all of them.
  const lostOf = all.some(({ lost }) => lost !== null) ? createLostPhonesOf(all) : null;
  return (alert) => {
    const lost = lostOf?.(alert) ?? [];
    if (lost.length === 0) return null;
    const census = takeCensus(all, sites);
    return {
      offline: lost.length,
      total: census.count(ACCOUNT).total,
      since: lost.reduce((first, phone) => Math.min(first, phone.lost?.since ?? Infinity), Infinity),
      sites: countLossesBySite(lost, census),
      because: alert.because ?? null,
    };
  };
}
