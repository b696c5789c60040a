/** Losses that begin again: phones that go one after another within a minute are lost together. */
import { takeCensus } from '../census.ts';
import { isAway } from '../presence.ts';
import type { AccountSettings } from '../settings.ts';
import type { Absence, LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { LOST_AGAIN_WITHIN_MS, MORE_PHONES, WAITS_FOR_MORE_MS } from './loss-rules.ts';

export interface RipeLoss {
  extension: string;
  absence: Absence;
}

/**
 * Losses to believe now. People read about this site, model or account less than an hour ago: while more of its phones
 * go missing, its first losses wait for them, for at most a minute. A first loss waits for none.
 */
export function selectBelieved(
  ripe: readonly RipeLoss[],
  phones: ReadonlyMap<string, PhoneMemory>,
  { groups, clock }: { groups: readonly LossGroup[]; clock: number },
  { registrations, sites }: AccountSettings,
): RipeLoss[] {
  const ended = groups.filter((group) => !group.open && clock - (group.endedAt ?? -Infinity) <= LOST_AGAIN_WITHIN_MS);
  if (ripe.length === 0 || ended.length === 0) return [...ripe];
  const census = takeCensus([...phones.values()], sites);
  const due = new Set(ripe.map(({ extension }) => extension));
  const going = [...phones.values()].filter((phone) => isMissing(phone) && !due.has(phone.extension));
  const waiting = new Set<RipeLoss>();
  for (const { domain } of ended) {
    const mine = ripe.filter(({ extension }) => {
      const phone = phones.get(extension);
      return phone !== undefined && census.belongs(phone, domain);
    });
    const isLong = mine.some(({ absence }) => clock - absence.from >= registrations.offlineAfter + WAITS_FOR_MORE_MS);
    if (isLong || going.filter((phone) => census.belongs(phone, domain)).length < MORE_PHONES) continue;
    for (const loss of mine) waiting.add(loss);
  }
  return ripe.filter((loss) => !waiting.has(loss));
}

function isMissing(phone: PhoneMemory): boolean {
  return phone.lost === null && phone.missing !== null && phone.missing.outside !== true && !isAway(phone);
}
