/** Counts the phones that each alert of an account costs it: now, and at most at once. */
import { takeCensus, type Census } from '../account/census.ts';
import { ACCOUNT } from '../account/domain.ts';
import type { PhoneMemory } from '../account/account-snapshot.ts';
import { findEarliest } from '../transition/collections.ts';
import { isGoingOn, type AccountAlert } from './account-alert.ts';
import type { AccountFacts } from '../alert/account-titles.ts';
import type { SiteLoss } from '../alert/shared-alert.ts';

/** Phones that an alert costs now: none once it is over, and none that another alert reports. */
export function createLostPhonesOf(
  phones: readonly PhoneMemory[],
): (alert: Pick<AccountAlert, 'family' | 'status' | 'group' | 'absorbedBy'>) => readonly PhoneMemory[] {
  const lostBy = Map.groupBy(phones, ({ lost }) => lost?.group ?? null);
  return (alert) => (isGoingOn(alert) ? (lostBy.get(alert.group) ?? []) : []);
}

/** Most sites that are kept with an alert. */
const MOST_SITES = 50;

/** By site, the one that lost most first. */
export function countLossesBySite(lost: readonly PhoneMemory[], census: Census): SiteLoss[] {
  const nameOf = (phone: PhoneMemory): string | null => census.siteOf(phone)?.name ?? null;
  const totals = Map.groupBy(census.phones, nameOf);
  return [...Map.groupBy(lost, nameOf)]
    .map(([site, there]) => ({ site, offline: there.length, total: totals.get(site)?.length ?? there.length }))
    .toSorted((a, b) => b.offline - a.offline || b.total - a.total);
}

/** Updates the counts. A resolved alert keeps its numbers; one that became part of another has none. */
export function countPhones(
  alerts: readonly AccountAlert[],
  { snapshot, sites }: Pick<AccountFacts, 'snapshot' | 'sites'>,
): void {
  const concerned = alerts.filter(
    ({ family, status, phones }) => family === 'phones' && (status === 'open' || (phones?.down ?? 0) > 0),
  );
  if (concerned.length === 0) return;
  const all = snapshot.phones ?? [];
  const census = takeCensus(all, sites);
  const { total } = census.count(ACCOUNT);
  const lostOf = createLostPhonesOf(all);
  const groups = new Map(snapshot.groups.map((group) => [group.id, group]));
  for (const alert of concerned) {
    if (alert.absorbedBy !== undefined) {
      delete alert.phones;
      continue;
    }
    const lost = lostOf(alert);
    const { again } = groups.get(alert.group) ?? {};
    const since = findEarliest([alert.phones?.since ?? null, ...lost.map((phone) => phone.lost?.since ?? null)]);
    alert.phones = {
      total,
      down: lost.length,
      most: Math.max(lost.length, alert.phones?.most ?? 0),
      ...(since !== null && { since }),
      ...(again !== undefined && { again }),
      sites: countLossesBySite(lost, census).slice(0, MOST_SITES),
    };
  }
}
