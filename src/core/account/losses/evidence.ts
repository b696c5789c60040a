/** Evidence of one sweep: phones lost together, phones going missing, and phones proven registered. */
import { isAway, canSeeRenewals } from '../presence.ts';
import type { LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { ANSWERS_UNTIL_GOING, DRIP_MS, LISTED_AFTER_EXPIRY_MS, PROOF } from './loss-rules.ts';
import { findMaximum, findMinimum } from '../../transition/collections.ts';

export interface LossEvidence {
  /** Reported as lost, within one window of the newest loss. */
  lost: PhoneMemory[];
  /** Missing for less than the hold-off. */
  going: PhoneMemory[];
  /** Registered, and renewed since the first of these was missing, if renewals can be seen. */
  standing: PhoneMemory[];
}

/** Longest time between the first absences of phones that lose the same thing at the same time. */
export function computeLossWindow(phones: readonly PhoneMemory[]): number {
  if (!canSeeRenewals(phones)) return DRIP_MS;
  let longest = 0;
  for (const { lease } of phones) {
    if (lease === undefined || lease.renewedAt === null) return DRIP_MS;
    longest = Math.max(longest, lease.longestMs);
  }
  return Math.min(DRIP_MS, longest + LISTED_AFTER_EXPIRY_MS);
}

/** `settled`: groups whose cause is over, though some phones are still lost. */
export function gatherEvidence(
  phones: readonly PhoneMemory[],
  windowMs: number,
  settled: ReadonlySet<string> = new Set(),
): LossEvidence {
  const all = phones.filter(({ lost, flapping }) => lost !== null && flapping === null && !settled.has(lost.group));
  const newest = findMaximum(all.map(findMissingStart));
  const lost = all.filter((phone) => newest - findMissingStart(phone) <= windowMs);
  const going = phones.filter(isRepeatedlyMissing);
  const onset = findMinimum(lost.map(findMissingStart));
  const speak = canSeeRenewals(phones);
  const standing = phones.filter(
    (phone) => phone.lost === null && phone.missing === null && (!speak || isStanding(phone, onset)),
  );
  return { lost, going, standing };
}

/** Missing in at least two responses at an hour when that matters, and neither lost nor away nor flapping. */
export function isRepeatedlyMissing(phone: PhoneMemory): boolean {
  const { lost, missing, flapping } = phone;
  if (lost !== null || missing === null || flapping !== null || isAway(phone)) return false;
  return missing.sweeps >= ANSWERS_UNTIL_GOING && missing.outside !== true;
}

/** On the clock: first absence of a lost phone. */
export function findMissingStart({ lost }: PhoneMemory): number {
  return lost === null ? Infinity : (lost.from ?? lost.at);
}

/** A registration not due for renewal since is no evidence: its phone may be as dead as the others. */
function isStanding({ lease }: PhoneMemory, onset: number): boolean {
  return lease === undefined || (lease.renewedAt !== null && lease.renewedAt > onset);
}

/** True if phones elsewhere renewed after the last loss of this event: its cause was not an outage of the registrar. */
export function isProvenLocal(
  group: LossGroup,
  phones: readonly PhoneMemory[],
  isWithin: (phone: PhoneMemory) => boolean,
): boolean {
  if (group.domain.kind === 'account' || !canSeeRenewals(phones)) return false;
  const mine = phones.filter(({ lost }) => lost?.group === group.id).map(findMissingStart);
  const last = findMaximum(mine);
  const renewed = phones.filter((phone) => (phone.lease?.renewedAt ?? -Infinity) > last && !isWithin(phone));
  return mine.length > 0 && renewed.length >= PROOF;
}
