/** Losses that begin again: phones that go one after another within a minute are lost together. */
import { takeCensus } from '../census.ts';
import { isMissing } from '../presence.ts';
import type { AccountSettings } from '../settings.ts';
import type { Absence, LossGroup, PhoneMemory } from '../account-snapshot.ts';
import { hasEndedLately } from './loss-state.ts';
import { MORE_PHONES, WAITS_FOR_MORE_MS } from './loss-rules.ts';

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
  const ended = groups.filter((group) => !group.open && hasEndedLately(group, clock));
  if (ripe.length === 0 || ended.length === 0) return [...ripe];
  const census = takeCensus([...phones.values()], sites);
  const due = new Set(ripe.map(({ extension }) => extension));
  const going = [...phones.values()].filter(
    (phone) => isMissing(phone) && phone.missing?.outside !== true && !due.has(phone.extension),
  );
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
