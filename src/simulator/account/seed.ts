/** Fills a new world with phones, and with calls of the days until today. */
import type { Random } from '../random.ts';
import type { SimulatedCalls } from './call-book.ts';
import { pickDeskPhone, pickLandlineNumber, pickMobileNumber, pickSoftphone, type Site } from './random-values.ts';
import { DEFAULT_ZONE, toZoned } from './times.ts';
import type { ExtensionRecord } from './extension-book.ts';
import type { PhoneBook } from './registered-phones.ts';

interface CallingCompany {
  /** Extension numbers. */
  extensions: readonly string[];
  dids: readonly [string, ...string[]];
  skillsets: readonly string[];
  /** Numbers in a phonebook, so that some callers have names. */
  known: readonly string[];
}

/** `now` in epoch seconds; the last of the `days` is today. Daily calls follow from the company's size; weekends have a tenth. */
export function seedCalls(
  book: SimulatedCalls,
  random: Random,
  company: CallingCompany,
  { now, days }: { now: number; days: number },
): void {
  const [first, ...others] = company.extensions;
  if (first === undefined) return;
  const extensions: readonly [string, ...string[]] = [first, ...others];
  const perDay = Math.min(200, Math.max(20, extensions.length * 4));
  for (let daysAgo = days - 1; daysAgo >= 0; daysAgo -= 1) {
    const midnight = toZoned(now, DEFAULT_ZONE).startOfDay().subtract({ days: daysAgo });
    const calls = midnight.dayOfWeek > 5 ? Math.ceil(perDay / 10) : perDay;
    for (let count = 0; count < calls; count += 1) {
      const endedAt = midnight.epochMilliseconds / 1000 + Math.floor((8 + 10 * random.next()) * 3600);
      placeOne(book, random, company, extensions, endedAt < now ? endedAt : null);
    }
  }
}

/** `endedAt` null draws the call but leaves it out: later hours of today have not happened yet. */
function placeOne(
  book: SimulatedCalls,
  random: Random,
  company: CallingCompany,
  extensions: readonly [string, ...string[]],
  endedAt: number | null,
): void {
  const times = { endedAt: endedAt ?? 0, waitSeconds: random.whole(2, 25), talkSeconds: random.whole(10, 600) };
  const [extension, other] = [random.pick(extensions), random.pick(extensions)];
  const outsider = outsideNumber(random, company);
  const [kind, fate, extra] = [random.next(), random.next(), random.next()];
  const did = random.pick(company.dids);
  if (endedAt === null) return;
  if (kind < 0.3) {
    book.place({
      ...times,
      direction: 'outgoing',
      extension,
      callerId: company.dids[0],
      to: outsider,
      answered: fate < 0.85,
      recorded: extra < 0.2,
    });
  } else if (kind < 0.45) {
    if (other !== extension) {
      book.place({ ...times, direction: 'internal', extension, to: other, answered: fate < 0.8 });
    }
  } else {
    const skillset = company.skillsets[Math.floor(extra * company.skillsets.length * 4)];
    book.place({
      ...times,
      direction: 'incoming',
      from: outsider,
      did,
      rings: [extension, other],
      ...(fate < 0.72 ? { answeredBy: extension } : fate < 0.77 && { divertedTo: '61411222333' }),
      skillset,
      voicemail: fate > 0.9,
      recorded: extra > 0.75,
    });
  }
}

function outsideNumber(random: Random, company: CallingCompany): string {
  const known = company.known[random.whole(0, Math.max(0, company.known.length - 1))];
  const stranger = random.chance(0.6) ? pickMobileNumber(random) : pickLandlineNumber(random);
  return random.chance(0.3) && known !== undefined ? known : stranger;
}

export interface PhoneShares {
  /** Share of extensions without a phone. Default 0.04. */
  without?: number | undefined;
  /** Share of the others with a second device. Default 0.08. */
  second?: number | undefined;
}

/** Some extensions have no phone, some also a softphone; `shares` ranges from 0 to 1. */
export function seedPhones(
  phones: PhoneBook,
  random: Random,
  extensions: readonly ExtensionRecord[],
  sites: readonly [Site, ...Site[]],
  shares: PhoneShares = {},
): void {
  for (const extension of extensions) {
    // Drawn for every extension, so that changing a share does not shuffle the rest.
    const [without, second] = [random.chance(shares.without ?? 0.04), random.chance(shares.second ?? 0.08)];
    const site = sites[(extension.customer_location_id - 1) % sites.length] ?? sites[0];
    const device = pickDeskPhone(random);
    const other = pickSoftphone(random);
    if (without) continue;
    phones.connect({ extension: extension.user_id, site, device });
    if (second) phones.connect({ extension: extension.user_id, site, device: other });
  }
}
