/** What is new about phones that were known: other devices, other networks. */
import { takeCensus } from './census.ts';
import { isOnTheMove, isOtherFirmware } from './novelty.ts';
import type { Met } from './phone.ts';
import type { AccountSettings } from './settings.ts';
import type { AccountSnapshot, PhoneMemory } from './snapshot.ts';
import { subjectOfPhone, tellerOf, type Word } from './words.ts';

export interface News extends Met {
  before: PhoneMemory;
}

export function tellNews(
  news: readonly News[],
  all: readonly PhoneMemory[],
  snapshot: AccountSnapshot,
  settings: AccountSettings,
): Word[] {
  if (news.length === 0) return [];
  const tell = tellerOf(takeCensus(all, settings.sites), snapshot.extensions);
  return news.flatMap(({ phone, before, device, network }): Word[] => {
    const subject = subjectOfPhone(phone.extension);
    const details = tell.phone(phone, null);
    const of = (
      kind: 'registration.device' | 'registration.network',
      [from, to]: [string | null, string],
      isUsual: boolean,
    ): Word => ({
      draft: { subject, kind, from, to, details },
      group: null,
      pace: isUsual ? 'later' : 'now',
    });
    const isNewDevice = device !== null && !isOtherFirmware(before, device[1]);
    return [
      ...(device === null ? [] : [of('registration.device', device, !isNewDevice)]),
      // A device that was never seen, in a network that was never seen, is told as what it may be.
      ...(network === null ? [] : [of('registration.network', network, !isNewDevice && isOnTheMove(before))]),
    ];
  });
}
