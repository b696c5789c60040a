/**
 * Wording of a suspected provider outage: state of the provider's page, evidence, and remaining losses after its end.
 */
import type { OutageDetails } from '../../transition/details.ts';
import { CALLED_BY_NAME, siteCounts } from '../../alert/account-titles.ts';
import { formatList, toOneLine, formatCount } from '../../text/plain.ts';
import { countedIn, phoneName } from './phone-words.ts';
import { componentLabel } from '../state-words.ts';
import { whySentences } from './why.ts';
import { named } from '../wording.ts';

/** State of the provider's page. */
export function pageSays({ page }: OutageDetails): string {
  if (page === null) return 'The provider’s status page cannot be asked.';
  const state = componentLabel(page.state).toLowerCase();
  if (page.vendor === true) return `The status page “${named(page.source)}” says: ${state}.`;
  return `The provider’s status page (${named(page.source)}) says: ${state}.`;
}

/** Events of older versions lack `scattered`: losses at several sites imply it. */
export function whySuspected({ scattered, sites }: OutageDetails): string[] {
  return whySentences({ kind: 'suspected', scattered: scattered ?? sites.length > 1 });
}

/**
 * `1 of your 59 phones is still offline: 101 (Reception)`: names if there are few, else the sites if there are several.
 */
export function left(details: OutageDetails, yours: boolean): string {
  const { phones, more, down, total, domain, by_site: bySite = [] } = details;
  const isNamed = phones.length > 0 && phones.length + more <= CALLED_BY_NAME;
  const sites = isNamed || domain.kind !== 'account' ? null : siteCounts(bySite);
  if (sites !== null) return `${down} of ${formatCount(total, 'phone')} still offline: ${toOneLine(sites)}`;
  const names = isNamed ? `: ${formatList(phones.map(phoneName), CALLED_BY_NAME)}` : '';
  return `${countedIn(details, down, yours)} ${down === 1 ? 'is' : 'are'} still offline${names}`;
}
