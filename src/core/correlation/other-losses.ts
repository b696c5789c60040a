/** Offline phones that other open alerts of the account report. An alert does not count them as its own. */
import { ACCOUNT } from '../account/domain.ts';
import { takeCensus } from '../account/census.ts';
import type { PhoneMemory } from '../account/account-snapshot.ts';
import type { OtherLossCounter } from '../alert/account-titles.ts';
import type { DomainDetails, ReportedPhones } from '../transition/details.ts';
import { isGoingOn, type AccountAlert, type AccountEntered } from './account-alert.ts';

interface OtherLoss {
  phone: PhoneMemory;
  by: AccountAlert;
}

/**
 * Losses that were moved into the alert are its own, whatever group they are in. Reads alerts and phones with the first
 * details: most steps have none.
 */
export function createOtherLossCounter(
  alerts: readonly AccountAlert[],
  phones: readonly PhoneMemory[],
  sites: Readonly<Record<string, string>>,
): OtherLossCounter {
  const census = takeCensus(phones, sites);
  let known: readonly OtherLoss[] | null = null;

  function listReported(): OtherLoss[] {
    const open = new Map(alerts.filter(isGoingOn).map((alert) => [alert.group, alert]));
    return census.phones.flatMap((phone): OtherLoss[] => {
      const by = open.get(phone.lost?.group ?? '');
      return by === undefined ? [] : [{ phone, by }];
    });
  }

  function isWithin(phone: PhoneMemory, { kind, name }: DomainDetails): boolean {
    return (
      kind === ACCOUNT.kind || census.domainsOf(phone).some((domain) => domain.kind === kind && domain.name === name)
    );
  }

  return (details, alert) => {
    known ??= listReported();
    const others = known.filter(
      ({ phone, by }) => by.id !== alert.id && by.group !== alert.group && isWithin(phone, details.domain),
    );
    if (others.length === 0) return details;
    const bySite = Map.groupBy(others, ({ phone }) => census.siteOf(phone)?.name);
    const by_site = details.by_site?.map((count) => {
      const there = bySite.get(count.site)?.length ?? 0;
      return there === 0 ? count : { ...count, others: there };
    });
    return { ...details, ...(by_site !== undefined && { by_site }), others: countByAlert(others) };
  };
}

/** The alert with most phones first. */
function countByAlert(others: readonly OtherLoss[]): ReportedPhones[] {
  const counts = new Map<string, ReportedPhones>();
  for (const { by } of others) {
    const known = counts.get(by.id) ?? { alert: by.id, number: by.number, phones: 0 };
    counts.set(by.id, { ...known, phones: known.phones + 1 });
  }
  return [...counts.values()].toSorted((one, other) => other.phones - one.phones || one.number - other.number);
}

/** A site that moved has lost no phone. */
export function withOtherLosses(entered: AccountEntered, count: OtherLossCounter): AccountEntered {
  const { alert, transition } = entered;
  if (alert === null) return entered;
  switch (transition.kind) {
    case 'registration.mass':
      return { ...entered, transition: { ...transition, details: count(transition.details, alert) } };
    case 'registration.restored': {
      const { from, to, details } = transition;
      if (typeof from !== 'number' || typeof to !== 'number' || !('domain' in details)) return entered;
      return { ...entered, transition: { ...transition, from, to, details: count(details, alert) } };
    }
    case 'registration.flapping': {
      const { details } = transition;
      if (!('domain' in details)) return entered;
      return { ...entered, transition: { ...transition, details: count(details, alert) } };
    }
    case 'outage.suspected':
    case 'outage.residual':
      return { ...entered, transition: { ...transition, details: count(transition.details, alert) } };
    default:
      return entered;
  }
}
