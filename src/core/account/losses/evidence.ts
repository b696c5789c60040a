/** What is known at one look: which phones are lost together, which are going, and which are known to stand. */
import { isAway, leasesSpeak } from '../presence.ts';
import type { LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { ANSWERS_UNTIL_GOING, DRIP_MS, LISTED_AFTER_EXPIRY_MS, PROOF } from './loss-rules.ts';
import { findMaximum, findMinimum } from '../../transition/collections.ts';

export interface Evidence {
  /** Told as lost, within one window of the newest loss. */
  lost: PhoneMemory[];
  /** Missing, and not yet for as long as the hold-off asks for. */
  going: PhoneMemory[];
  /** Registered, and seen to renew since the first of these was missing where that can be seen. */
  standing: PhoneMemory[];
}

/** How far apart phones that lose the same thing at the same time may go missing. */
export function lossWindow(phones: readonly PhoneMemory[]): number {
  if (!leasesSpeak(phones)) return DRIP_MS;
  let longest = 0;
  for (const { lease } of phones) {
    if (lease === undefined || lease.renewedAt === null) return DRIP_MS;
    longest = Math.max(longest, lease.longestMs);
  }
  return Math.min(DRIP_MS, longest + LISTED_AFTER_EXPIRY_MS);
}

/** `settled`: groups of losses whose phones are lost for what is over. */
export function gatherEvidence(
  phones: readonly PhoneMemory[],
  windowMs: number,
  settled: ReadonlySet<string> = new Set(),
): Evidence {
  const all = phones.filter(({ lost, flapping }) => lost !== null && flapping === null && !settled.has(lost.group));
  const newest = findMaximum(all.map(missingFrom));
  const lost = all.filter((phone) => newest - missingFrom(phone) <= windowMs);
  const going = phones.filter(isGoing);
  const onset = findMinimum(lost.map(missingFrom));
  const speak = leasesSpeak(phones);
  const standing = phones.filter(
    (phone) => phone.lost === null && phone.missing === null && (!speak || stands(phone, onset)),
  );
  return { lost, going, standing };
}

/** Missing in two answers at least, at an hour at which that matters, and neither lost yet nor away nor flapping. */
export function isGoing(phone: PhoneMemory): boolean {
  const { lost, missing, flapping } = phone;
  if (lost !== null || missing === null || flapping !== null || isAway(phone)) return false;
  return missing.sweeps >= ANSWERS_UNTIL_GOING && missing.outside !== true;
}

/** On the clock: since when a lost phone is missing. */
export function missingFrom({ lost }: PhoneMemory): number {
  return lost === null ? Infinity : (lost.from ?? lost.at);
}

/** A registration that has not come due since says nothing: its phone may be as dead as the others. */
function stands({ lease }: PhoneMemory, onset: number): boolean {
  return lease === undefined || (lease.renewedAt !== null && lease.renewedAt > onset);
}

/** Phones elsewhere renewed after the last loss of this event: what hit it was no outage of the registrar. */
export function isProvenLocal(
  group: LossGroup,
  phones: readonly PhoneMemory[],
  isWithin: (phone: PhoneMemory) => boolean,
): boolean {
  if (group.domain.kind === 'account' || !leasesSpeak(phones)) return false;
  const mine = phones.filter(({ lost }) => lost?.group === group.id).map(missingFrom);
  const last = findMaximum(mine);
  const renewed = phones.filter((phone) => (phone.lease?.renewedAt ?? -Infinity) > last && !isWithin(phone));
  return mine.length > 0 && renewed.length >= PROOF;
}
