/**
 * Wording of a suspected provider outage: state of the provider's page, evidence, and remaining losses after its end.
 */
import type { OutageDetails } from '../../transition/details.ts';
import { CALLED_BY_NAME, countOwnLosses, formatSiteCounts } from '../../alert/account-titles.ts';
import { formatList, toOneLine, formatCountOf } from '../../text/plain.ts';
import { formatCountedPhones, formatOthersBeside, formatPhoneName } from './phone-words.ts';
import { formatComponentState } from '../state-words.ts';
import { listReasonSentences } from './why.ts';
import { cleanName } from '../wording.ts';

/** State of the provider's page. */
export function describePageState({ page }: OutageDetails): string {
  if (page === null) return 'The provider’s status page cannot be asked.';
  const state = formatComponentState(page.state).toLowerCase();
  if (page.vendor === true) return `The status page “${cleanName(page.source)}” says: ${state}.`;
  return `The provider’s status page (${cleanName(page.source)}) says: ${state}.`;
}

/** Events of older versions lack `scattered`: losses at several sites imply it. */
export function explainSuspicion({ scattered, sites }: OutageDetails): string[] {
  return listReasonSentences({ kind: 'suspected', scattered: scattered ?? sites.length > 1 });
}

/**
 * `1 of your 59 phones is still offline: 101 (Reception)`: names if there are few, else the sites if there are several.
 */
export function formatRemaining(details: OutageDetails, yours: boolean): string {
  const { phones, more, total, domain, by_site: bySite = [] } = details;
  const down = countOwnLosses(details);
  const others = formatOthersBeside(details);
  const isNamed = phones.length > 0 && phones.length + more <= CALLED_BY_NAME;
  const sites = isNamed || domain.kind !== 'account' ? null : formatSiteCounts(bySite);
  if (sites !== null) {
    return `${formatCountOf(down, total, 'phone')} still offline: ${toOneLine(sites)}${others}`;
  }
  const names = isNamed ? `: ${formatList(phones.map(formatPhoneName), CALLED_BY_NAME)}` : '';
  return `${formatCountedPhones(details, down, yours)} ${down === 1 ? 'is' : 'are'} still offline${names}${others}`;
}
