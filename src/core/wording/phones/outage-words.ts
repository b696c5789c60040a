/** An outage of the provider's in words: what its page says, why it is suspected, and what is left after its end. */
import type { OutageDetails } from '../../transition/details.ts';
import { CALLED_BY_NAME, siteCounts } from '../../alert/account-titles.ts';
import { formatList, toOneLine, formatCount } from '../../text/plain.ts';
import { countedIn, phoneName } from './phone-words.ts';
import { componentLabel } from '../state-words.ts';
import { whySentences } from './why.ts';
import { named } from '../wording.ts';

/** How the page stands, in the words of whose it is. */
export function pageSays({ page }: OutageDetails): string {
  if (page === null) return 'The provider’s status page cannot be asked.';
  const state = componentLabel(page.state).toLowerCase();
  if (page.vendor === true) return `The status page “${named(page.source)}” says: ${state}.`;
  return `The provider’s status page (${named(page.source)}) says: ${state}.`;
}

/** An older event does not say why; what is lost at one site is the provider's only together with what is lost elsewhere. */
export function whySuspected({ scattered, sites }: OutageDetails): string[] {
  return whySentences({ kind: 'suspected', scattered: scattered ?? sites.length > 1 });
}

/** `1 of your 59 phones is still offline: 101 (Reception)`: names where they are few, else sites where they are several. */
export function left(details: OutageDetails, yours: boolean): string {
  const { phones, more, down, total, domain, by_site: bySite = [] } = details;
  const isNamed = phones.length > 0 && phones.length + more <= CALLED_BY_NAME;
  const sites = isNamed || domain.kind !== 'account' ? null : siteCounts(bySite);
  if (sites !== null) return `${down} of ${formatCount(total, 'phone')} still offline: ${toOneLine(sites)}`;
  const names = isNamed ? `: ${formatList(phones.map(phoneName), CALLED_BY_NAME)}` : '';
  return `${countedIn(details, down, yours)} ${down === 1 ? 'is' : 'are'} still offline${names}`;
}
