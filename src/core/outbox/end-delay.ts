/**
 * Delays the end of a loss while other phones go missing that would open the same alert again: people then read one update
 * in place of an end and an opening.
 */
import type { AccountSnapshot } from '../account/account-snapshot.ts';
import { takeCensus } from '../account/census.ts';
import { ACCOUNT } from '../account/domain.ts';
import { isRepeatedlyMissing } from '../account/losses/evidence.ts';
import { MORE_PHONES, WAITS_FOR_MORE_MS } from '../account/losses/loss-rules.ts';
import type { AccountSettings } from '../account/settings.ts';
import type { AccountAlert } from '../correlation/account-alert.ts';
import { MINUTE } from '../text/duration.ts';
import { findMaximum } from '../transition/collections.ts';

/** A loss is seen so long after the end of its hold-off. */
const SEEN_AFTER_MS = MINUTE;
/** An end waits no longer, however long the hold-off is. */
const LONGEST_MS = 10 * MINUTE;

/**
 * Delay in milliseconds: until the last of these phones is lost or back. An open notice makes each further loss part of its
 * alert; without one it takes several phones of what was lost.
 */
export function computeEndDelay(
  { group, explainedBy }: Pick<AccountAlert, 'group' | 'explainedBy'>,
  { phones, groups, clock }: Pick<AccountSnapshot, 'phones' | 'groups' | 'clock'>,
  { registrations, sites }: Pick<AccountSettings, 'registrations' | 'sites'>,
): number {
  const isExplained = explainedBy !== null;
  const known = groups.find(({ id }) => id === group);
  if (phones === null || known === undefined || !(known.mass || isExplained)) return 0;
  const domain = isExplained ? ACCOUNT : known.domain;
  const census = takeCensus(phones, sites);
  const going = census.phones.filter((phone) => isRepeatedlyMissing(phone) && census.belongs(phone, domain));
  if (going.length < (isExplained ? 1 : MORE_PHONES)) return 0;
  const last = findMaximum(going.map(({ missing }) => missing?.from ?? clock));
  const lostAt = last + registrations.offlineAfter + WAITS_FOR_MORE_MS + SEEN_AFTER_MS;
  return Math.min(LONGEST_MS, Math.max(0, lostAt - clock));
}
